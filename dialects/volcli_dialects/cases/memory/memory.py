"""What the cases of the questions about memory share: sizes, whole buffers, row-major positions, ends of
transfers, and the elements along the last dimensions of a buffer that a vector has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ShapedType, VectorType
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import (
    ANY,
    Expression,
    Index,
    NotAffine,
    constant,
    dim_of,
    loop,
    loops,
    value_of,
)
from volcli.language.memory import Effect, Effects, MemoryAccess, is_memref
from volcli.language.questions import accesses, effects
from volcli.language.reads import Conjunction, rank_of
from volcli_dialects.cases import conversions as conversions

READ, WRITE = Effect.READ, Effect.WRITE
Accesses = Sequence[MemoryAccess]


def sizes_of(value: SSAValue) -> list[Expression]:
    """The sizes of VALUE: numbers where its type says them."""
    assert isinstance(value.type, ShapedType)
    return [
        dim_of(value, d) if size == DYNAMIC_INDEX else constant(size)
        for d, size in enumerate(value.type.get_shape())
    ]


def element(
    effect: Effect, memref: SSAValue, indices: Sequence[SSAValue], stored: SSAValue | None = None
) -> MemoryAccess:
    """The element `memref[indices]`."""
    return MemoryAccess(effect, memref, tuple(map(value_of, indices)), stored=stored)


def anywhere(effect: Effect, memref: SSAValue, why: str) -> MemoryAccess:
    """Any element, or none. The rank of an unranked buffer is unknown: it is given one index."""
    rank = rank_of(memref) if isinstance(memref.type, MemRefType) else 1
    return MemoryAccess(effect, memref, (ANY,) * rank, partial=why)


def whole(effect: Effect, memref: SSAValue, partial: str | None = None) -> MemoryAccess:
    """Every element, in no order."""
    if not isinstance(memref.type, MemRefType):
        return anywhere(effect, memref, partial or "a buffer without a rank")
    rank = rank_of(memref)
    every = frozenset(range(rank))
    extents = tuple(sizes_of(memref))
    return MemoryAccess(effect, memref, loops(rank), extents, parallel=every, partial=partial)


def copied(source: SSAValue, target: SSAValue, partial: str | None = None) -> Accesses:
    """`target[i] = source[i]` for all i. The type of one may know sizes that the other's does not.

    PARTIAL says that the target may be the source: then each element is its own copy, whatever the order.
    """
    ranks = [
        kind.get_num_dims() if isinstance(kind, MemRefType) else None for kind in (source.type, target.type)
    ]
    if None in ranks or ranks[0] != ranks[1]:
        return [whole(READ, source), whole(WRITE, target, partial)]
    pairs = zip(sizes_of(source), sizes_of(target), strict=True)
    extents = tuple(s if s.is_constant else t if t.is_constant else s for s, t in pairs)
    index, every = loops(len(extents)), frozenset(range(len(extents)) if partial is None else ())
    return [
        MemoryAccess(READ, source, index, extents, parallel=every),
        MemoryAccess(WRITE, target, index, extents, parallel=every, partial=partial),
    ]


def called(op: Operation, callee: str) -> Accesses:
    """What a call may do to the buffers that it is given: anything. (It may reach others, too.)"""
    given = [operand for operand in dict.fromkeys(op.operands) if is_memref(operand)]
    why = f"the memory effects of {callee} are unknown"
    return [anywhere(effect, memref, why) for memref in given for effect in (READ, WRITE)]


def touch_nothing(*kinds: type[Operation]) -> None:
    """Operations of KINDS take or make buffers, and access none of their elements."""

    @accesses.case(*kinds)
    def none(op: Operation) -> Accesses:
        return ()


def with_stated_effects(dialect: Dialect) -> Dialect:
    """DIALECT, whose operations do no more than their cases say."""
    effects.case(*(kind for kind in dialect.operations if not effects.answers(kind)))(_no_others)
    return dialect


def _no_others(op: Operation) -> Effects:
    return Effects()


def row_major(sizes: Sequence[Expression], first: int = 0) -> Expression:
    """The row-major position of the index `(d_first, d_(first + 1), ...)`; along a size of 1 it is 0."""
    position = constant(0)
    for d, size in enumerate(sizes, start=first):
        position = position * size + (constant(0) if size == constant(1) else loop(d))
    return position


def unflattened(position: Expression, sizes: Sequence[Expression]) -> list[Index]:
    """The index at a row-major POSITION; ANY where that takes a division by an unknown size.

    The outermost index that varies is a quotient, and not reduced.
    """
    varying = [d for d, size in enumerate(sizes) if size != constant(1)]
    found: list[Index] = [constant(0)] * len(sizes)
    for d in varying:
        inner = prod(sizes[d + 1 :], start=constant(1))
        try:
            quotient = position // inner
            found[d] = quotient if d == varying[0] else quotient % sizes[d]
        except NotAffine:
            found[d] = ANY
    return found


def vector_extents(kind: Attribute, outer: int | None = None) -> tuple[Expression, ...]:
    """How far the first OUTER dimensions of a vector run (all, if not given).

    Raises NotAffine if one of them is a multiple of a number that only the machine knows.
    """
    assert isinstance(kind, ShapedType)
    sizes = list(kind.get_shape())[:outer]
    scalable = getattr(kind, "scalable_dims", ())
    if any(flag.value.data for flag in list(scalable)[:outer]):
        raise NotAffine("a scalable vector")
    return tuple(map(constant, sizes))


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


def inner_rank(memref: SSAValue) -> int:
    """The rank of the buffer's elements, which are vectors or scalars (0)."""
    assert isa(memref.type, MemRefType[Attribute])
    element = memref.type.get_element_type()
    return element.get_num_dims() if isinstance(element, VectorType) else 0


def shifted(start: Index, lane: Expression) -> Index:
    return start + lane if isinstance(start, Expression) else ANY


def window(
    effect: Effect,
    memref: SSAValue,
    start: Sequence[Index],
    vector: SSAValue,
    where: Conjunction = (),
    partial: str | None = None,
) -> MemoryAccess:
    """`memref[start + (0, .., 0, l)]` for the lanes l of VECTOR that are in WHERE.

    A buffer of vectors has one such element: its innermost dimensions are the element's own. Along a
    scalable dimension it is not known how many there are.
    """
    kind = vector.type
    assert isa(kind, VectorType[Attribute])
    outer = kind.get_num_dims() - inner_rank(memref)
    if not 0 <= outer <= len(start):
        raise NotAffine("a vector that does not fit the buffer")
    leading, last = start[: len(start) - outer], start[len(start) - outer :]
    try:
        extents = vector_extents(kind, outer)
    except NotAffine as why:
        return MemoryAccess(effect, memref, (*leading, *(ANY,) * outer), partial=partial or str(why))
    index = (*leading, *(shifted(s, loop(lane)) for lane, s in enumerate(last)))
    own, lanes = frozenset(range(outer)), vector if outer == kind.get_num_dims() else None
    return MemoryAccess(
        effect, memref, index, extents, where, own, partial=partial, contiguous=True, lanes=lanes
    )
