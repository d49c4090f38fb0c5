"""How the operations of memref execute that give a memref another form, and globals."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    MemRefType,
    UnitAttr,
)
from xdsl.traits import SymbolTable

from volcli.execution.elements.constants import elements_of
from volcli.execution.elements.elementwise import number
from volcli.execution.elements.operands import Split, function_of, mixed, numbers
from volcli.execution.memory.bytes_as import viewed
from volcli.execution.memory.lifetimes import free
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import AllocatedMemory, MemoryView, row_major, whole
from volcli.execution.memory.views import allocate, cast_view, check_sizes, inside, slice_in_bounds
from volcli.execution.numbers.formats import format_of, lanes_of
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, executions, on_vectors_in_memory, performs
from volcli.execution.tensors.reshaping import collapsed_groups, expanded_sizes
from volcli.execution.tensors.slices import kept_dimensions
from volcli.execution.walking.walked import PartOf, amounts, walked
from volcli_dialects.memref import globals, views

on_vectors_in_memory.case(views.CastOp, memref.DimOp, memref.RankOp, memref.SubviewOp)(lambda op: True)


@performs(views.DistinctObjectsOp)
def distinct_objects(op: views.DistinctObjectsOp, machine: Machine, *found: MemoryView) -> Any:
    """The memrefs, which share no memory."""
    if len({id(view.allocation) for view in found}) < len(found):
        raise Undefined(op, Defect.CONTRACT, "memrefs that are said to be distinct share memory")
    return found[0] if len(found) == 1 else found


@executions.case(memref.DimOp)
def dim(op: memref.DimOp) -> Perform:
    """A size."""
    lanes = len(lanes_of(op.source.type))

    def perform(machine: Machine, view: MemoryView, dimension: Any) -> Any:
        at, rank = number(op, dimension, "the dimension"), len(view.sizes) - lanes
        if not 0 <= at < rank:
            raise Undefined(op, Defect.BOUNDS, f"dimension {at} of a memref of rank {rank}")
        return view.sizes[at]

    return perform


@executions.case(memref.RankOp)
def rank(op: memref.RankOp) -> Perform:
    """How many dimensions there are."""
    lanes = len(lanes_of(op.source.type))
    return lambda machine, view: len(view.sizes) - lanes


@executions.case(memref.SubviewOp)
def subview(op: memref.SubviewOp) -> Perform:
    """Every `stride`-th element from an offset on, in each dimension."""
    parts = (
        mixed(op, op.static_offsets, "an offset"),
        mixed(op, op.static_sizes, "a size"),
        mixed(op, op.static_strides, "a stride"),
    )
    split = Split(op.offsets, op.sizes, op.strides)
    kept = kept_dimensions(op.static_sizes.get_values(), cast("MemRefType[Any]", op.result.type).get_shape())
    lanes = lanes_of(op.source.type)
    kept += range(len(op.static_sizes.get_values()), len(op.static_sizes.get_values()) + len(lanes))

    def perform(machine: Machine, view: MemoryView, *operands: Any) -> MemoryView:
        lists = [part(each) for part, each in zip(parts, split(operands), strict=True)]
        for each, whole_lanes in zip(lists, ((0,) * len(lanes), lanes, (1,) * len(lanes)), strict=True):
            each += whole_lanes
        offsets, sizes, steps = lists
        slice_in_bounds(op, view.sizes, offsets, sizes, steps)
        start = view.offset + sum(o * s for o, s in zip(offsets, view.strides, strict=True))
        strides = [a * b for a, b in zip(steps, view.strides, strict=True)]
        found = MemoryView(
            view.allocation, start, tuple(sizes[d] for d in kept), tuple(strides[d] for d in kept)
        )
        check_sizes(op, op.result.type, found.sizes, "a subview")
        return found

    return perform


@walked.case(memref.SubviewOp)
def part(op: memref.SubviewOp) -> PartOf:
    """The same elements."""
    static = [each.get_values() for each in (op.static_offsets, op.static_sizes, op.static_strides)]
    groups = zip(static, (op.offsets, op.sizes, op.strides), strict=True)
    offsets, sizes, strides = (amounts(known, dynamic) for known, dynamic in groups)
    kept = kept_dimensions(static[1], cast("MemRefType[Any]", op.result.type).get_shape())
    return PartOf(op.source, offsets, sizes, strides, tuple(kept))


@executions.case(memref.ViewOp)
def view_of_bytes(op: memref.ViewOp) -> Perform:
    """Numbers in place of bytes."""
    kind = cast("MemRefType[Any]", op.result.type)
    format = format_of(kind)

    def perform(machine: Machine, source: MemoryView, shift: Any, *dynamic: Any) -> MemoryView:
        rest = iter(numbers(op, dynamic, "a size"))
        sizes = [next(rest) if size == DYNAMIC_INDEX else size for size in kind.get_shape()]
        return viewed(op, source, number(op, shift, "the first byte"), sizes, format)

    return perform


@executions.case(memref.ReinterpretCastOp)
def reinterpret_cast(op: memref.ReinterpretCastOp) -> Perform:
    """The memory at another offset, with other sizes and strides."""
    parts = (
        mixed(op, op.static_offsets, "an offset"),
        mixed(op, op.static_sizes, "a size"),
        mixed(op, op.static_strides, "a stride"),
    )
    split = Split(op.offsets, op.sizes, op.strides)

    def perform(machine: Machine, view: MemoryView, *operands: Any) -> MemoryView:
        (offset,), sizes, strides = (part(each) for part, each in zip(parts, split(operands), strict=True))
        return inside(op, MemoryView(view.allocation, offset, tuple(sizes), tuple(strides)), "a memref")

    return perform


@executions.case(memref.CollapseShapeOp)
def collapse_shape(op: memref.CollapseShapeOp) -> Perform:
    """Groups of dimensions as one each."""
    groups = collapsed_groups(op.reassociation)

    def perform(machine: Machine, view: MemoryView) -> MemoryView:
        sizes = tuple(math.prod(view.sizes[d] for d in group) for group in groups)
        strides: list[int] = []
        for group in groups:
            several = [d for d in group if view.sizes[d] != 1]
            strides.append(
                view.strides[several[-1]] if several else (view.strides[group[-1]] if group else 1)
            )
            for one, other in itertools.pairwise(several):
                if view.strides[one] != view.sizes[other] * view.strides[other] and math.prod(sizes):
                    raise Undefined(
                        op, Defect.CONTRACT, "dimensions are collapsed that do not lie row by row"
                    )
        return cast_view(op, MemoryView(view.allocation, view.offset, sizes, tuple(strides)), op.result.type)

    return perform


@executions.case(memref.ExpandShapeOp)
def expand_shape(op: memref.ExpandShapeOp) -> Perform:
    """Dimensions as a group of several each."""
    groups, sizes_of = collapsed_groups(op.reassociation), mixed(op, op.static_output_shape, "a size")

    def perform(machine: Machine, view: MemoryView, *operands: Any) -> MemoryView:
        sizes = expanded_sizes(op, view.sizes, groups, sizes_of(operands))
        strides = [1] * len(sizes)
        for group, stride in zip(groups, view.strides, strict=True):
            for dimension, within in zip(group, row_major([sizes[d] for d in group]), strict=True):
                strides[dimension] = stride * within
        return cast_view(
            op, MemoryView(view.allocation, view.offset, tuple(sizes), tuple(strides)), op.result.type
        )

    return perform


@executions.case(views.TransposeOp)
def transpose(op: views.TransposeOp) -> Perform:
    """The dimensions in another order."""
    order = function_of(op, op.permutation.data)

    def perform(machine: Machine, view: MemoryView) -> MemoryView:
        return MemoryView(view.allocation, view.offset, tuple(order(view.sizes)), tuple(order(view.strides)))

    return perform


@performs(views.ReshapeOp)
def reshape(op: views.ReshapeOp, machine: Machine, view: MemoryView, shape: MemoryView) -> MemoryView:
    """The elements, which lie row by row, with sizes that are in memory."""
    sizes = [number(op, shape.load(op, (k,), machine.watch), "a size") for k in range(shape.sizes[0])]
    if math.prod(sizes) != view.count or any(size < 0 for size in sizes):
        text = f"memory of the sizes {list(view.sizes)} is reshaped to {sizes}"
        raise Undefined(op, Defect.CONTRACT, text)
    if view.strides != row_major(view.sizes) and view.count > 1:
        raise Undefined(op, Defect.CONTRACT, "a memref is reshaped that does not lie row by row")
    return cast_view(
        op, MemoryView(view.allocation, view.offset, tuple(sizes), row_major(sizes)), op.result.type
    )


@performs(memref.ExtractStridedMetaDataOp)
def extract_strided_metadata(
    op: memref.ExtractStridedMetaDataOp, machine: Machine, view: MemoryView
) -> Sequence[Any]:
    """The memory, the offset, the sizes and the strides."""
    return (MemoryView(view.allocation, 0, (), ()), view.offset, *view.sizes, *view.strides)


@executions.case(views.ReallocOp)
def realloc(op: views.ReallocOp) -> Perform:
    """Other memory with the elements that fit; the old one ends."""
    kind = cast("MemRefType[Any]", op.result.type)

    def perform(machine: Machine, view: MemoryView, *sizes: Any) -> MemoryView:
        found = allocate(op, machine, kind, numbers(op, sizes, "a size"), is_heap=True)
        count = min(view.count, found.count)
        source = MemoryView(view.allocation, view.offset, (count,), view.strides)
        target = MemoryView(found.allocation, found.offset, (count,), found.strides)
        target.write(op, source.read(op, machine.watch), None)
        free(op, view)
        return found

    return perform


# The same memref as another type.
executions.case(views.CastOp, views.MemorySpaceCastOp)(
    lambda op: lambda machine, view: cast_view(op, view, op.results[0].type)
)
# The memref: memory is aligned as programs ask.
executions.case(memref.AssumeAlignmentOp)(lambda op: lambda machine, view: view)


# -- globals -------------------------------------------------------------------------------------------


@executions.case(globals.GetGlobalOp)
def get_global(op: globals.GetGlobalOp) -> Perform:
    """The memory of a global, which is made when it is first asked for."""
    found = SymbolTable.lookup_symbol(op, op.name_)
    if not isinstance(found, memref.GlobalOp):
        raise Unsupported(op, f"@{op.name_.string_value()} is not a global")
    kind = cast("MemRefType[Any]", op.memref.type)

    def perform(machine: Machine) -> MemoryView:
        machine = machine
        if (view := machine.globals.get(found)) is None:
            view = machine.globals[found] = _global(machine, found, kind)
        return view

    return perform


def _global(machine: Machine, op: memref.GlobalOp, kind: MemRefType[Any]) -> MemoryView:
    value = op.properties.get("initial_value")
    if isinstance(value, DenseIntOrFPElementsAttr | DenseResourceAttr):
        data = np.array(elements_of(value).data).reshape(-1)
        machine.takes(op, data.size, data.dtype)
        states = np.zeros(data.shape, np.uint8)
        return whole(AllocatedMemory(op, data, states, is_constant=op.constant is not None), kind.get_shape())
    if isinstance(value, UnitAttr):
        return allocate(op, machine, kind, (), is_heap=False)
    raise Unsupported(op, f"@{op.sym_name.data} is external: nothing states its elements")
