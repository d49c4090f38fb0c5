"""What is wrong with operations of memref that make a view of a buffer, in the words of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr

from volcli_dialects.memref.layouts import (
    Strided,
    are_compatible_layouts,
    collapsed,
    expanded,
    is_identity,
    is_reduced_layout,
    sliced,
    strided,
    transposed_text,
)
from volcli_dialects.memref.views import CastOp, ReinterpretCastOp, TransposeOp
from volcli_dialects.verification.problems import (
    Shape,
    are_compatible,
    as_memref,
    bounds_problem,
    cast_problem,
    element_of,
    is_reduced,
    messages,
    numbers_of,
    output_shape_problem,
    sizes_of,
    window_problem,
)
from volcli_dialects.verification.reshapes import groups_of, linearized, reassociation_problem

_WINDOW = ("static_offsets", "static_sizes", "static_strides")

_Groups = list[list[int]] | None
_Buffer = MemRefType[Attribute] | None
_Reshape = tuple[_Groups, _Buffer, _Buffer]


@messages(CastOp)
def cast_problems(op: CastOp) -> Iterator[str | None]:
    """One element type and memory space, and sizes, strides and offsets that can be equal."""
    before, after = op.source.type, op.dest.type
    if element_of(before) != element_of(after) or _space(before) != _space(after):
        yield cast_problem(op)
    left, right = sizes_of(before), sizes_of(after)
    if left is None or right is None:
        if left is right:
            yield cast_problem(op)
        return
    is_possible = are_compatible(left, right) and _are_compatible_layouts(before, after)
    if not is_possible:
        yield cast_problem(op)


def _are_compatible_layouts(before: Attribute, after: Attribute) -> bool:
    """Whether offsets and strides can be equal; true where a layout is not known."""
    kinds = as_memref(before), as_memref(after)
    layouts = [strided(kind) for kind in kinds if kind is not None]
    left, right = layouts if len(layouts) == 2 else (None, None)
    return left is None or right is None or are_compatible_layouts(left, right)


def _space(kind: Attribute) -> Attribute:
    unranked = isinstance(kind, UnrankedMemRefType)
    if unranked:
        return cast("UnrankedMemRefType[Attribute]", kind).memory_space
    ranked = as_memref(kind)
    return NoneAttr() if ranked is None else ranked.memory_space


@messages(memref.SubviewOp)
def subview_problems(op: memref.SubviewOp) -> Iterator[str | None]:
    """The view lies in its buffer, and its type says which part it is, or drops dimensions of size 1."""
    whole, part = as_memref(op.source.type), as_memref(op.result.type)
    if whole is None or part is None:
        return
    groups = numbers_of(op, 1, _WINDOW)
    yield window_problem(op, len(whole.get_shape()), groups)
    numbers = [numbers for _, _, numbers in groups]
    yield _subview_type(whole, part, *numbers)
    yield bounds_problem(whole.get_shape(), groups)


def _subview_type(
    whole: MemRefType[Attribute],
    part: MemRefType[Attribute],
    offsets: Sequence[int],
    sizes: Sequence[int],
    steps: Sequence[int],
) -> str | None:
    reduced = part.get_shape()
    if whole.memory_space != part.memory_space:
        return (
            f"different memory spaces specified for base memref type '{whole}' and subview memref type "
            f"'{part}'"
        )
    if len(reduced) > len(sizes):
        return f"expected result rank to be smaller or equal to the source rank, but got '{part}'"
    if whole.element_type != part.element_type:
        return f"expected result element type to be '{whole.element_type}', but got '{part}'"
    before, after = strided(whole), strided(part)
    if before is None:
        return None
    layout, wrong = sliced(before, offsets, steps), None
    if not is_reduced(sizes, reduced):
        wrong = "sizes"
    elif after is not None and not is_reduced_layout(sizes, layout, reduced, after):
        wrong = "layout"
    if wrong is None:
        return None
    return (
        f"expected result type to be '{layout.of(whole, sizes)}' or a rank-reduced version. (mismatch of "
        f"result {wrong}), but got '{part}'"
    )


@messages(ReinterpretCastOp)
def reinterpret_cast_problems(op: ReinterpretCastOp) -> Iterator[str | None]:
    """The result's type says the same offset, sizes and strides."""
    source, result = op.source.type, op.result.type
    if _space(source) != _space(result):
        yield (
            f"different memory spaces specified for source type '{source}' and result memref type '{result}'"
        )
    if element_of(source) != result.element_type:
        yield (
            f"different element types specified for source type '{source}' and result memref type '{result}'"
        )
    sizes, strides = op.static_sizes.get_values(), op.static_strides.get_values()
    rank = len(result.get_shape())
    for name, numbers in (("size", sizes), ("stride", strides)):
        if len(numbers) != rank:
            yield f"expected {rank} {name} values, got {len(numbers)}"
    for dim, (wanted, size) in enumerate(zip(sizes, result.get_shape(), strict=False)):
        if wanted != size and size != DYNAMIC_INDEX:
            yield f"expected result type with size = {_said(wanted)} instead of {size} in dim = {dim}"
    layout = strided(result)
    if layout is None:
        return
    for wanted, offset in zip(op.static_offsets.get_values(), [layout.offset], strict=False):
        if wanted != offset and offset != DYNAMIC_INDEX:
            yield f"expected result type with offset = {_said(wanted)} instead of {offset}"
    for dim, (wanted, stride) in enumerate(zip(op.static_strides.get_values(), layout.strides, strict=False)):
        if wanted != stride and stride != DYNAMIC_INDEX:
            yield f"expected result type with stride = {_said(wanted)} instead of {stride} in dim = {dim}"


def _said(number: int) -> int | str:
    return "dynamic" if number == DYNAMIC_INDEX else number


@messages(TransposeOp)
def transpose_problems(op: TransposeOp) -> Iterator[str | None]:
    """The sizes and the strides in another order."""
    source, result = as_memref(op.source.type), as_memref(op.result.type)
    if source is None or result is None:
        return
    before, after = strided(source), strided(result)
    order = [dim.position for dim in op.permutation.data.results if isinstance(dim, AffineDimExpr)]
    rank = source.get_num_dims()
    if op.permutation.data.num_symbols or sorted(order) != list(range(rank)):
        yield "expected a permutation map"
    if op.permutation.data.num_dims != rank:
        yield "expected a permutation map of same rank as the input"
    if before is None or after is None or before.offset == DYNAMIC_INDEX:
        return
    sizes = tuple(source.get_shape()[dim] for dim in order)
    layout = Strided(before.offset, tuple(before.strides[dim] for dim in order))
    is_same = source.element_type == result.element_type and source.memory_space == result.memory_space
    if not is_same or (sizes, layout) != (result.get_shape(), after):
        yield (
            f"result type '{result}' is not equivalent to the canonical transposed input type "
            f"'{transposed_text(layout, source, sizes)}'"
        )


@messages(memref.CollapseShapeOp)
def collapse_shape_problems(op: memref.CollapseShapeOp) -> Iterator[str | None]:
    groups, source, result = _reshape(op, op.src.type, op.result.type)
    yield from _reshape_problems(groups, result, source)
    if groups is None or source is None or result is None or strided(source) is None:
        return
    layout = collapsed(source, groups)
    if layout is None:
        yield "invalid source layout map or collapsing non-contiguous dims"
    else:
        yield from _layout_problems("collapsed", source, result, layout)


@messages(memref.ExpandShapeOp)
def expand_shape_problems(op: memref.ExpandShapeOp) -> Iterator[str | None]:
    static, sizes = op.static_output_shape.get_values(), sizes_of(op.result.type)
    yield output_shape_problem(sizes, "bounds", static, op.output_shape)
    groups, source, result = _reshape(op, op.src.type, op.result.type)
    yield from _reshape_problems(groups, source, result)
    if groups is None or source is None or result is None:
        return
    layout = expanded(source, groups, result.get_shape())
    if layout is not None:
        yield from _layout_problems("expanded", source, result, layout)


def _reshape(op: Operation, source: Attribute, result: Attribute) -> _Reshape:
    return groups_of(op.properties.get("reassociation")), as_memref(source), as_memref(result)


def _reshape_problems(groups: _Groups, small: _Buffer, large: _Buffer) -> Iterator[str | None]:
    """Each size of SMALL is the product of its group of sizes of LARGE."""
    if groups is None or small is None or large is None:
        return
    sizes, parts = small.get_shape(), large.get_shape()
    yield reassociation_problem(groups, sizes, parts)
    for dim, (size, product) in enumerate(zip(sizes, linearized(groups, parts), strict=True)):
        if (size == DYNAMIC_INDEX) != (product is None):
            yield f"collapsed dim ({dim}) must be dynamic if and only if reassociation group is dynamic"
        if product not in (None, size):
            yield Shape(f"collapsed dim size ({size}) must equal reassociation group size ({product})")


def _layout_problems(
    verb: str, source: MemRefType[Attribute], result: MemRefType[Attribute], layout: Strided
) -> Iterator[str | None]:
    """The result of a reshape has the LAYOUT, which it says as the source says its own."""
    sizes = result.get_shape()
    if is_identity(source) or strided(source) == Strided(0, (1,)):
        is_valid = is_identity(result)
        expected = MemRefType(source.element_type, sizes, NoneAttr(), source.memory_space)
    else:
        is_valid = isinstance(result.layout, StridedLayoutAttr) and strided(result) == layout
        expected = layout.of(source, sizes)
    if not is_valid and not isinstance(result.layout, AffineMapAttr):
        yield f"expected {verb} type to be '{expected}' but found '{result}'"
