"""Where the elements of a buffer lie: whether two indices may be one element.

The type of a buffer may say that its element i lies at A(i): `offset + sum of i_k * stride_k`, or an affine
map. If A is injective on the index domain, different indices are different elements: accesses are compared
by their indices. If it is not, they are compared by A of their indices. Where a stride is not static, that is
unknown; that the layout does not overlap itself is then an assumption of the answer.

    memref<5x4xf32, strided<[4, 1]>>    injective
    memref<5x4xf32, strided<[2, 1]>>    (0, 2) and (1, 0) are one element, at 2: compared by 2 * i + j
    memref<5x4xf32, strided<[?, 1]>>    assumed to be injective: the stride may be 4, or 2
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, MemRefType, StridedLayoutAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from volcli.language.affine_maps import over_loops
from volcli.language.expressions import ANY, Expression, Index, NotAffine, constant, loop, loops
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True)
class Layout:
    """What elements are compared by, over the index: themselves (None), or `places` where they lie.

    If it is `assumed` that different indices are different elements, an answer has to say so. `is_linear`
    places are one number, the distance from the beginning of the buffer.
    """

    places: tuple[Index, ...] | None = None
    assumed: bool = False
    is_linear: bool = False


_BY_INDEX = Layout()


def layout_of(kind: Attribute) -> Layout:
    """The layout of a buffer of type KIND."""
    if not isinstance(kind, MemRefType):
        return _BY_INDEX
    return _layout_of(kind.get_shape(), kind.layout)


@lru_cache(maxsize=1024)
def _layout_of(sizes: tuple[int, ...], layout: Attribute) -> Layout:
    match layout:
        case StridedLayoutAttr():
            return _strided(sizes, layout)
        case AffineMapAttr():
            return _mapped(sizes, layout.data)
        case _:
            return _BY_INDEX


def _strided(sizes: tuple[int, ...], layout: StridedLayoutAttr) -> Layout:
    strides = [0 if size == 1 else stride for size, stride in zip(sizes, layout.get_strides(), strict=True)]
    known = {k: stride for k, stride in enumerate(strides) if stride is not None}
    address = sum((loop(k) * stride for k, stride in known.items()), start=constant(layout.get_offset() or 0))
    is_injective = _is_injective(sizes, (address,), tuple(known))
    if len(known) < len(sizes):
        return Layout(assumed=True) if is_injective else Layout((ANY,))
    return _BY_INDEX if is_injective else Layout((address,), is_linear=layout.get_offset() is not None)


def _mapped(sizes: tuple[int, ...], places: AffineMap) -> Layout:
    if places.results == AffineMap.identity(len(sizes)).results:
        return _BY_INDEX
    if places.num_symbols:
        return Layout(assumed=True)
    try:
        index = over_loops(places)
        is_injective = _is_injective(sizes, index, tuple(range(len(sizes))))
    except NotAffine:
        return Layout(assumed=True)
    return _BY_INDEX if is_injective else Layout(index, is_linear=len(index) == 1)


def _is_injective(sizes: tuple[int, ...], places: tuple[Expression, ...], varying: tuple[int, ...]) -> bool:
    """Whether `places(i) != places(j)` for i != j in the index domain that differ in VARYING dimensions.

    What the type leaves open of a size is any number.
    """
    extents = tuple((k, constant(size)) for k, size in enumerate(sizes) if size != DYNAMIC_INDEX)
    positive = tuple(loop(k) for k in range(len(sizes)))
    domain = build.domain(len(sizes), extents, positive)
    elements = build.relation(len(sizes), places).intersect_domain(domain)
    same = elements.apply_range(elements.reverse())
    for k in range(len(sizes)):
        if k not in varying:
            same = same.equate(DIM.in_, k, DIM.out, k)
    return bool(same.is_subset(isl.Map.identity(same.get_space())))


def elements_of(kind: MemRefType[Attribute]) -> isl.Set:
    """What the elements of a buffer of type KIND are compared by, all of them, as far as the type says it."""
    sizes = kind.get_shape()
    extents = tuple((k, constant(size)) for k, size in enumerate(sizes) if size != DYNAMIC_INDEX)
    domain = build.domain(len(sizes), extents, loops(len(sizes)))
    places = layout_of(kind).places
    return domain if places is None else domain.apply(build.relation(len(sizes), places))
