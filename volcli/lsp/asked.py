"""What a worker process is asked about one place of a document, when somebody asks: plain data both ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from volcli.gate.work.pieces import pieces_of
from volcli.gate.work.work import Work, program_of
from volcli.limits import printing as limits

if TYPE_CHECKING:
    from volcli.loading.driver import Program


@dataclass(frozen=True)
class ExplainWork:
    """What is known of the operations that begin in LINE, from 1, of the file of WORK; see `explained`."""

    work: Work
    line: int


@dataclass(frozen=True)
class RewriteWork:
    """The function called SYMBOL of the file of WORK, as PIPELINE rewrites it; see `rewritten`."""

    work: Work
    symbol: str
    pipeline: str


@dataclass(frozen=True)
class Rewritten:
    """A function `after` a rewrite, None if nothing was rewritten; and what the passes have `said`."""

    after: str | None
    said: tuple[str, ...] = ()


def explained(asked: ExplainWork) -> str:
    """As text, what `volcli explain FILE:LINE` prints."""
    from volcli.api.asking import within
    from volcli.api.locations import location_lines
    from volcli.diagnostics import UsageError
    from volcli.report.lines import as_text

    _, program = program_of(asked.work)
    try:
        lines = within(
            program.units, lambda: list(location_lines(program, asked.line, width=limits.HOVER_COLUMNS))
        )
    except UsageError as error:
        return error.diagnostic.render()
    return as_text(lines)


def rewritten(asked: RewriteWork) -> Rewritten:
    """The function after the rewrite, which the passes prove, as `volcli opt -p PIPELINE` prints it."""
    from volcli.frontend.parse.recursion import deep_recursion

    _, program = program_of(asked.work)
    before = _printed(program, asked.symbol)
    known = len(program.diagnostics)
    with deep_recursion():
        program.run(asked.pipeline)
    said = tuple(each.message for each in program.diagnostics[known:])
    is_whole = not any(unit.failed for unit in program.units)
    after = _printed(program, asked.symbol) if is_whole else None
    return Rewritten(None if after == before else after, said)


def _printed(program: Program, symbol: str) -> str | None:
    """The function called SYMBOL, printed anew."""
    text = program.text("none", reprint=True)
    lines = text.split("\n")
    for piece in pieces_of(text) or ():
        if piece.symbol == symbol:
            return "\n".join(lines[piece.first - 1 : piece.last])
    return None
