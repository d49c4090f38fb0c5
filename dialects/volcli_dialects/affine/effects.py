"""Which elements of memory affine's operations read and write.

affine.load and affine.store are memref.load and memref.store, too, whose indices may be any index values. The
memref dialect is imported where that is asked: most programs with affine accesses have no plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import ANY, Index, NotAffine
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.questions import accesses, plain_access
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp, YieldOp
from volcli_dialects.affine.memory import (
    DmaStartOp,
    DmaWaitOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    VectorLoadOp,
    VectorStoreOp,
)
from volcli_dialects.affine.quotients import dims_and_symbols
from volcli_dialects.cases.memory.memory import (
    READ,
    WRITE,
    Accesses,
    TransferEnd,
    awaited,
    started,
    touch_nothing,
    window,
)

touch_nothing(ForOp, IfOp, ParallelOp, YieldOp, PrefetchOp)


def subscripts(map_: AffineMapAttr, operands: Sequence[SSAValue]) -> tuple[Index, ...]:
    """The results of a map at OPERANDS; ANY for one that divides by a symbol."""
    at = dims_and_symbols(map_.data, operands)
    found: list[Index] = []
    for result in map_.data.results:
        try:
            found.append(evaluate(result, *at))
        except NotAffine:
            found.append(ANY)
    return tuple(found)


def _window(effect: Effect, op: VectorLoadOp | VectorStoreOp, vector: SSAValue) -> Accesses:
    return [window(effect, op.memref, subscripts(op.map, op.indices), vector)]


def _places(op: DmaStartOp | DmaWaitOp) -> list[TransferEnd]:
    return [TransferEnd(memref, subscripts(map_, operands)) for memref, map_, operands in op.places()]


@accesses.case(DmaStartOp)
def start_accesses(op: DmaStartOp) -> Accesses:
    source, dest, tag = _places(op)
    count, *stride = op.sizes()
    return started(source, dest, tag, count, is_strided=bool(stride))


accesses.case(DmaWaitOp)(lambda op: awaited(_places(op)[0]))


accesses.case(LoadOp)(lambda op: [MemoryAccess(READ, op.memref, subscripts(op.map, op.indices))])
accesses.case(StoreOp)(
    lambda op: [MemoryAccess(WRITE, op.memref, subscripts(op.map, op.indices), stored=op.value)]
)
# As many elements as the vector has, from the subscripts on.
accesses.case(VectorLoadOp)(lambda op: _window(READ, op, op.result))
# As many elements as the vector has, from the subscripts on.
accesses.case(VectorStoreOp)(lambda op: _window(WRITE, op, op.value))


@plain_access.case(LoadOp)
def load_at_values(op: LoadOp) -> Callable[[Sequence[SSAValue]], Operation]:
    """`memref.load %m[%i, %j]`"""
    from xdsl.dialects.memref import LoadOp as PlainLoad

    return lambda indices: PlainLoad.get(op.memref, indices)


@plain_access.case(StoreOp)
def store_at_values(op: StoreOp) -> Callable[[Sequence[SSAValue]], Operation]:
    """`memref.store %x, %m[%i, %j]`"""
    from xdsl.dialects.memref import StoreOp as PlainStore

    return lambda indices: PlainStore.get(op.value, op.memref, indices)
