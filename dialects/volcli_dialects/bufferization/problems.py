"""What mlir-opt's verifier says of the operations of bufferization."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import TensorType, UnrankedTensorType

from volcli_dialects.bufferization.ops import (
    AllocTensorOp,
    MaterializeInDestinationOp,
    ToBufferOp,
    ToTensorOp,
)
from volcli_dialects.verification.problems import (
    Shape,
    are_compatible,
    dynamic_size_problem,
    element_of,
    messages,
    sized,
    sizes_of,
)


@messages(AllocTensorOp)
def alloc_tensor_problems(op: AllocTensorOp) -> Iterator[str | None]:
    """A size for each `?`, or the sizes of the tensor that is copied."""
    if op.copy is not None:
        if op.dynamic_sizes:
            yield "dynamic sizes not needed when copying a tensor"
        return
    yield dynamic_size_problem(op.tensor.type, op.dynamic_sizes)


@messages(ToTensorOp, ToBufferOp)
def conversion_problems(op: ToTensorOp | ToBufferOp) -> Iterator[str | None]:
    """The same elements and sizes."""
    before, after = op.operands[0].type, op.results[0].type
    if element_of(before) != element_of(after):
        yield "element types do not match"
    left, right = sizes_of(before), sizes_of(after)
    if left != right:
        yield sized("shapes do not match", left, right)


@messages(MaterializeInDestinationOp)
def materialize_problems(op: MaterializeInDestinationOp) -> Iterator[str | None]:
    """The same elements and sizes; a result where the destination is a tensor, which is not written."""
    is_tensor = isinstance(op.dest.type, TensorType | UnrankedTensorType)
    if element_of(op.source.type) != element_of(op.dest.type):
        yield "failed to verify that all of {source, dest} have same element type"
    if is_tensor and len(op.results) != 1:
        yield "tensor 'dest' implies exactly one tensor result"
    if not is_tensor and op.results:
        yield "memref 'dest' implies zero results"
    if is_tensor and op.restrict is not None:
        yield "'restrict' is valid only for memref destinations"
    if is_tensor is not (op.writable is None):
        yield "'writable' must be specified if and only if the destination is of memref type"
    left, right = sizes_of(op.source.type), sizes_of(op.dest.type)
    if left is None or right is None or are_compatible(left, right):
        return
    if len(left) != len(right):
        yield "rank mismatch between source and destination shape"
    yield Shape("source/destination shapes are incompatible")
