"""How operations of vector execute that access memory or tensors lane by lane, as masks and bounds allow.

Each of them is, for every lane l of a vector, the index that l accesses in each dimension, and whether it
accesses anything: a lane that is masked off, or that a transfer pads, touches nothing, wherever it is. A lane
that does access an element must be in bounds, or the behavior is undefined. For

    vector.transfer_read %m[%i], %pad : memref<8xf32>, vector<4xf32>        with i = 6

the lanes access 6, 7, 8, 9, of which the last two are behind the end: they are the padding. Lanes in front of
the beginning are out of bounds: the mask that a transfer is lowered to is `l < size - index`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr

from volcli.execution.elements.elementwise import number, packed
from volcli.execution.elements.operands import Split, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.lanes import Lanes, chosen, read_lanes, set_lanes, write_lanes
from volcli.execution.tensors.structured import shape_of
from volcli_dialects.vector.accesses import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    ScatterOp,
    TransferReadOp,
    TransferWriteOp,
)
from volcli_dialects.vector.reductions import MaskOp


def mask_around(op: Operation) -> Callable[[Machine], Array | None]:
    """The lanes that a vector.mask around OP sets; None: there is no mask, and all take part."""
    if isinstance(op.parent_op(), MaskOp):
        return lambda machine: set_lanes(op, machine.masks[-1])
    return lambda machine: None


def _shape(op: Operation, lanes: Any) -> tuple[int, ...]:
    """The sizes of a vector. Raises Unsupported if the elements of a tensor are vectors."""
    for operand in op.operands:
        kind = operand.type
        if isinstance(kind, ShapedType) and isinstance(cast(Any, kind).get_element_type(), ShapedType):
            raise Unsupported(op, "tensors of vectors are not executed")
    return tuple(lanes.type.get_shape())


# -- transfers -------------------------------------------------------------------------------------------


class _Transfer:
    """The lanes of a transfer: `indices[d] + l[k]` where dimension k of the vector moves along d."""

    def __init__(self, op: TransferReadOp | TransferWriteOp, lanes: Any) -> None:
        self._op = op
        self.shape = _shape(op, lanes)
        results = op.permutation_map.data.results
        self._moved = {k: r.position for k, r in enumerate(results) if isinstance(r, AffineDimExpr)}
        self._promised = [bool(each.value.data) for each in op.in_bounds]
        self._mask_around = mask_around(op)

    def lanes(
        self, machine: Machine, sizes: Sequence[int], indices: Sequence[Any], mask: Sequence[Tensor]
    ) -> Lanes:
        """Which element each lane accesses of what has these SIZES."""
        grid = np.indices(self.shape)
        places = [np.full(self.shape, i) for i in numbers(self._op, indices, "an index")]
        active = np.ones(self.shape, np.bool_)
        for k, d in self._moved.items():
            places[d] = places[d] + grid[k]
            if not self._promised[k]:
                active &= places[d] < sizes[d]
        around = self._mask_around(machine)
        masks = [set_lanes(self._op, each) for each in mask] + ([] if around is None else [around])
        for each in masks:
            active &= self._permuted(each)
        return Lanes(tuple(places), active)

    def _permuted(self, mask: Array) -> Array:
        """MASK, whose dimensions are in the order of the memory, in that of the vector, and broadcast."""
        order = sorted(self._moved, key=lambda k: self._moved[k])
        if not order:
            return np.broadcast_to(mask.reshape(()), self.shape)
        sizes = [n if k in self._moved else 1 for k, n in enumerate(self.shape)]
        rank = sorted(range(len(order)), key=lambda j: order[j])
        return np.broadcast_to(mask.transpose(rank).reshape(sizes), self.shape)


@executions.case(TransferReadOp)
def transfer_read(op: TransferReadOp) -> Perform:
    """The elements from the indices on, permuted and broadcast; else, and where masked, the padding."""
    transfer, dtype = _Transfer(op, op.result), format_of(op.result.type).dtype
    split = Split((op.source,), op.indices, (op.padding,), () if op.mask is None else (op.mask,))

    def perform(machine: Machine, *operands: Any) -> Tensor:
        (source,), indices, (padding,), mask = split(operands)
        lanes = transfer.lanes(machine, shape_of(source), indices, mask)
        return read_lanes(op, machine, source, lanes, packed([padding], (), dtype))

    return perform


@executions.case(TransferWriteOp)
def transfer_write(op: TransferWriteOp) -> Perform:
    """Write the elements from the indices on, but those behind the end, and those that are masked."""
    transfer = _Transfer(op, op.vector)
    split = Split((op.vector,), (op.source,), op.indices, () if op.mask is None else (op.mask,))

    def perform(machine: Machine, *operands: Any) -> Tensor | None:
        (value,), (target,), indices, mask = split(operands)
        lanes = transfer.lanes(machine, shape_of(target), indices, mask)
        return write_lanes(op, machine, value, target, lanes)

    return perform


# -- masked loads and stores -----------------------------------------------------------------------------


def _first_places(op: Operation, shape: Sequence[int], indices: Sequence[Any]) -> list[Array]:
    """INDICES for each lane of a vector of SHAPE. Raises Unsupported for memory of rank 0."""
    if not indices:
        raise Unsupported(op, "a vector in memory of rank 0 is not executed")
    return [np.full(tuple(shape), i) for i in numbers(op, indices, "an index")]


def _in_a_row(op: Operation, indices: Sequence[Any], mask: Tensor) -> Lanes:
    """Lane (i, j) accesses (.., a + i, b + j) from the indices (.., a, b) on, where MASK is set."""
    shape = mask.shape
    places = _first_places(op, shape, indices)
    leading = len(places) - len(shape)
    for k, steps in enumerate(np.indices(tuple(shape))):
        places[leading + k] = places[leading + k] + steps
    return Lanes(tuple(places), set_lanes(op, mask))


def _packed_in_a_row(op: Operation, indices: Sequence[Any], mask: Tensor) -> Lanes:
    """The k-th lane that MASK sets accesses the k-th element from the indices on."""
    active = set_lanes(op, mask)
    places = _first_places(op, active.shape, indices)
    places[-1] = places[-1] + np.cumsum(active) - 1
    return Lanes(tuple(places), active)


_Placed = Callable[[Operation, Sequence[Any], Tensor], Lanes]
"""Of an operation, its indices and its mask: what the lanes access."""


def _loaded(places: _Placed) -> Callable[[vector.MaskedLoadOp | ExpandLoadOp], Perform]:
    def load(op: vector.MaskedLoadOp | ExpandLoadOp) -> Perform:
        _shape(op, op.result)

        def perform(machine: Machine, base: Any, *rest: Any) -> Tensor:
            *indices, mask, otherwise = rest
            return read_lanes(op, machine, base, places(op, indices, mask), otherwise)

        return perform

    return load


def _stored(places: _Placed) -> Callable[[vector.MaskedStoreOp | CompressStoreOp], Perform]:
    def store(op: vector.MaskedStoreOp | CompressStoreOp) -> Perform:
        _shape(op, op.value_to_store)

        def perform(machine: Machine, base: Any, *rest: Any) -> None:
            *indices, mask, value = rest
            write_lanes(op, machine, value, base, places(op, indices, mask))

        return perform

    return store


# `base[i + l]` where the mask is set, else `pass_thru[l]`; and `base[i + l] = value[l]`.
executions.case(vector.MaskedLoadOp)(_loaded(_in_a_row))
executions.case(vector.MaskedStoreOp)(_stored(_in_a_row))
# The same of the elements from the indices on, in order, and the lanes that are set.
executions.case(ExpandLoadOp)(_loaded(_packed_in_a_row))
executions.case(CompressStoreOp)(_stored(_packed_in_a_row))


# -- gather and scatter ----------------------------------------------------------------------------------


def _gathered(op: Operation, base: Any, offsets: Sequence[Any], indices: Tensor, active: Array) -> Lanes:
    """Lane l accesses `base[.., offset + indices[l]]`.

    Raises Unsupported where that leaves the row of a memref but not its memory, of which MLIR says nothing.
    """
    steps = np.zeros(indices.shape, np.int64)
    for at in zip(*np.nonzero(np.atleast_1d(active)), strict=True):
        at = at if active.shape else ()
        steps[at] = number(op, indices.element(tuple(map(int, at))), "an index")
    places = _first_places(op, indices.shape, offsets)
    places[-1] = places[-1] + steps
    sizes = shape_of(base)
    outside = active & ((places[-1] < 0) | (places[-1] >= sizes[-1]))
    if outside.any() and not isinstance(base, Tensor):
        strides = base.strides
        at = base.offset + sum(p * s for p, s in zip(places, strides, strict=True))
        if bool(((at >= 0) & (at < base.allocation.data.size))[outside].all()):
            raise Unsupported(op, "a lane leaves its row, but not the memory")
    return Lanes(tuple(places), active)


def _both_masks(op: Operation, machine: Machine, around: Array | None, mask: Tensor) -> Array:
    active = set_lanes(op, mask)
    return active if around is None else active & around


@executions.case(GatherOp)
def gather(op: GatherOp) -> Perform:
    """`base[i + indices[l]]` where the mask is set, else `pass_thru[l]`."""
    _shape(op, op.result)
    around = mask_around(op)

    def perform(machine: Machine, base: Any, *rest: Any) -> Tensor:
        *offsets, indices, mask, otherwise = rest
        active = _both_masks(op, machine, around(machine), mask)
        return read_lanes(op, machine, base, _gathered(op, base, offsets, indices, active), otherwise)

    return perform


@executions.case(ScatterOp)
def scatter(op: ScatterOp) -> Perform:
    """`base[i + indices[l]] = value[l]` where the mask is set, the first lane first."""
    _shape(op, op.value_to_store)
    around = mask_around(op)

    def perform(machine: Machine, base: Any, *rest: Any) -> Tensor | None:
        *offsets, indices, mask, value = rest
        active = _both_masks(op, machine, around(machine), mask)
        return write_lanes(op, machine, value, base, _gathered(op, base, offsets, indices, active))

    return perform


@executions.case(MaskOp)
def mask_op(op: MaskOp) -> Perform:
    """The operation in the region for the lanes that are set; the others are those of the second operand."""
    has_others = op.passthru is not None

    def perform(machine: Machine, body: Callable[[], Sequence[Any]], mask: Tensor, *others: Tensor) -> Any:
        machine.masks.append(mask)
        try:
            found = list(body())
        finally:
            machine.masks.pop()
        if has_others:
            inner = op.mask_region.block.first_op
            if isinstance(inner, TransferReadOp) and not inner.permutation_map.data.is_minor_identity():
                raise Unsupported(op, "other values for a transfer that permutes are not executed")
            found = [_chosen(op, mask, each, others[0]) for each in found]
        return found

    return perform


def _chosen(op: Operation, mask: Tensor, found: Any, otherwise: Tensor) -> Tensor:
    active = set_lanes(op, mask)
    if not isinstance(found, Tensor) or found.shape != active.shape:
        raise Unsupported(op, "other values for what has another shape than the mask are not executed")
    return chosen(active, found, otherwise)
