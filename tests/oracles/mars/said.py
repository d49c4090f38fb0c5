"""The sets and tiles that an answer of the question `mars` names, from their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from tests.oracles.mars.enumeration import Point


def points_of(text: str, values: Mapping[str, int], order: Sequence[str] = ()) -> list[Point]:
    """The points of a set that is given as TEXT, at VALUES of its parameters; coordinates in ORDER of their names."""
    found = _at(text, values)
    names = [found.get_dim_name(isl.dim_type.set, k) or "" for k in range(found.dim(isl.dim_type.set))]
    result: list[Point] = []

    def add(point: isl.Point) -> None:
        at = [point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(len(names))]
        result.append(tuple(at[names.index(name)] for name in order) if order else tuple(at))

    found.foreach_point(add)
    return result


def is_in(text: str, point: Point, values: Mapping[str, int]) -> bool:
    """Whether POINT is in the set that is given as TEXT, at VALUES of its parameters."""
    return _holds(_at(text, values), point)


def least_values(
    text: str, point: Point, values: Mapping[str, int], at_least: Mapping[str, int] | None = None
) -> dict[str, int] | None:
    """The least natural values of the parameters, each AT LEAST so much, for which POINT is in the set TEXT; None
    if there are none.

    In `[n] -> { [t0] : 4t0 <= n }` the point (9) is from n = 36 on. VALUES are of what the set does not name. If no
    natural values are found, those that are no sizes of arrays are negative, and small.
    """
    natural = _least_from(0, text, point, values, at_least or {})
    return _least_from(_NEGATIVE, text, point, values, at_least or {}) if natural is None else natural


_NEGATIVE = -4


def _least_from(
    bound: int, text: str, point: Point, values: Mapping[str, int], at_least: Mapping[str, int]
) -> dict[str, int] | None:
    found = isl.Set(text)
    for position, coordinate in enumerate(point):
        found = found.fix_val(isl.dim_type.set, position, coordinate)
    found = found.params()
    names = [found.get_dim_name(isl.dim_type.param, k) or "" for k in range(found.dim(isl.dim_type.param))]
    for position, name in enumerate(names):
        least = at_least.get(name, 0 if name.startswith("dim_") else bound)
        found = found.lower_bound_val(isl.dim_type.param, position, isl.Val(least))
    if found.is_empty():
        return None
    first = found.move_dims(isl.dim_type.set, 0, isl.dim_type.param, 0, len(names)).lexmin().sample_point()
    at = [first.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(len(names))]
    return {**values, **dict(zip(names, at, strict=True))}


def _holds(points: isl.Set, point: Point) -> bool:
    return not points.is_disjoint(isl.Set(f"{{ [{', '.join(map(str, point))}] }}"))


def _at(text: str, values: Mapping[str, int]) -> isl.Set:
    """The set that is given as TEXT, at VALUES of its parameters."""
    found = isl.Set(text)
    for name, value in values.items():
        place = found.find_dim_by_name(isl.dim_type.param, name)
        if place >= 0:
            found = found.fix_val(isl.dim_type.param, place, value)
    return found.project_out_all_params()


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
        """The consumers of TILE; AMONG these tiles, if they are without end."""
        if not self.are_relative:
            at = {**values, **{f"t{k}": x for k, x in enumerate(tile)}}
            return frozenset(p for text in self.texts for p in _bounded(text, at, among))
        found: set[Point] = set()
        for text in self.texts:
            offset, *along = [
                tuple(int(x) for x in group.split(",") if x.strip()) for group in _OFFSET.findall(text)
            ]
            origin = tuple(a + b for a, b in zip(tile, offset, strict=True))
            found |= {t for t in among if _is_reached(t, origin, along)} if along else {origin}
        return frozenset(found)


def _bounded(text: str, values: Mapping[str, int], among: frozenset[Point]) -> Iterator[Point]:
    """The points of a set; if they are without end (it is that of all values of symbols), those AMONG these."""
    found = _at(text, values)
    if found.is_bounded():
        yield from points_of(text, values)
    else:
        yield from (point for point in among if _holds(found, point))


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
