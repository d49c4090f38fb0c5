"""Which elements of buffers linalg's operations read and write."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, BlockArgument, SSAValue

from volcli.language.expressions import Expression, NotAffine, loops
from volcli.language.memory import MemoryAccess, is_memref
from volcli.language.questions import ScalarBody, accesses, in_place, scalar_body, tensor_reads
from volcli.language.reads import rank_of
from volcli_dialects.cases.memory.memory import READ, WRITE, Accesses, sizes_of, whole
from volcli_dialects.linalg import reads
from volcli_dialects.linalg.bounds import extents
from volcli_dialects.linalg.relayout.ops import SoftmaxOp


def _extents(op: LinalgStructuredOperation) -> tuple[Expression, ...]:
    found = extents(op)
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
    elements, extents, parallel = reads.accesses(op), _extents(op), _parallel(op)
    found = [access for access in _used(op) if is_memref(access.memref)]
    for value, access in zip(yielded, elements[len(elements) - len(yielded) :], strict=True):
        if is_memref(access.operand):
            stored = _stored(op, block, value)
            found.append(
                MemoryAccess(WRITE, access.operand, access.index, extents, parallel=parallel, stored=stored)
            )
    return found


@scalar_body.case(LinalgStructuredOperation)
def structured_body(op: LinalgStructuredOperation) -> ScalarBody:
    """At each point l the body sees `operand[map(l)]` of each operand, and gives `output[map(l)]`."""
    block, _ = _body(op)
    elements = reads.accesses(op)
    outputs = elements[len(op.inputs) :]
    indices = tuple(tuple(e for e in each.index if isinstance(e, Expression)) for each in outputs)
    return ScalarBody(block, _extents(op), tuple(elements), indices, tuple(op.outputs))


@in_place.case(LinalgStructuredOperation)
def structured_place(op: LinalgStructuredOperation) -> Sequence[SSAValue]:
    """The outputs are overwritten, the inputs are not."""
    return tuple(op.outputs)


def _parallel(op: LinalgStructuredOperation) -> frozenset[int]:
    kinds = op.get_iterator_types().data
    return frozenset(k for k, kind in enumerate(kinds) if kind.data is IteratorType.PARALLEL)


def _used(op: LinalgStructuredOperation) -> list[MemoryAccess]:
    """The elements of operands that the body uses."""
    (block, _), extents, parallel = _body(op), _extents(op), _parallel(op)
    return [
        MemoryAccess(READ, access.operand, access.index, extents, parallel=parallel)
        for argument, access in zip(block.args, reads.accesses(op), strict=True)
        if isinstance(access.operand.type, ShapedType) and argument.first_use is not None
    ]


@tensor_reads.case(LinalgStructuredOperation)
def structured_tensor_reads(op: LinalgStructuredOperation) -> Accesses:
    """Of inputs, the elements `operand[map(l)]` that the body uses; of outputs all, or none.

    An output that the body does not use is overwritten, if each of its elements has a point of its own.
    Raises NotAffine where that is not known: it may keep some elements.
    """
    block, _ = _body(op)
    found = [access for access in _used(op) if access.memref in op.inputs and not is_memref(access.memref)]
    for argument, output in zip(
        block.args[len(op.inputs) :], reads.accesses(op)[len(op.inputs) :], strict=True
    ):
        every = loops(rank_of(output.operand))
        if is_memref(output.operand):
            continue
        if argument.first_use is not None:
            found.append(MemoryAccess(READ, output.operand, every, tuple(sizes_of(output.operand))))
        elif set(output.index) != set(every) or len(every) != op.get_num_loops():
            raise NotAffine(f"{op.name} may keep elements of its output")
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
