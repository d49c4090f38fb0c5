"""Accesses that may leave the row of a buffer that they begin in, and go on in the next one.

The lanes of a vector lie one after the other in memory. Where a row ends before the lanes do, the dialect
leaves it to the target what the others are; on most targets they are elements of the next row:

    vector.store %v, %m[0, 2] : memref<4x4xf32>, vector<4xf32>      [0, 2], [0, 3], and then [1, 0], [1, 1]

So an access whose lanes are not proved to be inside of their rows may go to any element of the buffer. Of a
buffer of one dimension nothing is said here: after its row the buffer is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import (
    ANY,
    Expression,
    LoopIndex,
    constant,
    dim_of,
    expression_of_atom,
    loop,
    substitute,
)
from volcli.language.memory import MemoryAccess
from volcli.language.reads import rank_of
from volcli.model.memory.buffers.buffers import BufferIndex
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Verdict

_BECAUSE = "it is not known to end before the row of the buffer does"


def in_rows(bounds: BoundsStore, op: Operation, access: MemoryAccess, place: BufferIndex) -> BufferIndex:
    """PLACE of the ACCESS of OP; any element of the buffer, if its lanes may leave their rows."""
    if not access.contiguous or rank_of(place.root.value) < 2 or _stays(bounds, op, access):
        return place
    anywhere = (ANY,) * len(place.index)
    return replace(place, index=anywhere, extents=(), where=(), because=place.because or _BECAUSE)


def _stays(bounds: BoundsStore, op: Operation, access: MemoryAccess) -> bool:
    """Whether it is proved that no lane is after the end of its row, or before its beginning."""
    memref = access.memref
    if not isa(memref.type, MemRefType[Attribute]):
        return False
    for dimension, (index, declared) in enumerate(zip(access.index, memref.type.get_shape(), strict=True)):
        if not isinstance(index, Expression):
            return False
        lanes = [atom for atom in index.atoms() if isinstance(atom, LoopIndex)]
        if not lanes:
            continue
        (lane, *others), size = lanes, _size(memref, dimension, declared)
        if others or index.coefficient(lane) < 1:
            return False
        starts = (_at(index, lane, first) for first in _first_lanes(access, lane))
        ends = (size - 1 - _at(index, lane, last) for last in _last_lanes(access, lane))
        if not all(any(_is_proved(bounds, each, op) for each in sides) for sides in (starts, ends)):
            return False
    return True


def _size(memref: SSAValue, dimension: int, declared: int) -> Expression:
    return constant(declared) if declared != DYNAMIC_INDEX else dim_of(memref, dimension)


def _first_lanes(access: MemoryAccess, lane: LoopIndex) -> Iterator[Expression]:
    """Numbers that LANE is at least: 0, and what a condition says."""
    yield constant(0)
    for condition in access.where:
        if condition.coefficient(lane) == 1:
            yield loop(lane.position) - condition


def _last_lanes(access: MemoryAccess, lane: LoopIndex) -> Iterator[Expression]:
    """Numbers that LANE is at most: by how many there are, and by a mask of the first ones."""
    yield access.extents[lane.position] - 1
    for condition in access.where:
        if condition.coefficient(lane) == -1:
            yield condition + loop(lane.position)


def _at(index: Expression, lane: LoopIndex, number: Expression) -> Expression:
    return substitute(index, lambda atom: number if atom == lane else expression_of_atom(atom))


def _is_proved(bounds: BoundsStore, number: Expression, op: Operation) -> bool:
    """Whether NUMBER is not negative whenever OP runs."""
    resolved = bounds.definitions.resolve(number)
    if resolved.is_constant:
        return resolved.constant >= 0
    return bounds.comparisons.to_zero(resolved, ">=", op).verdict is Verdict.PROVED
