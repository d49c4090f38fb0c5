"""Rows of short cells, as text without colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """ROWS, of which the first may be a head, with their cells below each other, numbers to the right.

    >>> list(aligned([("name", "lines"), ("a", "12"), ("other", "7")]))
    ['name   lines', 'a         12', 'other      7']
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [all(cell.replace(".", "", 1).isdigit() for cell in column[1:] or column) for column in columns]
    for row in rows:
        cells = zip(row, widths, numeric, strict=True)
        yield "  ".join(c.rjust(width) if number else c.ljust(width) for c, width, number in cells).rstrip()
