"""Whether polynomial inequalities over integers contradict each other, by linear algebra over their products.

Each monomial becomes an unknown of its own. Beside the facts stand their products with each other, which hold
as well, as products of numbers that are not negative. If the linear system has no integer solution, nor have
the polynomials (the converse is not true). For the reals this is a certificate of Handelman's, of low degree;
where all is linear, isl decides it, exactly.

    n >= 0, b >= 1, n*b <= n - 1             contradict each other by n * (b - 1) >= 0
    i*b + j >= n*b, 0 <= i < n, 0 <= j < b   by (n - 1 - i) * b >= 0 and b - 1 - j >= 0

A quotient q = e floordiv c is a symbol of which c*q <= e <= c*q + c - 1 is known, and an extremum that is
left whole is one between its ends: min(max(b, 1), 8) <= 8 is at least 1.

Source: D. Handelman, Representing polynomials by positive linear functions on compact convex polyhedra,
Pacific Journal of Mathematics 132 (1988).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    LoopIndex,
    Maximum,
    Minimum,
    Monomial,
    NotAffine,
    Parameter,
    Value,
)
from volcli.limits import symbolic as limits
from volcli.symbolic.contradictions import contradict, entangled
from volcli.symbolic.floors import DEFINED, defining
from volcli.symbolic.rows import Product, at, is_empty, is_true, row_of, solution, spend

_TRIED = (2, 1, 3, 0, -1, 5, -2, 7, 12, -5)
"""The values of symbols in products among which a point is looked for."""


class Linearisation:
    """FACTS, each at least 0: polynomials over symbols and quotients of these by constants."""

    def __init__(self, facts: Iterable[Expression]) -> None:
        self._numbers: dict[Atom, int] = {}
        self._pending: list[FloorDiv | Minimum | Maximum] = []
        rows = [row_of(self._named(fact)) for fact in facts]
        while self._pending:
            rows += [row_of(self._named(fact)) for fact in defining(self._pending.pop())]
        self._rows = [row for row in dict.fromkeys(rows) if not is_true(row)]
        self._terms = sum(len(row.terms) for row in self._rows)
        spend(self._terms)

    def _named(self, fact: Expression) -> dict[Product, int]:
        """FACT over numbers for its symbols: each product of them is one term."""
        found: dict[Product, int] = {(): fact.constant}
        for atom, coefficient in fact.terms:
            if isinstance(atom, Monomial):
                product = tuple(sorted(map(self._number, atom.factors)))
            else:
                product = (self._number(atom),)
            found[product] = found.get(product, 0) + coefficient
        return found

    def _number(self, symbol: Atom) -> int:
        known = self._numbers.get(symbol)
        if known is None:
            if not isinstance(symbol, LoopIndex | Value | Dim | Parameter | DEFINED):
                raise NotAffine(f"{symbol} is not a symbol")
            known = self._numbers[symbol] = len(self._numbers)
            if isinstance(symbol, DEFINED):
                self._pending.append(symbol)
        return known

    # -- contradictions --------------------------------------------------------------------------------

    def is_empty_linearly(self) -> bool:
        """Whether the facts contradict each other, each monomial an unknown of its own."""
        return is_empty(self._rows)

    def has_no_point(self, *, are_integers: bool = True) -> bool:
        """Whether it is known that the facts contradict each other, if symbols ARE INTEGERS or not."""
        if is_empty(self._rows):
            return True
        if (
            max((row.degree for row in self._rows), default=0) <= 1
            or self.point(limits.SEARCHED_FROM_FEW) is not None
        ):
            return False
        return contradict(self._rows, are_integers=are_integers)

    # -- points ----------------------------------------------------------------------------------------

    def point(self, most: int = limits.SEARCHED_POINTS) -> Mapping[Atom, int] | None:
        """A point at which all facts hold: values are chosen of as many symbols as make the rest linear.

        At MOST that number of choices is tried.
        """
        fixed = entangled(self._rows)
        for values in islice(_choices(len(fixed)), most):
            spend(self._terms)
            chosen = dict(zip(fixed, values, strict=True))
            found = solution([at(row, chosen) for row in self._rows])
            if found is not None:
                point = found | chosen
                symbols = {a: n for a, n in self._numbers.items() if not isinstance(a, FloorDiv)}
                return {symbol: point.get(number, 0) for symbol, number in symbols.items()}
        return None


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    """Values for COUNT symbols: all alike at first, then small and mixed."""
    if count == 0:
        yield ()
        return
    alike = [(value,) * count for value in _TRIED]
    yield from alike
    yield from (values for values in product(_TRIED, repeat=count) if values not in alike)
