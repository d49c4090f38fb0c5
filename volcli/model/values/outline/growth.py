"""Which numbers grow exponentially around loops, so that a few iterations lead beyond 64 bits.

    %a = 3, then %a * %a:    3, 9, 81, ..., 3^64 > 2^63     after 6 iterations
    %a = %a + %i             a sum of as many numbers as there are iterations

Let the values that are computed from each other around loops be circles, the strongly connected components of
"is computed from". If all numbers of a circle lie in [-M, M] at the beginning of an iteration, one that is
computed from them lies in [-g * M - c, h * M + c]: its gains g and h are sums of the factors by which these
are multiplied, infinite for a product with one of them; c is what comes from outside. A circle is *fast* if
what goes into the next iteration has a gain of more than 1, and the number of iterations is not so small that
this stays below 2^32. In one that is not, M grows by c in each iteration.

Example: %mid = (%lo + %hi) floordiv 2 has the gain 1, though %lo + %hi has 2: a binary search is not fast.

A number may be *guarded*: while %a < %n, nothing above what %n is goes around; nor does anything below 0 if
it is only added and multiplied, from numbers that are not negative.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf, log2, prod

from xdsl.ir import OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Monomial,
    NotAffine,
    Value,
    constant,
    maximum,
    minimum,
    substitute,
    value_of,
)
from volcli.language.loops import Loop, While
from volcli.language.normal_form import operands_of
from volcli.language.programs.graphs import components
from volcli.model.values.terms.numbering import Numbering
from volcli.model.values.terms.variables import is_wide

Number = Fraction | float
Gains = tuple[Number, Number]
"""By how much a number may be less, and by how much it may be more."""
_NONE: Gains = (Fraction(0), Fraction(0))
_ANY: Gains = (inf, inf)
_ORDINARY_BITS = 32
"""What few iterations multiply by less than 2 to the power of this is not taken to leave 64 bits."""


class Growth:
    """The fast circles of LOOPS, of which STATED says what the operation of a result says of it."""

    def __init__(
        self,
        loops: Iterable[Loop | While],
        numbering: Numbering,
        stated: Callable[[OpResult], Expression | None],
    ) -> None:
        self._stated = stated
        self._entering: dict[SSAValue, tuple[SSAValue, ...]] = {}
        """What goes into each iteration: for the argument, the values that it is."""
        self._behind: dict[SSAValue, tuple[SSAValue, ...]] = {}
        """The values that one of the other arguments and results of a loop is."""
        self._trips: dict[SSAValue, int | None] = {}
        """Of what carries something from iteration to iteration, their number, if it is stated."""
        self.guarded: dict[SSAValue, set[int]] = {}
        """The numbers that a condition bounds, from below (-1) or from above (1)."""
        for loop in loops:
            self._note(loop)
        self._fast: set[SSAValue] = set()
        wide = (value for value in self._entering if is_wide(value.type))
        for circle in components(wide, self._sources):
            ordered = sorted(circle, key=numbering.position)
            if self._is_fast(ordered):
                self._fast.update(ordered)
                if self._is_nonnegative(ordered):
                    for value in self.guarded.keys() & set(ordered):
                        self.guarded[value].add(-1)

    def is_fast(self, value: SSAValue) -> bool:
        """Whether VALUE is computed in a fast circle."""
        return value in self._fast

    # -- what is computed from what --------------------------------------------------------------------

    def _note(self, loop: Loop | While) -> None:
        if isinstance(loop, Loop):
            for each in loop.carried:
                self._entering[each.argument] = each.initial, each.yielded
                self._trips[each.argument] = self._trips_of(loop)
                self._behind[each.result] = each.initial, each.yielded
        else:
            self._entering |= {
                argument: (first, then)
                for argument, first, then in zip(loop.before, loop.initial, loop.yielded, strict=True)
            }
            for forwarded, after, result in zip(loop.forwarded, loop.after, loop.results, strict=True):
                self._behind[after] = self._behind[result] = (forwarded,)
                if sides := set(self._guards(loop, forwarded)):
                    self.guarded[after] = sides

    @staticmethod
    def _guards(loop: While, forwarded: SSAValue) -> Iterator[int]:
        """On which sides FORWARDED is bounded wherever the condition of LOOP holds."""
        truth = loop.condition
        found = questions.condition(truth.op) if isinstance(truth, OpResult) else None
        if found is not None and len(found.true) == 1:
            for fact in found.true[0]:
                factor = fact.coefficient(Value(forwarded))
                if factor:
                    yield 1 if factor < 0 else -1

    def _sources(self, value: SSAValue) -> Iterator[SSAValue]:
        """What VALUE, a number of 64 bits, is computed from."""
        found: Iterable[SSAValue] = ()
        if value in self._entering or value in self._behind:
            found = (*self._entering.get(value, ()), *self._behind.get(value, ()))
        elif isinstance(value, OpResult):
            expression, chosen = self._said(value)
            found = chosen
            if expression is not None:
                found = (atom.value for atom in expression.atoms() if isinstance(atom, Value))
        return (each for each in found if is_wide(each.type))

    def _said(self, value: OpResult) -> tuple[Expression | None, tuple[SSAValue, ...]]:
        """What VALUE is; or the values of which it is one."""
        try:
            expression = self._stated(value)
            choices = questions.choices(value.op) if expression is None else None
        except NotAffine:
            return None, ()
        if choices is None or value.index >= len(choices):
            return expression, ()
        return None, tuple(choice.value for choice in choices[value.index])

    # -- gains -----------------------------------------------------------------------------------------

    def _is_fast(self, circle: list[SSAValue]) -> bool:
        """Whether what goes into the next iteration of CIRCLE, in the order of the text, has a large gain."""
        gains: dict[SSAValue, Gains] = {v: (Fraction(1), Fraction(1)) for v in circle if v in self._entering}
        states = list(gains)
        for value in circle:
            if value not in gains:
                gains[value] = self._gains(value, gains)
        gain = max((max(gains.get(v, _NONE)) for state in states for v in self._entering[state]), default=0)
        trips = prod(self._trips.get(state) or inf for state in states)
        return gain > 1 and trips > 1 and trips * log2(gain) > _ORDINARY_BITS

    def _gains(self, value: SSAValue, gains: Mapping[SSAValue, Gains]) -> Gains:
        expression, chosen = None, self._behind.get(value, ())
        if not chosen and isinstance(value, OpResult):
            expression, chosen = self._said(value)
        if expression is not None:
            return _gains_of(substitute(expression, self._number), gains)
        found = [gains.get(each, _NONE) for each in chosen]
        return (max(low for low, _ in found), max(high for _, high in found)) if found else _ANY

    def _is_nonnegative(self, circle: Sequence[SSAValue]) -> bool:
        """Whether the numbers of CIRCLE are not negative: sums and products of such, from such."""
        known = set(circle)
        for value in circle:
            expression, chosen = None, (*self._entering.get(value, ()), *self._behind.get(value, ()))
            if not chosen and isinstance(value, OpResult):
                expression, chosen = self._said(value)
            said = [value_of(each) for each in chosen] if expression is None else [expression]
            if not said or not all(_is_nonnegative(substitute(e, self._number), known) for e in said):
                return False
        return True

    def _trips_of(self, loop: Loop) -> int | None:
        """How many iterations LOOP has, if its operation and those of its operands state it."""
        if len(loop.inductions) != 1:
            return None
        (each,) = loop.inductions
        low = maximum(*(substitute(e, self._number) for e in each.lower))
        high = minimum(*(substitute(e, self._number) for e in each.upper))
        step = substitute(each.step, self._number)
        if not (low.is_constant and high.is_constant and step.is_constant) or step.constant < 1:
            return None
        return max(-((low.constant - high.constant) // step.constant), 1)

    def _number(self, atom: Atom) -> Expression | None:
        """The number that ATOM is, if its operation says one."""
        if not isinstance(atom, Value) or not isinstance(atom.value, OpResult):
            return None
        stated = self._said(atom.value)[0]
        return constant(stated.constant) if stated is not None and stated.is_constant else None


def _gains_of(expression: Expression, gains: Mapping[SSAValue, Gains]) -> Gains:
    """By how much EXPRESSION may be less and more than 0, for values that may be so by GAINS."""
    low, high = _NONE
    for atom, factor in expression.terms:
        least, greatest = _gains_of_atom(atom, gains)
        if factor < 0:
            least, greatest = greatest, least
        low += least if least == inf else abs(factor) * least
        high += greatest if greatest == inf else abs(factor) * greatest
    return low, high


def _gains_of_atom(atom: Atom, gains: Mapping[SSAValue, Gains]) -> Gains:
    match atom:
        case Value(value):
            return gains.get(value, _NONE)
        case FloorDiv(numerator, divisor):
            low, high = _gains_of(numerator, gains)
            return low / divisor, high / divisor
        case Minimum(operands):
            found = [_gains_of(each, gains) for each in operands]
            return max(low for low, _ in found), min(high for _, high in found)
        case Maximum(operands):
            found = [_gains_of(each, gains) for each in operands]
            return min(low for low, _ in found), max(high for _, high in found)
        case Monomial():
            inner = (each.value for e in operands_of(atom) for each in e.atoms() if isinstance(each, Value))
            return _ANY if any(value in gains for value in inner) else _NONE
        case _:
            return _NONE


def _is_nonnegative(expression: Expression, known: Container[SSAValue]) -> bool:
    """Whether EXPRESSION is not negative if those that are KNOWN are not, as far as signs show it."""
    if expression.constant < 0 or any(factor < 0 for _, factor in expression.terms):
        return False
    for atom, _ in expression.terms:
        match atom:
            case Value(value) if value in known:
                pass
            case FloorDiv() | Minimum() | Maximum() | Monomial():
                if not all(_is_nonnegative(each, known) for each in operands_of(atom)):
                    return False
            case _:
                return False
    return True
