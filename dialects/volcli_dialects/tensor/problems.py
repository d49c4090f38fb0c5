"""What is wrong with operations of tensor, in the words of mlir-opt 22.

A case looks at one operation and its types: a slice lies in its tensor as far as both are static, a padded
size is the sum of its parts, a reshape keeps the number of elements: the product of the sizes,
as far as these are static.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Attribute, Operation, Region

from volcli_dialects.tensor.ops import BitcastOp, GatherOp, GenerateOp, ParallelInsertSliceOp, ReshapeOp
from volcli_dialects.verification.problems import (
    Shape,
    are_compatible,
    are_indices,
    as_tensor,
    bounds_problem,
    cast_problem,
    dynamic_size_problem,
    element_of,
    index_list_problem,
    is_reduced,
    messages,
    must,
    numbers_of,
    output_shape_problem,
    parent_problem,
    sized,
    sizes_of,
    width_of,
    window_problem,
)
from volcli_dialects.verification.reshapes import groups_of, linearized, reassociation_problem

_WINDOW = ("static_offsets", "static_sizes", "static_strides")


def _slice_problems(op: Operation, whole: Attribute, part: Attribute, others: int) -> Iterator[str | None]:
    """PART is the type of a slice of WHOLE, or that without some dimensions of size 1, and lies inside."""
    source, result = as_tensor(whole), as_tensor(part)
    if source is None or result is None:
        return
    groups = numbers_of(op, others, _WINDOW)
    extents, reduced = source.get_shape(), result.get_shape()
    yield window_problem(op, len(extents), groups)
    sizes = groups[1][2]
    if len(reduced) > len(sizes):
        yield "expected rank to be smaller or equal to the other rank. "
    if reduced != sizes and not is_reduced(sizes, reduced):
        expected = TensorType(source.element_type, sizes, source.encoding)
        message = f"expected type to be '{expected}' or a rank-reduced version. (size mismatch) "
        yield sized(message, sizes, reduced)
    if source.element_type != result.element_type:
        yield f"expected element type to be '{source.element_type}'"
    yield bounds_problem(extents, groups)


@messages(tensor.PadOp)
def pad_problems(op: tensor.PadOp) -> Iterator[str | None]:
    """Each size is the sum of its parts, and the body yields an element for an index."""
    source, result = as_tensor(op.source.type), as_tensor(op.result.type)
    if source is None or result is None:
        return
    before, after = source.get_shape(), result.get_shape()
    padding = op.static_low.get_values(), op.static_high.get_values()
    if any(len(numbers) != len(before) for numbers in padding):
        yield f"failed to infer expectedType from sourceType '{source}', specified resultType is '{result}'"
    inferred = [
        DYNAMIC_INDEX if DYNAMIC_INDEX in parts else sum(parts)
        for parts in zip(before, *padding, strict=True)
    ]
    fits = len(inferred) == len(after) and all(
        size in (wanted, DYNAMIC_INDEX) for size, wanted in zip(inferred, after, strict=True)
    )
    if not fits:
        expected = TensorType(result.element_type, inferred)
        message = f"specified type '{result}' does not match the inferred type '{expected}'"
        yield sized(message, inferred, after)
    yield from _pad_body_problems(op.region, len(after), result.element_type)


def _pad_body_problems(region: Region, rank: int, element: Attribute) -> Iterator[str]:
    block = region.first_block
    if block is None or len(region.blocks) != 1:
        yield "expects region #0 to have 0 or 1 blocks" if block else "expects a region that yields a value"
        return
    if len(block.args) != rank:
        yield f"expected the block to have {rank} arguments"
    for index, argument in enumerate(block.args):
        if not isinstance(argument.type, IndexType):
            yield f"expected block argument {index + 1} to be an index"
    last = block.last_op
    if isinstance(last, tensor.YieldOp) and [value.type for value in last.operands] != [element]:
        yield "expected yield type to match shape element type"


@messages(tensor.ConcatOp)
def concat_problems(op: tensor.ConcatOp) -> Iterator[str | None]:
    """Equal sizes but along the dimension, where the result's is the sum."""
    if not op.inputs:
        yield "requires at least one input"
    axis, result = op.dim.value.data, sizes_of(op.result.type)
    inputs = [sizes for operand in op.inputs if (sizes := sizes_of(operand.type)) is not None]
    if result is None or len(inputs) != len(op.inputs):
        return
    if any(len(sizes) != len(result) for sizes in inputs):
        yield "rank of concatenated inputs must match result rank"
    if any(element_of(operand.type) != element_of(op.result.type) for operand in op.inputs):
        yield "inputs and result element type must match"
    if not 0 <= axis < len(result):
        yield "concatenation dim must be less than the tensor rank"
    inferred: list[int] = []
    for dim in range(len(result)):
        sizes = [shape_[dim] for shape_ in inputs]
        static = {size for size in sizes if size != DYNAMIC_INDEX}
        if dim == axis:
            inferred.append(DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes))
        elif len(static) > 1:
            yield Shape(f"static concatenation size mismatch along non-concatenated dimension {dim}")
        else:
            inferred.append(static.pop() if static else DYNAMIC_INDEX)
    if not are_compatible(inferred, result):
        expected = TensorType(element_of(op.result.type), inferred)
        yield Shape(f"result type '{op.result.type}'does not match inferred shape '{expected}' static sizes")


@messages(GenerateOp)
def generate_problems(op: GenerateOp) -> Iterator[str | None]:
    """A size for each `?`, an argument for each dimension; the body yields an element."""
    yield dynamic_size_problem(op.result.type, op.dynamic_extents)
    block = op.body.first_block
    sizes, element = sizes_of(op.result.type), element_of(op.result.type)
    if block is None or sizes is None:
        return
    if [argument.type for argument in block.args] != [IndexType()] * len(sizes):
        yield "must have one body argument per input dimension"
    last = block.last_op
    if isinstance(last, tensor.YieldOp) and [value.type for value in last.operands] != [element]:
        yield "body must be terminated with a `yield` operation of the tensor element type"


@messages(tensor.FromElementsOp)
def from_elements_problems(op: tensor.FromElementsOp) -> Iterator[str | None]:
    """As many operands as elements, of a static shape."""
    kind = op.result.type
    sizes, given = kind.get_shape(), len(op.elements)
    if DYNAMIC_INDEX in sizes:
        yield f"'result' must be statically shaped tensor of any type values, but got '{kind}'"
    if prod(sizes) != given:
        yield f"number of operands and types do not match: got {given} operands and {prod(sizes)} types"


@messages(GatherOp)
def gather_problems(op: GatherOp) -> Iterator[str | None]:
    """The dimensions exist, in order and without repetition."""
    sizes, previous = sizes_of(op.source.type), -1
    if sizes is None:
        return
    numbers = op.gather_dims.get_values()
    if not numbers:
        yield "gather_dims must be non-empty"
    for dim in numbers:
        if dim < 0:
            yield "gather_dims value must be non-negative"
        if dim >= len(sizes):
            yield "gather_dims value must be smaller than source rank"
        if dim <= previous:
            yield "gather_dims values must be strictly increasing"
        previous = dim


messages(tensor.ExtractSliceOp)(lambda op: _slice_problems(op, op.source.type, op.result.type, 1))
messages(tensor.InsertSliceOp)(lambda op: _slice_problems(op, op.dest.type, op.source.type, 2))
messages(ParallelInsertSliceOp)(lambda op: _slice_problems(op, op.dest.type, op.source.type, 2))
messages(tensor.SplatOp)(lambda op: [dynamic_size_problem(op.result.type, op.dynamicSizes)])
must(
    tensor.ExtractOp,
    lambda op: are_indices(op.indices, op.tensor.type),
    "incorrect number of indices for extract_element",
)
must(tensor.InsertOp, lambda op: are_indices(op.indices, op.dest.type), "incorrect number of indices")
messages(tensor.EmptyOp)(lambda op: [dynamic_size_problem(op.tensor.type, op.dynamic_sizes)])
messages(tensor.YieldOp)(lambda op: [parent_problem(op, "tensor.generate", "tensor.pad")])


@messages(tensor.ExpandShapeOp)
def expand_shape_problems(op: tensor.ExpandShapeOp) -> Iterator[str | None]:
    static, rank = op.static_output_shape.get_values(), sizes_of(op.result.type)
    yield output_shape_problem(rank, "dims", static, op.dynamic_output_shape)
    yield from _reshape_problems(op, op.src.type, op.result.type)


@messages(tensor.CollapseShapeOp)
def collapse_shape_problems(op: tensor.CollapseShapeOp) -> Iterator[str | None]:
    yield from _reshape_problems(op, op.result.type, op.src.type)
    before, after = as_tensor(op.src.type), as_tensor(op.result.type)
    if before is not None and after is not None and before.element_type != after.element_type:
        expected = TensorType(before.element_type, after.get_shape(), after.encoding)
        yield f"expected collapsed type to be '{expected}', but got '{after}'"


def _reshape_problems(op: Operation, collapsed: Attribute, expanded: Attribute) -> Iterator[str | None]:
    """Each collapsed size is the product of its group, and dynamic if one of them is."""
    groups = groups_of(op.properties.get("reassociation"))
    sizes, parts = sizes_of(collapsed), sizes_of(expanded)
    if groups is None or sizes is None or parts is None:
        return
    yield reassociation_problem(groups, sizes, parts)
    for dim, (size, product) in enumerate(zip(sizes, linearized(groups, parts), strict=True)):
        if product is None and size != DYNAMIC_INDEX:
            yield (
                f"expected dimension {dim} of collapsed type to be dynamic since one or more of the "
                "corresponding dimensions in the expanded type is dynamic"
            )
        if product is not None and size != product:
            message = f"expected dimension {dim} of collapsed type to be static value of {product}"
            yield message if size == DYNAMIC_INDEX else Shape(message)


@messages(tensor.CastOp)
def cast_problems(op: tensor.CastOp) -> Iterator[str | None]:
    """One element type, and sizes that can be equal; an unranked tensor can be any."""
    before, after = op.source.type, op.dest.type
    left, right = sizes_of(before), sizes_of(after)
    same_element = element_of(before) == element_of(after)
    if not (same_element and (left is None or right is None or are_compatible(left, right))):
        yield cast_problem(op)


@messages(BitcastOp)
def bitcast_problems(op: BitcastOp) -> Iterator[str | None]:
    """As a cast, but to elements of as many bits."""
    before, after = op.source.type, op.dest.type
    left, right = sizes_of(before), sizes_of(after)
    widths = [width_of(element_of(kind)) for kind in (before, after)]
    compatible = left is None or right is None or are_compatible(left, right)
    if not (compatible and (None in widths or widths[0] == widths[1])):
        yield cast_problem(op)


@messages(ReshapeOp)
def reshape_problems(op: ReshapeOp) -> Iterator[str | None]:
    """The same elements; as many sizes as the result has dimensions."""
    source, result, sizes = op.source.type, op.result.type, sizes_of(op.shape.type)
    yield index_list_problem("tensor", op.shape.type)
    if element_of(source) != element_of(result):
        yield "element types of source and destination tensor types should be the same"
    before, after = sizes_of(source), sizes_of(result)
    if after is None or sizes is None:
        return
    static = before is not None and DYNAMIC_INDEX not in (*before, *after)
    if before is not None and static and prod(before) != prod(after):
        yield Shape("source and destination tensor should have the same number of elements")
    if sizes[0] not in (len(after), DYNAMIC_INDEX):
        yield "length of shape operand differs from the result's tensor rank"
