"""Accesses in boxes: loops whose trip counts are constant, and affine indices.

Intervals of these are exact. A loop of n iterations from `lower` in steps of s is `i = lower + s * t` with t
in 0, 1, ..., n - 1. If all n are constant, the iterations of a nest are a box of such t, which have nothing to
do with each other, however the bounds depend on the loops around, as those of tiles do:

    affine.for %ii = 0 to 64 step 8 { affine.for %i = %ii to min(%ii + 8, 64) { ... } }     %i = 8 * t0 + t1

Over a box an affine function has its least value where each t is at the end that its coefficient says:

    8 * t0 + t1 - 2    with t0 and t1 in 0, 1, ..., 7        from -2 to 61
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from volcli.language.expressions import (
    Atom,
    Expression,
    LoopIndex,
    NotAffine,
    Parameter,
    Value,
    expression_of_atom,
    substitute,
)
from volcli.language.loops import Induction

Resolve = Callable[[Expression], Expression]


@dataclass(frozen=True, eq=False)
class Box:
    """The iterations of loops: all t from 0 to `trips` of it less 1; a variable is what `values` says."""

    trips: Mapping[Atom, int]
    values: Mapping[Atom, Expression]

    @property
    def count(self) -> int:
        """How many iterations there are."""
        return prod(self.trips.values())

    def placed(self, expression: Expression) -> Expression | None:
        """EXPRESSION in terms of t; None if it is no affine function of the loops' variables alone."""
        try:
            placed = substitute(expression, self.values.get)
        except NotAffine:
            return None
        return placed if all(atom in self.trips for atom, _ in placed.terms) else None

    def interval(self, placed: Expression) -> tuple[int, int]:
        """The least and the greatest value of what is PLACED; both are attained, if the box is not empty."""
        low = high = placed.constant
        for atom, coefficient in placed.terms:
            last = coefficient * (self.trips[atom] - 1)
            low, high = low + min(0, last), high + max(0, last)
        return low, high

    def with_loops(self, extents: Sequence[Expression]) -> Box | None:
        """With an operation's own loops, from 0 to EXTENTS; None if one is not constant."""
        if not all(each.is_constant for each in extents):
            return None
        own = {LoopIndex(k): max(0, each.constant) for k, each in enumerate(extents)}
        return Box({**self.trips, **own}, self.values)


def box_of(inductions: Sequence[Induction], resolve: Resolve) -> Box | None:
    """The iterations of loops, outermost first, of which RESOLVE has the bounds in terms of variables.

    None if the number of iterations of one is not known to be the same whenever it begins.
    """
    box = Box({}, {})
    for position, induction in enumerate(inductions):
        ends = _ends(induction, resolve, box)
        if ends is None:
            return None
        lower, trips, step = ends
        number = Parameter(f"t{position}")
        value = lower + expression_of_atom(number) * step
        box = Box({**box.trips, number: trips}, {**box.values, Value(induction.variable): value})
    return box


def _ends(induction: Induction, resolve: Resolve, around: Box) -> tuple[Expression, int, int] | None:
    """The first iteration of a loop in the box AROUND it, how many there are, and the step."""
    step = resolve(induction.step)
    lower = _greatest([around.placed(resolve(each)) for each in induction.lower], around)
    upper = _greatest([around.placed(-resolve(each)) for each in induction.upper], around)
    if not step.is_constant or step.constant <= 0 or lower is None or upper is None:
        return None
    length = -upper - lower
    return (
        (lower, max(0, -(-length.constant // step.constant)), step.constant) if length.is_constant else None
    )


def _greatest(placed: Sequence[Expression | None], around: Box) -> Expression | None:
    """The one of PLACED that is the greatest in all iterations of the box AROUND; None if none is."""
    known = [each for each in placed if each is not None]
    if len(known) < len(placed) or around.count == 0:
        return None
    return next((e for e in known if all(around.interval(e - other)[0] >= 0 for other in known)), None)
