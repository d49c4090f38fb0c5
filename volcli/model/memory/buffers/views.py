"""Elements of views as elements of what they are views of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Attribute

from volcli.language.expressions import (
    ANY,
    Atom,
    Expression,
    Index,
    LoopIndex,
    NotAffine,
    constant,
    loop,
    substitute,
)
from volcli.language.memory import View
from volcli.model.memory.buffers.layouts import layout_of


def composed(
    view: View, index: tuple[Index, ...], extents: tuple[Expression, ...]
) -> tuple[tuple[Index, ...], tuple[Expression, ...]]:
    """The element of the view's base that is its element INDEX; its own loops come after the EXTENTS."""
    rank, own = len(index), len(extents)
    where: list[Index] = [*index, *(loop(own + k) for k in range(len(view.extents)))]
    return tuple(element_at(each, where) for each in view.index), (
        *extents,
        *view.extents[: max(0, len(where) - rank)],
    )


def element_at(expression: Index, where: Sequence[Index]) -> Index:
    """EXPRESSION, over the dimensions of a view, at the element WHERE of it."""
    if not isinstance(expression, Expression):
        return ANY
    if any(
        isinstance(a, LoopIndex) and not isinstance(where[a.position], Expression) for a in expression.atoms()
    ):
        return ANY

    def replaced(atom: Atom) -> Expression | None:
        if not isinstance(atom, LoopIndex):
            return None
        found = where[atom.position]
        return found if isinstance(found, Expression) else None

    try:
        return substitute(expression, replaced)
    except NotAffine:
        return ANY


def coordinates(address: Index, kind: Attribute) -> tuple[Index, ...]:
    """The index of the element at ADDRESS of a buffer of type KIND, whose elements lie in row-major order."""
    layout = layout_of(kind)
    if not isinstance(kind, MemRefType):
        return ()
    sizes = kind.get_shape()
    if not sizes:
        return ()
    if layout.places is not None:
        return (address,) if layout.is_linear else (ANY,) * len(layout.places)
    if not isinstance(kind.layout, NoneAttr) or not isinstance(address, Expression):
        return (ANY,) * len(sizes)
    if DYNAMIC_INDEX in sizes[1:]:
        return (ANY,) * len(sizes)
    weights = list(accumulate(reversed(sizes[1:]), lambda a, b: a * b, initial=1))[::-1]
    if 0 in weights:
        return tuple(constant(0) for _ in sizes)
    digits = [address // weight for weight in weights]
    return tuple(d % size if k else d for k, (d, size) in enumerate(zip(digits, sizes, strict=True)))
