"""What an operation between a vector and memory accesses: elements along the buffer's last dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import ANY, Expression, Index, NotAffine, loop
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.reads import Conjunction
from volcli_dialects.cases.memory.memory import vector_extents


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
