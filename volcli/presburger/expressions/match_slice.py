"""Which slice a set of indices is: offset, size and stride of each dimension (IMPACT 2023, algorithm 3).

A slice is `{ [o_0 + s_0 * k_0, ...] : 0 <= k_d < n_d }`: a product of lines. Along each dimension of a set S
that has points, a line that is equal to S's projection can only be

    offset  o = the least index
    stride  s = the second index - the least one        (1 where there is no second one)
    size    n = (the greatest index - o) / s + 1

as functions of the parameters. These are read back as expressions, and then the slice that they are is
compared with S, for all parameters of a context. So what is said to be a slice is one; what is said not to be
one has a witness, an index that S or the slice lacks; and where no expression is found, that is said.

    [q] -> { [h] : 32q - 1 <= h <= 32q + 33 }       offset 32q - 1, size 35, stride 1
    [n] -> { [i] : 0 <= i < n and i mod 3 = 2 }     offset 2, size max(0, floor(n / 3)), stride 3
    [q] -> { [h] : 0 <= h < 4 and q >= 3 }          offset 0, size max(0, min(4, 4q - 8)), stride 1
    { [i, i] : 0 <= i < 4 }                         no slice: without [0, 1] it is no product

The paper takes offset and stride from one equality with one local variable, and the offset without its sign
(erratum E000-8). Unions, several locals, and equalities between dimensions need the comparison in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import islpy as isl

from volcli.language.expressions import Expression, constant, loop, maximum, minimum
from volcli.limits import presburger as limits
from volcli.presburger.expressions.clamped import clamped
from volcli.presburger.expressions.read_back import expression_of, extremum
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.measures.box import along
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space


@dataclass(frozen=True)
class SliceParameters:
    """Offset, size (never negative) and stride of each dimension, over the set's parameters."""

    offsets: tuple[Expression, ...]
    sizes: tuple[Expression, ...]
    strides: tuple[Expression, ...]

    @classmethod
    def whole(cls, sizes: tuple[Expression, ...]) -> SliceParameters:
        """All indices of a volume of these SIZES."""
        return cls((constant(0),) * len(sizes), sizes, (constant(1),) * len(sizes))

    @property
    def elements(self) -> tuple[Expression, ...]:
        """`o + s * k` along each dimension."""
        lines = enumerate(zip(self.offsets, self.strides, strict=True))
        return tuple(o + loop(d) * s for d, (o, s) in lines)


@dataclass(frozen=True)
class NotASlice:
    """Why a set is no slice: by the `witness`, or because none was found (then there is no witness)."""

    reason: str
    witness: str | None = None


class _Failed(Exception):
    """Carries a NotASlice out of the search for one dimension."""

    def __init__(self, reason: str, witness: isl.Set | None = None) -> None:
        super().__init__(reason)
        self.answer = NotASlice(reason, None if witness is None else _point(witness))


def match_slice(
    points: isl.Set, context: isl.Set | None = None, operations: int = DEFAULT_OPERATIONS
) -> SliceParameters | NotASlice:
    """The slice that POINTS is for all parameters in CONTEXT, a set of parameters (None: all there are).

    It costs at most so many OPERATIONS of isl.

    >>> match_slice(
    ...     isl.Set("[n] -> { [i, 5] : 1 <= i < 2 * n and i mod 2 = 1 }"), isl.Set("[n] -> { : n >= 0 }")
    ... )
    SliceParameters(offsets=(1, 5), sizes=(n, 1), strides=(2, 1))
    >>> match_slice(isl.Set("{ [i, i] : 0 <= i < 4 }"))
    NotASlice(reason='it is not a product of its dimensions', witness='[1, 0]')
    """
    try:
        with budget(operations):
            return _matched(points, context)
    except _Failed as failed:
        return failed.answer
    except BudgetExceeded as spent:
        return NotASlice(spent.reason)


def _matched(points: isl.Set, context: isl.Set | None) -> SliceParameters | NotASlice:
    points = points.reset_tuple_id()
    known = isl.Set.universe(points.get_space().params()) if context is None else context
    points = points.intersect_params(known).coalesce()
    rank = points.dim(DIM.set)
    if points.is_empty():
        zeros, ones = (constant(0),) * rank, (constant(1),) * rank
        return SliceParameters(zeros, zeros, ones) if rank else NotASlice("it has no index, not even []")
    lines = [along(points, dimension).coalesce() for dimension in range(rank)]
    product = _product(points, lines)
    if not product.is_subset(points):
        raise _Failed("it is not a product of its dimensions", product.subtract(points))
    found = [_line_parameters(line, d) for d, line in enumerate(lines)]
    offsets, sizes, strides = zip(*found, strict=True) if found else ((), (), ())
    for dimension, stride in enumerate(strides):
        if not stride.is_constant and not known.params().is_subset(_positive(stride)):
            raise _Failed(f"the stride of dimension {dimension}, {stride}, is not always positive")
    excess = isl.Set.empty(points.get_space())
    # it has indices where S has none, as each line is right where S has any
    for each in chain([sizes], _emptied(sizes, points, known)):
        made = SliceParameters(offsets, tuple(_never_negative(n, known) for n in each), strides)
        excess = _excess(made, points, known)
        if excess.is_empty():
            return made
    outside = excess.params().gist_params(known).coalesce()
    raise _Failed(f"it has no index where {_conditions(outside)}, which its sizes do not say")


def _excess(made: SliceParameters, points: isl.Set, known: isl.Set) -> isl.Set:
    """The indices that MADE has beside POINTS, for KNOWN parameters."""
    lines = [_line(*each) for each in zip(made.offsets, made.sizes, made.strides, strict=True)]
    return _product(points, lines).intersect_params(known).subtract(points)


def _emptied(
    sizes: tuple[Expression, ...], points: isl.Set, known: isl.Set
) -> Iterator[tuple[Expression, ...]]:
    """SIZES of which one, a number n, is 0 where POINTS has none.

    Where conditions `g >= 0` on parameters say where it has any, that is `min(n, n * (g + 1), ...)`, but not
    less than 0; where an equation `e = 0` does, it is `n * (1 - e)` perhaps, if e is 0 or 1.
    """
    fixed = [d for d, size in enumerate(sizes) if size.is_constant]
    if not fixed:
        return
    position = min(fixed, key=lambda d: sizes[d].constant)
    size = sizes[position]
    hull = points.params().gist_params(known.params()).simple_hull()
    distances: list[Expression] = []
    for each in hull.get_constraints():
        if (distance := expression_of(each.get_aff())) is None:
            return
        distances.append(distance)
        if each.is_equality():
            distances.append(-distance)
            for either in (distance, -distance):
                yield (*sizes[:position], (1 - either) * size.constant, *sizes[position + 1 :])
    least = minimum(size, *((distance + 1) * size.constant for distance in distances))
    yield (*sizes[:position], least, *sizes[position + 1 :])


def _product(points: isl.Set, lines: list[isl.Set]) -> isl.Set:
    """The product of LINES, in the space of POINTS."""
    product = isl.Set.universe(build.space((), 0))
    for line in lines:
        product = product.flat_product(line.reset_tuple_id())
    result = isl.Set.universe(points.get_space()).align_params(product.get_space())
    return result.intersect(product.align_params(result.get_space()))


def _line_parameters(line: isl.Set, dimension: int) -> tuple[Expression, Expression, Expression]:
    """Offset, size and stride of LINE, wherever it has points. Raises _Failed if it is none."""
    where = f"dimension {dimension}"
    if not (line.dim_has_any_lower_bound(DIM.set, 0) and line.dim_has_any_upper_bound(DIM.set, 0)):
        raise _Failed(f"{where} is unbounded")
    first = _extreme(line, f"the least index of {where}", lower=True)
    distances = line.apply(build.relation(1, (loop(0) - first,)))
    others = distances.subtract(isl.Set("{ [0] }"))
    if others.is_empty():
        return first, constant(1), constant(1)
    try:
        stride = _extreme(others, f"the second index of {where}", lower=True)
        size = _steps(line, _length(line, distances, first, where), stride, where) + 1
    except _Failed:
        _check_gaps(line, where)
        raise
    differing = _differing(line, _line(first, size, stride))
    if not differing.is_empty():
        raise _Failed(f"the indices of {where} are not equally spaced", differing)
    return first, size, stride


def _check_gaps(line: isl.Set, where: str) -> None:
    """Raise _Failed with an index that LINE lacks if neighbours in it have two distances."""
    distances = line.lex_lt_set(line).lexmin().deltas()
    before_last = isl.Map.lex_lt(line.get_space()).intersect_range(line.lexmax()).domain()
    missing = line.sum(distances).intersect(before_last).subtract(line)
    if not missing.is_empty():
        raise _Failed(f"the indices of {where} are not equally spaced", missing)


def _extreme(line: isl.Set, what: str, *, lower: bool) -> Expression:
    """The least or greatest index as one expression, the shortest that is found."""
    known = line.params()
    found = _bounds((line, line.gist_params(known)), line, lower=lower)
    if not found:  # a piece for each value of a parameter may lie on one plane
        hull = line.polyhedral_hull().to_set()
        found = _bounds((hull, hull.gist_params(known)), line, lower=lower)
    if not found:
        raise _Failed(f"{what} was not found as one expression")
    return min(found, key=lambda each: len(str(each)))


def _bounds(shapes: Sequence[isl.Set], line: isl.Set, *, lower: bool) -> list[Expression]:
    """The bounds of SHAPES that are the least, or the greatest, indices of LINE, wherever it has any."""
    found: list[Expression] = []
    for each in shapes:
        read = extremum(each, lower=lower)
        bound = clamped(each, lower=lower) if read is None or not read.exact else read.expression
        if bound is None:
            continue
        inside = loop(0) - bound if lower else bound - loop(0)
        at = build.nonnegative(1, (loop(0) - bound, bound - loop(0))).intersect(line)
        if line.params().is_subset(at.params()) and line.is_subset(build.nonnegative(1, (inside,))):
            found.append(bound)
    return found


def _length(line: isl.Set, distances: isl.Set, first: Expression, where: str) -> Expression:
    """The greatest of the DISTANCES from the FIRST index of LINE."""
    what = f"the greatest index of {where}"
    try:
        return _extreme(distances, what, lower=False)
    except _Failed:  # max(0, a) to min(9, b) has more pieces than either end
        return _extreme(line, what, lower=False) - first


def _steps(line: isl.Set, length: Expression, stride: Expression, where: str) -> Expression:
    """How often STRIDE fits into LENGTH; one with parameters, if that is the same number for all of them."""
    if stride.is_constant:
        return length // stride.constant
    known = line.params()
    for steps in range(1, limits.SLICE_STEPS + 1):
        if known.is_subset(build.equal(length, stride * steps)):
            return constant(steps)
    raise _Failed(f"the stride of {where} is {stride}, and its size was not found")


def _line(offset: Expression, size: Expression, stride: Expression) -> isl.Set:
    """`{ [offset + stride * k] : 0 <= k < size }`; a stride with parameters has a constant size."""
    if stride.is_constant:
        box = build.domain(1, ((0, size),), ())
        return box.apply(build.relation(1, (offset + stride * loop(0),)))
    line = isl.Set.empty(build.space((), 1))
    for k in range(size.constant):
        value = offset + stride * k
        line = line.union(build.nonnegative(1, (loop(0) - value, value - loop(0))))
    return line


def _differing(line: isl.Set, made: isl.Set) -> isl.Set:
    """The indices that only one of both has, for parameters for which LINE has any."""
    made = made.intersect_params(line.params())
    return line.subtract(made).union(made.subtract(line))


def _positive(expression: Expression) -> isl.Set:
    """The parameters for which EXPRESSION is at least 1."""
    return build.nonnegative(0, (expression - 1,)).params()


def _never_negative(size: Expression, known: isl.Set) -> Expression:
    """SIZE, or the maximum of it and 0 where it is negative for some of the KNOWN parameters."""
    if size.is_constant:
        return size
    negative = build.nonnegative(0, (-size - 1,)).params().intersect(known.params())
    return size if negative.is_empty() else maximum(size, constant(0))


def _point(points: isl.Set) -> str:
    """One of POINTS, with the parameters that it has: `[0, 3] where n = 5`."""
    point = points.sample_point()
    index = list(coordinates(point))
    names = parameters_of_space(points.drop_unused_params())
    every = parameters_of_space(points)
    numbers = (
        f"{name} = {point.get_coordinate_val(DIM.param, every.index(name)).to_python()}" for name in names
    )
    text = " and ".join(numbers)
    return f"{index} where {text}" if text else f"{index}"


def _conditions(parameters: isl.Set) -> str:
    """What holds of PARAMETERS, in isl's notation."""
    text = str(parameters.drop_unused_params())
    return text[text.index("{") + 1 : text.rindex("}")].strip(" :") or "anything holds"
