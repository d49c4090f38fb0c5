"""Relations of numbers in ranges, and pairs of them, for which isl is not asked.

`NumberedRelation` is `{ [x(t)] -> [y(t)] : 0 <= t_k < trips_k and conditions(t) >= 0 }` with affine x and y,
where x_k depends on t_0, ..., t_k and increases with t_k: the iterations of loops, and the elements that an
access goes to. Two of them share an element if a system of equations has a solution, of which the first one
is the first pair of iterations:

    for i = 0 to 9 { m[i]; m[i - 2] }      t + 0 = u - 2 and t < u       (0) then (2), and all distances are 2

Where no conditions are between the numbers, and each coordinate of the element moves with one of them, the
distances of each loop are a range for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

import islpy as isl

from volcli.language.expressions import loop
from volcli.language.unchanged import cached_method
from volcli.presburger.measures.first_solution import Linear, Range, first_solution
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class NumberedRelation:
    """Iterations and elements over numbers t, the k-th from 0 to the k-th of TRIPS less 1.

    The first ones are those of loops. Others, which come behind, are quotients, or points of one iteration.
    """

    trips: Sequence[int]
    iteration: Sequence[Linear]
    element: Sequence[Linear]
    conditions: Sequence[Linear]
    is_function: bool = True
    """Whether each iteration has one element."""

    @cached_property
    def steps(self) -> Sequence[int] | None:
        """How far iterations of each loop are from each other; None if they depend on those of others."""
        if self.conditions or any(set(each.terms) != {k} for k, each in enumerate(self.iteration)):
            return None
        return [each.terms[k] for k, each in enumerate(self.iteration)]


class DistanceRanges(NamedTuple):
    """The points with the k-th coordinate in the k-th of RANGES, of multiples of its step.

    That LATER one is positive.
    """

    ranges: tuple[range, ...]
    later: int | None = None

    @property
    def ends(self) -> tuple[Range, ...]:
        """The first and the last number of each range."""
        return tuple((each[0], each[-1]) for each in self.ranges)

    def points(self) -> isl.Set:
        """The box as isl has it."""
        found = isl.Set.universe(build.space((), len(self.ranges)))
        for k, each in enumerate(self.ranges):
            first = 1 if k == self.later and len(each) > 1 else each[0]
            found = found.lower_bound_val(DIM.set, k, build.number(first))
            found = found.upper_bound_val(DIM.set, k, build.number(each[-1]))
            if each.step > 1 and len(each) > 1:
                found = found.intersect(build.nonnegative(len(self.ranges), (-(loop(k) % each.step),)))
        return found

    def listed(self, most: int) -> tuple[tuple[int, ...], ...] | None:
        """The points in their order; None if they are more than MOST."""
        return tuple(product(*self.ranges)) if prod(map(len, self.ranges)) <= most else None


class FirstPair(NamedTuple):
    """The lexicographically first iterations, and the element less the offset of the sink."""

    source: tuple[int, ...]
    sink: tuple[int, ...]
    element: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NumberedPair:
    """SOURCE and SINK, whose offsets have a DIFFERENCE; the first COMMON numbers are of the same loops."""

    source: NumberedRelation
    sink: NumberedRelation
    difference: Sequence[int]
    common: int

    @cached_method
    def first(self, depth: int) -> FirstPair | None:
        """The first iterations that share an element at DEPTH; None if there are none.

        Raises TooLong where that does not show soon.
        """
        system = _System(self, min(depth - 1, self.common))
        if depth <= self.common:
            system.add_later(depth - 1)
        found = first_solution(system.ranges, system.constraints)
        if found is None:
            return None
        source, sink = ([found[k] for k in places] for places in (system.first, system.second))
        return FirstPair(
            _values(self.source.iteration, source),
            _values(self.sink.iteration, sink),
            _values(self.sink.element, sink),
        )

    def distances(self, depth: int) -> DistanceRanges | None:
        """The distances of the COMMON loops at DEPTH, where they are a box, an empty one if there are none.

        None if they are not, or it does not show.
        """
        if self.apart is None:
            return None
        k = depth - 1
        later = (range(max(each.start, each.step), each.stop, each.step) for each in self.apart[k:depth])
        return DistanceRanges((*(_at(each, 0) for each in self.apart[:k]), *later, *self.apart[depth:]), k)

    @cached_property
    def apart(self) -> tuple[range, ...] | None:
        """The distances of iterations that share an element, whichever comes first."""
        steps = self.source.steps
        if steps is None or self.sink.steps is None:
            return None
        ranges = _Ranges(self.source.trips, self.sink.trips, self.common)
        rows = zip(self.source.element, self.sink.element, self.difference, strict=True)
        try:
            if all(ranges.restrict(a.terms, b.terms, a.constant + at - b.constant) for a, b, at in rows):
                return ranges.apart(steps)
        except _Never:
            return (range(0),)
        return None


class _System:
    """What the numbers of a PAIR fulfil that shares an element, where so many of its loops are EQUAL.

    In the order of numbers: the loops of source and sink, the element if they do not determine it, the rest.
    """

    def __init__(self, pair: NumberedPair, equal: int) -> None:
        self._pair = pair
        source, sink = pair.source, pair.sink
        loops = len(source.iteration)
        end = loops + len(sink.iteration) - equal
        is_determined = source.is_function and sink.is_function
        elements = range(end, end if is_determined else end + len(pair.difference))
        rest = elements.stop + len(source.trips) - loops
        self.first = [*range(loops), *range(elements.stop, rest)]
        own = len(sink.trips) - len(sink.iteration)
        self.second = [*range(equal), *range(loops, end), *range(rest, rest + own)]
        self.ranges: list[Range] = [(0, -1)] * (rest + own)
        for place, trips in zip((*self.first, *self.second), (*source.trips, *sink.trips), strict=True):
            self.ranges[place] = 0, trips - 1
        self.constraints = [_moved(each, self.first) for each in source.conditions]
        self.constraints += [_moved(each, self.second) for each in sink.conditions]
        self._add_elements(elements)

    def _add_elements(self, places: Sequence[int]) -> None:
        """Both have the same element, whose coordinates are at PLACES, if it has any."""
        found = [_moved(each, self.second) for each in self._pair.sink.element]
        for element, other, at in zip(self._pair.source.element, found, self._pair.difference, strict=True):
            same = _difference(_moved(element, self.first), other, at, is_equation=True)
            self.constraints.append(same)
        for place, element in zip(places, found, strict=False):
            self.ranges[place] = _ends(element, self.ranges)
            self.constraints.append(_difference(Linear({place: 1}, 0), element, 0, is_equation=True))

    def add_later(self, k: int) -> None:
        """The sink has a later iteration of the k-th loop."""
        later = _moved(self._pair.sink.iteration[k], self.second)
        earlier = _moved(self._pair.source.iteration[k], self.first)
        self.constraints.append(_difference(later, earlier, -1, is_equation=False))


class _Never(Exception):
    """No element is shared."""


class _Ranges:
    """The numbers of SOURCE and SINK, the first of which are of COMMON loops, where they share an element.

    An equation restricts those of one loop; another one may only speak of it, too, if it is a common one.
    """

    def __init__(self, source: Sequence[int], sink: Sequence[int], common: int) -> None:
        self._common = common
        self._ends = [[(0, n - 1) for n in each] for each in (source, sink)]
        self._apart: dict[int, int] = {}
        self._used: set[tuple[int, int]] = set()

    def apart(self, steps: Sequence[int]) -> tuple[range, ...]:
        """The distances of each common loop, whose iterations are so many STEPS from each other."""
        if not all(low <= high for ends in self._ends for low, high in ends):
            raise _Never
        found: list[range] = []
        for k, step in enumerate(steps[: self._common]):
            (first, last), (low, high) = (ends[k] for ends in self._ends)
            apart = range(low - last, high - first + 1)
            known = self._apart.get(k)
            apart = apart if known is None else _at(apart, known)
            found.append(range(step * apart.start, step * apart.stop, step))
        return tuple(found)

    def restrict(self, source: Mapping[int, int], sink: Mapping[int, int], rest: int) -> bool:
        """To where `source + rest = sink`.

        False if the numbers of one common loop depend on those of another one then, or it does not show.
        """
        if len(source) > 1 or len(sink) > 1:
            return False
        (k, c), (m, e) = (next(iter(each.items()), (-1, 0)) for each in (source, sink))
        if c and e:
            return self._relate(k, c, m, e, rest)
        if rest and not c and not e:
            raise _Never
        ends = [(side, n, _quotient(rest, f)) for side, n, f in ((0, k, -c), (1, m, e)) if f]
        return all(self._narrow(side, n, (at, at)) for side, n, at in ends)

    def _relate(self, k: int, c: int, m: int, e: int, rest: int) -> bool:
        """To where `c * t_k + rest = e * u_m`."""
        if k == m < self._common:
            if c != e:
                return False
            apart = _quotient(rest, c)
            if self._apart.setdefault(k, apart) != apart:
                raise _Never
            return True
        if abs(c) != abs(e) or max(k, m) < self._common:
            return False
        sign, at = c // e, _quotient(rest, e)
        if m >= self._common:
            return self._narrow(1, m, [sign * n + at for n in self._ends[0][k]]) and self._narrow(
                0, k, [sign * (n - at) for n in self._ends[1][m]]
            )
        return self._narrow(0, k, [sign * (n - at) for n in self._ends[1][m]]) and self._narrow(
            1, m, [sign * n + at for n in self._ends[0][k]]
        )

    def _narrow(self, side: int, number: int, ends: Sequence[int]) -> bool:
        """A number is between these ENDS; False if it is none of a common loop, and was narrowed before."""
        low, high = self._ends[side][number]
        self._ends[side][number] = max(low, min(ends)), min(high, max(ends))
        is_new = number < self._common or (side, number) not in self._used
        self._used.add((side, number))
        return is_new


def _quotient(number: int, factor: int) -> int:
    """How often FACTOR goes into a NUMBER."""
    found, rest = divmod(number, factor)
    if rest:
        raise _Never
    return found


def _at(numbers: range, number: int) -> range:
    """The NUMBER, if it is one of NUMBERS, whose step is 1."""
    return range(number, number + 1) if number in numbers else range(0)


def _moved(form: Linear, places: Sequence[int]) -> Linear:
    """FORM over other numbers: the k-th is at the k-th of PLACES."""
    return Linear({places[k]: factor for k, factor in form.terms.items()}, form.constant)


def _difference(left: Linear, right: Linear, more: int, *, is_equation: bool) -> Linear:
    """`left - right + more`, that is 0 or not negative."""
    terms = dict(left.terms)
    for k, factor in right.terms.items():
        total = terms.pop(k, 0) - factor
        if total:
            terms[k] = total
    return Linear(terms, left.constant - right.constant + more, is_equation)


def _ends(form: Linear, ranges: Sequence[Range]) -> Range:
    """The least and the greatest value of FORM over numbers in RANGES."""
    ends = [sorted(factor * end for end in ranges[k]) for k, factor in form.terms.items()]
    return form.constant + sum(low for low, _ in ends), form.constant + sum(high for _, high in ends)


def _values(forms: Sequence[Linear], numbers: Sequence[int]) -> tuple[int, ...]:
    """What FORMS are where these are the NUMBERS."""
    return tuple(each.constant + sum(c * numbers[k] for k, c in each.terms.items()) for each in forms)
