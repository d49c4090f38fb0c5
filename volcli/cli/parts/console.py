"""Diagnostics on stderr: with their source line, coloured for people, and counted into one exit code."""

from __future__ import annotations

import os
import sys
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from volcli.cli.parts.messages import arranged, of_command
from volcli.cli.parts.terminal import for_stderr
from volcli.diagnostics import CODES, Diagnostic, Place, UsageError, caret
from volcli.diagnostics.selection import ALL, Selection
from volcli.limits import printing as limits
from volcli.runtime import progress

if TYPE_CHECKING:
    from volcli.passes.base import Unit

LineOf = Callable[[Place], "str | None"]
"""The text of the line of a place, where it is known."""


class Console:
    """What a command says besides its result. `exit_code` is the worst of what was said so far.

    Of what it is given, it says what `selection` wants, by place, and remarks that repeat each other once.
    """

    def __init__(self, *, traceback: bool = False, selection: Selection = ALL) -> None:
        self.exit_code = 0
        self.selection = selection
        self._traceback = traceback
        self._is_terminal = sys.stderr is not None and sys.stderr.isatty()

    def say(self, diagnostics: Iterable[Diagnostic], line_of: LineOf = lambda place: None) -> None:
        """Print DIAGNOSTICS, each with the source line that LINE_OF knows, and count them."""
        progress.clear()
        texts: list[str] = []
        shown = _Shown(line_of)
        said = arranged(self.selection.of(diagnostics))
        for each in {each.code: each for each in said}.values():
            self.exit_code = max(self.exit_code, self.selection.exit_code(each))
        for diagnostic in said:
            if self._traceback and diagnostic.trace is not None:
                texts.append(diagnostic.trace.removesuffix("\n"))
            text = shown.text(diagnostic)
            texts.append(for_stderr(text) if self._is_terminal else text)
        for start in range(0, len(texts), limits.WRITTEN_TOGETHER):
            click.echo(
                "\n".join(texts[start : start + limits.WRITTEN_TOGETHER]), err=True, color=self._is_terminal
            )

    def fail(self, diagnostic: Diagnostic, line_of: LineOf = lambda place: None) -> int:
        """Print DIAGNOSTIC; the exit code so far."""
        self.say([diagnostic], line_of)
        return self.exit_code

    @contextmanager
    def guard(
        self, name: str, line_of: LineOf = lambda place: None, keep: list[Diagnostic] | None = None
    ) -> Generator[None, None, None]:
        """Do the work on file NAME: what stops it is said (and kept in KEEP), and does not stop the next."""
        try:
            yield
        except BrokenPipeError:  # the reader is gone: that stops everything
            raise
        except Exception as error:
            if self._traceback:
                import traceback

                click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
            diagnostic = error.diagnostic if isinstance(error, UsageError) else internal_error(error, name)
            diagnostic = of_command(diagnostic)
            self.fail(diagnostic, line_of)
            if keep is not None:
                keep.append(diagnostic)


def internal_error(error: Exception, name: str) -> Diagnostic:
    """ERROR, which is unexpected, as the diagnostic V900 about the file NAME.

    If somebody has removed the current folder (V100), any path may raise it.
    """
    if isinstance(error, FileNotFoundError) and not _has_folder():
        return Diagnostic("V100", "the current folder was removed", note="change to a folder that exists")
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Diagnostic("V900", f"{name}: {what}")


def _has_folder() -> bool:
    """Whether the current folder exists."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def lines_of(units: Sequence[Unit]) -> LineOf:
    """The lines of the source that UNITS, the chunks of one file in order, were read from."""
    firsts = [unit.parsed.source.first_line for unit in units]

    def line_of(place: Place) -> str | None:
        at = bisect_right(firsts, place.line) - 1
        if at < 0 or units[at].parsed.source.name != place.file:
            return None
        return units[at].parsed.source.line(place.line)

    return line_of


def lines_of_texts(texts: Mapping[str, Sequence[str]]) -> LineOf:
    """The lines of files that are nowhere but here, by their names: of the pipeline, of assumptions."""

    def line_of(place: Place) -> str | None:
        lines = texts.get(place.file, ())
        return lines[place.line - 1] if place.line <= len(lines) else None

    return line_of


class _Shown:
    """Diagnostics with their source lines; many in a row that are of one operation share its line."""

    def __init__(self, line_of: LineOf) -> None:
        self._line_of = line_of
        self._place: Place | None = None
        self._line: str | None = None
        self._pieces: tuple[str, str] = "", ""
        self._words = {code: f"{row.severity.value}: " for code, row in CODES.items() if row.is_mlir_opt}
        """What stands between the place and the message of what looks as mlir-opt's does."""

    def text(self, diagnostic: Diagnostic) -> str:
        """What is printed of DIAGNOSTIC."""
        place = diagnostic.place
        if place is not self._place or place is None:
            self._place, self._line = place, _line_shown(place, self._line_of)
            below = (
                ""
                if self._line is None or place is None
                else f"\n{self._line}\n{caret(self._line, place.column)}"
            )
            self._pieces = f"{place}: ", below
        word = self._words.get(diagnostic.code)
        if word is not None and place is not None and not diagnostic.related:
            at, below = self._pieces
            return f"{at}{word}{diagnostic.message}{below}"
        return diagnostic.render(self._line)


def _line_shown(place: Place | None, line_of: LineOf) -> str | None:
    """The source line to show for PLACE: cut if it is long, none if the caret would be beyond the cut."""
    line = line_of(place) if place is not None else None
    if place is None or not line or not line.strip() or place.column > limits.SHOWN_LINE:
        return None
    return line if len(line) <= limits.SHOWN_LINE else line[: limits.SHOWN_LINE] + "..."
