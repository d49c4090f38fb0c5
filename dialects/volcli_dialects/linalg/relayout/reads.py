"""Which elements linalg.pack, unpack and softmax read.

Tiling dimension d by n takes i_d apart: `i_d = n * o_d + t_d` with `0 <= t_d < n`. The outer indices o stand
first, in the order of `outer_dims_perm`, then the inner ones t in that of `inner_dims_pos`. A 5 by 6 tensor
in tiles of 3 by 4 is one of 2x2x3x4: `packed[1, 1, 2, 1]` is `source[5, 5]`, after the last row, and
padding.
"""

from __future__ import annotations

import math

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.math import ExpOp
from xdsl.ir import SSAValue

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, NotAffine, constant, dim_of, loop, loops, value_of
from volcli.language.questions import SizeFact, demands, element_reads, size_facts
from volcli.language.reads import (
    Access,
    Alternative,
    Disjunction,
    ElementReads,
    copy,
    one_alternative,
    rank_of,
    whole,
)
from volcli_dialects.arith.bodies import EXACT, ScalarsBuilder, binary
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.linalg.relayout.ops import PackOp, RelayoutOp, SoftmaxOp, UnPackOp


@element_reads.case(PackOp)
def pack_reads(op: PackOp) -> list[ElementReads]:
    """`R[o, t] = S[n * o + t]` where that lies in S, else the padding value."""
    if op.result is None:
        return []
    whole, packed = rank_of(op.source), rank_of(op.dest)
    order, tiles = _layout(op, whole, packed)
    outer = [loop(order.index(d)) for d in range(whole)]
    index = [
        outer[d] * tiles[d][1] + loop(whole + tiles[d][0]) if d in tiles else outer[d] for d in range(whole)
    ]
    inside = Alternative(packed, loops(packed), copy(op.source, index), (Access(op.source, tuple(index)),))
    if op.padding_value is None:
        return [ElementReads((inside,))]
    return [ElementReads((inside, Alternative(packed, loops(packed), copy(op.padding_value, ()))))]


@element_reads.case(UnPackOp)
def unpack_reads(op: UnPackOp) -> list[ElementReads]:
    """`R[i] = S[o, t]` with `o_d = i_d floordiv n` and `t_d = i_d mod n` along the tiled dimensions."""
    if op.result is None:
        return []
    whole, packed = rank_of(op.dest), rank_of(op.source)
    order, tiles = _layout(op, whole, packed)
    outer = [loop(d) // tiles[d][1] if d in tiles else loop(d) for d in order]
    inner = [loop(d) % tile for d, (_, tile) in tiles.items()]
    return [one_alternative(whole, copy(op.source, [*outer, *inner]))]


@size_facts.case(PackOp, UnPackOp)
def inner_sizes(op: PackOp | UnPackOp) -> list[SizeFact]:
    """The last sizes of the packed tensor are those of a tile."""
    packed, whole = _packed_and_whole(op)
    first = rank_of(whole)
    try:
        _, tiles = _layout(op, first, rank_of(packed))
    except NotAffine:
        return []
    return [
        SizeFact(dim_of(packed, first + k), size, f"size {k} of the inner tiles")
        for k, size in tiles.values()
    ]


@demands.case(PackOp, UnPackOp)
def whole_tiles(op: PackOp | UnPackOp) -> list[Disjunction]:
    """There are as many tiles as the whole tensor needs: `n (o - 1) < size <= n o`."""
    packed, whole = _packed_and_whole(op)
    try:
        order, tiles = _layout(op, rank_of(whole), rank_of(packed))
    except NotAffine:
        return []
    found: list[Disjunction] = []
    for d, (_, tile) in tiles.items():
        size, count = dim_of(whole, d), dim_of(packed, order.index(d))
        found.append(((count * tile - size, size - (count - 1) * tile - 1),))
    return found


def _packed_and_whole(op: PackOp | UnPackOp) -> tuple[SSAValue, SSAValue]:
    return (op.dest, op.source) if isinstance(op, PackOp) else (op.source, op.dest)


def _layout(op: RelayoutOp, whole: int, packed: int) -> tuple[list[int], dict[int, tuple[int, Expression]]]:
    """The order of the outer dimensions, and for each tiled one the position of its tile and its size."""
    if not all(isinstance(each.type, TensorType) for each in op.operands[:2]):
        raise NotAffine("an operand that is not a tensor")
    dynamic = iter(op.operands[len(op.operands) - op.static_inner_tiles.get_values().count(DYNAMIC_INDEX) :])
    sizes = [
        value_of(next(dynamic)) if tile == DYNAMIC_INDEX else constant(tile)
        for tile in op.static_inner_tiles.get_values()
    ]
    positions = list(op.inner_dims_pos.get_values())
    order = list(op.outer_dims_perm.get_values()) if op.outer_dims_perm is not None else []
    order = order or list(range(whole))
    is_tiling = len(positions) == len(sizes) == len(set(positions)) == packed - whole
    if not is_tiling or sorted(order) != list(range(whole)) or not set(positions) <= set(range(whole)):
        raise NotAffine(f"the layout of {op.name} does not fit its operands")
    return order, {d: (k, size) for k, (d, size) in enumerate(zip(positions, sizes, strict=True))}


@define(SoftmaxOp, sizes=False)
def softmax(op: SoftmaxOp) -> TensorDefinition:
    """`R[i, k] = exp(x[i, k] - m) / s`, m being the maximum of x[i, k'] and s the sum of `exp(x[i, k'] - m)`.

    The body adds up s with the m of all points, which the second output holds.
    """
    rank, along = rank_of(op.input), op.dimension.value.data
    if not 0 <= along < rank or rank != rank_of(op.output) or not isinstance(op.input.type, TensorType):
        raise NotAffine("softmax along no dimension")
    own = whole(op.input)
    other = Access(op.input, tuple(loop(rank if d == along else d) for d in range(rank)))
    body = ScalarsBuilder((op.input, op.input, op.output, op.output))
    x, each, total, largest = body.arguments
    highest = binary("max", body, largest, each)
    left = binary("add", body, total, _exponential(body, each, highest))
    yields = binary("div", body, _exponential(body, x, highest), left)
    outputs = (
        DefinedOutput(loops(rank), yields, total, 0.0, left),
        DefinedOutput(loops(rank), highest, largest, -math.inf),
    )
    return TensorDefinition(rank + 1, body.block, {x: own, each: other}, outputs, (own, other))


def _exponential(body: ScalarsBuilder, x: SSAValue, highest: SSAValue) -> SSAValue:
    return body.apply(ExpOp, binary("sub", body, x, highest), properties=EXACT)
