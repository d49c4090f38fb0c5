"""Which elements of buffers linalg's operations read and write."""

from __future__ import annotations

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, BlockArgument, SSAValue

from volcli.language.expressions import NotAffine, loops
from volcli.language.memory import MemoryAccess, is_memref
from volcli.language.questions import accesses, in_place, tensor_reads
from volcli.language.reads import Access, rank_of
from volcli_dialects.cases.memory.memory import READ, WRITE, Accesses, sizes_of, whole
from volcli_dialects.linalg.reads import definition_of
from volcli_dialects.linalg.relayout.ops import SoftmaxOp


@accesses.case(LinalgStructuredOperation)
def structured_accesses(op: LinalgStructuredOperation) -> Accesses:
    """At each point l, the elements `operand[map(l)]` that the body uses are read, then outputs are written.

    An output whose old elements the body does not use is not read.
    """
    if not any(map(is_memref, op.operands)):
        return ()
    found = [access for access in _used(op) if is_memref(access.memref)]
    stated, parallel = definition_of(op), _parallel(op)
    for output in stated.outputs:
        if (memref := output.begins) is not None and is_memref(memref):
            stored = stored_value(op, stated.block, output.yields)
            written = MemoryAccess(
                WRITE, memref, output.element, stated.sizes, parallel=parallel, stored=stored
            )
            found.append(written)
    return found


def _parallel(op: LinalgStructuredOperation) -> frozenset[int]:
    kinds = op.get_iterator_types().data
    return frozenset(k for k, kind in enumerate(kinds) if kind.data is IteratorType.PARALLEL)


def _used(op: LinalgStructuredOperation) -> list[MemoryAccess]:
    """The elements of operands that the body uses."""
    stated, parallel = definition_of(op), _parallel(op)
    return [
        MemoryAccess(READ, access.operand, access.index, stated.sizes, parallel=parallel)
        for argument, access in stated.arguments.items()
        if isinstance(access, Access)
        and isinstance(access.operand.type, ShapedType)
        and argument.first_use is not None
    ]


@tensor_reads.case(LinalgStructuredOperation)
def structured_tensor_reads(op: LinalgStructuredOperation) -> Accesses:
    """Of inputs, the elements `operand[map(l)]` that the body uses; of outputs all, or none.

    An output that the body does not use is overwritten, if each of its elements has a point of its own.
    Raises NotAffine where that is not known: it may keep some elements.
    """
    found = [access for access in _used(op) if access.memref in op.inputs and not is_memref(access.memref)]
    for output in definition_of(op).outputs:
        tensor, state = output.begins, output.state
        assert tensor is not None, "an output begins with what is in it"
        assert state is not None, "the body has an argument for it"
        every = loops(rank_of(tensor))
        if is_memref(tensor):
            continue
        if state.first_use is not None:
            found.append(MemoryAccess(READ, tensor, every, tuple(sizes_of(tensor))))
        elif set(output.element) != set(every) or len(every) != op.get_num_loops():
            raise NotAffine(f"{op.name} may keep elements of its output")
    return found


def stored_value(op: LinalgStructuredOperation, block: Block, yielded: SSAValue) -> SSAValue | None:
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


# The outputs are overwritten, the inputs are not.
in_place.case(LinalgStructuredOperation)(lambda op: tuple(op.outputs))
