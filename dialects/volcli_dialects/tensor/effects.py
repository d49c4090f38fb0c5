"""Which elements of their tensors operations need, one by one."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.tensor import DimOp, ExtractOp, InsertOp, InsertSliceOp
from xdsl.ir import Operation, SSAValue

from volcli.language.memory import Allocation
from volcli.language.questions import allocation, in_place, tensor_reads
from volcli_dialects.cases.memory.memory import READ, Accesses, element
from volcli_dialects.tensor.ops import EmptyOp, RankOp


@tensor_reads.case(ExtractOp)
def extract_tensor_reads(op: ExtractOp) -> Accesses:
    """The element `S[indices]`."""
    return [element(READ, op.tensor, op.indices)]


@in_place.case(ExtractOp, DimOp, RankOp)
def no_place(op: Operation) -> Sequence[SSAValue]:
    """They make no tensor."""
    return ()


@allocation.case(EmptyOp)
def empty_allocation(op: EmptyOp) -> Allocation:
    return Allocation(
        tuple(op.dynamic_sizes),
        lambda kind, sizes: EmptyOp.create(operands=sizes, result_types=[kind], attributes=op.attributes),
    )


@in_place.case(InsertOp, InsertSliceOp)
def insert_place(op: InsertOp | InsertSliceOp) -> Sequence[SSAValue]:
    """The destination is overwritten, the source is not."""
    return (op.dest,)


@tensor_reads.case(DimOp, RankOp)
def size_tensor_reads(op: DimOp | RankOp) -> Accesses:
    """A size is not an element."""
    return ()
