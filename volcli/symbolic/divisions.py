"""Inequalities divided by a positive symbol, and rounded: what products of inequalities do not give.

    b * f + r >= 0  with b >= 1 and r <= s * b - 1    gives    f + s - 1 >= 0

for an integer f, since f <= -s would make it b * f + r <= -s * b + r <= -1. This is the rounding of
`2 * x + 1 >= 0` to x >= 0, for a divisor that is a symbol. Before it, symbols that equalities define are
replaced: i = b * k is the iteration of a loop whose step is a value.

    i = b * k, n = b * q, i <= n - 1     b * (q - k) - 1 >= 0, so q - k - 1 >= 0: the tile [i, i + b) is whole
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from volcli.limits import symbolic as limits
from volcli.symbolic.rows import Product, ProductRow, is_empty, is_true, row_of


def divided(rows: Sequence[ProductRow]) -> list[ProductRow]:
    """ROWS without the symbols that equalities define, and what they are divided by each positive symbol.

    The same rows if there is nothing to divide, or to replace.
    """
    found = dict.fromkeys(_without_defined(rows))
    pending = list(found)
    for _ in range(limits.DIVISION_ROUNDS):
        new = dict.fromkeys(each for each in _quotients(pending, list(found)) if each not in found)
        if not new:
            break
        found |= new
        pending = list(new)
    return list(found)


def _quotients(pending: Sequence[ProductRow], known: Sequence[ProductRow]) -> Iterator[ProductRow]:
    """What each of PENDING is, divided by each symbol that KNOWN says is positive."""
    divisors = _positive(known)
    for row in pending:
        for b in sorted(divisors & {x for monomial, _ in row.terms if len(monomial) > 1 for x in monomial}):
            quotient: dict[Product, int] = {}
            rest: dict[Product, int] = {}
            for monomial, c in row.terms:
                if b in monomial:
                    quotient[_over(monomial, b)] = c
                else:
                    rest[monomial] = c
            times = _multiples(rest, b, known)
            if times is not None:
                quotient[()] = quotient.get((), 0) + times - 1
                result = row_of(quotient)
                if not is_true(result):
                    yield result


def _multiples(rest: dict[Product, int], b: int, known: Sequence[ProductRow]) -> int | None:
    """The least s of 0, 1, 2 with REST <= s * b - 1; None if it is not known of any."""
    for times in (0, 1, 2):
        more = dict(rest)
        more[(b,)] = more.get((b,), 0) - times
        if is_empty([*known, row_of(more)]):
            return times
    return None


def _over(monomial: Product, b: int) -> Product:
    """MONOMIAL divided by its factor B."""
    position = monomial.index(b)
    return monomial[:position] + monomial[position + 1 :]


def _positive(rows: Sequence[ProductRow]) -> set[int]:
    """The symbols that a row of their own says are at least 1."""
    found: set[int] = set()
    for row in rows:
        terms = dict(row.terms)
        least = -terms.pop((), 0)
        if least >= 1 and len(terms) == 1:
            (monomial, c), *_ = terms.items()
            found.update(monomial if len(monomial) == 1 and c > 0 else ())
    return found


# -- equalities ------------------------------------------------------------------------------------------


def _without_defined(rows: Sequence[ProductRow]) -> list[ProductRow]:
    """ROWS, with its polynomial in the place of each symbol that an equality defines."""
    found = list(dict.fromkeys(rows))
    for _ in range(limits.DEFINED_SYMBOLS):
        definition = _definition(found)
        if definition is None:
            break
        x, value = definition
        replaced = [_replaced(row, x, value) for row in found]
        if any(each.degree > limits.DIVIDED_DEGREE for each in replaced):
            break
        found = [row for row in dict.fromkeys(replaced) if not is_true(row)]
    return found


def _definition(rows: Sequence[ProductRow]) -> tuple[int, dict[Product, int]] | None:
    """A symbol x, and the polynomial without it that ROWS say it is, f >= 0 and -f >= 0 with f = x - ...

    The one that occurs in the fewest products: of i = b * k + j it is i, or j if only i is multiplied.
    """
    known = set(rows)
    products = Counter(
        x for row in rows for monomial, _ in row.terms if len(monomial) > 1 for x in set(monomial)
    )
    best: tuple[int, int, dict[Product, int]] | None = None
    for row in rows:
        terms = dict(row.terms)
        if ProductRow(tuple((monomial, -c) for monomial, c in row.terms)) not in known:
            continue
        for monomial, c in row.terms:
            if len(monomial) != 1 or abs(c) != 1 or sum(monomial[0] in each for each in terms) > 1:
                continue
            (x,) = monomial
            if best is None or (products[x], x) < best[:2]:
                best = products[x], x, {each: -c * d for each, d in terms.items() if each != monomial}
    return None if best is None else best[1:]


def _replaced(row: ProductRow, x: int, value: dict[Product, int]) -> ProductRow:
    """ROW with VALUE in the place of X."""
    pending = dict(row.terms)
    while any(x in monomial for monomial in pending):
        found: Counter[Product] = Counter()
        for monomial, c in pending.items():
            if x not in monomial:
                found[monomial] += c
                continue
            for factor, d in value.items():
                found[tuple(sorted((*_over(monomial, x), *factor)))] += c * d
        pending = dict(found)
    return row_of(pending)
