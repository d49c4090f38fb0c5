"""Indices that the bounds of loops keep inside, whatever else holds there: in expressions, without sets.

In a loop from l to u it is `l <= i < u`. So an affine function of i is not negative in any iteration if that
is so with l for i, where the coefficient of i is positive, or with u - 1, where it is negative; and l and u
are functions of the loops around, for which the same holds:

    for %ii = 0 to %n step 8 { for %i = %ii to min(%ii + 8, %n) { load %m[%i] : memref<%n x f32> } }

    %i >= %ii >= 0        %n - 1 - %i >= %n - 1 - (%n - 1) = 0

In steps of s from a constant, u - 1 is the last iteration before a constant u: 24 for 0, 8, ... < 32.
What remains speaks of no loop: it is not negative if the ranges of sizes and values say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volcli.language.expressions import Atom, Expression, LoopIndex, NotAffine, Value, constant
from volcli.language.unchanged import cached_method
from volcli.limits import memory as limits
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.checks.stated.stated import StatedAccess
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.terms.ranges import range_of

_Ends = tuple[Atom, Sequence[Expression], Sequence[Expression]]
"""A variable, numbers that it is not less than, and numbers that it is not greater than."""


class WithinLoops:
    """The indices of one function's accesses, against the bounds of the loops around them."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._tried = 0

    def are_inside(self, stated: StatedAccess) -> bool:
        """Whether it shows that no index of STATED is out of bounds in any iteration."""
        resolved = self._memory.instances.resolved
        sizes, ends = [*map(resolved, stated.sizes)], self._ends(stated)
        self._tried = 0
        for index in stated.indices:
            for number, size in zip(map(resolved, index), sizes, strict=True):
                if not isinstance(number, Expression) or not isinstance(size, Expression):
                    return False
                if not (self._is_nonnegative(number, ends) and self._is_nonnegative(size - number - 1, ends)):
                    return False
        return True

    def _is_nonnegative(self, number: Expression, ends: Sequence[_Ends]) -> bool:
        """Whether NUMBER is not negative with some of the ENDS for variables, innermost first."""
        if number.is_constant:
            return number.constant >= 0
        for position, (variable, least, greatest) in enumerate(ends):
            coefficient = number.coefficient(variable)
            if coefficient:
                for end in least if coefficient > 0 else greatest:
                    self._tried += 1
                    rest = number - coefficient * Expression(((variable, 1),), 0) + coefficient * end
                    if self._tried > limits.BOUND_WAYS or self._is_nonnegative(rest, ends[position + 1 :]):
                        return self._tried <= limits.BOUND_WAYS
                return False
        low, _ = range_of(number, self._memory.bounds.definitions.range)
        return low is not None and low >= 0

    def _ends(self, stated: StatedAccess) -> list[_Ends]:
        """The ends of all variables of the operation's own loops and of those around, innermost first."""
        return [*self._own(stated), *filter(None, map(self._of_level, reversed(stated.site.levels)))]

    def _own(self, stated: StatedAccess) -> Iterator[_Ends]:
        for position, extent in enumerate(map(self._memory.instances.resolved, stated.extents)):
            if isinstance(extent, Expression):
                yield LoopIndex(position), (constant(0),), (extent - 1,)

    @cached_method
    def _of_level(self, level: Level) -> _Ends | None:
        """The ends of the variable of LEVEL; None if it has none."""
        if level.induction is None:
            return None
        resolve, induction = self._memory.bounds.definitions.resolve, level.induction
        try:
            least = tuple(map(resolve, induction.lower))
            step = resolve(induction.step)
            greatest = tuple(_last(least, resolve(each), step) for each in induction.upper)
        except NotAffine:
            return None
        return Value(induction.variable), least, greatest


def _last(least: Sequence[Expression], upper: Expression, step: Expression) -> Expression:
    """A number that no iteration from LEAST on in steps of STEP exceeds, if all are less than UPPER.

    It is the last iteration if all of them are constant: 24 of 0, 8, ... < 32.
    """
    if len(least) > 1 or not all(each.is_constant for each in (*least, upper, step)) or step.constant < 1:
        return upper - 1
    first = least[0].constant
    return constant(first + (upper.constant - 1 - first) // step.constant * step.constant)
