"""Which arguments and results of two functions may be the same."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ShapedType
from xdsl.ir import Attribute, SSAValue

from volcli.language.memory import is_memref
from volcli.language.reads import element_type, rank_of


def fits(one: SSAValue, other: SSAValue) -> bool:
    """Whether two values may hold elements of the same kind: a tensor and a buffer may."""
    is_shaped = isinstance(one.type, ShapedType)
    if is_shaped is not isinstance(other.type, ShapedType) or rank_of(one) != rank_of(other):
        return False
    return element_type(one.type) == element_type(other.type)


def takes_the_same(one: SSAValue, other: SSAValue) -> bool:
    """Whether something may be passed as both: sizes are the same, and buffers in one memory space."""
    if not fits(one, other):
        return False
    if is_memref(one) and is_memref(other) and _space(one.type) != _space(other.type):
        return False
    return all(a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(_shape(one), _shape(other), strict=True))


def sizes_needed(one: SSAValue, other: SSAValue) -> Sequence[tuple[int, int]]:
    """`(dimension, size)` where the type of OTHER names a size, and that of ONE does not."""
    pairs = enumerate(zip(_shape(one), _shape(other), strict=True))
    return [(d, b) for d, (a, b) in pairs if a == DYNAMIC_INDEX != b]


def _shape(value: SSAValue) -> Sequence[int]:
    kind = value.type
    return kind.get_shape() if isinstance(kind, ShapedType) and rank_of(value) else ()


def _space(kind: Attribute) -> Attribute | None:
    return kind.memory_space if isinstance(kind, MemRefType) else None
