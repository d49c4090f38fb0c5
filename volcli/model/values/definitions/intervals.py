"""Intervals of a function's numbers by what its operations say alone: one step for each operation.

Let f be what an operation says of its result, and I(x) the interval of each operand. Then

    I(result) = f(I(x), ...)      in interval arithmetic, where nothing relates one operand to another

As elsewhere, sums of what nothing bounds are taken not to overflow; one that does for small numbers is any of
64 bits, which does bound it. Products are not: one that may leave 64 bits is any of these. So an interval
holds without any assumption about arguments or products.

    %a = arith.remsi %n, %c16       [-15, 15]
    %b = arith.muli %a, %a          [-225, 225]: that both factors are one number is not seen
    %c = arith.muli %n, %n          [-2^63, 2^63 - 1]
"""

from __future__ import annotations

from contextlib import suppress

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Mod,
    NotAffine,
    Value,
    constant,
    has_product,
    has_wide_remainder,
    substitute,
)
from volcli.language.reads import is_number
from volcli.language.unchanged import operations_in
from volcli.limits.widths import GREATEST, HALF
from volcli.model.values.definitions.overflows import (
    NUMBERS_OF_64_BITS,
    has_64_bits,
    of_32_bits,
    ordinary,
    unwrapped,
)
from volcli.model.values.definitions.variable_ranges import RangesByFacts, beside_width
from volcli.model.values.outline.outline import Outline
from volcli.model.values.terms.ranges import Interval, hull, is_within, range_of, tightest
from volcli.model.values.terms.variables import Variable, natural_range, unknown


class Intervals(RangesByFacts):
    """The intervals of the numbers of a function, by its OUTLINE, worked out in the order of the text."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._known: dict[SSAValue, Interval] = {}
        self._rest = iter(operations_in(outline.function))
        self._entered: set[Operation] = set()

    def of(self, variable: Variable) -> Interval:
        """A least and a greatest number that VARIABLE lies between; None where there is none."""
        found = None if isinstance(variable, Dim) else self._known.get(variable.value)
        return natural_range(variable) if found is None else found

    def ends(self, value: OpResult) -> Interval | None:
        """The same of VALUE; None if its operation does not compute it from numbers."""
        while value.op not in self._entered and (op := next(self._rest, None)) is not None:
            self._entered.add(op)
            self._enter(op)
        return self._known.get(value)

    def low(self, expression: Expression) -> int | None:
        """A number that EXPRESSION is not less than."""
        for atom in expression.atoms():
            if isinstance(atom, Value) and isinstance(atom.value, OpResult):
                self.ends(atom.value)
        return range_of(expression, self.of)[0]

    def _enter(self, op: Operation) -> None:
        if op.regions or op.parent is None:  # a loop, the function, or what was taken out since then
            return
        for result in op.results:
            if is_number(result) and (found := self._stated(result)) is not None:
                low, high = natural_range(Value(result))
                self._known[result] = tightest(low, found[0], max), tightest(high, found[1], min)

    def _stated(self, result: OpResult) -> Interval | None:
        """What the operation of RESULT says that it lies between, if it says anything."""
        with suppress(NotAffine):  # `a rem b` has cases, and no formula
            number = self._outline.value(result)
            if number is not None:
                return self._of_number(number)
        try:
            choices = questions.choices(result.op)
            if choices is not None and result.index < len(choices):
                return hull([self.of(Value(choice.value)) for choice in choices[result.index]])
            cases = questions.value_cases(result.op)
            if cases is not None:
                variable = Value(result)
                return beside_width(self.range_of_facts(variable, unknown(variable, cases[result.index], "")))
        except NotAffine:
            return None
        return (0, 1) if questions.condition.answers(type(result.op)) else None

    def _of_number(self, number: Expression) -> Interval:
        if has_product(number) or has_wide_remainder(number):
            number = substitute(number, self._simpler)
        if has_product(number) and not has_64_bits(number, self.of):
            return NUMBERS_OF_64_BITS
        if not is_within(range_of(number, lambda v: ordinary(self.of(v))), NUMBERS_OF_64_BITS):
            return NUMBERS_OF_64_BITS
        return _in_64_bits(range_of(number, self.of))

    def _simpler(self, atom: Atom) -> Expression | None:
        """A number where there is only one; what a remainder by 2^64 is of, where that lies in 64 bits."""
        match atom:
            case Value() | Dim():
                low, high = self.of(atom)
                return constant(low) if low is not None and low == high else None
            case Mod(numerator, divisor):
                is_number = isinstance(numerator.single_atom, Value | Dim)
                inner = substitute(numerator, self._simpler)
                return unwrapped(inner, divisor, self.of, is_number=is_number)
            case _:
                return None


class IntervalsOf32Bits(Intervals):
    """The same, if what nothing bounds has 32 bits: what is computed from it may have more.

    `shrui %n, 1` of a negative n has 63 bits, and so have a remainder by it and what may be it.
    """

    def of(self, variable: Variable) -> Interval:
        value = variable.value
        if isinstance(variable, Value) and isinstance(value, OpResult) and value.op.regions:
            choices = questions.choices(value.op)
            if choices is not None and value.index < len(choices):
                return hull([self.of(Value(choice.value)) for choice in choices[value.index]])
        return of_32_bits(super().of(variable))

    def between(self, variable: Variable) -> Interval:
        """What VARIABLE lies between: two numbers."""
        if isinstance(variable.value, OpResult):
            self.ends(variable.value)
        return self.of(variable)


def _in_64_bits(found: Interval) -> Interval:
    """What is FOUND of a number that is left in 64 bits: no more than these."""
    low, high = found
    if (low is not None and low > GREATEST) or (high is not None and high < -HALF):
        return NUMBERS_OF_64_BITS
    return None if low is None else max(low, -HALF), None if high is None else min(high, GREATEST)
