"""What mlir-opt's verifier says of the operations of bufferization."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, UnrankedTensorType

from volcli.language.questions import (
    Problem,
    problems,
)
from volcli_dialects.bufferization.ops import (
    AllocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from volcli_dialects.verification.problems import (
    are_compatible,
    dynamic_size_problem,
    element_of,
    listed,
    sizes_of,
    structure,
)


@problems.case(AllocTensorOp)
def alloc_tensor_problems(op: AllocTensorOp) -> list[Problem]:
    """A size for each `?`, or the sizes of the tensor that is copied."""
    if op.copy is not None:
        return structure("dynamic sizes not needed when copying a tensor") if op.dynamic_sizes else []
    return listed([dynamic_size_problem(op.tensor.type, op.dynamic_sizes)])


@problems.case(ToTensorOp, ToBufferOp)
def conversion_problems(op: ToTensorOp | ToBufferOp) -> list[Problem]:
    """The same elements and sizes."""
    before, after = op.operands[0].type, op.results[0].type
    if element_of(before) != element_of(after):
        return structure("element types do not match")
    left, right = sizes_of(before), sizes_of(after)
    if left == right:
        return []
    is_size = left is not None and right is not None and len(left) == len(right)
    differs = is_size and not are_compatible(left or (), right or ())
    return [Problem("shape" if differs else "structure", "shapes do not match")]


@problems.case(MaterializeInDestinationOp)
def materialize_problems(op: MaterializeInDestinationOp) -> list[Problem]:
    """The same elements and sizes; a result where the destination is a tensor, which is not written."""
    is_tensor = isinstance(op.dest.type, TensorType | UnrankedTensorType)
    if element_of(op.source.type) != element_of(op.dest.type):
        return structure("failed to verify that all of {source, dest} have same element type")
    if is_tensor and len(op.results) != 1:
        return structure("tensor 'dest' implies exactly one tensor result")
    if not is_tensor and op.results:
        return structure("memref 'dest' implies zero results")
    if is_tensor and op.restrict is not None:
        return structure("'restrict' is valid only for memref destinations")
    if is_tensor is not (op.writable is None):
        return structure("'writable' must be specified if and only if the destination is of memref type")
    left, right = sizes_of(op.source.type), sizes_of(op.dest.type)
    if left is None or right is None or are_compatible(left, right):
        return []
    if len(left) != len(right):
        return structure("rank mismatch between source and destination shape")
    return [Problem("shape", "source/destination shapes are incompatible")]
