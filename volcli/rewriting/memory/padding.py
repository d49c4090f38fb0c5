"""Allocations of a constant size, of which a slice or the beginning is used."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import constant, value_of
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import effects_of
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.slices import MixedSlice, Number, extract_slice
from volcli.rewriting.ground.builder import Builder

AnyTensor = TensorType[Attribute]
AnyMemRef = MemRefType[Attribute]


def pad_allocations(changes: Changes, model: FunctionModel) -> None:
    """Pad the allocations of one function."""
    padded: list[tuple[Operation, list[int]]] = []
    for op in model.function.walk():
        if (sizes := _padded_sizes(model, op)) is not None:
            padded.append((op, sizes))
    for op, sizes in padded:
        if isa(op.results[0].type, AnyTensor):
            _pad_tensor(changes, op, sizes)
        else:
            _pad_memref(changes, op, sizes)


def _padded_sizes(model: FunctionModel, op: Operation) -> list[int] | None:
    """OP's sizes with a constant for each dynamic one that has a bound; None if none has.

    Of an allocation without elements, nothing is the beginning: MLIR refuses an offset of 0 in a size of 0.
    """
    allocation = questions.allocation(op)
    if allocation is None or allocation.resized is None:
        return None
    value = op.results[0]
    kind = value.type
    if isa(kind, AnyMemRef):
        is_plain = isinstance(kind.layout, NoneAttr)
    else:
        is_plain = isa(kind, AnyTensor) and isinstance(kind.encoding, NoneAttr)
    assert isinstance(kind, ShapedType)
    sizes = list(kind.get_shape())
    if not is_plain or len(allocation.sizes) != sizes.count(DYNAMIC_INDEX):
        return None
    for dimension, size in enumerate(sizes):
        if size == DYNAMIC_INDEX:
            upper = _greatest(model, op, dimension)
            sizes[dimension] = upper if upper is not None and upper >= 1 else DYNAMIC_INDEX
    return None if 0 in sizes or sizes == list(kind.get_shape()) else sizes


def _greatest(model: FunctionModel, op: Operation, dimension: int) -> int | None:
    """The largest size of what OP allocates, wherever blocks that branch lead to it."""
    value, of = op.results[0], model.occurrences
    if of is None:
        return model.bounds.constant_bounds(value, dimension, at=op).upper
    return of.bounds(value, dimension).upper.constant


def _sizes(op: Operation) -> tuple[SSAValue, ...]:
    """The sizes of the `?` of OP's result."""
    allocation = questions.allocation(op)
    return () if allocation is None else allocation.sizes


def _dynamic_sizes(op: Operation, sizes: Sequence[int]) -> list[SSAValue]:
    """The operands of OP for the dimensions that stay dynamic in SIZES."""
    new = _at_dynamic(op, sizes)
    return [value for value, size in zip(_sizes(op), new, strict=True) if size == DYNAMIC_INDEX]


def _at_dynamic(op: Operation, sizes: Sequence[int]) -> list[int]:
    """Those of SIZES where OP's result has a `?`."""
    kind = op.results[0].type
    assert isinstance(kind, ShapedType)
    return [new for old, new in zip(kind.get_shape(), sizes, strict=True) if old == DYNAMIC_INDEX]


def _larger(changes: Changes, op: Operation, sizes: Sequence[int], kind: Attribute) -> SSAValue:
    """OP again, of a KIND with these SIZES."""
    allocation, builder = questions.allocation(op), changes.before(op)
    assert allocation is not None
    assert allocation.resized is not None
    made = builder.insert(allocation.resized(kind, _dynamic_sizes(op, sizes)))
    changes.call(made.results[0], builder.name(op.results[0], "padded"))
    for value, size in zip(allocation.sizes, _at_dynamic(op, sizes), strict=True):
        if size != DYNAMIC_INDEX:
            changes.claim(value_of(value), "<=", constant(size), at=made)
    return made.results[0]


def _mixed(shape: Sequence[int], dynamic: Sequence[SSAValue]) -> tuple[Number, ...]:
    """SHAPE with values for its `?`."""
    values = iter(dynamic)
    return tuple(next(values) if size == DYNAMIC_INDEX else size for size in shape)


def _pad_tensor(changes: Changes, op: Operation, sizes: Sequence[int]) -> None:
    """The first elements of a larger tensor, along each dimension."""
    kind = op.results[0].type
    assert isa(kind, AnyTensor)
    shape = kind.get_shape()
    whole = _larger(changes, op, sizes, TensorType(kind.get_element_type(), sizes))
    part = MixedSlice((0,) * len(shape), _mixed(shape, _sizes(op)), (1,) * len(shape))
    changes.replace(op, [extract_slice(changes.before(op), whole, part)])


def _pad_memref(changes: Changes, op: Operation, sizes: Sequence[int]) -> None:
    """The beginning of a larger memory, with the old sizes and strides, so that the type is the old one."""
    kind = op.results[0].type
    assert isa(kind, AnyMemRef)
    builder, shape = changes.before(op), kind.get_shape()
    whole = _larger(changes, op, sizes, MemRefType(kind.element_type, sizes, kind.layout, kind.memory_space))
    strides, dynamic_strides = _strides(builder, op, shape)
    layout = StridedLayoutAttr([NoneAttr() if s == DYNAMIC_INDEX else s for s in strides], 0)
    strided = MemRefType(kind.element_type, shape, layout, kind.memory_space)
    part = MixedSlice((0,), _mixed(shape, _sizes(op)), _mixed(strides, dynamic_strides))
    view = builder.make(
        "memref.reinterpret_cast", [whole, *part.operands], result=strided, properties=part.properties([1])
    )
    same = builder.make("memref.cast", [view], result=kind)
    for use in list(op.results[0].uses):
        if _only_frees(use.operation, op.results[0]):
            changes.use(use.operation, use.index, whole)
    changes.replace(op, [same])


def _only_frees(op: Operation, memory: SSAValue) -> bool:
    """Whether OP frees MEMORY, and makes nothing of it."""
    return not op.results and memory in effects_of(op).frees


def _strides(builder: Builder, op: Operation, shape: Sequence[int]) -> tuple[list[int], list[SSAValue]]:
    """The strides of a memref with SHAPE that lies row by row; those that are not constant are operands."""
    operands = list(_sizes(op))
    strides, dynamic = [1], list[SSAValue]()
    unknown: SSAValue | None = None
    factor = 1
    for size in reversed(shape[1:]):
        if size != DYNAMIC_INDEX:
            factor *= size
        else:
            operand = operands.pop()
            unknown = operand if unknown is None else builder.make("arith.muli", [unknown, operand])
        strides.insert(0, factor if unknown is None else DYNAMIC_INDEX)
        if unknown is not None:
            whole = (
                unknown if factor == 1 else builder.make("arith.muli", [unknown, builder.constant(factor)])
            )
            dynamic.insert(0, whole)
    return strides[-len(shape) :], dynamic
