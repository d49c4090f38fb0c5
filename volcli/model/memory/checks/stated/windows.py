"""Views that count from the beginning of a buffer: which part of it they show.

    memref.reinterpret_cast %m to offset: [3], sizes: [4, 5], strides: [5, 1]      %m : memref<4x5xf32>

shows the elements at 3 + 5 i + j of the 20 in the buffer, 0 <= i < 4, 0 <= j < 5: up to 22, which is beyond
it. A view of bytes shows the bytes of each of its elements. Where the beginning of a buffer or its end is not
known (its type has an offset or no rank, or it comes from elsewhere), nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, NoneAttr
from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, Index, NotAffine, constant, dim_of
from volcli.language.memory import View
from volcli.model.memory.buffers.buffers import Buffers, Origin


@dataclass(frozen=True, eq=False)
class Window:
    """The elements `base[index(l)]`, `0 <= l_k < extents[k]`, of a buffer with these SIZES.

    Of a buffer that is counted from its beginning, the index is one number, and so is the size.
    """

    base: SSAValue
    index: tuple[Index, ...]
    extents: tuple[Expression, ...]
    sizes: tuple[Expression, ...]


def window_of(buffers: Buffers, op: Operation) -> Window | None:
    """What OP shows, if it is a view that counts from the beginning of a buffer whose size is known."""
    try:
        view = questions.view(op)
        if view is None or not (view.is_address or view.extents) or questions.slice_of.answers(type(op)):
            return None
        return _window(buffers, op.results[0], view)
    except NotAffine:
        return None


def _window(buffers: Buffers, shown: SSAValue, view: View) -> Window | None:
    if not isinstance(shown.type, MemRefType) or view.index == (constant(0),):
        return None  # the beginning itself: nothing is shown yet
    base = buffers.root(view.base).value if view.is_address else view.base
    sizes = _sizes(base)
    if sizes is None or buffers.root(base).origin is Origin.UNKNOWN:
        return None
    if view.is_address:
        if not sizes and buffers.root(base).origin is Origin.ARGUMENT:
            return None  # a pointer to the beginning of a buffer of any size
        sizes = (prod(sizes, start=constant(1)),)
    extents = _sizes(shown, laid_out=True)
    return None if extents is None else Window(base, view.index, (*extents, *view.extents), sizes)


def _sizes(value: SSAValue, *, laid_out: bool = False) -> tuple[Expression, ...] | None:
    """The sizes of a memref whose elements lie side by side from its beginning on, or are LAID OUT anyhow."""
    kind = value.type
    if not isinstance(kind, MemRefType) or not (laid_out or isinstance(kind.layout, NoneAttr)):
        return None
    shape = enumerate(kind.get_shape())
    return tuple(dim_of(value, d) if size == DYNAMIC_INDEX else constant(size) for d, size in shape)
