"""Which elements of buffers linalg's operations read and write."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, BlockArgument, SSAValue

from volcli.expressions import Expression, NotAffine
from volcli.memory import MemoryAccess
from volcli.questions import accesses
from volcli_dialects.linalg import reads
from volcli_dialects.linalg.bounds import extent
from volcli_dialects.linalg.relayout import SoftmaxOp
from volcli_dialects.shared.memory import READ, WRITE, Accesses, is_memref, whole


def _extents(op: LinalgStructuredOperation) -> tuple[Expression, ...]:
    found = [extent(op, iterator) for iterator in range(op.get_num_loops())]
    known = tuple(size for size in found if size is not None)
    if len(known) != len(found):
        raise NotAffine(f"a loop of {op.name} that no size bounds")
    return known


def _body(op: LinalgStructuredOperation) -> tuple[Block, Sequence[SSAValue]]:
    """The block of OP, and what it yields for each output."""
    block = op.body.first_block if len(op.body.blocks) == 1 else None
    last = None if block is None else block.last_op
    if block is None or last is None or len(last.operands) != len(op.outputs):
        raise NotAffine(f"the body of {op.name} does not yield its results")
    if len(block.args) != len(op.operands):
        raise NotAffine(f"the body of {op.name} does not fit its operands")
    return block, last.operands


@accesses.case(LinalgStructuredOperation)
def structured_accesses(op: LinalgStructuredOperation) -> Accesses:
    """At each point l, the elements `operand[map(l)]` that the body uses are read, then outputs are written.

    An output whose old elements the body does not use is not read.
    """
    if not any(map(is_memref, op.operands)):
        return ()
    block, yielded = _body(op)
    elements, extents = reads.accesses(op), _extents(op)
    kinds = op.get_iterator_types().data
    parallel = frozenset(k for k, kind in enumerate(kinds) if kind.data is IteratorType.PARALLEL)
    found: list[MemoryAccess] = []
    for argument, access in zip(block.args, elements, strict=True):
        if is_memref(access.operand) and argument.first_use is not None:
            found.append(MemoryAccess(READ, access.operand, access.index, extents, parallel=parallel))
    for value, access in zip(yielded, elements[len(elements) - len(yielded) :], strict=True):
        if is_memref(access.operand):
            stored = _stored(op, block, value)
            found.append(
                MemoryAccess(WRITE, access.operand, access.index, extents, parallel=parallel, stored=stored)
            )
    return found


def _stored(op: LinalgStructuredOperation, block: Block, yielded: SSAValue) -> SSAValue | None:
    """The value that every element becomes, if there is one: a scalar operand, or one from outside."""
    if isinstance(yielded, BlockArgument) and yielded.block is block:
        operand = op.operands[yielded.index]
        return None if isinstance(operand.type, ShapedType) else operand
    outside = yielded.owner if isinstance(yielded.owner, Block) else yielded.owner.parent
    return None if outside is block else yielded


@accesses.case(SoftmaxOp)
def softmax_accesses(op: SoftmaxOp) -> Accesses:
    """The input is read, the output is written."""
    read = [whole(READ, op.input)] if is_memref(op.input) else []
    return [*read, *([whole(WRITE, op.output)] if is_memref(op.output) else [])]
