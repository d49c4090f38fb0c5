"""Bounds that clamp each other: the least and the greatest of a dimension where one form cuts others off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from volcli.language.expressions import Expression, maximum, minimum
from volcli.limits.presburger import FORM_PIECES
from volcli.presburger.expressions.read_back import expression_of, has_bound, is_equal
from volcli.presburger.limits.budget import is_spent
from volcli.presburger.sets import build
from volcli.presburger.sets.callbacks import pieces


def clamped(points: isl.Set, *, lower: bool) -> Expression | None:
    """The least (or greatest) x of `{ [x] }` wherever there is one: a form, an extremum of forms, or a clamp.

    A piece whose form another piece's is equal to there says nothing of its own: of `0` at q = 0, `32q - 1`
    for 0 < q < 15 and `479` at q = 15, there are two forms, and `max(0, 32q - 1)` is both.

    >>> clamped(isl.Set("[q] -> { [x] : q = 0 and x >= 0; [x] : 0 < q < 9 and x >= 4q - 1 }"), lower=True)
    max(4 * q - 1, 0)
    """
    if not has_bound(points, lower=lower):
        return None
    try:
        function = points.dim_min(0) if lower else points.dim_max(0)
    except isl.Error:
        if is_spent():
            raise
        return None
    found = [(where, expression_of(form)) for where, form in pieces(function)]
    if not 0 < len(found) <= FORM_PIECES:
        return None
    forms: list[Expression] = []
    for _, form in found:
        if form is None:
            return None
        forms.append(form)
    kept = list(dict.fromkeys(forms))
    for form in sorted(kept, key=lambda each: not each.is_constant):
        others = [other for other in kept if other != form]
        own = [where for where, each in found if each == form]
        if all(any(_agrees(where, form, other) for other in others) for where in own):
            kept = others
    return next((each for each in _combinations(kept) if is_equal(each, function)), None)


def _agrees(where: isl.Set, left: Expression, right: Expression) -> bool:
    """Whether LEFT and RIGHT are equal for all parameters in WHERE."""
    return bool(where.params().is_subset(build.equal(left, right)))


def _combinations(forms: Sequence[Expression]) -> Iterator[Expression]:
    """Minima and maxima of FORMS, and those in which one of them clamps the others."""
    yield maximum(*forms)
    yield minimum(*forms)
    if len(forms) > 2:
        for form in forms:
            others = [other for other in forms if other != form]
            yield maximum(form, minimum(*others))
            yield minimum(form, maximum(*others))
