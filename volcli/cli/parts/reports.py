"""What `volcli check` and `volcli merge` share: formats, policy and baseline, and what is written where."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from volcli.cli.completion import texts
from volcli.cli.parts.output import STDOUT, write_output
from volcli.cli.parts.terminal import for_people
from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime import progress

if TYPE_CHECKING:
    from volcli.gate.policy.policy import Policy
    from volcli.gate.records.baseline import Baseline

STATISTICS = "statistics"
"""The format that has an option of its own."""
C = TypeVar("C", bound=Callable[..., Any])
_FORMATS = ("text", "concise", "explained", "json", "sarif", "junit", "github", "gitlab", "html")
_WRAPPED = ("text", "explained", STATISTICS)
"""What people read; `concise` has a line for each finding."""


def formats(command: C) -> C:
    """--format FORMAT[:FILE], any number of times."""
    return click.option(
        "--format", "styles", metavar="FORMAT[:FILE]", multiple=True,
        shell_complete=texts.complete_from(dict.fromkeys(_FORMATS, "")),
        help=f"{', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}, to stdout or to FILE; any number of them. "
        "The default is text.",
    )(command)  # fmt: skip


def quiet(command: C) -> C:
    """-q."""
    return click.option(
        "-q", "--quiet", is_flag=True, help="Print findings only: no sums below them, and no progress."
    )(command)


def policy_in(config: str | None) -> Policy:
    """The policy in the file CONFIG, or that of this folder or the nearest one above it."""
    from volcli.gate.policy.policy_file import find_policy, read_policy

    return find_policy(Path.cwd()) if config is None else read_policy(Path(config))


def baseline_in(path: str | None) -> Baseline | None:
    """The baseline in the file at PATH, if one is named."""
    if path is None:
        return None
    from volcli.gate.records.baseline import read_baseline

    return read_baseline(path)


def write(outputs: Sequence[tuple[str, str]], text_in: Callable[[str], str]) -> list[Diagnostic]:
    """Write TEXT_IN each format to where OUTPUTS say; what could not be written (V006) costs no other."""
    wrong: list[Diagnostic] = []
    for style, target in outputs:
        try:
            text = text_in(style)
            write_output(target, for_people(target, text) if style in _WRAPPED else text)
        except UsageError as error:
            wrong.append(error.diagnostic)
    return wrong


@contextmanager
def counted(unit: str, *, quiet: bool = False) -> Generator[Callable[[int, int], None], None, None]:
    """What is told how many UNITS of all are done, which a terminal shows unless QUIET."""
    with progress.hidden() if quiet else nullcontext(), progress.counting(unit) as count:

        def done(number: int, every: int) -> None:
            count.done, count.all = number, every

        yield done


def outputs_of(styles: Sequence[str]) -> list[tuple[str, str]]:
    """What is written in which format, and where; text to stdout by default. Raises UsageError (V007)."""
    found: list[tuple[str, str]] = []
    for each in styles or ("text",):
        style, _, target = each.partition(":")
        if style not in (*_FORMATS, STATISTICS):
            import difflib

            near = difflib.get_close_matches(style, _FORMATS, n=1)
            note = f"did you mean {near[0]}?" if near else f"formats are {', '.join(_FORMATS)}"
            raise UsageError(Diagnostic("V007", f"--format: no format '{style}'", note=note))
        found.append((style, target or STDOUT))
    targets = [target for _, target in found]
    for target in targets:
        if targets.count(target) > 1:
            where = "stdout" if target == STDOUT else f"'{target}'"
            note = "write all but one of them to files of their own: --format sarif:out.sarif"
            raise UsageError(Diagnostic("V007", f"--format: two formats for {where}", note=note))
    return found
