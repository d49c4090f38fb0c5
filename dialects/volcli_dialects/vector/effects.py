"""Which elements of memory vector's operations read and write: the lanes of a vector, as masks allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import vector
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from volcli.language.expressions import ANY, Expression, NotAffine, constant, loop, loops, value_of
from volcli.language.memory import Effect, Effects, MemoryAccess, View, is_memref
from volcli.language.questions import accesses, effects, view
from volcli.language.reads import Conjunction, rank_of
from volcli_dialects.cases.memory.memory import (
    READ,
    WRITE,
    Accesses,
    anywhere,
    inner_rank,
    sizes_of,
    touch_nothing,
    vector_extents,
    window,
)
from volcli_dialects.vector.accesses import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    PrintOp,
    ScatterOp,
    StoreOp,
    TransferReadOp,
    TransferWriteOp,
)
from volcli_dialects.vector.reductions import ConstantMaskOp, MaskOp
from volcli_dialects.vector.shapes import TypeCastOp

_MASK = "a mask"

touch_nothing(TypeCastOp)


def _window(
    effect: Effect,
    base: SSAValue,
    indices: Sequence[SSAValue],
    lanes: SSAValue,
    where: Conjunction = (),
    partial: str | None = None,
) -> Accesses:
    """The elements of a buffer from INDICES on; none of a tensor."""
    if not is_memref(base):
        return ()
    return [window(effect, base, [value_of(i) for i in indices], lanes, where, partial)]


effects.case(PrintOp)(lambda op: Effects(prints=True))
# `base[indices + (0, .., 0, l)]` for all lanes l.
accesses.case(LoadOp)(lambda op: _window(READ, op.base, op.indices, op.result))
# `base[indices + (0, .., 0, l)]` for all lanes l.
accesses.case(StoreOp)(lambda op: _window(WRITE, op.base, op.indices, op.vector))


# -- masks ---------------------------------------------------------------------------------------------


def _set_lanes(mask: SSAValue, lanes: Sequence[Expression]) -> Conjunction | None:
    """When MASK is set at LANES: a mask that is made of sizes is set at the first ones of each dimension."""
    match mask.owner:
        case vector.CreateMaskOp() as made:
            sizes = [value_of(size) for size in made.mask_dim_sizes]
        case ConstantMaskOp() as made:
            sizes = [constant(size) for size in made.mask_dim_sizes.get_values()]
        case _:
            return None
    if len(sizes) != len(lanes):
        return None
    return tuple(size - 1 - lane for size, lane in zip(sizes, lanes, strict=True))


@accesses.case(vector.MaskedLoadOp)
def masked_load_accesses(op: vector.MaskedLoadOp) -> Accesses:
    """The lanes that are set."""
    accesses = _masked(READ, op.base, op.indices, op.result, op.mask)
    return [replace(each, otherwise=op.pass_thru) for each in accesses]


def _masked(
    effect: Effect, base: SSAValue, indices: Sequence[SSAValue], lanes: SSAValue, mask: SSAValue
) -> Accesses:
    known = _set_lanes(mask, loops(rank_of(mask)))
    return _window(effect, base, indices, lanes, known or (), _MASK if known is None else None)


def _by_data(effect: Effect, base: SSAValue, lanes: SSAValue) -> Accesses:
    """Of each lane an element of BASE: the indices are data, and may leave the row that they start in."""
    if not is_memref(base):
        return ()
    found = anywhere(effect, base, "indices that are data")
    try:
        return [replace(found, extents=vector_extents(lanes.type, rank_of(lanes)))]
    except NotAffine:
        return [found]


# The lanes that are set.
accesses.case(vector.MaskedStoreOp)(
    lambda op: _masked(WRITE, op.base, op.indices, op.value_to_store, op.mask)
)
# As many elements from INDICES on as lanes are set.
accesses.case(ExpandLoadOp)(lambda op: _window(READ, op.base, op.indices, op.result, partial=_MASK))
# As many elements from INDICES on as lanes are set.
accesses.case(CompressStoreOp)(
    lambda op: _window(WRITE, op.base, op.indices, op.value_to_store, partial=_MASK)
)
accesses.case(GatherOp)(lambda op: _by_data(READ, op.base, op.result))
accesses.case(ScatterOp)(lambda op: _by_data(WRITE, op.base, op.value_to_store))


# -- transfers -----------------------------------------------------------------------------------------


def _transfer(effect: Effect, op: TransferReadOp | TransferWriteOp, lanes: SSAValue) -> Accesses:
    """`base[i]` for all lanes l: `i = indices + sum of l_k along the dimension permutation(k)`.

    Along a broadcast dimension all lanes are one element. Lanes after the end of a dimension access nothing,
    where `in_bounds` does not promise that there are none: as it is lowered, a transfer has the mask
    `l < size - index`. That is set for lanes in front of the beginning, too, which are out of bounds:

        vector.transfer_write %v, %m[%c-2] : vector<4xf32>, memref<8xf32>       writes [-2], [-1], [0], [1]
    """
    if not isinstance(op.source.type, MemRefType):
        return ()
    kind = lanes.type
    assert isa(kind, VectorType[Attribute])
    outer = kind.get_num_dims() - inner_rank(op.source)
    results = op.permutation_map.data.results[:outer]
    varying = [(k, r.position) for k, r in enumerate(results) if isinstance(r, AffineDimExpr)]
    index: list[Expression] = [value_of(i) for i in op.indices]
    try:
        sizes = vector_extents(kind, outer)
    except NotAffine as why:
        moved = {d for _, d in varying}
        free = tuple(ANY if d in moved else i for d, i in enumerate(index))
        return [MemoryAccess(effect, op.source, free, partial=str(why))]
    inside: list[Expression] = []
    limits = sizes_of(op.source)
    for lane, (k, d) in enumerate(varying):
        index[d] = index[d] + loop(lane)
        if not op.in_bounds.data[k].value.data:
            inside.append(limits[d] - 1 - index[d])
    set_, partial = _transfer_mask(op, [d for _, d in varying])
    extents, every = tuple(sizes[k] for k, _ in varying), frozenset(range(len(varying)))
    where = (*inside, *set_)
    return [
        MemoryAccess(
            effect,
            op.source,
            tuple(index),
            extents,
            where,
            every,
            partial=partial,
            contiguous=bool(inside),
            lanes=lanes if outer == kind.get_num_dims() else None,
            along=tuple(k for k, _ in varying),
        )
    ]


def _transfer_mask(
    op: TransferReadOp | TransferWriteOp, dimensions: Sequence[int]
) -> tuple[Conjunction, str | None]:
    """When the lanes of a transfer along DIMENSIONS of the buffer are set: a mask has the buffer's order."""
    around = op.parent_op()
    masks = [op.mask] if op.mask is not None else []
    masks += [around.mask] if isinstance(around, MaskOp) else []
    order = sorted(range(len(dimensions)), key=lambda lane: dimensions[lane])
    lanes = [loop(lane) for lane in order] or [constant(0)]
    known = [_set_lanes(mask, lanes) for mask in masks]
    return tuple(e for each in known for e in each or ()), _MASK if None in known else None


accesses.case(TransferReadOp)(
    lambda op: [replace(each, otherwise=op.padding) for each in _transfer(READ, op, op.result)]
)
accesses.case(TransferWriteOp)(lambda op: _transfer(WRITE, op, op.vector))


# -- views ---------------------------------------------------------------------------------------------

# The only element, a vector, is all elements of the base.
view.case(TypeCastOp)(lambda op: View(op.memref, loops(rank_of(op.memref)), tuple(sizes_of(op.memref))))
