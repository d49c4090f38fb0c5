"""Relations `{ [x] -> [offset + y] : (x, y) in points }`, exact or not, and why.

What is asked of two relations depends on their points and on the difference of their offsets alone. So points
are kept apart from the offset, and relations whose points are equal have one key (`contents.py`):

    { [i] -> [i + 1] : 0 <= i < 9 } and { [j] -> [j - 2] : 0 <= j < 9 }      one key, the offsets 1 and -2
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import sub

import islpy as isl

from volcli.language.expressions import loop
from volcli.presburger.measures.points import coordinates
from volcli.presburger.relations.numbers import NumberedPair, NumberedRelation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import without


@dataclass(frozen=True, eq=False)
class Relation:
    """`{ [x] -> [offset + y] : (x, y) in points }`; it holds more pairs than there are, if not `exact`.

    Relations of one `key` differ by their `offset` alone; None: it is not known which ones are equal to it.
    `unstable` are the parameters that stand for one unknown number in each iteration of so many loops around
    them: it may be another one in another iteration, and is one of several that are possible. What holds for
    *some* value of theirs is said at most (a write may happen); what holds for *all* of them, at least.
    """

    made: isl.Map | Callable[[], isl.Map]
    key: Hashable = None
    offset: tuple[int, ...] = ()
    unstable: tuple[tuple[str, int], ...] = ()
    exact: bool = True
    because: str | None = None
    is_numeric: bool = False
    """Whether it shows without the points that they depend on no parameters."""
    is_simple: bool = False
    """Whether these are a box of iterations and a linear function: they cost next to nothing at any time."""
    numbers: NumberedRelation | None = None
    """The points without isl, if they are of numbers."""

    @cached_property
    def points(self) -> isl.Map:
        """The relation, but for the offset; made when it is first asked for, of numbers."""
        return self.made if isinstance(self.made, isl.Map) else self.made()

    def at(self, offset: tuple[int, ...]) -> Relation:
        """The relation with another OFFSET."""
        return self if self.offset == offset else replace(self, made=lambda: self.points, offset=offset)

    def is_like(self, other: Relation) -> bool:
        """Whether it shows that it is the OTHER one, but for the offset."""
        if (self.numbers is None) is (other.numbers is None):
            return self.key == other.key
        return self._is_plain and other._is_plain and bool(self.points.plain_is_equal(other.points))

    @property
    def _is_plain(self) -> bool:
        """Whether points and numbers alone say which pairs it holds, and exactly."""
        return self.is_numeric or (self.exact and not self.unstable and not self.points.dim(DIM.param))

    def elements(self) -> isl.Map:
        """The relation itself."""
        return shifted(self.points, self.offset)

    def stable(self) -> isl.Map:
        """The relation itself, for any values of what is `unstable`."""
        return without(self.elements(), *(name for name, _ in self.unstable))

    def changing(self, depth: int) -> tuple[str, ...]:
        """The unstable values that may be others in an iteration that is a later one at DEPTH."""
        return tuple(name for name, inside in self.unstable if inside >= depth)

    def with_last_as_points(self, count: int) -> Relation:
        """`{ [x, l] -> [y] }` of `{ [x] -> [y, l] }` with COUNT coordinates l, whose offset is 0."""
        rank = len(self.offset) - count
        if not count:
            return self
        points = self.elements()
        points = points.move_dims(DIM.in_, points.dim(DIM.in_), DIM.out, rank, count)
        return replace(
            self, made=points, key=(self.key, self.offset, count), offset=(0,) * rank, numbers=None
        )

    def difference(self, other: Relation) -> tuple[int, ...]:
        """The offset less that of the OTHER one."""
        return tuple(map(sub, self.offset, other.offset))

    def beside(self, other: Relation) -> Hashable:
        """What all depends on that is asked of it and of the OTHER one, but for where their elements are."""
        return self.key, other.key, self.difference(other)

    def pairs(self, other: Relation, different: Sequence[str] = ()) -> isl.Map:
        """`{ [x] -> [y] }`: it relates x, and the OTHER one y, to one element.

        The parameters that are DIFFERENT may have another value for y than they have for x.
        """
        second = other.points
        for name in different:
            second = second.set_dim_name(DIM.param, second.find_dim_by_name(DIM.param, name), f"{name}'")
        return shifted(self.points, self.difference(other)).apply_range(second.reverse())

    def numbered(self, other: Relation, common: int) -> NumberedPair | None:
        """It and the OTHER one as numbers, of which the first COMMON ones are of the same loops."""
        if self.numbers is None or other.numbers is None:
            return None
        return NumberedPair(self.numbers, other.numbers, self.difference(other), common)

    def meeting(self, other: Relation, equal: int, position: int | None) -> Meeting:
        """`{ [x, y, element less the offset of OTHER] }`: see `meeting`."""
        return meeting(shifted(self.points, self.difference(other)), other.points, equal, position)


@dataclass(frozen=True, eq=False)
class Meeting:
    """`{ [x, y, element] }`: two relations relate x and y to the element."""

    points: isl.Set
    first: int
    second: int

    def split(self, point: isl.Point) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The coordinates of a POINT: x, y, and the element."""
        numbers, end = coordinates(point), self.first + self.second
        return numbers[: self.first], numbers[self.first : end], numbers[end:]


def meeting(left: isl.Map, right: isl.Map, equal: int, position: int | None) -> Meeting:
    """Where LEFT and RIGHT share an element, x_k = y_k for k < EQUAL, and x_p < y_p at POSITION, if any."""
    first, second = left.dim(DIM.in_), right.dim(DIM.in_)
    both = left.insert_dims(DIM.in_, first, second).intersect(right.insert_dims(DIM.in_, 0, first))
    points = both.wrap().flatten()
    for k in range(equal):
        points = points.equate(DIM.set, k, DIM.set, first + k)
    if position is not None:
        later = loop(first + position) - loop(position) - 1
        points = points.intersect(build.nonnegative(points.dim(DIM.set), (later,)))
    return Meeting(points, first, second)


def at_depth(pairs: isl.Map, common: int, depth: int) -> isl.Map:
    """PAIRS `{ [x] -> [y] }` that first differ at DEPTH of so many COMMON loops, where y is the later one."""
    for position in range(min(depth - 1, common)):
        pairs = pairs.equate(DIM.in_, position, DIM.out, position)
    return pairs.order_lt(DIM.in_, depth - 1, DIM.out, depth - 1) if depth <= common else pairs


def shifted(points: isl.Map, offset: Sequence[int]) -> isl.Map:
    """`{ [x] -> [y + offset] : (x, y) in points }`."""
    if not any(offset):
        return points
    index = tuple(loop(k) + number for k, number in enumerate(offset))
    return points.apply_range(build.relation(len(offset), index))
