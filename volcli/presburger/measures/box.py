"""Boxes: hulls, hyperrectangles, strides and counts of integer sets.

The box hull of a set is the product of the ranges of its dimensions. IMPACT 2023 defines it by lexmin and
lexmax, which is wrong for general sets (erratum E000-4): `{ [0, 5]; [1, 0] }` has lexmin (0, 5) and lexmax
(1, 0), and the "hull" between them is empty. Its box hull is 0..1 x 0..5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import loop
from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import interval, plain_box
from volcli.presburger.sets.build import DIM, nonnegative
from volcli.presburger.sets.unwieldy import divisions


@dataclass(frozen=True)
class ParametricInterval:
    """The closed range of one dimension, as functions of the parameters."""

    low: isl.PwAff
    high: isl.PwAff


def is_bounded(points: isl.Set) -> bool:
    """Whether each dimension of POINTS has two ends, whatever the parameters are."""
    return all(
        points.dim_has_any_lower_bound(DIM.set, d) and points.dim_has_any_upper_bound(DIM.set, d)
        for d in range(points.dim(DIM.set))
    )


def ranges(points: isl.Set) -> list[ParametricInterval] | None:
    """The range of each dimension of a bounded set; None if a dimension is unbounded."""
    if not is_bounded(points):
        return None
    return [ParametricInterval(points.dim_min(d), points.dim_max(d)) for d in range(points.dim(DIM.set))]


def outside(points: isl.Set, dimension: int, bounds: ParametricInterval) -> tuple[isl.Set, isl.Set]:
    """The points of POINTS below and above BOUNDS along DIMENSION: where it leaves two halfspaces."""
    over = points.get_space()
    index = isl.PwAff.var_on_domain(isl.LocalSpace.from_space(over), DIM.set, dimension)
    low, high = bounds.low.insert_domain(over), bounds.high.insert_domain(over)
    return points.intersect(index.lt_set(low)), points.intersect(index.gt_set(high))


def box_hull(points: isl.Set) -> isl.Set | None:
    """The smallest box around POINTS; None if a dimension is unbounded."""
    bounds = ranges(points)
    if bounds is None:
        return None
    hull = isl.Set.universe(points.get_space())
    for dimension, bound in enumerate(bounds):
        below, above = outside(hull, dimension, bound)
        hull = hull.subtract(below).subtract(above)
    return hull.intersect_params(points.params())


def simple_hull(points: isl.Set) -> isl.Set:
    """What all parts of POINTS satisfy, of the constraints that they have: those of one part, moved outwards.

    How far each is to be moved is a linear program for each other part. Where that costs too much, only
    constraints that hold for all parts as they are are left.

    >>> simple_hull(isl.Set("{ [i, 0] : 0 <= i <= 2; [i, i] : 0 <= i <= 5 }"))
    Set("{ [i, i1] : i <= 5 and i1 >= -2 + i and 0 <= i1 <= i }")
    """
    operations = limits.HULL_OPERATIONS // (limits.DEARER if divisions(points) > limits.DEAR_DIVISIONS else 1)
    try:
        with budget(operations):
            return isl.Set.from_basic_set(points.simple_hull())
    except BudgetExceeded:
        return isl.Set.from_basic_set(points.plain_unshifted_simple_hull())


def is_hyperrectangle(points: isl.Set) -> bool:
    """Whether POINTS is equal to its box hull (definition 4.5 as corrected by erratum E000-4)."""
    if points.is_empty():
        return True
    hull = box_hull(points)
    return hull is not None and bool(points.is_equal(hull))


def strides(points: isl.Set) -> tuple[int, ...]:
    """Per dimension the largest s such that all indices are congruent modulo s (1 if there is none).

    Of a parametric set that is not one lattice, isl may only know a divisor of it.
    """
    return tuple(_stride(along(points, d)) for d in range(points.dim(DIM.set)))


def along(points: isl.Set, dimension: int) -> isl.Set:
    """The projection of POINTS onto one dimension."""
    after = points.dim(DIM.set) - dimension - 1
    return points.project_out(DIM.set, dimension + 1, after).project_out(DIM.set, 0, dimension)


def _stride(line: isl.Set) -> int:
    """The gcd of the differences of a set of numbers: that of a few of them, found by counter-example."""
    if line.involves_dims(DIM.param, 0, line.dim(DIM.param)) or line.is_empty():
        return max(1, int(line.get_stride(0).to_python()))
    first, found = _sample(line), 0
    while found != 1:
        apart = loop(0) - first if found == 0 else (loop(0) - first) % found
        others = line.subtract(nonnegative(1, (apart, -apart)))
        if others.is_empty():
            break
        found = math.gcd(found, _sample(others) - first)
    return max(1, found)


def _sample(line: isl.Set) -> int:
    return int(line.sample_point().get_coordinate_val(DIM.set, 0).to_python())


def count(points: isl.Set) -> int | None:
    """The number of integer points; None for parametric or unbounded sets, or beyond enumeration.

    >>> count(isl.Set("{ [i, j] : 0 <= i < 1000000 and 0 <= j < 1000000 and (i < 1 or j < 1) }"))
    1999999
    >>> count(isl.Set("[n] -> { [i, j] : 0 <= i <= j <= 3 }"))
    10
    """
    if points.dim(DIM.param) and points.involves_dims(DIM.param, 0, points.dim(DIM.param)):
        return None
    points = points.project_out_all_params()  # isl counts none of a set with parameters, used or not
    if (ends := plain_box(points)) is not None:
        return math.prod(high - low + 1 for low, high in ends)
    if not points.is_bounded():
        return None
    total = 0
    for piece in points.make_disjoint().get_basic_sets():
        number = _count_basic(piece)
        if number is None:
            return None
        total += number
    return total


def _count_basic(piece: isl.BasicSet) -> int | None:
    """A product over the dimensions if they are independent, else an enumeration."""
    points = piece.to_set()
    if points.is_empty():
        return 0
    lines = [along(points, d) for d in range(points.dim(DIM.set))]
    if _is_product(points, lines):
        factors = [_count_line(line) for line in lines]
        return None if None in factors else math.prod(f for f in factors if f is not None)
    extents = math.prod(_extent(line) for line in lines)
    if extents > limits.COUNTED_AT_ONCE and (number := _count_split(points)) is not None:
        return number
    return int(points.count_val().to_python()) if extents <= limits.COUNTED_POINTS else None


def _extent(line: isl.Set) -> int:
    low, high = interval(line, 0)
    assert low is not None
    assert high is not None
    return high - low + 1


def _count_line(line: isl.Set) -> int | None:
    """The points of a one-dimensional set: an interval, a lattice in one, or an enumeration."""
    stride = strides(line)[0]
    low, high = interval(line, 0)
    assert low is not None
    assert high is not None
    every = isl.Set(f"{{ [i] : {low} <= i <= {high} and (i - ({low})) mod {stride} = 0 }}")
    if every.is_subset(line):
        return (high - low) // stride + 1
    return int(line.count_val().to_python()) if high - low <= limits.COUNTED_POINTS else None


def _is_product(points: isl.Set, lines: Sequence[isl.Set]) -> bool:
    """Whether POINTS is the product of its projections, the LINES along its dimensions."""
    product = isl.Set("{ [] }")
    for line in lines:
        product = product.flat_product(line)
    return bool(product.is_subset(points.reset_tuple_id().align_params(product.get_space())))


def _count_split(points: isl.Set) -> int | None:
    """Split off a dimension that is independent of the others, and count the two factors."""
    total = points.dim(DIM.set)
    for d in range(total):
        alone = along(points, d)
        rest = points.project_out(DIM.set, d, 1)
        lifted = rest.insert_dims(DIM.set, d, 1)
        line = alone.insert_dims(DIM.set, 0, d).add_dims(DIM.set, total - d - 1)
        if lifted.intersect(line).is_subset(points):
            first, second = count(alone), count(rest)
            return None if first is None or second is None else first * second
    return None
