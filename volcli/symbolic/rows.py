"""Inequalities between products of symbols, each product an unknown of its own, and what isl says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import reduce
from math import gcd

import islpy as isl

from volcli.limits import symbolic as limits
from volcli.limits.widths import LARGE
from volcli.presburger.limits.budget import BudgetExceeded, Meter, budget, charge
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets import build

_DEARER = 20
"""As many times as of small numbers does a coefficient of large ones cost, which isl does not hold in words,
where many are combined: those of few rows stay about as long as they are."""
_meters: list[Meter] = []
"""What the work that is being done may still cost; the innermost limit last."""
_purses: list[Meter | None] = []
"""Those that pay for the limits within which work is done."""


@contextmanager
def effort(most: int, purse: Meter | None = None) -> Generator[None]:
    """Within the block, linear systems with at most this number of coefficients together are solved; then
    none is.

    What is not solved is not known: to contradict itself, or to have a point. PURSE, or that of the work
    around the block, pays for it, and there is no more than it has.
    """
    purse = _purses[-1] if purse is None and _purses else purse
    _purses.append(purse)
    try:
        with _within((purse or Meter(most, most)).part(most)):
            yield
    finally:
        _purses.pop()


@contextmanager
def at_most(most: int) -> Generator[None]:
    """Within the block, MOST of what work may still cost is there; the rest is left for what follows."""
    with _within((_meters[-1] if _meters else Meter(most, most)).part(most)):
        yield


@contextmanager
def _within(part: AbstractContextManager[Meter]) -> Generator[None]:
    """Within the block, PART of a meter pays for what is done."""
    with part as meter:
        _meters.append(meter)
        try:
            yield
        finally:
            _meters.pop()


def spend(cost: int) -> None:
    """Account for work of this COST; raises BudgetExceeded if it is too much."""
    charge(cost)
    if _meters:
        _meters[-1].spend(cost)


def is_spent() -> bool:
    """Whether nothing may cost anything any more: what begins now comes to nothing."""
    return bool(_meters) and _meters[-1].is_spent


def size(rows: Sequence[ProductRow]) -> int:
    """The number of coefficients of ROWS as a matrix."""
    return len(rows) * len({monomial for row in rows for monomial, _ in row.terms})


Product = tuple[int, ...]
"""A monomial: the numbers of its symbols, sorted; () is 1."""


@dataclass(frozen=True)
class ProductRow:
    """`sum of coefficient * monomial >= 0`."""

    terms: tuple[tuple[Product, int], ...]

    @property
    def degree(self) -> int:
        return max((len(monomial) for monomial, _ in self.terms), default=0)

    @property
    def is_small(self) -> bool:
        """Whether all coefficients are below 2^31."""
        return all(abs(coefficient) < LARGE for _, coefficient in self.terms)


def row_of(coefficients: Mapping[Product, int]) -> ProductRow:
    """The row with COEFFICIENTS, as small as they get: its constant is rounded down (E003-1)."""
    kept = {monomial: c for monomial, c in coefficients.items() if c}
    divisor = gcd(*(c for monomial, c in kept.items() if monomial)) or 1
    return ProductRow(tuple(sorted((monomial, c // divisor) for monomial, c in kept.items() if c // divisor)))


def multiplied(left: ProductRow, right: ProductRow) -> ProductRow:
    """LEFT times RIGHT: it is not negative where both are not."""
    found: Counter[Product] = Counter()
    for a, c in left.terms:
        for b, d in right.terms:
            found[tuple(sorted(a + b))] += c * d
    return row_of(found)


def at(row: ProductRow, values: Mapping[int, int]) -> ProductRow:
    """ROW where symbols have VALUES."""
    found: Counter[Product] = Counter()
    for monomial, coefficient in row.terms:
        for x in monomial:
            coefficient *= values.get(x, 1)
        found[tuple(x for x in monomial if x not in values)] += coefficient
    return row_of(found)


def is_true(row: ProductRow) -> bool:
    """Whether ROW is a number that is not negative."""
    return all(not monomial and c >= 0 for monomial, c in row.terms)


def is_empty(rows: Sequence[ProductRow]) -> bool:
    """Whether ROWS, with an unknown for each monomial, are known to have no integer solution.

    Most have no rational one, which the simplex method finds. Integers are asked for of few, small numbers:
    the reduction of a basis of large ones takes seconds, which no count of operations bounds.
    """
    if any(row.degree == 0 and not is_true(row) for row in rows):
        return True
    is_short, are_small = size(rows) <= limits.INTEGER_COEFFICIENTS, all(row.is_small for row in rows)
    try:
        spend(_cost(size(rows), are_small=are_small))
        with budget(limits.ROW_OPERATIONS):
            points = _points_of_matrix(rows) if is_short else None
            rational = _rational(rows) if points is None else _over_rationals(points)
            if rational.detect_equalities().plain_is_empty():
                return True
            return points is not None and are_small and _is_reduced_soon(rows) and bool(points.is_empty())
    except BudgetExceeded:
        return False


def _is_reduced_soon(rows: Sequence[ProductRow]) -> bool:
    """Whether a basis of the lattice of ROWS is reduced soon: of few unknowns, or small coefficients.

    10 unknowns with coefficients of 18 bits take 5 ms, 11 of 20 bits a second: isl counts no operation there.
    """
    steepest = max((abs(c) for row in rows for monomial, c in row.terms if monomial), default=0)
    return len(_columns(rows)) * steepest.bit_length() <= limits.INTEGER_BITS


def _cost(coefficients: int, *, are_small: bool) -> int:
    """What it costs to solve a system: of many COEFFICIENTS, or of some that are large, each takes longer.

    Large ones count where a purse pays: answers do without some systems, plans of loops need all.
    """
    if coefficients <= limits.INTEGER_COEFFICIENTS:
        return coefficients
    is_dear = not are_small and bool(_purses) and _purses[-1] is not None
    return coefficients * ((_DEARER if is_dear else 1) + coefficients // limits.DEAR_COEFFICIENTS)


def solution(rows: Sequence[ProductRow]) -> dict[int, int] | None:
    """Values of the symbols of linear ROWS, if one is found."""
    if any(row.degree == 0 and not is_true(row) for row in rows):
        return None
    try:
        spend(size(rows))
        with budget(limits.ROW_OPERATIONS):
            points, columns = _linear(rows)
            if points.is_empty():
                return None
            numbers = coordinates(points.sample_point())
            return {x: number for (x,), number in zip(columns, numbers, strict=True)}
    except BudgetExceeded:
        return None


def _columns(rows: Sequence[ProductRow]) -> dict[Product, int]:
    """The dimension of each monomial of ROWS."""
    monomials = dict.fromkeys(monomial for row in rows for monomial, _ in row.terms if monomial)
    return {monomial: k for k, monomial in enumerate(monomials)}


def _linear(rows: Sequence[ProductRow]) -> tuple[isl.BasicSet, Iterable[Product]]:
    """The integer points of ROWS over a dimension for each monomial, and these."""
    columns = _columns(rows)
    return _constrained(build.universe(len(columns)), rows, columns), columns


def _points_of_matrix(rows: Sequence[ProductRow]) -> isl.BasicSet:
    """The integer points of ROWS, in any order of constraints: isl reads a matrix.

    That takes a quarter of the time of constraints one by one, but isl counts an operation for each number.
    """
    columns = _columns(rows)
    width = len(columns) + 1
    lines = [f"{len(rows)} {width + 1}"]
    for row in rows:
        numbers = ["0"] * width
        for monomial, coefficient in row.terms:
            numbers[columns[monomial] if monomial else -1] = str(coefficient)
        lines.append(f"1 {' '.join(numbers)}")
    return isl.BasicSet.read_from_str(isl.DEFAULT_CONTEXT, "\n".join(lines))


def _over_rationals(points: isl.BasicSet) -> isl.BasicSet:
    """The rational points between the constraints of POINTS."""
    return build.rational_universe(points.dim(build.DIM.set)).intersect(points)


def _rational(rows: Sequence[ProductRow]) -> isl.BasicSet:
    """The rational points of ROWS, of which a few are put together at once."""
    columns = _columns(rows)
    universe = build.rational_universe(len(columns))
    parts = [
        _constrained(universe, rows[k : k + limits.ROWS_AT_ONCE], columns)
        for k in range(0, len(rows), limits.ROWS_AT_ONCE)
    ]
    while len(parts) > 1:
        parts = [reduce(isl.BasicSet.intersect, parts[k : k + 2]) for k in range(0, len(parts), 2)]
    return next(iter(parts), universe)


def _constrained(
    universe: isl.BasicSet, rows: Sequence[ProductRow], position: Mapping[Product, int]
) -> isl.BasicSet:
    """The points of UNIVERSE in which ROWS are not negative; what has been built is copied for each."""
    result, over = universe, isl.LocalSpace.from_space(universe.get_space())
    for row in rows:
        constraint = isl.Constraint.alloc_inequality(over)
        for monomial, coefficient in row.terms:
            number = build.number(coefficient)
            if monomial:
                constraint = constraint.set_coefficient_val(build.DIM.set, position[monomial], number)
            else:
                constraint = constraint.set_constant_val(number)
        result = result.add_constraint(constraint)
    return result
