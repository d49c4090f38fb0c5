"""Products of two variables, as far as they can be said in linear constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from itertools import product as cartesian

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    Monomial,
    expression_of_atom,
    over_names,
    parameter,
    substitute,
)
from volcli.limits import values as limits
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.terms.ranges import Interval, range_of
from volcli.model.values.terms.variables import text_of
from volcli.presburger.sets import build
from volcli.presburger.sets.names import without

_PREFIX = "p"


@dataclass(frozen=True)
class Case:
    """A linear form that an expression is where all of `zero` are 0 and all `facts` are not negative.

    `because` says why that is not all there is to know.
    """

    zero: tuple[Expression, ...]
    form: Expression
    facts: tuple[Expression, ...] = ()
    because: str | None = None


class Products:
    """Expressions without products of variables.

    A product of which one factor has few values is linear for each of them. Any other is a variable of
    its own, of which the products of the factors' distances to their bounds are known not to be
    negative: `(a - min a) * (b - min b) >= 0`, and so on (McCormick).
    """

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._helpers = count()

    def cases(self, expression: Expression) -> Iterator[Case]:
        """EXPRESSION without products, in cases."""
        products = list(dict.fromkeys(a for a in expression.atoms() if isinstance(a, Monomial)))
        for choice in cartesian(*(list(self._of_product(p)) for p in products)):
            forms = {product: case.form for product, case in zip(products, choice, strict=True)}
            yield Case(
                tuple(e for case in choice for e in case.zero),
                substitute(expression, _replacing(forms)) if forms else expression,
                tuple(e for case in choice for e in case.facts),
                next((case.because for case in choice if case.because is not None), None),
            )

    def _of_product(self, product: Monomial) -> Iterator[Case]:
        left, right = product.left, product.right
        for few, other in ((left, right), (right, left)):
            low, high = range_of(few, self._definitions.range)
            if low is not None and high is not None and high - low < limits.FACTORS:
                for value in range(low, high + 1):
                    yield Case((few - value,), other * value)
                return
        helper = parameter(f"{_PREFIX}{next(self._helpers)}")
        name_of = partial(text_of, name_of=self._definitions.name_of)
        because = f"{over_names(expression_of_atom(product), name_of)} is a product of two unknowns"
        yield Case((), helper, tuple(self._envelope(product, helper)), because)

    def _envelope(self, product: Monomial, helper: Expression) -> Iterator[Expression]:
        of = self._definitions.range
        low, high = range_of(Expression(((product, 1),), 0), of)
        if low is not None:
            yield helper - low
        if high is not None:
            yield high - helper
        for a_end, a_sign in _ends(range_of(product.left, of)):
            for b_end, b_sign in _ends(range_of(product.right, of)):
                # sign * (a - a_end) * (b - b_end) >= 0, with a * b = helper
                expanded = helper - product.left * b_end - product.right * a_end + a_end * b_end
                yield expanded * (a_sign * b_sign)


def without_helpers(points: isl.Set) -> isl.Set:
    """POINTS, whatever the variables are that stand for products."""
    names = [points.get_dim_name(build.DIM.param, p) for p in range(points.dim(build.DIM.param))]
    for name in names:
        if name is not None and name.startswith(_PREFIX):
            points = without(points, name)
    return points


def _replacing(values: Mapping[Monomial, Expression]) -> Callable[[Atom], Expression | None]:
    return lambda atom: values.get(atom) if isinstance(atom, Monomial) else None


def _ends(ends: Interval) -> list[tuple[int, int]]:
    low, high = ends
    return [(end, sign) for end, sign in ((low, 1), (high, -1)) if end is not None]
