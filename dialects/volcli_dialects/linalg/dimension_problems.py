"""What is wrong with the dimensions of linalg.map, reduce, transpose and broadcast, in mlir-opt's words.

mlir-opt 22 wants these shapes to be written alike, so that a dynamic size does not fit a static one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation

from volcli.language.questions import Problem
from volcli_dialects.linalg.regular import BroadcastOp, MapOp, ReduceOp, TransposeOp


def shape_of(op: LinalgStructuredOperation, operand: int) -> tuple[int, ...]:
    """The sizes of an operand; none for a scalar."""
    kind = op.operands[operand].type
    return kind.get_shape() if isinstance(kind, ShapedType) else ()


def dimension_problem(op: LinalgStructuredOperation) -> Problem | None:
    """The first reason why the list of dimensions of map, reduce, transpose or broadcast does not fit."""
    match op:
        case MapOp():
            return _map_shapes(op)
        case TransposeOp():
            return _transposed_shapes(op, op.permutation.get_values())
        case BroadcastOp():
            return _broadcast_shapes(op, op.dimensions.get_values())
        case ReduceOp():
            return _reduced_shapes(op, op.dimensions.get_values())
        case _:
            return None


def _map_shapes(op: MapOp) -> Problem | None:
    output = shape_of(op, -1)
    for operand in range(len(op.inputs)):
        shape = shape_of(op, operand)
        if shape != output:
            message = f"expected shape of input ({_sizes(shape)}) to match shape of output ({_sizes(output)})"
            return Problem(_mismatch(shape, output), message)
    return None


def _transposed_shapes(op: TransposeOp, permutation: tuple[int, ...]) -> Problem | None:
    before, after = shape_of(op, 0), shape_of(op, 1)
    if sorted(permutation) != list(range(len(permutation))):
        return Problem("structure", "permutation is not valid")
    if len(before) != len(after):
        return Problem("structure", f"input rank {len(before)} does not match init rank {len(after)}")
    if len(before) != len(permutation):
        return Problem(
            "structure",
            f"size of permutation {len(permutation)} does not match the argument rank {len(before)}",
        )
    for dim, source in enumerate(permutation):
        result, input = after[dim], before[source]
        if result != input:
            message = f"dim(result, {dim}) = {result} doesn't match dim(input, permutation[{dim}]) = {input}"
            return Problem(_mismatch((result,), (input,)), message)
    return None


def _broadcast_shapes(op: BroadcastOp, dimensions: tuple[int, ...]) -> Problem | None:
    before, after = shape_of(op, 0), shape_of(op, 1)
    if len(before) + len(dimensions) != len(after):
        return Problem(
            "structure",
            "input rank plus added dimensions does not match init rank. input rank: "
            f"{len(before)}, dimensions size: {len(dimensions)}, init rank: {len(after)}",
        )
    for index, dim in enumerate(dimensions):
        if not 0 <= dim < len(after):
            return Problem(
                "structure",
                f"dimension {index} is out of range. expected range: [0, {len(after) - 1}], got: {dim}",
            )
    kept = [dim for dim in range(len(after)) if dim not in dimensions]
    for source, dim in enumerate(kept):
        input, init = before[source], after[dim]
        if input != init:
            message = f"input dim {source} should match init dim {dim}. input: {input}, init: {init}"
            return Problem(_mismatch((input,), (init,)), message)
    return None


def _reduced_shapes(op: ReduceOp, dimensions: tuple[int, ...]) -> Problem | None:
    count = len(op.inputs)
    before, after = shape_of(op, 0), shape_of(op, count)
    for name, start in (("input", 0), ("output", count)):
        for index in range(1, count):
            if shape_of(op, start + index) != shape_of(op, start):
                return Problem(
                    _mismatch(shape_of(op, start + index), shape_of(op, start)),
                    f"expects all {name}s to have the same shapes. Shape at {name}-index {index} is not "
                    f"equal to the shape at {name}-index 0.",
                )
    for dim in dimensions:
        if not 0 <= dim < len(before):
            return Problem(
                "structure",
                f"dimensions for reduction should be in the range [0, {len(before) - 1}].",
            )
    kept = tuple(size for dim, size in enumerate(before) if dim not in dimensions)
    if len(kept) != len(after):
        return Problem(
            "structure",
            f"number of dimensions after reduction {len(kept)} doesn't match the init rank {len(after)}",
        )
    if kept != after:
        return Problem(
            _mismatch(kept, after),
            f"init dimensions [{_sizes(after)}] doesn't match input dimensions after reduction "
            f"[{_sizes(kept)}]",
        )
    return None


def _mismatch(left: Sequence[int], right: Sequence[int]) -> Literal["structure", "shape"]:
    """Shapes that are written differently provably differ only if two static sizes do."""
    static_sizes_differ = any(a != b and a >= 0 and b >= 0 for a, b in zip(left, right, strict=False))
    return "shape" if static_sizes_differ else "structure"


def _sizes(shape: Sequence[int]) -> str:
    """Sizes as mlir-opt prints them here: a dynamic one as the number that stands for it."""
    return ", ".join(map(str, shape))
