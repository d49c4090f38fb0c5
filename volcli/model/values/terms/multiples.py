"""Quotients times their divisors: about as large as what was divided, though their factors may be anything.

    %q = ceildivsi %a, %b        q * b is in [a, a + |b| - 1]
    %o = muli %q, %b

Interval arithmetic of products would have q * b between the products of their ends: of a loop over tiles that
begins at b * ceildiv(l, b), 60 bits for an l that has three.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import OpResult

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, Monomial, NotAffine, Value, expression_of_atom
from volcli.model.values.terms.ranges import Interval, range_of


def range_of_multiple(
    expression: Expression,
    resolve: Callable[[Expression], Expression],
    variables: Callable[[Value | Dim], Interval],
) -> Interval:
    """Numbers that EXPRESSION, which is RESOLVEd, lies between if it is a quotient times its divisor."""
    atom = expression.single_atom
    if not isinstance(atom, Monomial):
        return None, None
    for factor in dict.fromkeys(atom.factors):
        if isinstance(factor, Value) and isinstance(factor.value, OpResult):
            found = _around(factor, expression, resolve, variables)
            if found != (None, None):
                return found
    return None, None


def _around(
    quotient: Value,
    product: Expression,
    resolve: Callable[[Expression], Expression],
    variables: Callable[[Value | Dim], Interval],
) -> Interval:
    """The range of PRODUCT, if it is QUOTIENT times what it is a quotient by."""
    assert isinstance(quotient.value, OpResult)
    try:
        found = questions.determined(quotient.value.op)
        known = None if found is None else found[quotient.value.index]
        if known is None or not _is_quotient(known, quotient):
            return None, None
        # the first is of positive divisors: floor(a / b), or floor((a - 1) / b) + 1
        a, b = map(resolve, next(iter(known.floors.values())))
    except NotAffine:
        return None, None
    if expression_of_atom(quotient) * b != product:
        return None, None
    (low, high), (least, most) = range_of(a, variables), range_of(b, variables)
    if least is None or most is None:
        return None, None
    width = max(abs(least), abs(most)) + 1
    return None if low is None else low - width, None if high is None else high + width


def _is_quotient(known: questions.ResultCases, result: Value) -> bool:
    """Whether the RESULT that is KNOWN is one of its floors, or one more, and not a remainder."""
    facts = (fact for case in known.cases for fact in case if fact.coefficient(result))
    return bool(known.floors) and not any(isinstance(a, Monomial) for fact in facts for a, _ in fact.terms)


__all__ = ["range_of_multiple"]
