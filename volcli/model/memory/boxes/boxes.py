"""Iterations as numbers in constant ranges: loops with affine bounds, and indices over them.

A loop from `lower` in steps of s is `i = lower + s * t` with t = 0, 1, ..., n - 1. If n is constant for all
loops of a nest, its iterations are a box of such t, which have nothing to do with each other, however the
bounds depend on the loops around, as those of tiles do:

    affine.for %ii = 0 to 64 step 8 { affine.for %i = %ii to min(%ii + 8, 64) { ... } }     %i = 8 * t0 + t1

Over a box an affine function has its least value where each t is at the end that its coefficient says:

    8 * t0 + t1 - 2    with t0 and t1 in 0, 1, ..., 7        from -2 to 61

Where n is not constant, as in a triangle, the numbers are in the smallest box with `conditions` beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    LoopIndex,
    Mod,
    NotAffine,
    Parameter,
    Value,
    expression_of_atom,
    substitute,
)
from volcli.language.loops import Induction
from volcli.model.memory.boxes.counting_in_boxes import count_in_box
from volcli.presburger.measures.first_solution import Linear, TooLong, first_solution
from volcli.presburger.relations.numbers import NumberedRelation

Resolve = Callable[[Expression], Expression]


@dataclass(frozen=True, eq=False)
class Box:
    """The iterations of loops: t from 0 to `trips` of it less 1; a variable is what `values` says.

    All of them, or those in which `conditions` are not negative.
    """

    trips: Mapping[Atom, int]
    values: Mapping[Atom, Expression]
    conditions: tuple[Expression, ...] = ()

    @cached_property
    def count(self) -> int | None:
        """How many iterations there are; None if that takes long to count."""
        forms = [(dict(each.terms), each.constant) for each in self.conditions]
        return count_in_box(self.trips, forms)

    @property
    def ranges(self) -> tuple[range, ...] | None:
        """The values of each loop's variable, if they have nothing to do with each other."""
        found: list[range] = []
        for (number, trips), value in zip(self.trips.items(), self.values.values(), strict=False):
            if [atom for atom, _ in value.terms] != [number]:
                return None
            step = value.terms[0][1]
            found.append(range(value.constant, value.constant + trips * step, step))
        return None if self.conditions or len(found) < len(self.trips) else tuple(found)

    def placed(self, expressions: Iterable[Expression]) -> list[Expression] | None:
        """EXPRESSIONS in terms of t; None if one is not an affine function of the loops' variables alone."""
        try:
            found = [substitute(each, self.values.get) for each in expressions]
        except NotAffine:
            return None
        return found if all(atom in self.trips for each in found for atom, _ in each.terms) else None

    def with_quotients(self, expressions: Iterable[Expression]) -> tuple[Box, list[Expression]] | None:
        """The box with a number q for each quotient in EXPRESSIONS, and these; None as `placed`.

        `q = x floordiv n` says `0 <= x - n * q < n`, and `x mod n` is `x - n * q`. They come last.
        """
        box, found = self, list[Expression]()

        def quotient(atom: Atom) -> Expression | None:
            nonlocal box
            if atom in self.values:
                return self.values[atom]
            if not isinstance(atom, FloorDiv | Mod):
                return None
            numerator, divisor = substitute(atom.numerator, quotient), atom.divisor
            if not all(each in box.trips for each, _ in numerator.terms):
                raise NotAffine(str(atom))
            low, high = box.interval(numerator)
            first, number = low // divisor, Parameter(f"q{len(box.trips)}")
            result = expression_of_atom(number) + first
            rest = numerator - result * divisor
            conditions = (*box.conditions, rest, divisor - 1 - rest)
            box = Box({**box.trips, number: high // divisor - first + 1}, box.values, conditions)
            return result if isinstance(atom, FloorDiv) else rest

        try:
            found = [substitute(each, quotient) for each in expressions]
        except NotAffine:
            return None
        return (box, found) if all(a in box.trips for each in found for a, _ in each.terms) else None

    def interval(self, placed: Expression) -> tuple[int, int]:
        """The least and the greatest value of what is PLACED; both are attained, if the box is not empty."""
        low = high = placed.constant
        for atom, coefficient in placed.terms:
            last = coefficient * (self.trips[atom] - 1)
            low, high = low + min(0, last), high + max(0, last)
        return low, high

    def is_nonnegative(self, placed: Expression) -> bool:
        """Whether it shows that what is PLACED is not negative in any iteration."""
        if 0 in self.trips.values() or self.interval(placed)[0] >= 0:
            return True
        if not self.conditions:
            return False
        known = self._nonnegative.get(placed)
        if known is None:
            try:
                known = self.first(-placed - 1) is None
            except TooLong:
                known = False
            self._nonnegative[placed] = known
        return known

    @cached_property
    def _nonnegative(self) -> dict[Expression, bool]:
        """What was asked about before."""
        return {}

    def first(self, placed: Expression) -> Mapping[Atom, int] | None:
        """The first iteration in which what is PLACED is not negative; None if there is none.

        Raises TooLong where that does not show soon.
        """
        numbers, ranges, conditions = self._constraints
        found = first_solution(ranges, [*conditions, _linear(placed, numbers)])
        return None if found is None else dict(zip(self.trips, found, strict=True))

    @cached_property
    def _constraints(self) -> tuple[Mapping[Atom, int], Sequence[tuple[int, int]], Sequence[Linear]]:
        """The numbers of variables, their ranges, and the conditions over these."""
        numbers = {atom: k for k, atom in enumerate(self.trips)}
        ranges = [(0, trips - 1) for trips in self.trips.values()]
        return numbers, ranges, [_linear(each, numbers) for each in self.conditions]

    def numbers(self, placed: Sequence[Expression], *, is_function: bool) -> NumberedRelation:
        """The variables of loops, and what is PLACED, as relation; a FUNCTION if there are no points."""
        numbers, _, conditions = self._constraints
        iteration = [_linear(each, numbers) for each in self.values.values()]
        elements = [_linear(each, numbers) for each in placed]
        return NumberedRelation([*self.trips.values()], iteration, elements, conditions, is_function)

    def with_loops(self, extents: Sequence[Expression]) -> Box | None:
        """With an operation's own loops, from 0 to EXTENTS; None if one is not constant."""
        if not extents:
            return self
        if not all(each.is_constant for each in extents):
            return None
        own = {LoopIndex(k): max(0, each.constant) for k, each in enumerate(extents)}
        return Box({**self.trips, **own}, self.values, self.conditions)


def box_of(inductions: Sequence[Induction], resolve: Resolve, *, divided: bool = False) -> Box | None:
    """The iterations of loops, outermost first, of which RESOLVE has the bounds in terms of variables.

    None if a bound is not an affine function of the loops around; or if it is none of their quotients, if it
    may be DIVIDED: the numbers of these come after those of all loops.
    """
    box, numbers = Box({}, {}), [Parameter(f"t{position}") for position in range(len(inductions))]
    for number, induction in zip(numbers, inductions, strict=True):
        inner = _with_loop(box, induction, number, resolve, divided=divided)
        if inner is None:
            return None
        box = inner
    if len(box.trips) == len(numbers):
        return box
    return replace(box, trips={**{number: box.trips[number] for number in numbers}, **box.trips})


def _with_loop(
    around: Box, induction: Induction, number: Parameter, resolve: Resolve, *, divided: bool
) -> Box | None:
    """The iterations AROUND with those of a loop in them, by their NUMBER."""
    step = resolve(induction.step)
    stated = [*map(resolve, (*induction.lower, *induction.upper))]
    if len(stated) == 2 and all(each.is_constant for each in (step, *stated)) and step.constant > 0:
        first, last = (each.constant for each in stated)
        value = Expression(((number, step.constant),), first)
        trips = {**around.trips, number: max(0, -((first - last) // step.constant))}
        return Box(trips, {**around.values, Value(induction.variable): value}, around.conditions)
    bounds = around.placed(stated)
    if bounds is None and divided:
        around, bounds = around.with_quotients(stated) or (around, None)
    if bounds is None or not step.is_constant or step.constant <= 0:
        return None
    count = len(induction.lower)
    lower, uppers = _greatest(bounds[:count], around), _least(bounds[count:], around)
    if lower is None or not uppers:
        return None
    lengths = [end - lower for end in uppers]
    most = min(_most(each, around) for each in lengths)
    value = lower + expression_of_atom(number) * step
    is_box = len(lengths) == 1 and lengths[0].is_constant
    conditions = () if is_box else tuple(end - value - 1 for end in uppers)
    return Box(
        {**around.trips, number: max(0, -(-most // step.constant))},
        {**around.values, Value(induction.variable): value},
        (*around.conditions, *conditions),
    )


def _most(placed: Expression, around: Box) -> int:
    """A number that what is PLACED does not exceed: of x - 4 * q with q = x floordiv 4, it is 3."""
    stated = (placed + each for each in around.conditions)
    return min((around.interval(placed)[1], *(each.constant for each in stated if each.is_constant)))


def _greatest(placed: Sequence[Expression], around: Box) -> Expression | None:
    """The one of PLACED that is the greatest in all iterations AROUND; None if none is known to be."""
    return next((e for e in placed if all(around.interval(e - other)[0] >= 0 for other in placed)), None)


def _least(placed: Sequence[Expression], around: Box) -> list[Expression]:
    """The one of PLACED that is the least in all iterations AROUND; all, if none is known to be."""
    least = _greatest([-each for each in placed], around)
    return list(placed) if least is None else [-least]


def _linear(condition: Expression, numbers: Mapping[Atom, int]) -> Linear:
    """`condition >= 0`, over the NUMBERS of variables."""
    return Linear({numbers[atom]: coefficient for atom, coefficient in condition.terms}, condition.constant)
