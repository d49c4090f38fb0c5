"""Numbers as polynomials over what is not computed from others, and quotients of these.

n * m  for  %p = arith.muli %n, %m          floor((i * m + j) / m) = i  where 0 <= j < m
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, OpResult

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    Parameter,
    Value,
    constant,
    has_product,
    substitute,
    value_of,
)
from volcli.model.values.store.store import BoundsStore
from volcli.symbolic.polynomials import quotient_and_rest


@dataclass(frozen=True, eq=False)
class ProductForms:
    """What BOUNDS know of numbers, over products."""

    bounds: BoundsStore

    def form(self, expression: Expression) -> Expression:
        """EXPRESSION over sizes, arguments, variables of loops, and what is no polynomial of these."""
        form, last = self.bounds.definitions.resolve(expression), None
        while form != last:
            last, form = form, substitute(form, self._definition)
        return form

    def _definition(self, atom: Atom) -> Expression | None:
        if not isinstance(atom, Value) or not isinstance(atom.value, OpResult):
            return None
        if not isinstance(atom.value.type, IndexType):  # it may wrap around
            return None
        with suppress(NotAffine):
            stated = questions.value_of_result(atom.value)
            return None if stated is None else self.bounds.definitions.resolve(stated)
        return None

    def quotients(self, result: OpResult) -> Iterator[tuple[Expression, Expression]]:
        """The numerators and divisors, forms, that RESULT is determined by; no quotients of quotients."""
        for numerator, divisor in _stated(result).values():
            if not any(isinstance(atom, Parameter) for atom in numerator.atoms()):
                yield self.form(numerator), self.form(divisor)

    def determined(self, result: OpResult) -> Expression | None:
        """The form that RESULT has by the first of its cases that always holds; None if none is known."""
        own = Value(result)
        floors: dict[Atom, Expression] = {}
        for name, (numerator, divisor) in _stated(result).items():
            found = self._floor(substitute(numerator, floors.get), divisor, result.op)
            if found is not None:
                floors[Parameter(name)] = found
        for case in _cases(result):
            (value,) = [value_of(result) - e for e in case if e.coefficient(own) == 1]
            where = [e for e in case if own not in e.atoms()]
            value, *where = (substitute(e, floors.get) for e in (value, *where))
            if any(isinstance(atom, Parameter) for e in (value, *where) for atom in e.atoms()):
                continue
            if all(self.bounds.proves(self.form(e), ">=", 0, at=result.op) for e in where):
                return self.form(value)
        return None

    def _floor(self, numerator: Expression, divisor: Expression, at: Operation) -> Expression | None:
        """floor(NUMERATOR / DIVISOR) where AT runs, if it is known to be a polynomial, or an expression."""
        numerator, divisor = self.form(numerator), self.form(divisor)
        if divisor == constant(0) or any(isinstance(atom, Parameter) for atom in numerator.atoms()):
            return None
        if divisor.is_constant and divisor.constant > 0 and not has_product(numerator):
            return numerator // divisor
        found, rest = quotient_and_rest(numerator, divisor)
        proves = self.bounds.proves
        if proves(rest, ">=", 0, at=at) and proves(rest - divisor, "<=", -1, at=at):
            return found
        return None


def _stated(result: OpResult) -> Mapping[str, tuple[Expression, Expression]]:
    found = _of(result)
    return {} if found is None else found.floors


def _cases(result: OpResult) -> Iterator[tuple[Expression, ...]]:
    """The cases in which the operation of RESULT says what it is."""
    found = _of(result)
    own = Value(result)
    for case in () if found is None else found.cases:
        if sum(e.coefficient(own) == 1 for e in case) == 1:
            yield case


def _of(result: OpResult) -> questions.ResultCases | None:
    with suppress(NotAffine):
        found = questions.determined(result.op)
        return None if found is None else found[result.index]
    return None
