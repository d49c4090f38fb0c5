"""Whether inequalities between products contradict each other: by products, and by symbols of one value.

Products with each other are inequalities, too, as products of numbers that are not negative. What these do
not decide is looked at again without the symbols that are one number: x is its least one, l, if x >= l + 1 is
impossible.

    b >= 1, q >= 0, b * q < b     q >= 1 contradicts it by (q - 1) * b >= 0, so q = 0, and each b * q * n is 0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product

from volcli.limits import symbolic as limits
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.symbolic.divisions import divided
from volcli.symbolic.rows import Product, ProductRow, at, at_most, is_empty, is_true, multiplied, row_of


def contradict(rows: Sequence[ProductRow], *, are_integers: bool = True) -> bool:
    """Whether ROWS and products of them have no integer solution, each product an unknown.

    Rows are divided by symbols (`volcli.symbolic.divisions`) if it is said that these ARE INTEGERS.
    """
    rows = _pruned(rows, are_alone=True)
    if _by_products(rows) or (are_integers and _by_divisions(rows)):
        return True
    fewer = _without_numbers(rows)
    return fewer is not None and (is_empty(fewer) or contradict(fewer, are_integers=are_integers))


def _by_products(rows: Sequence[ProductRow]) -> bool:
    return any(is_empty(_pruned([*rows, *more])) for more in _products(rows))


def _by_divisions(rows: Sequence[ProductRow]) -> bool:
    """Whether ROWS, divided by symbols that are positive, contradict each other."""
    try:
        with at_most(limits.CONTRADICTION_EFFORT):
            found = divided(rows)
            return set(found) != set(rows) and (is_empty(found) or _by_products(found))
    except BudgetExceeded:
        return False


def _without_numbers(rows: Sequence[ProductRow]) -> list[ProductRow] | None:
    """ROWS without a symbol that is multiplied and can only be the least number that it may be."""
    try:
        with at_most(limits.CONTRADICTION_EFFORT):
            for x in _multiplied_symbols(rows):
                least = _least(rows, x)
                if least is not None and _is_least(rows, x, least):
                    known = dict.fromkeys(at(row, {x: least}) for row in rows)
                    return [row for row in known if not is_true(row)]
    except BudgetExceeded:
        pass
    return None


def _is_least(rows: Sequence[ProductRow], x: int, least: int) -> bool:
    """Whether x > LEAST contradicts ROWS, by products of pairs at the most."""
    found = [*rows, row_of({(x,): 1, (): -least - 1})]
    return is_empty(found) or is_empty(_pruned([*found, *next(_products(found))]))


def _least(rows: Sequence[ProductRow], x: int) -> int | None:
    """The least number that x may be by ROWS about x alone."""
    found = (dict(row.terms) for row in rows if all(monomial in ((), (x,)) for monomial, _ in row.terms))
    return max((-(row.get((), 0) // row[(x,)]) for row in found if row.get((x,), 0) > 0), default=None)


def _multiplied_symbols(rows: Sequence[ProductRow]) -> list[int]:
    """The symbols in products, those that occur in most of them first."""
    monomials = {monomial for each in rows for monomial, _ in each.terms if len(monomial) > 1}
    counts = Counter(x for monomial in monomials for x in set(monomial))
    return sorted(counts, key=lambda x: (-counts[x], x))[: limits.ASKED_SYMBOLS]


def entangled(rows: Sequence[ProductRow]) -> list[int]:
    """Symbols without which no product of others is left; those that occur in most products first."""
    monomials = {monomial for each in rows for monomial, _ in each.terms}
    fixed: list[int] = []
    while True:
        left = [tuple(x for x in monomial if x not in fixed) for monomial in monomials]
        counts = Counter(x for monomial in left if len(monomial) > 1 for x in set(monomial))
        if not counts:
            return fixed
        fixed.append(min(counts, key=lambda x: (-counts[x], x)))


def _products(rows: Sequence[ProductRow]) -> Iterator[list[ProductRow]]:
    """More and more products of rows, with f^2 >= f and f^2 >= -f of integers f that occur squared."""
    squares = [row_of(_square(f, sign)) for f in _squared(rows) for sign in (-1, 1)]
    linear = [row for row in rows if row.degree == 1]
    others = [row for row in rows if row.degree > 1]
    pairs = [multiplied(a, b) for a, b in combinations_with_replacement(linear, 2)]
    yield [*squares, *pairs[: limits.PRODUCTS]]
    mixed = (multiplied(a, b) for a in linear for b in others)
    found = [*squares, *islice((*pairs, *mixed), limits.PRODUCTS)]
    yield found
    if any(row.degree > 2 for row in others):
        triples = (multiplied(a, b) for a in linear for b in pairs)
        yield [*found, *islice(triples, limits.PRODUCTS)]


def _squared(rows: Sequence[ProductRow]) -> list[dict[Product, int]]:
    """The integers f = x + ..., polynomials, whose squares are what ROWS hold of x^2, for each such x.

    x itself, a symbol or a product; of a row with c * x^2 + d * x * y + e * x its completed square, that of
    x + d / (2 c) * y + e / (2 c) with coefficients that are rounded; and x + y or x - y, by the sign of d.
    So a^2 - 2 a b + b^2 has a - b, and of a^2 + b^2 + c^2 - a b - a c - b c each difference is one.
    """
    found: dict[tuple[tuple[Product, int], ...], None] = {}
    for row in rows:
        for monomial, c in row.terms:
            x = monomial[::2]
            if not x or x != monomial[1::2]:
                continue
            completed = {x: 1}
            several = [{x: 1}, completed]
            for other, d in row.terms:
                if (factor := _cofactor(other, x)) is not None and factor != x:
                    completed[factor] = round(Fraction(d, 2 * c))
                    several += [{x: 1, factor: 1 if (c > 0) == (d > 0) else -1}] if factor else []
            for f in several:
                found.setdefault(tuple(sorted((m, d) for m, d in f.items() if d)))
    return [dict(each) for each in sorted(found)]


def _cofactor(monomial: Product, x: Product) -> Product | None:
    """MONOMIAL divided by X; None if it is no multiple of that."""
    left = Counter(monomial)
    left.subtract(x)
    return None if min(left.values(), default=0) < 0 else tuple(sorted(left.elements()))


def _square(f: dict[Product, int], sign: int) -> Counter[Product]:
    """f^2 + SIGN * f."""
    found: Counter[Product] = Counter({monomial: sign * c for monomial, c in f.items()})
    for (a, c), (b, d) in product(f.items(), repeat=2):
        found[tuple(sorted(a + b))] += c * d
    return found


def _pruned(rows: Sequence[ProductRow], *, are_alone: bool = False) -> list[ProductRow]:
    """ROWS without those that hold a monomial which only helps: one of only one sign makes them all true.

    Where products are still to be formed, only symbols that ARE ALONE, in no product, help: of n >= i + 1 and
    n >= j, n is as large as it has to be.
    """
    kept = list(dict.fromkeys(rows))
    while True:
        signs: dict[Product, set[bool]] = {}
        for row in kept:
            for monomial, coefficient in row.terms:
                if monomial:
                    signs.setdefault(monomial, set()).add(coefficient > 0)
        helping = {monomial for monomial, found in signs.items() if len(found) == 1}
        if are_alone:
            multiplied_by = {x for monomial in signs if len(monomial) > 1 for x in monomial}
            helping = {each for each in helping if len(each) == 1 and each[0] not in multiplied_by}
        remaining = [row for row in kept if not any(monomial in helping for monomial, _ in row.terms)]
        if len(remaining) == len(kept):
            return kept
        kept = remaining
