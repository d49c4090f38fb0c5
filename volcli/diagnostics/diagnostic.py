"""A diagnostic: a sentence with a code, a severity, a place and a next step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from volcli.diagnostics.codes import CODES, Severity


@dataclass(frozen=True, order=True)
class Place:
    """A place in a source file; lines and columns count from 1, as mlir-opt counts them."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Diagnostic:
    """One statement about the input: `conv.mlir:12:8: error: V110: ...`.

    `place` is None only where there is no file to point into (a wrong option, say). `note` replaces the
    code's general next step where this diagnostic knows a better one; `related` are
    other places, and what is there, and `assumptions` what it holds under. `trace` says where an internal
    error began.
    """

    code: str
    message: str
    place: Place | None = None
    note: str | None = None
    related: tuple[tuple[Place, str], ...] = ()
    assumptions: tuple[str, ...] = ()
    trace: str | None = field(default=None, compare=False, repr=False)

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity

    @property
    def exit_code(self) -> int:
        return CODES[self.code].exit_code

    @property
    def next_step(self) -> str:
        return self.note or CODES[self.code].next_step

    def render(self, source_line: str | None = None) -> str:
        """The diagnostic as text, with the source line and a caret under the column if it is given.

        >>> where = Place("a.mlir", 2, 3)
        >>> print(Diagnostic("V110", "'linalg.generic' op has no body", where).render("  linalg.generic"))
        a.mlir:2:3: error: V110: 'linalg.generic' op has no body
          linalg.generic
          ^
          next: correct it if `mlir-opt FILE` rejects it, too; the rest of the file was analysed
        """
        return "\n".join((self.headline, *self._beneath(source_line)))

    @property
    def headline(self) -> str:
        """`a.mlir:2:3: error: V110: 'linalg.generic' op has no body`."""
        code = CODES[self.code]
        at = f"{self.place}: " if self.place else ""
        name = "" if code.is_mlir_opt else f"{self.code}: "
        return f"{at}{code.severity.value}: {name}{self.message}"

    def _beneath(self, source_line: str | None) -> Iterator[str]:
        """The lines below the first one."""
        if source_line is not None and self.place is not None:
            yield from (source_line, caret(source_line, self.place.column))
        for place, said in self.related:
            yield f"{place}: note: {said}"
        if not CODES[self.code].is_mlir_opt:
            yield f"  next: {self.next_step}"


def caret(source_line: str, column: int) -> str:
    """A caret under COLUMN of a line. Columns count bytes, as mlir-opt's do."""
    before = source_line.encode()[: column - 1].decode(errors="ignore")
    return "".join(c if c == "\t" else " " for c in before) + "^"


class UsageError(Exception):
    """A call that volcli cannot carry out; it becomes exit code 2 and the diagnostic on stderr."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[UsageError], tuple[Diagnostic]]:
        return type(self), (self.diagnostic,)  # not the message, which Exception would take


def worst_exit_code(diagnostics: list[Diagnostic]) -> int:
    """0 if nothing is wrong, 1 if there are only findings, 2 if some input or call was unusable."""
    return max((diagnostic.exit_code for diagnostic in diagnostics), default=0)
