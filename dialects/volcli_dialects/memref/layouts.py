"""Layouts of buffers: where an element lies, as an offset and a stride per dimension.

Element i of `memref<4x8xf32, strided<[8, 1], offset: 2>>` lies at `2 + 8 * i_0 + i_1`. A number that is not
static is the marker of dynamic sizes; 0 times it is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineMap

from volcli_dialects.cases.sizes import kept_dims, mixed


class Strided(NamedTuple):
    """The offset, and the stride of each dimension."""

    offset: int
    strides: tuple[int, ...]

    def of(self, kind: MemRefType[Attribute], sizes: Sequence[int]) -> MemRefType[Attribute]:
        """A buffer like KIND with these SIZES and this layout."""
        numbers = [None if stride == DYNAMIC_INDEX else stride for stride in self.strides]
        offset = None if self.offset == DYNAMIC_INDEX else self.offset
        layout = StridedLayoutAttr(numbers, offset)
        return MemRefType(kind.element_type, sizes, layout, kind.memory_space)


def is_identity(kind: MemRefType[Attribute]) -> bool:
    """Whether the elements lie in row-major order, and the type has no strides that say so."""
    layout = kind.layout
    if isinstance(layout, AffineMapAttr):
        return layout.data.results == AffineMap.identity(layout.data.num_dims).results
    return isinstance(layout, NoneAttr)


def strided(kind: MemRefType[Attribute]) -> Strided | None:
    """The layout of KIND, if it is strided and not an affine map that would have to be understood.

    None as well for a buffer without elements: mlir-opt takes the strides of one to be dynamic.
    """
    layout = kind.layout
    if isinstance(layout, StridedLayoutAttr):
        strides = tuple(DYNAMIC_INDEX if stride is None else stride for stride in layout.get_strides())
        offset = layout.get_offset()
        return Strided(DYNAMIC_INDEX if offset is None else offset, strides)
    sizes = kind.get_shape()
    return Strided(0, row_major(sizes)) if is_identity(kind) and 0 not in sizes else None


def row_major(sizes: Sequence[int], stride: int = 1) -> tuple[int, ...]:
    """The strides of a dense buffer whose last stride is STRIDE: (12, 4, 1) for (2, 3, 4)."""
    strides: list[int] = []
    for size in reversed(sizes):
        strides.append(stride)
        stride = times(stride, size)
    return tuple(reversed(strides))


def times(left: int, right: int) -> int:
    """The product; dynamic if a factor is, and the other is not 0."""
    if 0 in (left, right):
        return 0
    return DYNAMIC_INDEX if DYNAMIC_INDEX in (left, right) else left * right


def plus(left: int, right: int) -> int:
    """The sum; dynamic if a summand is."""
    return DYNAMIC_INDEX if DYNAMIC_INDEX in (left, right) else left + right


def sliced(whole: Strided, offsets: Sequence[int], steps: Sequence[int]) -> Strided:
    """The layout of a part of a buffer that begins at OFFSETS and takes each of STEPS."""
    offset = whole.offset
    for number, stride in zip(offsets, whole.strides, strict=True):
        offset = plus(offset, times(number, stride))
    return Strided(offset, tuple(map(times, whole.strides, steps)))


def is_reduced_layout(
    sizes: Sequence[int], layout: Strided, reduced_sizes: Sequence[int], reduced: Strided
) -> bool:
    """Whether REDUCED is LAYOUT without some dimensions of size 1."""
    left = list(zip(sizes, layout.strides, strict=True))
    right = list(zip(reduced_sizes, reduced.strides, strict=True))
    kept = 0
    for pair in left:
        if kept < len(right) and pair == right[kept]:
            kept += 1
        elif pair[0] != 1:
            return False
    return kept == len(right) and layout.offset == reduced.offset


def kept_by_strides(op: memref.SubviewOp) -> list[int]:
    """The dimensions of the slice that the type of a subview keeps; the others have size 1.

    Where one of several dimensions of size 1 is dropped, it is one whose stride is not among the type's.
    """
    sizes = mixed(op.static_sizes, op.sizes)
    kind, whole = op.result.type, cast(MemRefType[Attribute], op.source.type)
    declared = kept_dims(sizes, kind.get_shape())
    layouts = strided(whole), strided(kind)
    if layouts[0] is None or layouts[1] is None or len(declared) == len(sizes):
        return declared
    steps = sliced(layouts[0], op.static_offsets.get_values(), op.static_strides.get_values()).strides
    wanted = list(zip(kind.get_shape(), layouts[1].strides, strict=True))
    kept: list[int] = []
    for dim, pair in enumerate(zip(op.static_sizes.get_values(), steps, strict=True)):
        if len(kept) < len(wanted) and pair == wanted[len(kept)]:
            kept.append(dim)
    return kept if len(kept) == len(wanted) else declared


def are_compatible_layouts(left: Strided, right: Strided) -> bool:
    """Whether offsets and strides are equal as far as both are static."""
    pairs = [(left.offset, right.offset), *zip(left.strides, right.strides, strict=True)]
    return all(a == b or DYNAMIC_INDEX in (a, b) for a, b in pairs)


def collapsed(kind: MemRefType[Attribute], groups: Sequence[Sequence[int]]) -> Strided | None:
    """The layout after collapsing GROUPS of dimensions; None where they do not lie side by side.

    A stride is that of the last dimension of its group that is not 1; it is not known if that dimension's
    size is not.
    """
    layout, sizes = strided(kind), kind.get_shape()
    if layout is None:
        return None
    strides: list[int] = []
    for group in groups:
        last = next((dim for dim in reversed(group) if sizes[dim] != 1), group[0])
        is_known = sizes[last] != DYNAMIC_INDEX or last == group[0]
        strides.append(layout.strides[last] if is_known else DYNAMIC_INDEX)
        if not _is_contiguous(group, sizes, layout.strides, strides[-1]):
            return None
    return Strided(layout.offset, tuple(strides))


def _is_contiguous(group: Sequence[int], sizes: Sequence[int], strides: Sequence[int], stride: int) -> bool:
    for dim, before in zip(reversed(group), reversed(group[:-1]), strict=False):
        stride = times(stride, sizes[dim])
        if sizes[before] == 1:
            continue
        if DYNAMIC_INDEX not in (stride, strides[before]) and stride != strides[before]:
            return False
    return True


def expanded(
    kind: MemRefType[Attribute], groups: Sequence[Sequence[int]], sizes: Sequence[int]
) -> Strided | None:
    """The layout after expanding each dimension into a group, of these SIZES."""
    layout = strided(kind)
    if layout is None:
        return None
    if not layout.strides:
        return Strided(layout.offset, (1,) * len(sizes))
    strides = [
        number
        for group, stride in zip(groups, layout.strides, strict=True)
        for number in row_major([sizes[dim] for dim in group], stride)
    ]
    return Strided(layout.offset, tuple(strides))


def transposed_text(layout: Strided, kind: MemRefType[Attribute], sizes: Sequence[int]) -> str:
    """The type of a transposed buffer as mlir-opt spells it: with a map in place of the strides."""
    names, terms = 0, list[str]()
    for dim, stride in enumerate(layout.strides):
        if stride == 0:
            continue
        factor = f"s{names}" if stride == DYNAMIC_INDEX else str(stride)
        names += stride == DYNAMIC_INDEX
        terms.append(f"{AffineDimExpr(dim)}" if stride == 1 else f"{AffineDimExpr(dim)} * {factor}")
    if layout.offset or not terms:
        terms.append(str(layout.offset))
    dims = ", ".join(f"d{dim}" for dim in range(len(layout.strides)))
    symbols = f"[{', '.join(f's{number}' for number in range(names))}]" if names else ""
    shape = "".join(f"{'?' if size == DYNAMIC_INDEX else size}x" for size in sizes)
    space = (
        ""
        if isinstance(kind.memory_space, NoneAttr)
        else f", {str(kind.memory_space).removesuffix(' : i64')}"
    )
    map_ = f"affine_map<({dims}){symbols} -> ({' + '.join(terms)})>"
    return f"memref<{shape}{kind.element_type}, {map_}{space}>"
