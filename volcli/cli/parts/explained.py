"""What the options of `volcli explain` are: places, and settings of parameters."""

from __future__ import annotations

import os
import re

import click

Spot = tuple[int, int | None]
"""A line, and a column or None for all of the line."""


class Spots(click.ParamType[tuple[Spot, ...]]):
    """`6`, `6,7` or `6:5,7`: one or two lines, each with a column if it is needed."""

    name = "LINE[:COLUMN][,LINE[:COLUMN]]"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Spot, ...]:
        words = str(value).split(",")
        if len(words) > 2:
            self.fail(f"'{value}' names more than two places: give one, or source and sink", param, ctx)
        try:
            return tuple(_spot(word) for word in words)
        except ValueError:
            self.fail(f"'{value}' is not a line such as 12 or 12:5, nor two of them", param, ctx)


def _spot(word: str) -> Spot:
    line, colon, column = word.partition(":")
    spot = int(line), int(column) if colon else None
    if spot[0] < 1 or (spot[1] is not None and spot[1] < 1):
        raise ValueError(word)
    return spot


_PLACE = re.compile(r"(?P<file>.+?):(?P<line>[1-9]\d*)(?::(?P<column>[1-9]\d*))?")


def place_named(text: str) -> tuple[str, Spot] | None:
    """The file and the place that TEXT names, FILE:LINE or FILE:LINE:COLUMN; None if it names a file.

    >>> place_named("a.mlir:9:12")
    ('a.mlir', (9, 12))
    """
    found = None if os.path.exists(text) else _PLACE.fullmatch(text)
    if found is None:
        return None
    return found["file"], (int(found["line"]), int(found["column"]) if found["column"] else None)


class Setting(click.ParamType[tuple[str, int]]):
    """`N=8`."""

    name = "NAME=NUMBER"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        name, equals, number = str(value).rpartition("=")
        try:
            if not equals or not name.strip():
                raise ValueError
            return name.strip().removeprefix("%"), int(number)
        except ValueError:
            self.fail(f"'{value}' is not a setting such as N=8", param, ctx)
