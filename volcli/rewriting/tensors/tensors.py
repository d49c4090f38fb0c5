"""Operations that make a tensor of another one, or of a scalar: padded, filled, with dimensions of size 1."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import Expression, constant
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.rewriting.code.slices import MixedSlice
from volcli.rewriting.tensors.scope import Scope

AnyTensor = TensorType[Attribute]
Sizes = tuple[Expression, ...]


def filled(scope: Scope, scalar: SSAValue, sizes: Sizes) -> SSAValue:
    """`tensor.splat`: a tensor of SIZES, each element of which is SCALAR."""
    numbers = scope.numbers(sizes)
    kind = TensorType(scalar.type, MixedSlice((), numbers, ()).shape)
    dynamic = [size for size in numbers if isinstance(size, SSAValue)]
    return scope.builder.make("tensor.splat", [scalar, *dynamic], result=kind)


def uninitialized(scope: Scope, like: SSAValue, sizes: Sizes) -> SSAValue:
    """`tensor.empty` of SIZES, with elements as those of LIKE."""
    assert isa(like.type, AnyTensor)
    numbers = scope.numbers(sizes)
    kind = TensorType(like.type.element_type, MixedSlice((), numbers, ()).shape, like.type.encoding)
    dynamic = [size for size in numbers if isinstance(size, SSAValue)]
    return scope.builder.make("tensor.empty", dynamic, result=kind)


def refitted(scope: Scope, value: SSAValue, old: Sizes, new: Sizes) -> SSAValue | None:
    """VALUE of sizes OLD with the sizes NEW, which are OLD with more, or fewer, 1 among them.

    None if they are not: where some 1 goes and another one comes.
    """
    kind = value.type
    assert isa(kind, AnyTensor)
    sizes = scope.numbers(new)
    result = TensorType(kind.element_type, MixedSlice((), sizes, ()).shape, kind.encoding)
    groups = _groups(old, new)
    if groups is None:
        return None
    if len(old) > len(new):
        whole = scope.mixed(SliceParameters.whole(old))
        operands = [value, *whole.operands]
        return scope.builder.make(
            "tensor.extract_slice", operands, result=result, properties=whole.properties([1])
        )
    dynamic = [size for size in sizes if isinstance(size, SSAValue)]
    association = ArrayAttr(ArrayAttr(IntegerAttr(d, i64) for d in group) for group in groups)
    static = DenseArrayBase.from_list(i64, MixedSlice((), sizes, ()).shape)
    properties: dict[str, Attribute] = {"reassociation": association, "static_output_shape": static}
    return scope.builder.make("tensor.expand_shape", [value, *dynamic], result=result, properties=properties)


def _groups(old: Sizes, new: Sizes) -> list[list[int]] | None:
    """For each size of the shorter list the positions in the longer one: itself, and ones around it."""
    short, long = (old, new) if len(old) < len(new) else (new, old)
    groups: list[list[int]] = []
    position = 0
    for k, size in enumerate(short):
        group: list[int] = []
        while position < len(long) and long[position] != size:
            if long[position] != constant(1):
                return None
            group.append(position)
            position += 1
        if position == len(long):
            return None
        group.append(position)
        position += 1
        groups.append(group)
        if k == len(short) - 1:
            group += range(position, len(long))
    trailing = long[position:]
    return None if any(size != constant(1) for size in trailing) else groups


def pad(scope: Scope, source: SSAValue, amounts: MixedSlice, number: SSAValue) -> SSAValue:
    """`tensor.pad`: SOURCE with NUMBER around it; AMOUNTS are low, high, and the sizes of the result."""
    kind = source.type
    assert isa(kind, AnyTensor)
    builder, rank = scope.builder, len(kind.get_shape())
    block = Block(arg_types=[IndexType()] * rank)
    block.add_op(builder.context.get_op("tensor.yield").create(operands=[number]))
    shape = MixedSlice((), amounts.strides, ()).shape
    lists = (amounts.offsets, amounts.sizes)
    static = [MixedSlice(each, each, each).shape for each in lists]
    values = [[n for n in each if isinstance(n, SSAValue)] for each in lists]
    made = builder.context.get_op("tensor.pad").create(
        operands=[source, *values[0], *values[1]],
        result_types=[TensorType(kind.element_type, shape, kind.encoding)],
        properties={
            "static_low": DenseArrayBase.from_list(i64, static[0]),
            "static_high": DenseArrayBase.from_list(i64, static[1]),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, len(values[0]), len(values[1])]),
        },
        regions=[Region(block)],
    )
    return builder.insert(made).results[0]
