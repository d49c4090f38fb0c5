"""What the iterations of scf.forall insert into the tensors that they share: writes, as to a buffer.

    scf.forall (%i) in (4) shared_outs(%o = %t) { ... parallel_insert_slice %p into %o[2 * %i] [3] [1] }

is in iteration i a write of the elements 2 i + l, 0 <= l < 3, of one buffer: the loop's result, another one
in each run of the loop. Two iterations that write one element collide, as stores to memory do. Whether a loop
is parallel and whether it has races is read off these accesses alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import ANY, NotAffine, loop
from volcli.language.interface import operation_name
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.programs.known_loops import counted_loop
from volcli.language.reads import rank_of
from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import BufferIndex, Origin, Root
from volcli.model.memory.dependences.model import Memory


class Inserts:
    """The slices that one function's loops insert, numbered after its accesses to memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.sites = tuple(self._sites())

    def inside(self, op: Operation) -> list[Site]:
        """Those of the loop OP, and of loops inside of it."""
        return [site for site in self.sites if any(level.op is op for level in site.levels)]

    def _sites(self) -> Iterator[Site]:
        number = len(self._memory.sites)
        for op in operations_in(self._memory.function):
            if questions.slice_of.answers(type(op)) and not op.results:
                levels = self._memory.nests.levels(op.parent)
                for access in _inserted(op):
                    root = _buffer(access.memref)
                    place = BufferIndex(
                        root, access.index, access.extents, (), access.partial or root.because
                    )
                    yield Site(number, op, access, place, levels)
                    number += 1


def _inserted(op: Operation) -> list[MemoryAccess]:
    """The slice that OP writes; any element, if it is not affine; of any shared tensor, if OP is invalid."""
    try:
        stated = questions.slice_of(op)
    except NotAffine as error:
        target = op.operands[1]
        return [MemoryAccess(Effect.WRITE, target, (ANY,) * rank_of(target), partial=str(error))]
    if stated is None:
        why = f"'{operation_name(op)}' op is invalid"
        shared = _shared(op)
        return [MemoryAccess(Effect.WRITE, each, (ANY,) * rank_of(each), partial=why) for each in shared]
    rows = zip(stated.offsets, stated.strides, strict=True)
    index = tuple(offset + stride * loop(k) for k, (offset, stride) in enumerate(rows))
    return [MemoryAccess(Effect.WRITE, stated.source, index, stated.sizes)]


def _shared(op: Operation) -> list[SSAValue]:
    """The tensors that the loop around OP gives to its iterations."""
    terminator = op.parent_op()
    block = None if terminator is None else terminator.parent
    arguments = () if block is None else block.args
    return [argument for argument in arguments if isinstance(argument.type, TensorType)]


def _buffer(shared: SSAValue) -> Root:
    """The result of the loop that gives SHARED to its iterations."""
    op = shared.block.parent_op() if isinstance(shared, BlockArgument) else None
    found = None if op is None else counted_loop(op)
    if found is not None:
        for carried in found.carried:
            if carried.argument is shared:
                return Root(Origin.ALLOCATION, carried.result)
    return Root(Origin.UNKNOWN, shared, because="it is not shared by a loop")
