"""What the DMA operations of affine and memref access."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from volcli.language.expressions import Expression, Index, loop, value_of
from volcli.language.memory import Effect, MemoryAccess
from volcli_dialects.cases.memory.memory import READ, WRITE, Accesses, anywhere

_ASYNCHRONOUS = "a transfer that goes on until it is awaited"


@dataclass(frozen=True, eq=False)
class TransferEnd:
    """An element of a buffer."""

    memref: SSAValue
    index: tuple[Index, ...]


def _piece(effect: Effect, place: TransferEnd, count: SSAValue, is_strided: bool) -> MemoryAccess:
    """COUNT elements from PLACE on, in the order of memory: further indices, if there is one dimension."""
    is_line = isinstance(place.memref.type, MemRefType) and len(place.index) == 1 and not is_strided
    if not is_line or not isinstance(place.index[0], Expression):
        return anywhere(effect, place.memref, _ASYNCHRONOUS)
    index = (place.index[0] + loop(0),)
    extents = (value_of(count),)
    return MemoryAccess(effect, place.memref, index, extents, parallel=frozenset((0,)), partial=_ASYNCHRONOUS)


def _tagged(tag: TransferEnd) -> Accesses:
    """The state of a transfer: awaiting it comes after starting it."""
    return [MemoryAccess(effect, tag.memref, tag.index, partial=_ASYNCHRONOUS) for effect in (READ, WRITE)]


def started(
    source: TransferEnd, dest: TransferEnd, tag: TransferEnd, count: SSAValue, *, is_strided: bool
) -> Accesses:
    """COUNT elements are copied, at some time before the transfer is awaited."""
    copied = [_piece(READ, source, count, is_strided), _piece(WRITE, dest, count, is_strided)]
    return [*copied, *_tagged(tag)]


def awaited(tag: TransferEnd) -> Accesses:
    """The tag; its transfer's elements are those of its start."""
    return _tagged(tag)
