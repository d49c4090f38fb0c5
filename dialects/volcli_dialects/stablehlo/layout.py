"""Operations of stablehlo that move elements: broadcasting, padding, slices, reshapes, permutations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation

from volcli.language.expressions import (
    ANY,
    Expression,
    Index,
    Misfit,
    NotAffine,
    constant,
    dim_of,
    loop,
    loops,
    maximum,
    minimum,
)
from volcli.language.programs.element_numbers import number_at
from volcli.language.questions import Sizes, element_numbers, element_reads, result_sizes
from volcli.language.reads import (
    Access,
    Alternative,
    ElementReads,
    Read,
    Use,
    copy,
    element_type,
    one_alternative,
    rank_of,
    whole,
)
from volcli_dialects.cases.elements import relayout
from volcli_dialects.cases.elements.known import known_elements, known_number
from volcli_dialects.cases.numbers.wrapping import wrapped
from volcli_dialects.cases.parts import (
    dimension,
    dimensions,
    numbers,
    result,
    sizes,
    static_sizes,
    tensor,
    tensors,
)
from volcli_dialects.cases.sizes import like
from volcli_dialects.stablehlo.ops import OPS


@element_reads.case(OPS["broadcast_in_dim"], OPS["dynamic_broadcast_in_dim"])
def broadcast_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[.., r_(dims(d)), ..]`, 0 along a dimension of size 1."""
    (x,) = tensors(op, None)
    target = result(op)
    to = dimensions(op, "broadcast_dimensions", rank_of(target), rank_of(x))
    index: list[Expression] = []
    for d, n in enumerate(static_sizes(x)):
        along = loop(to[d])
        is_open = n == DYNAMIC_INDEX and static_sizes(target)[to[d]] != 1
        index.append(constant(0) if n == 1 else minimum(along, dim_of(x, d) - 1) if is_open else along)
    return [one_alternative(rank_of(target), copy(x, index))]


@result_sizes.case(OPS["broadcast_in_dim"], OPS["iota"], OPS["constant"])
def of_type(op: Operation) -> list[Sizes]:
    """The type says them: the operation has no operand for them."""
    return [[None if n == DYNAMIC_INDEX else constant(n) for n in static_sizes(result(op))]]


@result_sizes.case(OPS["dynamic_broadcast_in_dim"], OPS["dynamic_reshape"], OPS["dynamic_iota"])
def of_operand(op: Operation) -> list[Sizes]:
    """The type says them, or else the numbers in the last operand."""
    (stated,), shape = of_type(op), op.operands[-1]
    known = known_elements(shape)
    given = (
        number_at(Access(shape, (constant(d),))) if known is None else constant(known[(d,)])
        for d in range(len(stated))
    )
    return [[number if size is None else size for size, number in zip(stated, given, strict=True)]]


# `R[r] = x[s]` with equal row-major positions.
element_reads.case(OPS["reshape"], OPS["dynamic_reshape"])(
    lambda op: [relayout.reshaped(tensors(op, None)[0], result(op))]
)


result_sizes.case(OPS["reshape"])(of_type)


relayout.permutes(OPS["transpose"], along="permutation")


@element_reads.case(OPS["reverse"])
def reverse_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[s]` with `s_d = n_d - 1 - r_d` along the dimensions."""
    (x,) = tensors(op, None)
    result(op, rank_of(x))
    return [relayout.reversed_along(x, dimensions(op, "dimensions", rank_of(x)))]


result_sizes.case(OPS["reverse"])(lambda op: [like(op.operands[0], op.results[0])])  # The operand's sizes.


relayout.concatenates(OPS["concatenate"], along="dimension")

_WIDTHS = ("edge_padding_low", "edge_padding_high", "interior_padding")


def _widths(op: Operation, rank: int) -> list[Sequence[int]]:
    """The numbers of the padding: attributes, or constant operands."""
    if op.name == OPS["pad"].name:
        return [numbers(op, name, rank) for name in _WIDTHS]
    found = [known_elements(tensor(each, 1)) for each in op.operands[2:]]
    known = [tuple(each.values()) for each in found if each is not None and len(each) == rank]
    if len(known) != len(_WIDTHS):
        raise NotAffine("its padding is data")
    return [*known]


@element_reads.case(OPS["pad"], OPS["dynamic_pad"])
def pad_reads(op: Operation) -> list[ElementReads]:
    """`R[low + s * (interior + 1)] = x[s]`; every other element is the padding value."""
    x, fill = tensor(op.operands[0]), tensor(op.operands[1], 0)
    rank = rank_of(result(op, rank_of(x)))
    low, _, interior = _widths(op, rank)
    if any(n < 0 for n in interior):
        raise Misfit("a negative interior padding")
    return [relayout.padded(x, Access(fill, ()), low, interior)]


@result_sizes.case(OPS["pad"], OPS["dynamic_pad"])
def pad_sizes(op: Operation) -> list[Sizes]:
    """`low + n + max(n - 1, 0) * interior + high`."""
    x = tensor(op.operands[0])
    low, high, interior = _widths(op, rank_of(x))
    return [
        [
            dim_of(x, d) + low[d] + high[d] + maximum(dim_of(x, d) - 1, constant(0)) * interior[d]
            for d in range(rank_of(x))
        ]
    ]


@element_reads.case(OPS["slice"])
def slice_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[start + r * stride]`."""
    (x,) = tensors(op, None)
    rank = rank_of(result(op, rank_of(x)))
    return [relayout.sliced(x, numbers(op, "start_indices", rank), numbers(op, "strides", rank))]


@result_sizes.case(OPS["slice"])
def slice_sizes(op: Operation) -> list[Sizes]:
    """`(limit - start) ceildiv stride`."""
    (x,) = tensors(op, None)
    rank = rank_of(x)
    start, limit, stride = (numbers(op, name, rank) for name in ("start_indices", "limit_indices", "strides"))
    if any(step < 1 for step in stride):
        raise Misfit("a stride that is not positive")
    return [[constant(-((start[d] - limit[d]) // stride[d])) for d in range(rank)]]


def _starts(op: Operation, first: int, sizes: Sequence[Expression]) -> list[Index]:
    """The start of a window of SIZES, by the operands from FIRST on: as near as it lies inside the tensor."""
    x = tensor(op.operands[0])
    if len(op.operands) - first != rank_of(x) or len(sizes) != rank_of(x):
        raise Misfit("a window of another rank")
    found: list[Index] = []
    for d, start in enumerate(op.operands[first:]):
        number = known_number(tensor(start, 0))
        room = dim_of(x, d) - sizes[d]
        found.append(constant(0) if room == constant(0) else ANY if number is None else number)
        if isinstance(number, Expression):
            found[d] = minimum(maximum(number, constant(0)), room)
    return found


def _moved(start: Index, d: int) -> Index:
    return start + loop(d) if isinstance(start, Expression) else ANY


def _by_data(op: Operation, first: int, starts: Sequence[Index]) -> tuple[Read, ...]:
    """The operands, from FIRST on, that say where a window begins."""
    pairs = zip(op.operands[first:], starts, strict=True)
    return tuple(Read(Access(value, ()), uses=(Use(sees_sign=True),)) for value, at in pairs if at is ANY)


_POSITION = "the position of the window is data"


@element_reads.case(OPS["dynamic_slice"])
def dynamic_slice_reads(op: Operation) -> list[ElementReads]:
    """`R[r] = x[start + r]`, the start moved so that the window lies in x."""
    x = tensor(op.operands[0])
    rank = rank_of(result(op, rank_of(x)))
    starts = _starts(op, 1, list(map(constant, numbers(op, "slice_sizes", rank))))
    index = tuple(_moved(start, d) for d, start in enumerate(starts))
    reads = _by_data(op, 1, starts)
    found = one_alternative(rank, (*copy(x, index), *reads))
    return [replace(found, inexact=_POSITION) if reads else found]


@element_reads.case(OPS["dynamic_update_slice"])
def dynamic_update_reads(op: Operation) -> list[ElementReads]:
    """`R[start + s] = update[s]`; every other element is the operand's."""
    x, update = tensors(op, None, None)
    rank = rank_of(result(op, rank_of(x)))
    starts = _starts(op, 2, sizes(update))
    reads = _by_data(op, 2, starts)
    if reads:
        anywhere = Access(update, tuple(loop(d) if e is not ANY else ANY for d, e in enumerate(starts)))
        found = one_alternative(rank, (Read(whole(x)), Read(anywhere), *reads))
        return [replace(found, inexact=_POSITION)]
    element = tuple(e + loop(d) for d, e in enumerate(starts) if isinstance(e, Expression))
    inserted = Alternative(rank, element, copy(update, loops(rank)), (whole(update),))
    return [ElementReads((inserted, Alternative(rank, loops(rank), (Read(whole(x)),))))]


@element_numbers.case(OPS["get_dimension_size"])
def dimension_size(op: Operation) -> list[Expression | None]:
    """The size, as far as i32 holds it."""
    x = tensor(op.operands[0])
    return [wrapped(dim_of(x, dimension(op, "dimension", rank_of(x))), element_type(op.results[0].type))]


# The stated ones.
result_sizes.case(OPS["dynamic_slice"])(
    lambda op: [list(map(constant, numbers(op, "slice_sizes", rank_of(op.results[0]))))]
)
# The operand's sizes.
result_sizes.case(OPS["dynamic_update_slice"])(lambda op: [like(op.operands[0], op.results[0])])


@element_reads.case(OPS["get_dimension_size"])
def dimension_reads(op: Operation) -> list[ElementReads]:
    """A size is a parameter of the function; no element is read for it."""
    dimension(op, "dimension", rank_of(tensor(op.operands[0])))
    return [ElementReads((), parametric=True)]


result_sizes.case(OPS["get_dimension_size"])(lambda op: [()])
