"""What is wrong with linalg.pack, unpack and softmax, in the words of mlir-opt 22.

Packing 8 by tiles of 2 leaves 4 tiles: `tensor<8x8xf32>` with `inner_dims_pos = [0, 1] inner_tiles = [2, 2]`
becomes `tensor<4x4x2x2xf32>`. The last tile may be filled with the padding value: 9 leaves 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue

from volcli_dialects.linalg.relayout.ops import PackOp, RelayoutOp, SoftmaxOp, UnPackOp
from volcli_dialects.verification.problems import (
    Shape,
    are_compatible,
    as_tensor,
    element_of,
    messages,
    sizes_of,
)

Tensor = TensorType[Attribute]


@messages(PackOp)
def pack_problems(op: PackOp) -> Iterator[str | None]:
    source, dest = as_tensor(op.source.type), as_tensor(op.dest.type)
    if source is None or dest is None:
        return
    yield from _layout_messages(op, source, dest)
    yield from _padding_messages(op, source, dest)
    yield from _packed_problems(op, source, dest)


@messages(UnPackOp)
def unpack_problems(op: UnPackOp) -> Iterator[str | None]:
    source, dest = as_tensor(op.source.type), as_tensor(op.dest.type)
    if source is not None and dest is not None:
        yield from _layout_messages(op, dest, source)
        yield from _packed_problems(op, dest, source)


def _layout_messages(op: RelayoutOp, whole: Tensor, packed: Tensor) -> Iterator[str]:
    """A tile for some dimensions, and an order of the outer ones."""
    tiles, positions = op.static_inner_tiles.get_values(), op.inner_dims_pos.get_values()
    order, rank = _order(op), len(whole.get_shape())
    if 0 in tiles:
        yield "invalid zero tile factor"
    if not _is_distinct(positions, rank):
        yield "invalid inner_dims_pos vector"
    if not _is_distinct(order, rank):
        yield "invalid outer_dims_perm vector"
    if order and len(order) != rank:
        yield "outer_dims_perm must be a permutation or empty"
    if len(tiles) > rank:
        yield (
            "tiling factors must be less than or equal to the input rank for pack or output rank for unpack"
        )
    if len(tiles) != len(positions):
        yield "tiling factors must equal the number of dimensions to tile"
    sizes = packed.get_shape()
    if len(sizes) != rank + len(tiles):
        yield f"packed rank != (unpacked rank + num tiling factors), got {len(sizes)} != {rank + len(tiles)}"
    if tuple(tiles) != tuple(sizes[len(sizes) - len(tiles) :]):
        yield "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"


def _order(op: RelayoutOp) -> Sequence[int]:
    return () if op.outer_dims_perm is None else op.outer_dims_perm.get_values()


def _is_distinct(dims: Sequence[int], rank: int) -> bool:
    return len(set(dims)) == len(dims) and all(0 <= dim < rank for dim in dims)


def _padding_messages(op: PackOp, source: Tensor, dest: Tensor) -> Iterator[str]:
    """What fills the last tiles has the type of the elements, and is there if it is needed.

    A tile whose size is not static is taken to be as large as there are tiles, as mlir-opt does.
    """
    padding: SSAValue | None = op.padding_value
    if padding is not None:
        if padding.type != source.element_type:
            yield f"expected padding_value has '{source.element_type}' but got: '{padding.type}'"
        return
    sizes, packed, order = source.get_shape(), dest.get_shape(), _order(op)
    for dim, tile in zip(op.inner_dims_pos.get_values(), op.static_inner_tiles.get_values(), strict=True):
        outer = packed[list(order).index(dim) if order else dim]
        divisor = outer if tile == DYNAMIC_INDEX else tile
        if DYNAMIC_INDEX not in (sizes[dim], divisor) and divisor and sizes[dim] % divisor:
            yield (
                "invalid tile factor or output size provided. Only full tiles are supported when "
                "padding_value is not set"
            )


def _packed_problems(op: RelayoutOp, whole: Tensor, packed: Tensor) -> Iterator[str | None]:
    """Of a tiled dimension, the number of tiles; then the tiles."""
    sizes, tiles = list(whole.get_shape()), op.static_inner_tiles.get_values()
    for dim, tile in zip(op.inner_dims_pos.get_values(), tiles, strict=True):
        is_known = DYNAMIC_INDEX not in (sizes[dim], tile)
        sizes[dim] = -(-sizes[dim] // tile) if is_known else DYNAMIC_INDEX
    outer = [sizes[dim] for dim in _order(op)] or sizes
    expected = [*outer, *tiles]
    if are_compatible(expected, packed.get_shape()):
        return
    kind = TensorType(whole.element_type, expected)
    yield Shape(f"expected '{kind}' for the packed domain value, got '{packed}'")


@messages(SoftmaxOp)
def softmax_problems(op: SoftmaxOp) -> Iterator[str | None]:
    """One shape, and one of its dimensions."""
    before, after = sizes_of(op.input.type), sizes_of(op.output.type)
    if element_of(op.input.type) != element_of(op.output.type):
        yield "failed to verify that input and output have same element type"
    if before is None or after is None:
        return
    if len(before) != len(after):
        yield "incompatible output shape"
    if not are_compatible(before, after):
        yield Shape("incompatible output shape")
    if not 0 <= op.dimension.value.data < len(before):
        yield "incorrect dimension specified"
    for result in op.results:
        if result.type != op.output.type:
            yield (
                f"expected type of operand #1 ('{op.output.type}') to match type of corresponding result "
                f"('{result.type}')"
            )
