"""Whether polynomial inequalities over integers contradict each other, by linear algebra over their products.

Each monomial becomes an unknown of its own. Beside the facts stand their products with each other, which hold
as well, as products of numbers that are not negative. If the linear system has no integer solution, nor have
the polynomials (the converse is not true). For the reals this is a certificate of Handelman's, of low degree;
where all is linear, isl decides it, exactly.

    n >= 0, b >= 1, n*b <= n - 1             contradict each other by n * (b - 1) >= 0
    i*b + j >= n*b, 0 <= i < n, 0 <= j < b   by (n - 1 - i) * b >= 0 and b - 1 - j >= 0

A quotient q = e floordiv c is a symbol of which c*q <= e <= c*q + c - 1 is known.

Source: D. Handelman, Representing polynomials by positive linear functions on compact convex polyhedra,
Pacific Journal of Mathematics 132 (1988).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice, product
from math import gcd

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    LoopIndex,
    Monomial,
    NotAffine,
    Parameter,
    Value,
)
from volcli.presburger import build
from volcli.presburger.budget import BudgetExceeded, budget
from volcli.presburger.points import coordinates

_OPERATIONS = 100_000
_MOST_PRODUCTS = 400
_LARGE = 2**31
_TRIED = (2, 1, 3, 0, -1, 5, -2, 7, 12, -5)
"""The values of symbols in products among which a point is looked for."""
_FEW = 6
_MANY = 1000

_left: list[int] = []
"""What the work that is being done may still cost; the innermost limit last."""


@contextmanager
def effort(most: int) -> Generator[None]:
    """Within the block, linear systems with at most so many coefficients together are solved; then none is.

    What is not solved is not known: to contradict itself, or to have a point.
    """
    _left.append(most)
    try:
        yield
    finally:
        _left.pop()


def _spend(cost: int) -> None:
    """Account for work of this COST; raises BudgetExceeded if it is too much."""
    if _left:
        if cost > _left[-1]:
            _left[-1] = 0
            raise BudgetExceeded(_OPERATIONS)
        _left[-1] -= cost


def _size(rows: Sequence[_Row]) -> int:
    """The number of coefficients of ROWS as a matrix."""
    return len(rows) * len({monomial for row in rows for monomial, _ in row.terms})


Product = tuple[int, ...]
"""A monomial: the numbers of its symbols, sorted; () is 1."""


@dataclass(frozen=True)
class _Row:
    """`sum of coefficient * monomial >= 0`."""

    terms: tuple[tuple[Product, int], ...]

    @property
    def degree(self) -> int:
        return max((len(monomial) for monomial, _ in self.terms), default=0)

    @property
    def is_small(self) -> bool:
        """Whether its numbers are such as programs count with, and not such as arithmetic wraps around at."""
        return all(abs(coefficient) < _LARGE for _, coefficient in self.terms)


def _row(coefficients: Mapping[Product, int]) -> _Row:
    """The row with COEFFICIENTS, as small as they get: its constant is rounded down (E003-1)."""
    kept = {monomial: c for monomial, c in coefficients.items() if c}
    divisor = gcd(*(c for monomial, c in kept.items() if monomial)) or 1
    return _Row(tuple(sorted((monomial, c // divisor) for monomial, c in kept.items() if c // divisor)))


def _product(left: _Row, right: _Row) -> _Row:
    found: Counter[Product] = Counter()
    for a, c in left.terms:
        for b, d in right.terms:
            found[tuple(sorted(a + b))] += c * d
    return _row(found)


class Linearisation:
    """FACTS, each at least 0: polynomials over symbols and quotients of these by constants."""

    def __init__(self, facts: Iterable[Expression]) -> None:
        self._numbers: dict[Atom, int] = {}
        self._pending: list[FloorDiv] = []
        rows = [_row(self._named(fact)) for fact in facts]
        while self._pending:
            quotient = self._pending.pop()
            rest = self._named(quotient.numerator)
            rest[(self._numbers[quotient],)] -= quotient.divisor
            below = {monomial: -c for monomial, c in rest.items()}
            below[()] += quotient.divisor - 1
            rows += [_row(rest), _row(below)]
        self._rows = [row for row in dict.fromkeys(rows) if not _is_true(row)]
        self._terms = sum(len(row.terms) for row in self._rows)
        _spend(self._terms)

    def _named(self, fact: Expression) -> Counter[Product]:
        """FACT over numbers for its symbols."""
        found: Counter[Product] = Counter({(): fact.constant})
        for atom, coefficient in fact.terms:
            factors = atom.factors if isinstance(atom, Monomial) else (atom,)
            found[tuple(sorted(map(self._number, factors)))] += coefficient
        return found

    def _number(self, symbol: Atom) -> int:
        known = self._numbers.get(symbol)
        if known is None:
            if not isinstance(symbol, LoopIndex | Value | Dim | Parameter | FloorDiv):
                raise NotAffine(f"{symbol} is no symbol")
            known = self._numbers[symbol] = len(self._numbers)
            if isinstance(symbol, FloorDiv):
                self._pending.append(symbol)
        return known

    # -- contradictions --------------------------------------------------------------------------------

    def is_empty_linearly(self) -> bool:
        """Whether the facts contradict each other, each monomial an unknown of its own."""
        return _is_empty(self._rows)

    def has_no_point(self) -> bool:
        """Whether it is known that the facts contradict each other."""
        if _is_empty(self._rows):
            return True
        if max((row.degree for row in self._rows), default=0) <= 1 or self.point(_FEW) is not None:
            return False
        return any(_is_empty(_pruned([*self._rows, *more])) for more in self._products())

    def _products(self) -> Iterator[list[_Row]]:
        """More and more products of rows, with x^2 >= x and x^2 >= -x of integers x that occur squared."""
        squares = [_row({x: sign, tuple(sorted(x + x)): 1}) for x in self._squared() for sign in (-1, 1)]
        linear = [row for row in self._rows if row.degree == 1]
        others = [row for row in self._rows if row.degree > 1]
        pairs = [_product(a, b) for a, b in combinations_with_replacement(linear, 2)]
        yield [*squares, *pairs[:_MOST_PRODUCTS]]
        mixed = (_product(a, b) for a in linear for b in others)
        found = [*squares, *islice((*pairs, *mixed), _MOST_PRODUCTS)]
        yield found
        if any(row.degree > 2 for row in others):
            triples = (_product(a, b) for a in linear for b in pairs)
            yield [*found, *islice(triples, _MOST_PRODUCTS)]

    def _squared(self) -> list[Product]:
        """The symbols, and products of them, that occur squared."""
        monomials = {monomial for row in self._rows for monomial, _ in row.terms}
        singles = {(x,) for monomial in monomials for x, times in Counter(monomial).items() if times > 1}
        products = {each[::2] for each in monomials if len(each) > 2 and each[::2] == each[1::2]}
        return sorted(singles | products)

    # -- points ----------------------------------------------------------------------------------------

    def point(self, most: int = _MANY) -> Mapping[Atom, int] | None:
        """A point at which all facts hold: values are chosen of as many symbols as make the rest linear.

        At MOST so many choices are tried.
        """
        fixed = self._entangled()
        for values in islice(_choices(len(fixed)), most):
            _spend(self._terms)
            chosen = dict(zip(fixed, values, strict=True))
            found = _solution([_at(row, chosen) for row in self._rows])
            if found is not None:
                point = found | chosen
                symbols = {a: n for a, n in self._numbers.items() if not isinstance(a, FloorDiv)}
                return {symbol: point.get(number, 0) for symbol, number in symbols.items()}
        return None

    def _entangled(self) -> list[int]:
        """Symbols without which no product of others is left; those that occur in most products first."""
        monomials = {monomial for row in self._rows for monomial, _ in row.terms}
        fixed: list[int] = []
        while True:
            left = [tuple(x for x in monomial if x not in fixed) for monomial in monomials]
            counts = Counter(x for monomial in left if len(monomial) > 1 for x in set(monomial))
            if not counts:
                return fixed
            fixed.append(min(counts, key=lambda x: (-counts[x], x)))


def _choices(count: int) -> Iterator[tuple[int, ...]]:
    """Values for COUNT symbols: all alike at first, then small and mixed."""
    if count == 0:
        yield ()
        return
    alike = [(value,) * count for value in _TRIED]
    yield from alike
    yield from (values for values in product(_TRIED, repeat=count) if values not in alike)


def _at(row: _Row, values: Mapping[int, int]) -> _Row:
    """ROW where symbols have VALUES."""
    found: Counter[Product] = Counter()
    for monomial, coefficient in row.terms:
        for x in monomial:
            coefficient *= values.get(x, 1)
        found[tuple(x for x in monomial if x not in values)] += coefficient
    return _row(found)


def _is_true(row: _Row) -> bool:
    return all(not monomial and c >= 0 for monomial, c in row.terms)


def _pruned(rows: Sequence[_Row]) -> list[_Row]:
    """ROWS without those that hold a monomial which only helps: one of only one sign makes them all true."""
    kept = list(dict.fromkeys(rows))
    while True:
        signs: dict[Product, set[bool]] = {}
        for row in kept:
            for monomial, coefficient in row.terms:
                if monomial:
                    signs.setdefault(monomial, set()).add(coefficient > 0)
        helping = {monomial for monomial, found in signs.items() if len(found) == 1}
        remaining = [row for row in kept if not any(monomial in helping for monomial, _ in row.terms)]
        if len(remaining) == len(kept):
            return kept
        kept = remaining


def _is_empty(rows: Sequence[_Row]) -> bool:
    """Whether ROWS, with an unknown for each monomial, are known to have no integer solution.

    Most have no rational one, which the simplex method finds. Integers are asked for of small numbers alone:
    the reduction of a basis of large ones takes seconds, which no count of operations bounds.
    """
    if any(row.degree == 0 and not _is_true(row) for row in rows):
        return True
    try:
        _spend(_size(rows))
        with budget(_OPERATIONS):
            if _linear(rows, rational=True)[0].is_empty():
                return True
            return all(row.is_small for row in rows) and bool(_linear(rows)[0].is_empty())
    except BudgetExceeded:
        return False


def _solution(rows: Sequence[_Row]) -> dict[int, int] | None:
    """Values of the symbols of linear ROWS, if one is found."""
    if any(row.degree == 0 and not _is_true(row) for row in rows):
        return None
    try:
        _spend(_size(rows))
        with budget(_OPERATIONS):
            points, columns = _linear(rows)
            if points.is_empty():
                return None
            numbers = coordinates(points.sample_point())
            return {x: number for (x,), number in zip(columns, numbers, strict=True)}
    except BudgetExceeded:
        return None


def _linear(rows: Sequence[_Row], *, rational: bool = False) -> tuple[isl.BasicSet, list[Product]]:
    """ROWS over a dimension for each monomial, and these: the integer points, or the RATIONAL ones."""
    columns = list(dict.fromkeys(monomial for row in rows for monomial, _ in row.terms if monomial))
    position = {monomial: k for k, monomial in enumerate(columns)}
    universe = build.rational_universe if rational else build.universe
    result = universe(len(columns))
    over = isl.LocalSpace.from_space(result.get_space())
    for row in rows:
        constraint = isl.Constraint.alloc_inequality(over)
        for monomial, coefficient in row.terms:
            number = build.number(coefficient)
            if monomial:
                constraint = constraint.set_coefficient_val(build.DIM.set, position[monomial], number)
            else:
                constraint = constraint.set_constant_val(number)
        result = result.add_constraint(constraint)
    return result, columns


__all__ = ["Linearisation", "effort"]
