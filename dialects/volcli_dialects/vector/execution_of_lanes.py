"""How operations of vector execute that combine lanes, or move some of them, memory and tensors included."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import vector
from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr

from volcli.execution import floats, integers
from volcli.execution.blocks import folded
from volcli.execution.elementwise import flat_values, packed
from volcli.execution.formats import format_of
from volcli.execution.machine import Machine
from volcli.execution.memory import MemoryView, out_of_bounds
from volcli.execution.operands import Split, numbers
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, Scalar, executions, scalars
from volcli.execution.values import Tensor, alike
from volcli_dialects.vector.reductions import MultiDimReductionOp
from volcli_dialects.vector.shapes import (
    DeinterleaveOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    InterleaveOp,
)


@scalars.case(vector.FMAOp)
def fma(op: vector.FMAOp) -> Scalar:
    """a * b + c of each lane, rounded once."""
    rounded: Any = np.dtype(format_of(op.res.type).dtype).type
    return Scalar(lambda a, b, c: floats.rounded_once(+a, +b, +c, rounded))


# -- lanes that move -------------------------------------------------------------------------------------


def _gathered(source: Sequence[Tensor], move: Callable[..., Any]) -> Tensor:
    """What MOVE makes of the elements of SOURCE, and of their states."""
    data = move(*alike(*[each.data for each in source]))
    return source[0].moved(data, move(*[each.known_states() for each in source]))


@executions.case(InterleaveOp)
def interleave(op: InterleaveOp) -> Perform:
    """a0 b0 a1 b1 ... in the last dimension."""

    def merged(a: Any, b: Any) -> Any:
        return np.stack([a, b], axis=-1).reshape([*a.shape[:-1], 2 * a.shape[-1]])

    return lambda machine, a, b: _gathered([a, b], merged)


@executions.case(DeinterleaveOp)
def deinterleave(op: DeinterleaveOp) -> Perform:
    """The even and the odd elements of the last dimension."""
    return lambda machine, source: [_gathered([source], lambda data, k=k: data[..., k::2]) for k in (0, 1)]


@executions.case(vector.ShuffleOp)
def shuffle(op: vector.ShuffleOp) -> Perform:
    """Rows of both operands, numbered one after the other. A poison index, -1, makes no number."""
    order = [int(k) for k in op.mask.get_values()]
    if any(k < 0 for k in order):
        raise Unsupported(op, "a shuffle with poison is not executed")
    return lambda machine, a, b: _gathered(
        [a, b], lambda *parts: np.concatenate([np.atleast_1d(part) for part in parts])[order]
    )


def _numbers(attribute: Any) -> list[int]:
    return [int(each.value.data) for each in attribute.data]


@executions.case(ExtractStridedSliceOp)
def extract_strided_slice(op: ExtractStridedSliceOp) -> Perform:
    """Every `stride`-th element from an offset on, of the first dimensions; all of the others."""
    parts = zip(_numbers(op.offsets), _numbers(op.sizes), _numbers(op.strides), strict=True)
    at = tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in parts)
    return lambda machine, source: _gathered([source], lambda data: data[at])


@executions.case(InsertStridedSliceOp)
def insert_strided_slice(op: InsertStridedSliceOp) -> Perform:
    """The second operand with the first one in the place of such a slice."""
    offsets, strides = _numbers(op.offsets), _numbers(op.strides)

    def perform(machine: Machine, part: Tensor, whole: Tensor) -> Tensor:
        leading = len(offsets) - len(part.shape)
        steps = [*(1,) * leading, *strides]
        sizes = [*(1,) * leading, *part.shape]
        at = tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, steps, strict=True))

        def replaced(new: Any, old: Any) -> Any:
            found = np.array(old)
            found[at] = new.reshape(found[at].shape)
            return found

        return _gathered([part, whole], replaced)

    return perform


# -- reductions ------------------------------------------------------------------------------------------


def combining(op: Operation, name: str) -> Scalar:
    """A kind of reduction: `add`, `minsi`, `maxnumf`."""
    format = format_of(op.operands[0].type)
    if name.endswith(("ui", "si")):
        make = integers.with_sign if name.endswith("si") else integers.without_sign
        return make(op, name[:-2], format)
    if name.endswith("f"):
        return floats.extremum(name[:-1])
    return floats.arithmetic(name) if format.kind == "float" else integers.alike(op, name, format)


@executions.case(vector.ReductionOp)
def reduction(op: vector.ReductionOp) -> Perform:
    """The start, if there is one, and all lanes in order, combined."""
    scalar, dtype = combining(op, str(op.kind.data)), format_of(op.dest.type).dtype

    def perform(machine: Machine, source: Tensor, *start: Any) -> Any:
        first = packed(start, (1,), dtype) if start else None
        return flat_values(folded(machine, op, scalar, first, source, [0]))[0]

    return perform


@executions.case(MultiDimReductionOp)
def multi_reduction(op: MultiDimReductionOp) -> Perform:
    """The start and the elements along some dimensions, in row-major order, combined."""
    scalar, dtype = combining(op, str(op.kind.data)), format_of(op.dest.type).dtype
    axes = [int(axis) for axis in op.reduction_dims.get_values()]

    def perform(machine: Machine, source: Tensor, start: Any) -> Any:
        shape = [1 if axis in axes else size for axis, size in enumerate(source.shape)]
        first = start if isinstance(start, Tensor) else packed([start], (), dtype)
        found = folded(machine, op, scalar, _gathered([first], lambda a: a.reshape(shape)), source, axes)
        if not isinstance(start, Tensor):
            return flat_values(found)[0]
        return _gathered([found], lambda data: data.reshape(start.shape))

    return perform


# -- transfers -------------------------------------------------------------------------------------------


class _Window:
    """The elements of memory or a tensor that the lanes of a transfer OP are: by the map, or padding."""

    def __init__(self, op: vector.TransferReadOp | vector.TransferWriteOp) -> None:
        self._op = op
        self._dims = [
            each.position if isinstance(each, AffineDimExpr) else None
            for each in op.permutation_map.data.results
        ]
        self._promised = [bool(each.value.data) for each in op.in_bounds]
        rank = op.permutation_map.data.num_dims
        is_plain = self._dims == list(range(rank - len(self._dims), rank))
        if op.mask is not None and not is_plain:
            raise Unsupported(op, "a mask of a transfer that permutes dimensions is not executed")

    def places(
        self, sizes: Sequence[int], first: Sequence[int], shape: Sequence[int], mask: Tensor | None
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Each lane with an element, and where that is; masked lanes, and those beyond the end, have none.

        Raises Undefined before the beginning, beyond the end where that is promised not to be, and for masks
        that are not known.
        """
        for lane in np.ndindex(tuple(shape)):
            if mask is not None and not numbers(self._op, [mask.element(lane)], "a mask")[0]:
                continue
            at = list(first)
            for k, dim in zip(lane, self._dims, strict=True):
                if dim is not None:
                    at[dim] += k
            promised = {d for d, is_promised in zip(self._dims, self._promised, strict=True) if is_promised}
            free = [d for d in self._dims if d is not None and d not in promised]
            if any(0 <= at[d] >= sizes[d] for d in free):
                continue
            if any(not 0 <= i < n for i, n in zip(at, sizes, strict=True)):
                raise out_of_bounds(self._op, at, sizes)
            yield lane, tuple(at)


def _sizes(source: Tensor | MemoryView) -> tuple[int, ...]:
    return source.sizes if isinstance(source, MemoryView) else source.shape


@executions.case(vector.TransferReadOp)
def transfer_read(op: vector.TransferReadOp) -> Perform:
    """The elements from the indices on; padding beyond the end, and where the mask is not set."""
    window, split = _Window(op), Split((op.source,), op.indices, (op.padding,), (op.mask,) if op.mask else ())
    shape, dtype = tuple(op.result.type.get_shape()), format_of(op.result.type).dtype

    def perform(machine: Machine, *operands: Any) -> Tensor:
        (source,), indices, (padding,), masks = split(operands)
        values = dict.fromkeys(np.ndindex(shape), padding)
        mask = masks[0] if masks else None
        for lane, at in window.places(_sizes(source), numbers(op, indices, "an index"), shape, mask):
            is_memory = isinstance(source, MemoryView)
            values[lane] = source.load(op, at, machine.watch) if is_memory else source.element(at)
        return packed(list(values.values()), shape, dtype)

    return perform


@executions.case(vector.TransferWriteOp)
def transfer_write(op: vector.TransferWriteOp) -> Perform:
    """Write the lanes from the indices on, but those beyond the end and those that the mask leaves out."""
    window, split = _Window(op), Split((op.vector,), (op.source,), op.indices, (op.mask,) if op.mask else ())

    def perform(machine: Machine, *operands: Any) -> Any:
        (lanes,), (target,), indices, masks = split(operands)
        mask = masks[0] if masks else None
        places = window.places(_sizes(target), numbers(op, indices, "an index"), lanes.shape, mask)
        if isinstance(target, MemoryView):
            for lane, at in places:
                target.store(op, lanes.element(lane), at, machine.watch)
            return None
        found = list(places)

        def replaced(new: Any, old: Any) -> Any:
            made = np.array(old)
            for lane, at in found:
                made[at] = new[lane]
            return made

        return _gathered([lanes, target], replaced)

    return perform


@executions.case(vector.MaskedLoadOp)
def masked_load(op: vector.MaskedLoadOp) -> Perform:
    """The elements from the indices on where the mask is set, of a third operand elsewhere."""
    split = Split((op.base,), op.indices, (op.mask,), (op.pass_thru,))
    dtype = format_of(op.result.type).dtype

    def perform(machine: Machine, *operands: Any) -> Tensor:
        (view,), indices, (mask,), (other,) = split(operands)
        *row, first = numbers(op, indices, "an index")
        is_set = numbers(op, flat_values(mask), "a mask")
        values = [
            view.load(op, (*row, first + k), machine.watch) if taken else value
            for k, (taken, value) in enumerate(zip(is_set, flat_values(other), strict=True))
        ]
        return packed(values, other.shape, dtype)

    return perform


@executions.case(vector.MaskedStoreOp)
def masked_store(op: vector.MaskedStoreOp) -> Perform:
    """Write the lanes whose mask is set from the indices on."""
    split = Split((op.base,), op.indices, (op.mask,), (op.value_to_store,))

    def perform(machine: Machine, *operands: Any) -> None:
        (view,), indices, (mask,), (lanes,) = split(operands)
        *row, first = numbers(op, indices, "an index")
        for k, value in enumerate(flat_values(lanes)):
            if numbers(op, [mask.element((k,))], "a mask")[0]:
                view.store(op, value, (*row, first + k), machine.watch)

    return perform
