"""Numbers of loops as operations of arith: polynomials, quotients, extrema, and conditions on them.

`b * t - n + 1` is one product, less `n`, and 1: what is added comes first. A term or a number that was made
in a block is there in all blocks inside of it, and is not made twice.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i64
from xdsl.ir import SSAValue

from volcli.language.expressions import (
    Atom,
    Expression,
    Monomial,
    constant,
    expression_of_atom,
    substitute,
    value_of,
)
from volcli.rewriting.code.materialize import AsAskedFor, Materializer, Minus, extremum_chain, sum_chain
from volcli.rewriting.ground.builder import Builder
from volcli.symbolic.scanning import Quotient

Known = Mapping[Atom, Expression]
"""What stands for parameters: expressions over values of the program."""

AT_LEAST = IntegerAttr(5, i64)
"""arith.cmpi sge"""


class IndexCode:
    """Makes numbers wherever a builder is; each constant once, by the builder OUTSIDE of all loops."""

    def __init__(self, outside: Builder) -> None:
        self._outside = outside
        self._order = AsAskedFor()
        self._constants: dict[int, SSAValue] = {}
        self._made: list[dict[Expression, SSAValue]] = [{}]

    @contextmanager
    def block(self) -> Generator[None, None, None]:
        """What is made meanwhile is made in a block of its own."""
        self._made.append({})
        yield
        self._made.pop()

    def constant(self, number: int) -> SSAValue:
        """NUMBER."""
        if number not in self._constants:
            self._constants[number] = self._outside.constant(number)
        return self._constants[number]

    def form(self, value: SSAValue) -> Expression:
        """VALUE, as the number that it is, if it was made as a constant."""
        number = next((number for number, known in self._constants.items() if known is value), None)
        return value_of(value) if number is None else constant(number)

    def number(self, builder: Builder, form: Expression, known: Known) -> SSAValue:
        """FORM, over KNOWN parameters and values."""
        return self._value(builder, substitute(form, known.get))

    def lower(self, builder: Builder, sides: Sequence[Sequence[Quotient]], known: Known) -> SSAValue:
        """The least of the maxima of SIDES."""
        return self._bound(builder, sides, known, up=True)

    def end(self, builder: Builder, sides: Sequence[Sequence[Quotient]], known: Known) -> SSAValue:
        """The first number after the greatest of the minima of SIDES."""
        return self._bound(builder, sides, known, up=False)

    def holds(self, builder: Builder, conditions: Sequence[Expression], known: Known) -> SSAValue:
        """Whether all of CONDITIONS are >= 0."""
        numbers = [self.number(builder, each, known) for each in conditions]
        least = extremum_chain(builder, numbers, greatest=False)
        return builder.make(
            "arith.cmpi",
            [least, self.constant(0)],
            result=IntegerType(1),
            properties={"predicate": AT_LEAST},
        )

    # -- polynomials -----------------------------------------------------------------------------------

    def _value(self, builder: Builder, form: Expression) -> SSAValue:
        if form.is_constant:
            return self.constant(form.constant)
        found = next((made[form] for made in self._made if form in made), None)
        if found is None:
            found = self._made[-1][form] = self._sum(builder, form)
        return found

    def _sum(self, builder: Builder, form: Expression) -> SSAValue:
        """What is added to each other, and what is taken away from that; the constant last."""
        if len(form.terms) == 1 and not form.constant:
            return self._term(builder, *form.terms[0])

        def multiple(atom: Atom, factor: int) -> SSAValue:
            return self._value(builder, factor * expression_of_atom(atom))

        return sum_chain(builder, form.terms, form.constant, multiple, self.constant, Minus.TERMS_SUBTRACTED)

    def _term(self, builder: Builder, atom: Atom, factor: int) -> SSAValue:
        if factor == 1 and isinstance(atom, Monomial):
            operands = [self._value(builder, each) for each in (atom.left, atom.right)]
            return builder.make("arith.muli", operands)
        if factor == 1:
            materializer = Materializer(builder, self._order, use_arith=True, constant=self.constant)
            return materializer.value(expression_of_atom(atom))
        whole = self._value(builder, expression_of_atom(atom))
        return builder.make("arith.muli", [whole, self._value(builder, constant(factor))])

    # -- bounds ----------------------------------------------------------------------------------------

    def _bound(
        self, builder: Builder, sides: Sequence[Sequence[Quotient]], known: Known, *, up: bool
    ) -> SSAValue:
        """The least of the maxima of SIDES, or the greatest of their minima."""
        found = [
            extremum_chain(builder, [self._quotient(builder, q, known, up=up) for q in side], greatest=up)
            for side in sides
        ]
        return extremum_chain(builder, found, greatest=not up)

    def _quotient(self, builder: Builder, bound: Quotient, known: Known, *, up: bool) -> SSAValue:
        """A lower bound, rounded up; or the first number after an upper one."""
        if bound.is_whole:
            return self.number(builder, bound.numerator if up else bound.numerator + 1, known)
        numerator = self.number(builder, bound.numerator, known)
        denominator = self.number(builder, bound.denominator, known)
        if up:
            first = builder.make("arith.ceildivsi", [numerator, denominator])
            if bound.times == constant(1):
                return first
            return builder.make("arith.muli", [first, self.number(builder, bound.times, known)])
        last = builder.make("arith.floordivsi", [numerator, denominator])
        return builder.make("arith.addi", [last, self.constant(1)])
