"""Which elements of memory vector's operations read and write: the lanes of a vector, as masks allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from xdsl.dialects import vector
from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from volcli.language.expressions import ANY, Expression, NotAffine, constant, loop, loops, value_of
from volcli.language.memory import Effect, Effects, MemoryAccess, View, is_memref
from volcli.language.programs.element_numbers import number_of
from volcli.language.questions import accesses, effects, view
from volcli.language.reads import Conjunction, rank_of
from volcli_dialects.cases.elements.known import known_elements
from volcli_dialects.cases.memory.memory import (
    READ,
    WRITE,
    Accesses,
    anywhere,
    inner_rank,
    shifted,
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
from volcli_dialects.vector.lanes import runs, set_lanes, set_places
from volcli_dialects.vector.reductions import MaskOp
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


@accesses.case(vector.MaskedLoadOp)
def masked_load_accesses(op: vector.MaskedLoadOp) -> Accesses:
    """The lanes that are set."""
    accesses = _masked(READ, op.base, op.indices, op.result, op.mask)
    return [replace(each, otherwise=op.pass_thru) for each in accesses]


def _masked(
    effect: Effect, base: SSAValue, indices: Sequence[SSAValue], lanes: SSAValue, mask: SSAValue
) -> Accesses:
    known = set_lanes(mask, loops(rank_of(mask)))
    if known is None:
        return _window(effect, base, indices, lanes, partial=_MASK)
    return [each for where in known for each in _window(effect, base, indices, lanes, where)]


def _packed(
    effect: Effect, base: SSAValue, indices: Sequence[SSAValue], lanes: SSAValue, mask: SSAValue
) -> Accesses:
    """As many elements from INDICES on as lanes are set: the k-th one that is set has the k-th element."""
    places = set_places(mask)
    numbers = {at: number for number, at in enumerate(places or ())}
    found = None if places is None else runs(numbers, mask, loops(rank_of(mask)))
    if found is None:
        return _window(effect, base, indices, lanes, partial=_MASK)
    return _in_cases(effect, base, indices, lanes, found)


def _in_cases(
    effect: Effect,
    base: SSAValue,
    indices: Sequence[SSAValue],
    lanes: SSAValue,
    cases: Sequence[tuple[Conjunction, Expression | int]],
) -> Accesses:
    """The elements from INDICES on, in each of CASES so much further along the last dimension, in order."""
    found: list[MemoryAccess] = []
    for where, further in cases:
        for each in _window(effect, base, indices, lanes, where):
            *before, last = each.index
            moved = (*before, shifted(last, constant(0) + further))
            found.append(replace(each, index=moved, parallel=frozenset()))
    return found


def _selected(op: GatherOp | ScatterOp, effect: Effect, lanes: SSAValue) -> Accesses:
    """Of each lane that is set the element that is so far from OFFSETS as its index says.

    Of equal indices the last one stays. Indices that are not known are data, and may leave the row that they
    start in.
    """
    if not is_memref(op.base):
        return ()
    found = (
        None if isinstance(op.parent_op(), MaskOp) or rank_of(lanes) != 1 else _by_numbers(op, effect, lanes)
    )
    if found is not None:
        return found
    anything = anywhere(effect, op.base, "indices that are data")
    try:
        return [replace(anything, extents=vector_extents(lanes.type, rank_of(lanes)))]
    except NotAffine:
        return [anything]


def _by_numbers(op: GatherOp | ScatterOp, effect: Effect, lanes: SSAValue) -> Accesses | None:
    """The elements by indices that are a function of the lane, or known one by one; None if they are not."""
    if inner_rank(op.base) or not op.offsets:
        return None
    own, number = loops(1), number_of(op.indices)
    set_ = None if number is None else set_lanes(op.mask, own)
    found: Sequence[tuple[Conjunction, Expression | int]] | None = None
    if number is not None and set_ is not None:
        found = [(where, number - own[0]) for where in set_]
    else:
        places, each = set_places(op.mask), known_elements(op.indices)
        if places is not None and each is not None:
            found = runs({at: each[at] for at in places}, op.mask, own)
    return None if found is None else _in_cases(effect, op.base, op.offsets, lanes, found)


# The lanes that are set.
accesses.case(vector.MaskedStoreOp)(
    lambda op: _masked(WRITE, op.base, op.indices, op.value_to_store, op.mask)
)


@accesses.case(ExpandLoadOp)
def expand_load_accesses(op: ExpandLoadOp) -> Accesses:
    """As many elements as lanes are set."""
    found = _packed(READ, op.base, op.indices, op.result, op.mask)
    return [replace(each, otherwise=op.pass_thru) for each in found]


accesses.case(CompressStoreOp)(lambda op: _packed(WRITE, op.base, op.indices, op.value_to_store, op.mask))


@accesses.case(GatherOp)
def gather_accesses(op: GatherOp) -> Accesses:
    """An element of each lane that is set."""
    return [replace(each, otherwise=op.pass_thru) for each in _selected(op, READ, op.result)]


accesses.case(ScatterOp)(lambda op: _selected(op, WRITE, op.value_to_store))


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
    cases, partial = _transfer_mask(op, [d for _, d in varying])
    extents, every = tuple(sizes[k] for k, _ in varying), frozenset(range(len(varying)))
    return [
        MemoryAccess(
            effect,
            op.source,
            tuple(index),
            extents,
            (*inside, *set_),
            every,
            partial=partial,
            contiguous=bool(inside),
            lanes=lanes if outer == kind.get_num_dims() else None,
            along=tuple(k for k, _ in varying),
        )
        for set_ in cases
    ]


def _transfer_mask(
    op: TransferReadOp | TransferWriteOp, dimensions: Sequence[int]
) -> tuple[list[Conjunction], str | None]:
    """When the lanes of a transfer along DIMENSIONS of the buffer are set: a mask has the buffer's order."""
    around = op.parent_op()
    masks = [op.mask] if op.mask is not None else []
    masks += [around.mask] if isinstance(around, MaskOp) else []
    order = sorted(range(len(dimensions)), key=lambda lane: dimensions[lane])
    lanes = [loop(lane) for lane in order] or [constant(0)]
    known = [set_lanes(mask, lanes) for mask in masks]
    cases = [tuple(e for each in one for e in each) for one in product(*(each or [()] for each in known))]
    return cases, _MASK if None in known else None


accesses.case(TransferReadOp)(
    lambda op: [replace(each, otherwise=op.padding) for each in _transfer(READ, op, op.result)]
)
accesses.case(TransferWriteOp)(lambda op: _transfer(WRITE, op, op.vector))


# -- views ---------------------------------------------------------------------------------------------

# The only element, a vector, is all elements of the base.
view.case(TypeCastOp)(lambda op: View(op.memref, loops(rank_of(op.memref)), tuple(sizes_of(op.memref))))
