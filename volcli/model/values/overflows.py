"""Which arithmetic on 64 bits wraps around, although index arithmetic is taken not to overflow.

What nothing bounds, an argument of the function, is taken to be small enough: `%n * 4` is four times %n. That
says nothing of numbers that are large whatever the arguments are: of the upper bits of a negative number, of
large constants, of products of integers with 32 bits. Let an operation's result lie in R, by interval
arithmetic in which what is unbounded lies between -16 and 16. If R is not within [-2^63, 2^63), it wraps.

What goes around a loop is not bounded before it is worked out. It is supposed not to wrap around, and what
follows from that is looked at: where numbers between those bounds do not wrap around, none does, by induction
over the iterations. Else the operation wraps around, unless what is known without supposing so excludes it.
What is still unbounded then grows from iteration to iteration: it is taken to stay small only where the next
number is less than 2^40. `a + 2^62` does not, though the first sum, for a = 7, has 64 bits.

Example: `%h = shrui %n, 1` is in [0, 2^63), so `shli %h, 2` is 4 * %h modulo 2^64: -4 for %n = -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from volcli.language import questions
from volcli.language.expressions import Expression, Mod, NotAffine, Value
from volcli.model.values.ranges import Interval, range_of
from volcli.model.values.solver import Solver
from volcli.model.values.variables import Variable, variables_of, width_of

_ORDINARY = 16
"""What is not bounded is taken to be as large: a product of many sizes must not count as overflowing."""
_LARGE = 2**31
_HALF = 2**63
_GROWN = 2**40
"""What has no bound and goes around a loop passes 2^63 in an ordinary number of steps to more than this."""


class Overflows:
    """The operations of FUNCTION on 64 bits that wrap around, by RANGE of variables and what is STATED."""

    def __init__(
        self,
        function: Operation,
        range: Callable[[Variable], Interval],
        stated: Callable[[OpResult], Expression | None],
        solver: Solver,
    ) -> None:
        self._function = function
        self._range = range
        self._stated = stated
        self._solver = solver
        self._refuted: set[SSAValue] = set()
        self._large: set[SSAValue] | None = None

    def wrapped(self, result: SSAValue, number: Expression) -> Expression:
        """NUMBER, which the operation of RESULT computes, or what is left of it in 64 bits."""
        if not self._may_be_large(result):
            return number
        stays, is_provisional = self._solver.traced(self._stays, result, number)
        if stays and is_provisional:
            self._solver.suppose(lambda: self._still_stays(result, number))
        return number if stays else (number + _HALF) % (2 * _HALF) - _HALF

    def _stays(self, result: SSAValue, number: Expression, limit: int = _HALF) -> bool:
        """Whether NUMBER has 64 bits; or is below the LIMIT, on both sides."""
        ordinary = partial(self._ordinary, is_refuted=result in self._refuted)
        low, high = range_of(number, ordinary)
        return low is not None and high is not None and low >= -limit and high < limit

    def _still_stays(self, result: SSAValue, number: Expression) -> bool:
        """Whether that is true of what was found by supposing it; else it is not supposed of RESULT again."""
        grows = any(self._grows(variable) for variable in variables_of(number))
        stays = self._stays(result, number, _GROWN if grows else _HALF)
        if not stays:
            self._refuted.add(result)
        return stays

    def _grows(self, variable: Variable) -> bool:
        """Whether VARIABLE goes around a loop that is being solved, and has no bound on some side."""
        ends, is_provisional = self._solver.traced(self._range, variable)
        return is_provisional and None in ends

    def _ordinary(self, variable: Variable, *, is_refuted: bool) -> Interval:
        (low, high), is_provisional = self._solver.traced(self._range, variable)
        if is_provisional and is_refuted:  # what bounds it is not known yet
            return -_HALF if low is None else low, _HALF - 1 if high is None else high
        if low is None:
            low = -_ORDINARY if high is None else min(-_ORDINARY, high)
        return low, max(_ORDINARY, low) if high is None else high

    def _may_be_large(self, result: SSAValue) -> bool:
        if not isinstance(result, OpResult) or not _is_wide(result.type):
            return False
        if self._large is None:
            self._large = set(self._all_large())
        return any(operand in self._large for operand in result.op.operands)

    def _all_large(self) -> Iterator[SSAValue]:
        """What is large of itself, and all of 64 bits that is computed from it."""
        stack: list[SSAValue] = [r for op in self._function.walk() for r in op.results if self._is_large(r)]
        met = set(stack)
        while stack:
            value = stack.pop()
            yield value
            new = {each for use in value.uses for each in _results(use.operation) if _is_wide(each.type)}
            stack += new - met
            met |= new

    def _is_large(self, result: OpResult) -> bool:
        """Whether RESULT may be large for small operands: what is unsigned, widened, or a large constant."""
        return _is_wide(result.type) and any(map(_speaks_of_large, self._said_of(result)))

    def _said_of(self, result: OpResult) -> list[Expression]:
        """What its operation says of RESULT: what it is, or else in which cases it lies between what."""
        try:
            stated = self._stated(result)
            if stated is not None:
                return [stated]
            cases = questions.value_cases(result.op)
            return [] if cases is None else [e for conjunction in cases[result.index] for e in conjunction]
        except NotAffine:
            return []


def _results(user: Operation) -> Iterator[SSAValue]:
    """What USER hands its operands on to: its results, the arguments of its regions, of its successors."""
    yield from user.results
    for region in user.regions:
        for block in region.blocks:
            yield from block.args
    for successor in user.successors:
        yield from successor.args
    parent = user.parent_op()
    if user.has_trait(IsTerminator) and parent is not None:
        yield from _results(parent)


def _is_wide(kind: Attribute) -> bool:
    return isinstance(kind, IndexType) or (isinstance(kind, IntegerType) and width_of(kind) == 64)


def _speaks_of_large(number: Expression) -> bool:
    atoms = set(number.atoms())
    if abs(number.constant) >= _LARGE or any(isinstance(a, Mod) and a.divisor > _LARGE for a in atoms):
        return True
    kinds = (atom.value.type for atom in atoms if isinstance(atom, Value))
    return any(isinstance(kind, IntegerType) and 32 <= width_of(kind) < 64 for kind in kinds)
