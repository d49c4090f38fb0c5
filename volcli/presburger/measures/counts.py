r"""How many points a parametric set has, as quasi-polynomials, found by interpolation and checked.

The number of integer points of a bounded polyhedron whose bounds are affine in parameters is a quasi-
polynomial of the parameters, of a degree that is at most its dimension, where the parameters are large enough
(Ehrhart 1962; Clauss 1996): a polynomial on each class of parameters modulo a period. On one class, given by
residues, the polynomial is found from so many counts as it has coefficients, and compared with counts at
further points, which isl makes one by one. Large is where vertices of the polyhedron do not change places any
more: with constants of at most d and coefficients of at most c in its constraints, it is taken to be
(dimension + 1)·c·d. `holds_from` says from where on the polynomial holds in fact.

>>> count = counted(isl.Set("[s] -> { [i] : 0 < 2i < s }"), {"s": Residue(2, 0)})
>>> print(count)
s/2 - 1
>>> print(counted(isl.Set("[s] -> { [i, j] : 0 <= i < s and 0 <= j <= i }"), {"s": Residue(1, 0)}))
(s^2 + s)/2
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint
import islpy as isl

from volcli.limits import presburger as limits
from volcli.presburger.sets.build import DIM, at_values

_FIRST = 4
"""Periods from 0 on that are not used to find the polynomial, at least: small sizes are often exceptions."""

Exponents = tuple[int, ...]


@dataclass(frozen=True)
class Residue:
    """Numbers that are `remainder` modulo `period`, and greater than 0."""

    period: int
    remainder: int

    def value(self, index: int) -> int:
        """The number of this INDEX: the first ones are small, but not 0."""
        return self.remainder + self.period * (index if self.remainder else index + 1)


@dataclass(frozen=True)
class Polynomial:
    """A polynomial with rational coefficients: `(s^2 + s)/2`."""

    names: tuple[str, ...]
    terms: tuple[tuple[Exponents, Fraction], ...]

    def at(self, values: Sequence[int]) -> Fraction:
        """Its value where the names have these VALUES."""
        return sum(
            (
                c * math.prod(v**e for v, e in zip(values, exponents, strict=True))
                for exponents, c in self.terms
            ),
            Fraction(0),
        )

    def __mul__(self, factor: int) -> Polynomial:
        return Polynomial(self.names, tuple((exponents, c * factor) for exponents, c in self.terms if factor))

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        divisor = math.lcm(*(c.denominator for _, c in self.terms))
        if divisor > 1 and all(c.denominator == divisor or c.denominator == 1 for _, c in self.terms):
            whole = [term for term in self.terms if term[1].denominator == 1]
            parts = [term for term in self.terms if term[1].denominator > 1]
            if len(parts) == 1 and abs(parts[0][1].numerator) == 1:
                return f"{_sum(self.names, [(e, c * divisor) for e, c in parts])}/{divisor}" + (
                    f" {_continued(self.names, whole)}" if whole else ""
                )
        if divisor == 1:
            return _sum(self.names, self.terms)
        return f"({_sum(self.names, [(e, c * divisor) for e, c in self.terms])})/{divisor}"


def _sum(names: Sequence[str], terms: Sequence[tuple[Exponents, Fraction]]) -> str:
    text = _continued(names, terms)
    return text.removeprefix("+ ") if text.startswith("+") else "-" + text.removeprefix("- ")


def _continued(names: Sequence[str], terms: Sequence[tuple[Exponents, Fraction]]) -> str:
    """`+ s^2 - 3*s + 1`."""
    parts: list[str] = []
    for exponents, factor in terms:
        powers = [n if e == 1 else f"{n}^{e}" for n, e in zip(names, exponents, strict=True) if e]
        amount = [] if abs(factor) == 1 and powers else [str(abs(factor))]
        parts.append(f"{'-' if factor < 0 else '+'} {'*'.join(amount + powers)}")
    return " ".join(parts)


def large(points: isl.Set, classes: Mapping[str, Residue]) -> int:
    """The index from which on all parameters of CLASSES are large for POINTS.

    >>> large(isl.Set("[s] -> { [i] : 50 <= i < s }"), {"s": Residue(2, 1)})
    50
    """
    most, factor = 0, 1
    for part in points.get_basic_sets():
        for constraint in part.get_constraints():
            form = constraint.get_aff()
            most = max(
                most, abs(form.get_constant_val().to_python()) / form.get_denominator_val().to_python()
            )
            for kind in (DIM.param, DIM.in_):
                for position in range(form.dim(kind)):
                    factor = max(factor, abs(int(form.get_coefficient_val(kind, position).to_python())))
    bound = math.ceil((points.dim(DIM.set) + 1) * most * factor)
    return max(_FIRST, *(-(-bound // each.period) for each in classes.values()))


def holds_from(points: isl.Set, found: Polynomial, classes: Mapping[str, Residue], where: isl.Set) -> int:
    """The least index such that FOUND is the number of POINTS where no parameter of CLASSES has a lower one.

    Parameters are those in WHERE. For large ones it is; smaller ones are tried out, or not if they are many.

    >>> both = isl.Set("[s] -> { [i] : 0 <= i < s or 5 <= i < 7 }")
    >>> period = {"s": Residue(1, 0)}
    >>> index = holds_from(both, counted(both, period), period, isl.Set("[s] -> { : s > 0 }"))
    >>> period["s"].value(index)
    7
    """
    index = large(points, classes)
    if index ** len(classes) > limits.TRIED_SIZES:
        return index
    while index > 0:
        for indices in itertools.product(range(index - 1, large(points, classes)), repeat=len(classes)):
            values = {n: each.value(k) for k, (n, each) in zip(indices, classes.items(), strict=True)}
            if min(indices) > index - 1 or at_values(where, values).is_empty():
                continue
            if found.at(tuple(values.values())) != count_at(points, values):
                return index
        index -= 1
    return 0


def counted(points: isl.Set, classes: Mapping[str, Residue]) -> Polynomial | None:
    """The number of POINTS for large parameters of the given CLASSES; None if no polynomial is found.

    The polynomial agrees with isl's count at all points that are compared, beyond those that it is made of.
    """
    names = tuple(classes)
    degree = points.dim(DIM.set)
    monomials = [e for e in itertools.product(range(degree + 1), repeat=len(names)) if sum(e) <= degree]
    monomials.sort(key=lambda e: (-sum(e), tuple(-x for x in e)))
    first = large(points, classes)
    samples = list(_samples(classes, first, degree + 1))
    rows: list[list[Fraction]] = []
    values: list[int] = []
    for sample in samples:
        row = [
            Fraction(math.prod(v**e for v, e in zip(sample, exponents, strict=True)))
            for exponents in monomials
        ]
        rows.append(row)
        values.append(count_at(points, dict(zip(names, sample, strict=True))))
    solved = _solution(rows, values)
    if solved is None:
        return None
    terms = tuple((e, c) for e, c in zip(monomials, solved, strict=True) if c)
    found = Polynomial(names, terms)
    for sample in _samples(classes, first, degree + 1, beyond=True):
        if found.at(sample) != count_at(points, dict(zip(names, sample, strict=True))):
            return None
    return found


def count_at(points: isl.Set, values: Mapping[str, int]) -> int:
    """The number of POINTS, of a bounded set, where the parameters that it depends on have these VALUES."""
    return at_values(points, values).project_out_all_params().count_val().to_python()


def _samples(
    classes: Mapping[str, Residue], first: int, count: int, *, beyond: bool = False
) -> Iterator[tuple[int, ...]]:
    """All combinations of COUNT values of each parameter from FIRST on; BEYOND: further ones of one."""
    axes = [[residue.value(first + k) for k in range(count)] for residue in classes.values()]
    if not beyond:
        yield from itertools.product(*axes)
        return
    for position, residue in enumerate(classes.values()):
        for further in (
            count,
            count + 1,
            4 * count,
        ):  # and where one parameter is much larger than the others
            values = [axis[further % count] for axis in axes]
            values[position] = residue.value(first + further)
            yield tuple(values)


def _solution(rows: Sequence[Sequence[Fraction]], values: Sequence[int]) -> list[Fraction] | None:
    """The coefficients for which each row gives its value; None if there are none."""
    table = flint.fmpq_mat(
        [
            [*(flint.fmpq(x.numerator, x.denominator) for x in row), flint.fmpq(value)]
            for row, value in zip(rows, values, strict=True)
        ]
    )
    reduced, rank = table.rref()
    count = len(rows[0])
    if rank != count or any(
        reduced[r, count] != 0 and all(reduced[r, c] == 0 for c in range(count)) for r in range(rank)
    ):
        return None
    return [Fraction(int(reduced[r, count].p), int(reduced[r, count].q)) for r in range(count)]
