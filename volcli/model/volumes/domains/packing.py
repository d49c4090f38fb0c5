r"""Packed layouts: a volume that is not a box, as a dense array of its elements (IMPACT 2023, appendix A.1).

The elements of a domain of two dimensions, row by row: that at (i, j) is after the elements of earlier rows,
and those before it in its own. Where row k is `lo(k) <= j <= hi(k)`, each affine in k and the parameters,

    p(i, j) = sum over k = first .. i - 1 of (hi(k) - lo(k) + 1) + j - lo(i)

is a polynomial of degree two, for the triangle i <= j < N that of the paper, corrected to be dense (E000-5):
`i N - i (i - 1) / 2 + (j - i)`. Presburger sets have no such index; polynomials do.

>>> triangle = isl.Set("[N] -> { [i, j] : 0 <= i < N and i <= j < N }")
>>> print(packed_index(triangle, ("i", "j")))
(2*i*N - i^2 - i)/2 + j
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import islpy as isl

from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import pieces

Row = dict[str, int]
"""A linear form: the coefficient of each name, "" for the constant."""


def packed_index(domain: isl.Set, names: Sequence[str]) -> str | None:
    """The position of the element at NAMES (i, j) among those of DOMAIN; None if it is not known."""
    if domain.dim(DIM.set) != 2 or domain.is_empty():
        return None
    rows = domain.project_out(DIM.set, 1, 1)
    first = _form(rows.dim_min(0), names)
    by_row = domain.move_dims(DIM.param, domain.dim(DIM.param), DIM.set, 0, 1)
    by_row = by_row.set_dim_name(DIM.param, by_row.dim(DIM.param) - 1, names[0])
    low, high = by_row.dim_min(0), by_row.dim_max(0)
    lowest, highest = _form(low, names), _form(high, names)
    is_full = by_row.is_equal(_between(by_row, low, high))
    has_all_rows = rows.is_equal(rows.convex_hull().to_set())
    if first is None or lowest is None or highest is None or not is_full or not has_all_rows:
        return None
    if any(first.values()):
        return None
    i, j = names
    length = {name: highest.get(name, 0) - lowest.get(name, 0) for name in {*lowest, *highest}}
    length[""] = length.get("", 0) + 1
    return _text(_position(length, i), lowest, i, j)


def _position(length: Row, i: str) -> dict[tuple[str, ...], Fraction]:
    """The sum of LENGTH, a function of i, over all rows before i: of k it is i (i - 1) / 2."""
    found: dict[tuple[str, ...], Fraction] = {}
    for name, factor in length.items():
        if name == i:
            found[i, i] = found.get((i, i), Fraction(0)) + Fraction(factor, 2)
            found[i,] = found.get((i,), Fraction(0)) - Fraction(factor, 2)
        else:
            key = (i, name) if name else (i,)
            found[key] = found.get(key, Fraction(0)) + factor
    return found


def _text(before: dict[tuple[str, ...], Fraction], lowest: Row, i: str, j: str) -> str:
    """The rows BEFORE, and `j - lo(i)`, as one polynomial."""
    total = dict(before)
    total[j,] = total.get((j,), Fraction(0)) + 1
    for name, factor in lowest.items():
        key = (name,) if name else ()
        total[key] = total.get(key, Fraction(0)) - factor
    halves = {key: c for key, c in total.items() if c and key != (j,)}
    if any(c.denominator == 2 for c in halves.values()):
        inner = _sum({key: 2 * c for key, c in halves.items()}, i)
        return f"({inner})/2 + {j}"
    return _sum({key: c for key, c in total.items() if c}, i)


def _sum(terms: dict[tuple[str, ...], Fraction], i: str) -> str:
    parts: list[str] = []
    for key, factor in sorted(terms.items(), key=lambda term: (-len(term[0]), term[0] == (i, i), term[0])):
        power = f"{i}^2" if key == (i, i) else "*".join(key)
        amount = [] if abs(factor) == 1 and power else [str(abs(factor))]
        parts.append(f"{'-' if factor < 0 else '+'} {'*'.join([*amount, *([power] if power else [])])}")
    text = " ".join(parts)
    return "-" + text[2:] if text.startswith("- ") else text[2:]


def _between(points: isl.Set, low: isl.PwAff, high: isl.PwAff) -> isl.Set:
    over = points.get_space()
    index = isl.PwAff.var_on_domain(isl.LocalSpace.from_space(over), DIM.set, 0)
    above = index.ge_set(low.insert_domain(over))
    return above.intersect(index.le_set(high.insert_domain(over)))


def _form(bound: isl.PwAff, names: Sequence[str]) -> Row | None:
    """BOUND as a linear form; None if it takes several pieces or divisions."""
    found = pieces(bound.coalesce())
    if len(found) != 1:
        return None
    form = found[0][1]
    if form.dim(DIM.div) or not form.get_denominator_val().is_one():
        return None
    row = {"": int(form.get_constant_val().to_python())}
    for position in range(form.dim(DIM.param)):
        factor = int(form.get_coefficient_val(DIM.param, position).to_python())
        if factor:
            row[str(form.get_dim_name(DIM.param, position))] = factor
    return row
