"""How many elements a region has, as a polynomial of the parameters, where it is a union of boxes.

A box `lo_d <= i_d <= hi_d` has `(hi_0 - lo_0 + 1) * (hi_1 - lo_1 + 1) * ...` elements if it has one. The
pieces of a region are made disjoint, and counted one by one. The sum is the number wherever each of them has
elements, or a factor that is 0; it is said only if that is wherever the region has some.

>>> print(count_of(isl.Set("[n, m] -> { [i, j] : 1 <= i <= n and (j = 0 or j = m + 1) and m >= 0 }"), None))
2 * n
"""

from __future__ import annotations

import islpy as isl

from volcli.language.expressions import Expression, constant
from volcli.limits import volumes as limits
from volcli.presburger.expressions.read_back import expression_of
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.presburger.measures import box
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import pieces
from volcli.presburger.sets.unwieldy import within


def count_of(points: isl.Set, context: isl.Set | None) -> Expression | None:
    """The number of POINTS for the parameters in CONTEXT for which there are some; None if it is not found.

    A number if it is one, by whatever parameters; and what it is without the context, if that is something:
    of n elements, where n is a multiple of 16, there are n, which isl may write with a division.
    """
    inside = points if context is None else points.intersect_params(context)
    if inside.is_empty():
        return constant(0)
    if (number := box.count(inside.gist_params(inside.params()))) is not None:
        return constant(number)
    plain = points if context is None else points.gist_params(context)
    try:
        return _polynomial(plain) or _polynomial(inside)
    except BudgetExceeded:
        return None


def _polynomial(points: isl.Set) -> Expression | None:
    where = points.params()
    if not box.is_bounded(points):
        return None
    if (apart := _without_batch(points, where)) is not None:
        return apart
    total = constant(0)
    for part in points.make_disjoint().get_basic_sets():
        found = _of_box(part.to_set(), where)
        if found is None:
            return None
        total = total + found
    return total


def _without_batch(points: isl.Set, where: isl.Set) -> Expression | None:
    """The number of POINTS if they are a box in some dimensions, times a fixed set in the others.

    A convolution of padded planes for a batch of n has n times as many loop points that contribute as for
    one plane.
    """
    rest, total = points, constant(1)
    for dimension in reversed(range(points.dim(DIM.set))):
        line = box.along(rest, dimension).gist_params(where)
        if not line.involves_dims(DIM.param, 0, line.dim(DIM.param)):
            continue
        others = rest.project_out(DIM.set, dimension, 1)
        after = rest.dim(DIM.set) - dimension - 1
        along = line.insert_dims(DIM.set, 1, after).insert_dims(DIM.set, 0, dimension)
        product = others.insert_dims(DIM.set, dimension, 1).intersect(along)
        extent = _of_box(line, where)
        if extent is None or not product.is_equal(rest):
            return None
        rest, total = others, total * extent
    number = box.count(rest.gist_params(where).drop_unused_params())
    return None if number is None or rest is points else total * number


def _of_box(part: isl.Set, where: isl.Set) -> Expression | None:
    """The number of elements of PART, if it is a box, for all parameters in WHERE.

    For parameters for which it has none, some factor must be 0.
    """
    part = part.intersect_params(where)
    with within(limits.DEAR_COUNT, part):
        return _box_count(part, where)


def _box_count(part: isl.Set, where: isl.Set) -> Expression | None:
    """The number of elements of PART, whose parameters are in WHERE."""
    some = part.params()
    total, missing = constant(1), where.subtract(some)
    hull = isl.Set.universe(part.get_space()).intersect_params(some)
    over = part.get_space()
    for dimension in range(part.dim(DIM.set)):
        low, high = part.dim_min(dimension), part.dim_max(dimension)
        first, last = _affine(low, some), _affine(high, some)
        if first is None or last is None:
            return None
        extent = last - first + 1
        total = total * extent
        missing = missing.subtract(build.nonnegative(0, (extent, -extent)).params())
        index = isl.PwAff.var_on_domain(isl.LocalSpace.from_space(over), DIM.set, dimension)
        hull = hull.intersect(index.ge_set(low.insert_domain(over)))
        hull = hull.intersect(index.le_set(high.insert_domain(over)))
    return total if missing.is_empty() and hull.is_equal(part) else None


def _affine(bound: isl.PwAff, where: isl.Set) -> Expression | None:
    """BOUND as an expression over parameters, if one is enough for all parameters in WHERE."""
    for _, form in pieces(bound.intersect_params(where).coalesce()):
        same = isl.PwAff.from_aff(form)
        if where.is_subset(same.eq_set(bound).params()):
            return expression_of(form)
    return None
