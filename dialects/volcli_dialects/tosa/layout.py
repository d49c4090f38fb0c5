"""Operations of tosa that move elements: padding, slices, reshapes, permutations, copies side by side."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Expression,
    Misfit,
    constant,
    dim_of,
    loop,
    maximum,
    minimum,
)
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import (
    Access,
    ElementReads,
    Read,
    Use,
    copy,
    one_alternative,
    pessimistic,
    rank_of,
)
from volcli_dialects.cases.elements import relayout
from volcli_dialects.cases.elements.scalar_functions import is_float
from volcli_dialects.cases.elements.selected_slices import (
    BY_DATA,
    SelectedSlices,
    SliceDimensions,
    gathered_reads,
    written_reads,
)
from volcli_dialects.cases.parts import (
    attribute,
    dimension,
    result,
    static_sizes,
    tensor,
    tensors,
)
from volcli_dialects.cases.sizes import dims, like
from volcli_dialects.tosa.constants import listed
from volcli_dialects.tosa.ops import OPS, ResizeModeAttr


@element_reads.case(OPS["pad"])
def pad_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[r - before]` where that lies in x, else the constant.

    The widths are listed as `[before_0, after_0, before_1, ..]`.
    """
    x, fill = tensor(op.operands[0]), tensor(op.operands[2], 1)
    rank = rank_of(x)
    result(op, rank)
    widths = listed(op.operands[1], 2 * rank)
    return [relayout.padded(x, Access(fill, (constant(0),)), widths[::2])]


@result_sizes.case(OPS["pad"])
def pad_sizes(op: Operation) -> list[Sizes]:
    """`before + n + after`."""
    x = tensor(op.operands[0])
    widths = listed(op.operands[1], 2 * rank_of(x))
    return [[dim_of(x, d) + widths[2 * d] + widths[2 * d + 1] for d in range(rank_of(x))]]


@element_reads.case(OPS["slice"])
def slice_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[start + r]`."""
    (x,) = tensors(op, None)
    rank = rank_of(result(op, rank_of(x)))
    return [relayout.sliced(x, listed(op.operands[1], rank), (1,) * rank)]


def _size(number: int) -> Expression | None:
    return constant(number) if number >= 0 else None


relayout.permutes(OPS["transpose"], along="perms")
# `R[r] = x[s]` with equal row-major positions.
element_reads.case(OPS["reshape"])(lambda op: [relayout.reshaped(tensors(op, None)[0], result(op))])


# The listed sizes.
result_sizes.case(OPS["slice"])(
    lambda op: [[_size(n) for n in listed(op.operands[2], rank_of(op.results[0]))]]
)
# The listed sizes; one that is -1 is what is left.
result_sizes.case(OPS["reshape"])(
    lambda op: [[_size(n) for n in listed(op.operands[1], rank_of(op.results[0]))]]
)


relayout.concatenates(OPS["concat"], along="axis")


@element_reads.case(OPS["tile"])
def tile_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[r mod n]`."""
    (x,) = tensors(op, None)
    result(op, rank_of(x))
    return [relayout.tiled(x)]


@result_sizes.case(OPS["tile"])
def tile_sizes(op: Operation) -> list[Sizes]:
    """`n * multiple`; a multiple of -1 is not known."""
    (x,) = tensors(op, None)
    multiples = listed(op.operands[1], rank_of(x))
    if any(k == 0 or k < -1 for k in multiples):
        raise Misfit("a multiple that is not positive")
    return [[size * k if k > 0 else None for size, k in zip(dims(x), multiples, strict=True)]]


@element_reads.case(OPS["reverse"])
def reverse_reads(op: Operation) -> list[ElementReads]:
    """`R[.., r, ..] = x[.., n - 1 - r, ..]` along the axis."""
    (x,) = tensors(op, None)
    result(op, rank_of(x))
    return [relayout.reversed_along(x, [dimension(op, "axis", rank_of(x))])]


@element_reads.case(OPS["gather"])
def gather_reads(op: Operation) -> list[ElementReads]:
    """`R[n, w, c] = values[n, indices[n, w], c]`: which row is data, unless it is known."""
    values, indices = tensors(op, 3, 2)
    return gathered_reads(_rows(values, indices, result(op, 3)))


def _rows(values: SSAValue, indices: SSAValue, of: SSAValue) -> SelectedSlices:
    """The rows of VALUES that INDICES select, of which OF has the elements."""
    row = SliceDimensions((2,), (1,), (1,), ((0, 0),), 2)
    return SelectedSlices(values, indices, of, (1, 1, static_sizes(values)[2]), row)


@result_sizes.case(OPS["gather"])
def gather_sizes(op: Operation) -> list[Sizes]:
    """A row for each index."""
    values, indices = tensors(op, 3, 2)
    return [[dim_of(values, 0), dim_of(indices, 1), dim_of(values, 2)]]


@element_reads.case(OPS["scatter"])
def scatter_reads(op: Operation) -> list[ElementReads]:
    """`R[n, indices[n, w], c] = input[n, w, c]`, each row at most once; the others are what they were."""
    values, indices, source = tensors(op, 3, 2, 3)
    if static_sizes(values)[2] != static_sizes(source)[2]:
        raise Misfit("rows of other sizes")
    found = written_reads(_rows(values, indices, source))
    return [pessimistic(op, result(op), BY_DATA) if found is None else found]


result_sizes.case(OPS["reverse"])(lambda op: [like(op.operands[0], op.results[0])])  # The operand's sizes.


# -- resizing --------------------------------------------------------------------------------------------


class _Axis(NamedTuple):
    """Along one dimension: the elements around a position, and where the second one has a part."""

    near: Expression
    far: Expression
    has_far: tuple[Expression, ...]


def _axes(op: Operation, x: SSAValue) -> list[_Axis]:
    """The position of index o is `(o * step + offset) / unit`, for `scale = [unit, step]`."""
    scale, offset = listed(op.operands[1], 4), listed(op.operands[2], 2)
    is_nearest = _is_nearest(op)
    found: list[_Axis] = []
    for d, (unit, step) in enumerate((scale[:2], scale[2:]), start=1):
        if unit < 1 or step < 1:
            raise Misfit("a scale that is not positive")
        position = loop(d) * step + offset[d - 1]

        def inside(index: Expression, d: int = d) -> Expression:
            return minimum(maximum(index, constant(0)), dim_of(x, d) - 1)

        low = (position * 2 + unit) // (2 * unit) if is_nearest else position // unit
        has_far = () if is_float(op) else (position % unit - 1,)
        found.append(_Axis(inside(low), inside(low + 1), has_far))
    return found


def _is_nearest(op: Operation) -> bool:
    kind = attribute(op, "mode")
    return isinstance(kind, ResizeModeAttr) and kind.data == "NEAREST_NEIGHBOR"


@element_reads.case(OPS["resize"])
def resize_reads(op: Operation) -> list[ElementReads]:
    """`R[n, y, x, c]` is the element that is nearest to a position, or made of the four around it.

    An integer is made of those that are not multiplied by 0; 0 by a float that is infinite is NaN.
    """
    (x,) = tensors(op, 4)
    result(op, 4)
    rows, columns = _axes(op, x)
    if _is_nearest(op):
        return [one_alternative(4, copy(x, (loop(0), rows.near, columns.near, loop(3))))]
    reads = tuple(
        Read(Access(x, (loop(0), row, column, loop(3))), where, (Use(sees_sign=True),))
        for row, by_row in ((rows.near, ()), (rows.far, rows.has_far))
        for column, where in ((columns.near, by_row), (columns.far, (*by_row, *columns.has_far)))
    )
    return [one_alternative(4, reads)]


@result_sizes.case(OPS["resize"])
def resize_sizes(op: Operation) -> list[Sizes]:
    """`((n - 1) * unit - offset + border) / step + 1` in the two dimensions."""
    (x,) = tensors(op, 4)
    scale, offset, border = (
        listed(each, count) for each, count in zip(op.operands[1:], (4, 2, 2), strict=True)
    )
    own = [
        ((dim_of(x, d) - 1) * scale[2 * d - 2] - offset[d - 1] + border[d - 1]) // scale[2 * d - 1] + 1
        for d in (1, 2)
    ]
    return [[dim_of(x, 0), *own, dim_of(x, 3)]]


# Those of what is scattered into.
result_sizes.case(OPS["scatter"])(lambda op: [like(op.operands[0], op.results[0])])
