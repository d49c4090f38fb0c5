"""The least and the greatest of a dimension by cases, where no minimum or maximum of formulas is it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import islpy as isl

from volcli.language.expressions import Expression, NotAffine, parameter, piecewise
from volcli.limits.presburger import FORM_CASES
from volcli.presburger.expressions.read_back import disjunction, expression_of, has_bound
from volcli.presburger.limits.budget import is_spent
from volcli.presburger.sets.callbacks import pieces
from volcli.presburger.sets.coalescing import reproducibly_coalesced


def by_cases(points: isl.Set, *, lower: bool) -> Expression | None:
    """The least (or greatest) x of `{ [x] }` over parameters: which formula it is under which conditions.

    None without a bound, and if there are many cases. The value with the longest conditions comes last: it is
    what is left.

    >>> by_cases(isl.Set("[n, k] -> { [x] : (n >= 1 and x = n) or (n <= 0 and x = k) }"), lower=True)
    (k if n <= 0 else n)
    """
    if not has_bound(points, lower=lower):
        return None
    try:
        found = pieces(points.dim_min(0) if lower else points.dim_max(0))
    except isl.Error:  # isl takes some sets that have a bound for unbounded
        if is_spent():
            raise
        return None
    possible = points.params()
    cases: list[tuple[tuple[Expression, ...], Expression]] = []
    try:
        for where, form in _merged(found):
            expression = expression_of(form)
            if expression is None:
                return None
            conditions = reproducibly_coalesced(where.gist(possible))
            cases += ((each, expression) for each in disjunction(conditions, parameter))
    except NotAffine:
        return None
    if not 0 < len(cases) <= FORM_CASES:
        return None
    lengths = Counter[Expression]()
    for where, value in cases:
        lengths[value] += sum(len(str(each)) for each in where)
    cases.sort(key=lambda case: (lengths[case[1]], str(case)))
    return piecewise(*cases)


def _merged(found: Sequence[tuple[isl.Set, isl.Aff]]) -> Sequence[tuple[isl.Set, isl.Aff]]:
    """The pieces that were FOUND; one whose form is another's wherever it applies is part of that."""
    left = list(found)
    for where, form in found:
        position = next(k for k, (_, other) in enumerate(left) if other is form)
        for k, (others, other) in enumerate(left):
            if k != position and where.is_subset(form.eq_set(other)):
                left[k] = others.union(where), other
                del left[position]
                break
    return left
