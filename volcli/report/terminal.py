"""The report for people: a table for each question of each file.

In a pipe each row is one line, for grep. Only tables for a terminal need rich, whose import is a tenth of a
short run.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, groupby, pairwise
from typing import TYPE_CHECKING, Literal

from volcli.report.files import FileReport
from volcli.report.fitted import broken, cell_width
from volcli.report.lines import GLUE, glued
from volcli.report.summary import by_attention, totals

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from volcli.facts.fact import Fact

_NARROW = 60
"""Below this width a table's columns are slivers: each row is printed as `column: cell  column: cell`."""
_UNBOUNDED = 1_000_000
"""The width where nothing is wrapped: each row of a table in a pipe is one line."""

_KEY = 3
"""The first cells of a row: the place, the function, and the value or access that it is about."""
_GAP = 3
"""Columns between two columns of a table."""
_SLIVER = 24
"""The least room of the widest column."""
_UNSEEN: dict[int, None] = dict.fromkeys((7, 8, 11, 12, 13))
"""Control codes that would move what a terminal shows: they are left out."""

Row = tuple[str, ...]


def as_tables(reports: Sequence[FileReport], *, width: int | None = None, colour: bool = False) -> str:
    """REPORTS as text, wrapped at WIDTH columns (None: not at all), with escape sequences if COLOUR.

    A file without facts has its name, and why there are none.
    """
    if width is None and not colour:
        text = "\n".join(line.translate(_UNSEEN) for report in reports for line in _unwrapped(report))
    else:
        text = _wrapped(reports, width, colour)
    # Cells are padded to their column's width; the last one's padding is of no use to anybody.
    return "".join(line.rstrip() + "\n" for line in text.replace(GLUE, " ").splitlines())


def _unwrapped(report: FileReport) -> Iterator[str]:
    """The lines of REPORT, one for each row."""
    yield report.file.expandtabs()
    if not report.facts:
        yield f"  {report.why_nothing}"
    for heading, facts in _asked(report):
        yield f"\n{heading}"
        for names, rows in _tables(facts):
            yield from _lines(names, rows)


def _asked(report: FileReport) -> Iterator[tuple[str, list[Fact]]]:
    """The facts about each question, what needs attention first, below how many have each answer."""
    for question, same in groupby(report.facts, key=lambda fact: fact.question):
        facts = by_attention(same)
        yield f"{question}: {totals(facts)}", facts


def _wrapped(reports: Sequence[FileReport], width: int | None, colour: bool) -> str:
    """REPORTS as rich writes them, in WIDTH columns."""
    from rich.console import Console
    from rich.text import Text

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
            console.print(Text(f"  {report.why_nothing}", style="dim"))
        for heading, facts in _asked(report):
            console.print(Text(f"\n{heading}", style="bold cyan"))
            for names, rows in _tables(facts):
                _print(console, names, rows, width)
    return stream.getvalue()


def _print(console: Console, names: Row, rows: Sequence[Row], width: int | None) -> None:
    if width is None:
        console.file.writelines(line.translate(_UNSEEN) + "\n" for line in _lines(names, rows))
        return
    names, rows = _filled(names, rows)
    widths = _widths(names, rows)
    if _needs_headings(rows, width) and not _fits(widths, width):
        room, left = _rooms(widths[_KEY:], width - _GAP), width - _GAP
    else:
        room, left = _rooms(widths, width), width
    if width < _NARROW or not _fits(room, left):
        _print_records(console, names[_KEY:], rows, width)
    elif left < width:
        _print_under_headings(console, rows, room)
    else:
        console.print(_table(names, rows, room))


def _filled(names: Row, rows: Sequence[Row]) -> tuple[Row, list[Row]]:
    """NAMES and ROWS without the columns in which no row has anything."""
    kept = [at < _KEY or any(row[at] for row in rows) for at in range(len(names))]
    return tuple(compress(names, kept)), [tuple(compress(row, kept)) for row in rows]


def _tables(facts: Sequence[Fact]) -> Iterator[tuple[Row, list[Row]]]:
    """The tables of FACTS about one question, one for those with the same columns: their names, and rows."""
    for columns, same in groupby(facts, key=lambda fact: fact.columns):
        yield ("location", "function", *columns), list(_rows(same))


def _rows(facts: Iterable[Fact]) -> Iterable[Row]:
    for fact in facts:
        for row in fact.rows():
            yield (f"{fact.place.line}:{fact.place.column}", fact.function, *row)


def _needs_headings(rows: Sequence[Row], width: int) -> bool:
    """Whether some value has several of ROWS, or a cell takes more than half of WIDTH."""
    is_repetitive = any(first[:_KEY] == second[:_KEY] for first, second in pairwise(rows))
    return is_repetitive or any(cell_width(cell) > width // 2 for row in rows for cell in row[_KEY:])


def _headed(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """ROWS without their first cells, under these; one whose third cell is empty goes on with the last's."""
    heading: Row = ()
    groups: list[tuple[Row, list[Row]]] = []
    for row in rows:
        if not heading or (row[_KEY - 1] and row[:_KEY] != heading):
            heading = row[:_KEY]
            groups.append((heading, []))
        groups[-1][1].append(row[_KEY:])
    return groups


def _widths(names: Row, rows: Sequence[Row]) -> list[int]:
    """How wide each column is if nothing is wrapped."""
    return [max(cell_width(row[at]) for row in (names, *rows)) for at in range(len(names))]


def _lines(names: Row, rows: Sequence[Row]) -> Iterator[str]:
    """A line for each of ROWS under NAMES: 100,000 of them take rich two minutes."""
    widths = _widths(names, rows)
    is_right = [_side(rows, at) == "right" for at in range(len(names))]
    for row in (names, *rows):
        columns = zip(row, widths, is_right, strict=True)
        yield "  ".join(_padded(cell, width, is_right=right) for cell, width, right in columns)


def _padded(cell: str, width: int, *, is_right: bool) -> str:
    """CELL with as many spaces as it is narrower than WIDTH columns."""
    spaces = " " * (width - cell_width(cell))
    return spaces + cell if is_right else cell + spaces


def _table(names: Row, rows: Sequence[Row], room: Sequence[int]) -> Table:
    """ROWS under NAMES, in columns with so much ROOM."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    # isl's sets contain brackets: cells are Text, which rich does not read as its markup.
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for at, name in enumerate(names):
        table.add_column(name, overflow="fold", justify=_side(rows, at))
    for row in rows:
        table.add_row(*(Text(_glued(cell, room[at])) for at, cell in enumerate(row)))
    return table


def _rooms(widths: Sequence[int], width: int) -> list[int]:
    """The room of each column in a table of WIDTH columns: the widest one gives what is missing."""
    room = list(widths)
    widest = max(range(len(room)), key=room.__getitem__)
    missing = sum(room) + _GAP * len(room) - width
    room[widest] = max(room[widest] - max(missing, 0), _SLIVER)
    return room


def _fits(room: Sequence[int], width: int) -> bool:
    """Whether columns with as much ROOM have WIDTH columns together."""
    return sum(room) + _GAP * len(room) <= width + _GAP


def _side(rows: Sequence[Row], at: int) -> Literal["left", "right"]:
    """Where the cells of column AT are aligned: numbers to the right."""
    return "right" if all(row[at].lstrip("-").isdecimal() for row in rows) else "left"


def _print_under_headings(console: Console, rows: Sequence[Row], room: Sequence[int]) -> None:
    """ROWS without their first cells, which are a heading over those that share them, in so much ROOM."""
    from rich.table import Table
    from rich.text import Text

    short = [row[_KEY:] for row in rows]
    for key, same in _headed(rows):
        console.print(Text(" " + "  ".join(key), style="bold", overflow="fold"))
        table = Table(box=None, pad_edge=False, show_header=False, padding=(0, _GAP - 1, 0, 1))
        table.add_column(width=1)
        for at, wide in enumerate(room):
            table.add_column(width=wide, overflow="fold", justify=_side(short, at))
        for row in same:
            table.add_row("", *(Text(_glued(c, w)) for c, w in zip(row, room, strict=True)))
        console.print(table)


def _glued(text: str, width: int) -> str:
    """TEXT in lines, as `broken`, with what is not to be broken further in one word."""
    return glued(broken(text, width), width)


def _print_records(console: Console, names: Row, rows: Sequence[Row], width: int) -> None:
    """ROWS under headings, each as `column: cell` for all cells with something: as many in a line as fit.

    A row of one cell below another one is a note, where there are several columns.
    """
    from rich.text import Text

    for key, same in _headed(rows):
        console.print(Text(" " + "  ".join(key), style="bold", overflow="fold"))
        for row in same:
            line = Text()
            for name, cell in zip(names, row, strict=True):
                if not cell:
                    continue
                if line and line.cell_len + cell_width(f"   {name}: {cell}") > width:
                    console.print(line)
                    line = Text()
                line.append("   ")
                if sum(map(bool, row)) > 1 or row is same[0] or len(names) == 1:
                    line.append(f"{name}: ", style="dim")
                parts = _wrapped_cell(cell, width - line.cell_len, width - 2 * _GAP)
                for part in parts[:-1]:
                    console.print(line.append(part))
                    line = Text(" " * 2 * _GAP)
                line.append(parts[-1])
            console.print(line)


def _wrapped_cell(cell: str, first: int, rest: int) -> list[str]:
    """CELL in lines, of which the FIRST has so much room, and the REST as much."""
    if cell_width(cell) <= first:
        return [cell]
    lines: list[str] = []
    for each in _glued(cell, first).splitlines():
        room = textwrap.TextWrapper(max(rest, 1), initial_indent=" " * (0 if lines else max(rest - first, 0)))
        room.break_on_hyphens = False
        lines += [part.strip() for part in room.wrap(each)]
    return lines or [""]
