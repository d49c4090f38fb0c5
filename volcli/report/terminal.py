"""The report for people: a table for each question of each file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from volcli.report.files import FileReport

if TYPE_CHECKING:
    from volcli.facts.fact import Fact

_NARROW = 60
"""Below this width a table's columns are slivers: each row is printed as lines `column: cell`."""
_UNBOUNDED = 1_000_000
"""The width where nothing is wrapped: each row of a table in a pipe is one line."""

Row = tuple[str, ...]


def as_tables(reports: Sequence[FileReport], *, width: int | None = None, colour: bool = False) -> str:
    """REPORTS as text, wrapped at WIDTH columns (None: not at all), with escape sequences if COLOUR.

    A file without facts has its name and the words "no facts", so that silence is never an answer.
    """
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=max(width or _UNBOUNDED, 1),
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
        emoji=False,
        markup=False,
    )
    for report in reports:
        console.print(Text(report.file, style="bold", overflow="fold"))
        if not report.facts:
            console.print(Text("  no facts", style="dim"))
        for question, facts in groupby(report.facts, key=lambda fact: fact.question):
            _print(console, question, list(facts), width)
    # Cells are padded to their column's width; the last one's padding is of no use to anybody.
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def _print(console: Console, question: str, facts: Sequence[Fact], width: int | None) -> None:
    console.print(Text(f"\n{question}", style="bold cyan"))
    for columns, same in groupby(facts, key=lambda fact: fact.columns):
        names = ("place", "function", *columns)
        rows = list(_rows(same))
        if width is not None and width < _NARROW:
            _print_records(console, names, rows)
        else:
            console.print(_table(names, rows, wrapped=width is not None))


def _rows(facts: Iterable[Fact]) -> Iterable[Row]:
    for fact in facts:
        for row in fact.rows():
            yield (f"{fact.place.line}:{fact.place.column}", fact.function, *row)


def _table(names: Row, rows: Sequence[Row], *, wrapped: bool) -> Table:
    # isl's sets contain brackets: cells are Text, which rich does not read as its markup.
    table = Table(box=box.SIMPLE_HEAD if wrapped else None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=not wrapped)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _print_records(console: Console, names: Row, rows: Sequence[Row]) -> None:
    for row in rows:
        for name, cell in zip(names, row, strict=True):
            console.print(Text.assemble((f"{name}: ", "dim"), cell, overflow="fold"))
        console.print()
