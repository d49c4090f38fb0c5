"""The sets and tiles that an answer of the question `mars` names, from their texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from tests.oracles.mars.enumeration import Point


def points_of(text: str, values: Mapping[str, int], order: Sequence[str] = ()) -> list[Point]:
    """The points of a set that is given as TEXT, at VALUES of its parameters; coordinates in ORDER of their names."""
    found = isl.Set(text)
    for name, value in values.items():
        place = found.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            found = found.fix_val(isl.dim_type.param, place, value)
    names = [found.get_dim_name(isl.dim_type.set, k) or "" for k in range(found.dim(isl.dim_type.set))]
    found = found.project_out_all_params()
    result: list[Point] = []

    def add(point: isl.Point) -> None:
        at = [point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(len(names))]
        result.append(tuple(at[names.index(name)] for name in order) if order else tuple(at))

    try:
        found.foreach_point(add)
    except isl.Error:  # "unexpected missing (bounded) solution", of some sets with divisions
        result = [tuple(p[names.index(n)] for n in order) if order else p for p in _in_box(found)]
    return result


def _in_box(points: isl.Set) -> list[Point]:
    """The points of a small set near 0, each asked for."""
    box = itertools.product(range(-40, 41), repeat=points.dim(isl.dim_type.set))
    return [p for p in box if not points.is_disjoint(isl.Set(f"{{ [{', '.join(map(str, p))}] }}"))]


def is_in(text: str, point: Point, values: Mapping[str, int]) -> bool:
    found = isl.Set(text)
    for name, value in values.items():
        place = found.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            found = found.fix_val(isl.dim_type.param, place, value)
    return not found.project_out_all_params().is_disjoint(isl.Set(f"{{ [{', '.join(map(str, point))}] }}"))


_OFFSET = re.compile(r"\(([-\d, ]*)\)")


@dataclass(frozen=True)
class Consumers:
    """The tiles that consume a set: of the example (`tiles`), of each tile t0, t1, ..., or relative to the tile."""

    texts: tuple[str, ...]

    @property
    def are_relative(self) -> bool:
        return all("{" not in text for text in self.texts)

    @property
    def are_of_each_tile(self) -> bool:
        return not self.are_relative and all(
            text.startswith("[") and re.match(r"\[[^]]*\bt0\b", text) for text in self.texts
        )

    def of(self, tile: Point, among: frozenset[Point], values: Mapping[str, int]) -> frozenset[Point]:
        """The consumers of TILE; AMONG these tiles, if they are along a line without end."""
        if not self.are_relative:
            at = {**values, **{f"t{k}": x for k, x in enumerate(tile)}}
            return frozenset(p for text in self.texts for p in points_of(text, at))
        found: set[Point] = set()
        for text in self.texts:
            offset, *along = [
                tuple(int(x) for x in group.split(",") if x.strip()) for group in _OFFSET.findall(text)
            ]
            origin = tuple(a + b for a, b in zip(tile, offset, strict=True))
            found |= {t for t in among if _is_reached(t, origin, along)} if along else {origin}
        return frozenset(found)


def _is_reached(tile: Point, origin: Point, along: Sequence[Point]) -> bool:
    """Whether TILE is ORIGIN and an integer combination of the vectors ALONG, small for all but the last."""
    rest = tuple(a - b for a, b in zip(tile, origin, strict=True))
    if not along:
        return not any(rest)
    text = " + ".join
    names = [f"p{k}" for k in range(len(along))]
    conditions = [
        f"{text(f'{v[k]} {name}' for v, name in zip(along, names, strict=True))} = {rest[k]}"
        for k in range(len(rest))
    ]
    return not isl.Set(f"{{ [{', '.join(names)}] : {' and '.join(conditions)} }}").is_empty()
