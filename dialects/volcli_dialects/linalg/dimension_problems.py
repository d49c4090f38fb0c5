"""What is wrong with the dimensions of linalg.map, reduce, transpose and broadcast, in mlir-opt's words.

mlir-opt 22 wants these shapes to be written alike, so that a dynamic size does not fit a static one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation

from volcli_dialects.linalg.regular import BroadcastOp, MapOp, ReduceOp, TransposeOp
from volcli_dialects.verification.problems import Shape


def shape_of(op: LinalgStructuredOperation, operand: int) -> tuple[int, ...]:
    """The sizes of an operand; none for a scalar."""
    kind = op.operands[operand].type
    return kind.get_shape() if isinstance(kind, ShapedType) else ()


def dimension_problems(op: LinalgStructuredOperation) -> Iterator[str]:
    """Why the list of dimensions of map, reduce, transpose or broadcast does not fit."""
    match op:
        case MapOp():
            yield from _map_shapes(op)
        case TransposeOp():
            yield from _transposed_shapes(op, op.permutation.get_values())
        case BroadcastOp():
            yield from _broadcast_shapes(op, op.dimensions.get_values())
        case ReduceOp():
            yield from _reduced_shapes(op, op.dimensions.get_values())
        case _:
            return


def _map_shapes(op: MapOp) -> Iterator[str]:
    output = shape_of(op, -1)
    for operand in range(len(op.inputs)):
        shape = shape_of(op, operand)
        if shape != output:
            message = f"expected shape of input ({_sizes(shape)}) to match shape of output ({_sizes(output)})"
            yield _differing(message, shape, output)


def _transposed_shapes(op: TransposeOp, permutation: tuple[int, ...]) -> Iterator[str]:
    before, after = shape_of(op, 0), shape_of(op, 1)
    if sorted(permutation) != list(range(len(permutation))):
        yield "permutation is not valid"
    elif len(before) != len(after):
        yield f"input rank {len(before)} does not match init rank {len(after)}"
    elif len(before) != len(permutation):
        yield f"size of permutation {len(permutation)} does not match the argument rank {len(before)}"
    else:
        for dim, source in enumerate(permutation):
            result, input = after[dim], before[source]
            if result != input:
                message = (
                    f"dim(result, {dim}) = {result} doesn't match dim(input, permutation[{dim}]) = {input}"
                )
                yield _differing(message, (result,), (input,))


def _broadcast_shapes(op: BroadcastOp, dimensions: tuple[int, ...]) -> Iterator[str]:
    before, after = shape_of(op, 0), shape_of(op, 1)
    if len(before) + len(dimensions) != len(after):
        yield (
            "input rank plus added dimensions does not match init rank. input rank: "
            f"{len(before)}, dimensions size: {len(dimensions)}, init rank: {len(after)}"
        )
    for index, dim in enumerate(dimensions):
        if not 0 <= dim < len(after):
            yield f"dimension {index} is out of range. expected range: [0, {len(after) - 1}], got: {dim}"
    kept = [dim for dim in range(len(after)) if dim not in dimensions]
    for source, (dim, input) in enumerate(zip(kept, before, strict=False)):
        if input != (init := after[dim]):
            message = f"input dim {source} should match init dim {dim}. input: {input}, init: {init}"
            yield _differing(message, (input,), (init,))


def _reduced_shapes(op: ReduceOp, dimensions: tuple[int, ...]) -> Iterator[str]:
    count = len(op.inputs)
    before, after = shape_of(op, 0), shape_of(op, count)
    for name, start in (("input", 0), ("output", count)):
        for index in range(1, count):
            if (other := shape_of(op, start + index)) != shape_of(op, start):
                message = (
                    f"expects all {name}s to have the same shapes. Shape at {name}-index {index} is not "
                    f"equal to the shape at {name}-index 0."
                )
                yield _differing(message, other, shape_of(op, start))
    if any(not 0 <= dim < len(before) for dim in dimensions):
        yield f"dimensions for reduction should be in the range [0, {len(before) - 1}]."
    kept = tuple(size for dim, size in enumerate(before) if dim not in dimensions)
    if len(kept) != len(after):
        yield f"number of dimensions after reduction {len(kept)} doesn't match the init rank {len(after)}"
    if kept != after:
        sizes = _sizes(after), _sizes(kept)
        message = "init dimensions [{}] doesn't match input dimensions after reduction [{}]".format(*sizes)
        yield _differing(message, kept, after)


def _differing(message: str, left: Sequence[int], right: Sequence[int]) -> str:
    """Shapes that are written differently provably differ only if two static sizes do."""
    static_sizes_differ = any(a != b and a >= 0 and b >= 0 for a, b in zip(left, right, strict=False))
    return Shape(message) if static_sizes_differ else message


def _sizes(shape: Sequence[int]) -> str:
    """Sizes as mlir-opt prints them here: a dynamic one as the number that stands for it."""
    return ", ".join(map(str, shape))
