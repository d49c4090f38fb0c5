"""Whether all that an access reads was written before, in the same iteration of the loops around both.

With c, the iteration of the loops around both, a write that stands before the read has run in all of its own
iterations y. If each y is in one coordinate only, and the numbers that it gives follow each other in steps,

    f(c) + a(y) with { a(y) } = { s * k : 0 <= k < n }        8 * y0 + y1 with y1 < 8: s = 1

then an element e of the read was written if e - f(c) is such a multiple, and where the write has conditions,
if these hold of it: linear inequalities of the read's iteration, which its box decides. Writes that differ by
constants, which unrolled loops leave behind, are one with a loop more. What one write leaves out another one
may cover: the last iterations of an unrolled loop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from xdsl.ir import Block

from volcli.language.expressions import Atom, Expression, Parameter, constant, expression_of_atom
from volcli.limits import memory as limits
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.flow.timed import Time, TimedAccess


@dataclass(frozen=True, eq=False)
class _Steps:
    """The coordinates `start + step * k` with 0 <= k < count."""

    start: Expression
    step: int
    count: int


@dataclass(frozen=True, eq=False)
class _Cover:
    """The elements that writes give values to, in one iteration of the `common` loops around them and a read.

    Each of `conditions` is an expression and factors: it is not negative together with the factors times the
    distances of the element from the starts.
    """

    common: int
    steps: tuple[_Steps, ...]
    conditions: tuple[tuple[Expression, tuple[int, ...]], ...]

    def conditions_on(self, element: Sequence[Expression]) -> list[Expression] | None:
        """What is not negative only if ELEMENT, of a read, was written; None if that is not known."""
        distances = [e - each.start for e, each in zip(element, self.steps, strict=True)]
        found: list[Expression] = []
        for distance, each in zip(distances, self.steps, strict=True):
            if distance.constant % each.step or any(c % each.step for _, c in distance.terms):
                return None
            found += (distance, constant(each.step * (each.count - 1)) - distance)
        for condition, factors in self.conditions:
            for factor, distance in zip(factors, distances, strict=True):
                condition = condition + distance * factor
            found.append(condition)
        return found


class WrittenElements:
    """What the WRITES to one buffer, in the order of the text and all of them certain, have written when."""

    def __init__(self, writes: Sequence[TimedAccess]) -> None:
        self._writes = writes
        self._numbers = [write.time[-1] for write in writes]
        self._known: dict[tuple[Time, int], list[tuple[TimedAccess, _Cover]]] = {}
        self._in_block: dict[Block | None, list[_Cover]] = {}

    def cover(self, read: TimedAccess) -> bool:
        """Whether it shows that READ finds in each iteration what was written.

        Reads are asked about in the order of the text: what is written before one of them is so before those
        that follow it in its block.
        """
        block, is_alone = read.site.op.parent, not read.site.place.extents
        known = self._in_block.get(block, ()) if is_alone else ()
        if _is_covered(read.box, read.element, known):
            return True
        found = [cover for _, cover in self._before(read.time)]
        if is_alone:
            self._in_block[block] = found
        return _is_covered(read.box, read.element, found)

    def cover_all(self, time: Time, made: int, shape: Sequence[int]) -> bool:
        """Whether it shows that all elements of the buffer, of a SHAPE, are written before TIME.

        It is made in each iteration of so many loops, whose numbers come first in the writes' elements.
        """
        covers = self._before(time)
        around = {atom: w.box.trips[atom] for w, each in covers for atom in w.atoms[: each.common]}
        coordinates = {Parameter(f"d{k}"): size for k, size in enumerate(shape)}
        element = (*list(around)[:made], *coordinates)
        whole = Box({**around, **coordinates}, {})
        return _is_covered(whole, [*map(expression_of_atom, element)], [cover for _, cover in covers])

    def _before(self, time: Time) -> list[tuple[TimedAccess, _Cover]]:
        """What writes cover before TIME, the nearest ones first, each with one of these."""
        count = bisect_left(self._numbers, time[-1])
        key = time[:-1], count
        if key not in self._known:
            self._known[key] = _covers(time, self._writes[:count])
        return self._known[key]


def _covers(time: Time, writes: Iterable[TimedAccess]) -> list[tuple[TimedAccess, _Cover]]:
    """What WRITES cover before TIME, the nearest ones first, each with one of these."""
    alike: dict[tuple[int, int, Hashable], list[TimedAccess]] = {}
    for write in writes:
        common = _common_loops(write.time, time)
        if common is not None:
            linear = tuple(e.terms for e in write.element)
            alike.setdefault((id(write.site.levels), common, linear), []).append(write)
    nearest = sorted(alike.items(), key=lambda group: -group[1][-1].site.number)[: limits.COVERING_WRITES]
    found = ((group[0], _cover(group, common)) for (_, common, _), group in nearest)
    return [(write, cover) for write, cover in found if cover is not None]


def _common_loops(write: Time, read: Time) -> int | None:
    """How many loops are around both, if in each iteration of these a WRITE has run before a READ does."""
    common = 0
    for mine, other in zip(write, read, strict=True):
        if mine != other:
            return common if 0 <= mine < other else None
        common += mine < 0
    return None


def _is_covered(box: Box, element: Sequence[Expression], covers: Sequence[_Cover]) -> bool:
    """Whether ELEMENT is in one of COVERS in each iteration of BOX."""
    for position, cover in enumerate(covers):
        conditions = cover.conditions_on(element)
        if conditions is None:
            continue
        left = [each for each in conditions if not box.is_nonnegative(each)]
        others = covers[position + 1 :]
        if len(left) <= (limits.OPEN_CONDITIONS if others else 0):
            without = (replace(box, conditions=(*box.conditions, -each - 1)) for each in left)
            if all(_is_covered(each, element, others) for each in without):
                return True
    return False


def _cover(writes: Sequence[TimedAccess], common: int) -> _Cover | None:
    """What WRITES, which differ by constants, give values to in one iteration of COMMON loops.

    None if that is not a grid of steps.
    """
    write = writes[0]
    trips = {atom: write.box.trips[atom] for atom in write.atoms[common:]}
    offsets = [sorted({each.element[k].constant for each in writes}) for k in range(len(write.element))]
    is_grid = prod(map(len, offsets)) == len({tuple(e.constant for e in each.element) for each in writes})
    if 0 in trips.values() or not is_grid:
        return None
    own = [{a: c for a, c in e.terms if trips.get(a, 1) > 1} for e in write.element]
    if sum(map(len, own)) > len({atom for each in own for atom in each}):
        return None
    steps: list[_Steps] = []
    for expression, coefficients, numbers in zip(write.element, own, offsets, strict=True):
        around = Expression(tuple(term for term in expression.terms if term[0] not in trips), numbers[0])
        found = _steps(around, [(c, trips[a]) for a, c in coefficients.items()], numbers)
        if found is None:
            return None
        steps.append(found)
    conditions: list[tuple[Expression, tuple[int, ...]]] = []
    for condition in write.box.conditions:
        factors = tuple(_factor(condition, each) for each in own)
        least = [sum(min(0, c * (trips[a] - 1)) for a, c in each.items()) for each in own]
        left = dict(condition.terms)
        for factor, coefficients, numbers in zip(factors, own, offsets, strict=True):
            if factor and len(numbers) > 1:
                return None
            for atom, coefficient in coefficients.items():
                left[atom] = left.get(atom, 0) - factor * coefficient
        if any(c for atom, c in left.items() if trips.get(atom, 1) > 1):
            return None
        around = tuple((atom, c) for atom, c in condition.terms if atom not in trips)
        shift = sum(factor * low for factor, low in zip(factors, least, strict=True))
        conditions.append((Expression(around, condition.constant + shift), factors))
    return _Cover(common, tuple(steps), tuple(conditions))


def _steps(around: Expression, loops: list[tuple[int, int]], numbers: Sequence[int]) -> _Steps | None:
    """AROUND and the sums of `c * t` with `0 <= t < trips` for LOOPS (c, trips), if they follow each other in
    steps; AROUND has the first one of NUMBERS, each of which is that of another write.
    """
    if len(numbers) > 1:
        loops = [*loops, (numbers[1] - numbers[0], len(numbers))]
        if any(after - before != loops[-1][0] for before, after in pairwise(numbers)):
            return None
    start = around + sum(min(0, c * (trips - 1)) for c, trips in loops)
    step, count = min((abs(c) for c, _ in loops), default=1), 1
    for coefficient, trips in sorted((abs(c), trips) for c, trips in loops):
        if coefficient % step or coefficient > step * count:
            return None
        count += coefficient // step * (trips - 1)
    return _Steps(start, step, count)


def _factor(condition: Expression, coefficients: Mapping[Atom, int]) -> int:
    """How often what has these COEFFICIENTS is in CONDITION, if it is."""
    for atom, coefficient in coefficients.items():
        return condition.coefficient(atom) // coefficient
    return 0
