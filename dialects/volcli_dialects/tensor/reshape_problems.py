"""What is wrong with casts and reshapes of tensors, in the words of mlir-opt 22.

The number of elements stays the same: the product of the sizes, as far as these are static.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects import tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Operation

from volcli_dialects.tensor.ops import BitcastOp, ReshapeOp
from volcli_dialects.verification.problems import (
    Shape,
    are_compatible,
    as_tensor,
    cast_problem,
    element_of,
    index_list_problem,
    messages,
    output_shape_problem,
    sizes_of,
    width_of,
)
from volcli_dialects.verification.reshapes import groups_of, linearized, reassociation_problem


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
