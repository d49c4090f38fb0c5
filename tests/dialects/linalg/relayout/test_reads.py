"""linalg.pack, unpack and softmax: the element maps, against executions on terms."""

from __future__ import annotations

from itertools import product

import pytest

from tests.shared.enumeration import Function, Point, box_points, function
from tests.shared.sources import computed_from

LAYOUTS = [  # sizes, order of the outer dimensions, tiled dimensions, tiles
    ((5, 6), (0, 1), (0, 1), (3, 4)),
    ((5, 6), (1, 0), (1, 0), (4, 3)),
    ((5, 6), (1, 0), (0,), (2,)),
    ((4, 3, 5), (2, 0, 1), (2, 0), (2, 3)),
    ((4,), (0,), (0,), (4,)),
]


def tensor(sizes: Point) -> str:
    return f"tensor<{'x'.join(map(str, sizes))}xf32>"


def packed_sizes(sizes: Point, order: Point, tiled: Point, tiles: Point) -> Point:
    outer = list(sizes)
    for d, tile in zip(tiled, tiles, strict=True):
        outer[d] = -(-sizes[d] // tile)
    return (*(outer[d] for d in order), *tiles)


@pytest.mark.parametrize(("sizes", "order", "tiled", "tiles"), LAYOUTS)
def test_pack(sizes: Point, order: Point, tiled: Point, tiles: Point) -> None:
    small = packed_sizes(sizes, order, tiled, tiles)
    body = f"""
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : {tensor(small)}
      %p = linalg.pack %x padding_value(%z : f32) outer_dims_perm = {list(order)} inner_dims_pos = {list(tiled)}
        inner_tiles = {list(tiles)} into %e : {tensor(sizes)} -> {tensor(small)}"""
    f = Function(function(f"%x: {tensor(sizes)}", body, f"%p : {tensor(small)}"))
    moved = computed_from(f, "%p")
    padding = box_points(*small) - {index for index, _, _ in moved}
    assert f.inputs("%p") == moved | {(index, "z_p", ()) for index in padding}
    assert f.exact("%p")


@pytest.mark.parametrize(("sizes", "order", "tiled", "tiles"), LAYOUTS)
def test_unpack(sizes: Point, order: Point, tiled: Point, tiles: Point) -> None:
    small = packed_sizes(sizes, order, tiled, tiles)
    body = f"""
      %u = linalg.unpack %x outer_dims_perm = {list(order)} inner_dims_pos = {list(tiled)}
        inner_tiles = {list(tiles)} into %e : {tensor(small)} -> {tensor(sizes)}"""
    arguments = f"%x: {tensor(small)}, %e: {tensor(sizes)}"
    f = Function(function(arguments, body, f"%u : {tensor(sizes)}"))
    assert f.inputs("%u") == computed_from(f, "%u")
    assert f.exact("%u")


def test_pack_with_a_dynamic_size() -> None:
    body = """
      %z = arith.constant 0.0 : f32
      %p = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [4]
        into %e : tensor<?xf32> -> tensor<?x4xf32>"""
    f = Function(function("%x: tensor<?xf32>, %e: tensor<?x4xf32>", body, "%p : tensor<?x4xf32>"))
    expected = {
        ((o, t), "x", (4 * o + t,)) if 4 * o + t < 6 else ((o, t), "z_p", ())
        for o, t in product(range(2), range(4))
    }
    assert f.inputs("%p", x_d0=6, e_d0=2) == expected


def test_an_unknown_tile_leaves_the_padding_possible() -> None:
    """Which elements are padding depends on the tile: each one may be, and the map says that it may."""
    body = """
      %z = arith.constant 0.0 : f32
      %p = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [%t]
        into %e : tensor<3xf32> -> tensor<?x?xf32>"""
    f = Function(function("%x: tensor<3xf32>, %t: index, %e: tensor<?x?xf32>", body, "%p : tensor<?x?xf32>"))
    assert not f.exact("%p")
    found = f.inputs("%p", e_d0=2, e_d1=2, t=2)
    assert {((1, 1), "z_p", ()), ((1, 0), "x", (2,)), ((0, 0), "x", (0,))} <= found


def test_softmax() -> None:
    body = """
      %s = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>"""
    f = Function(function("%x: tensor<2x3xf32>, %e: tensor<2x3xf32>", body, "%s : tensor<2x3xf32>"))
    assert f.inputs("%s") == computed_from(f, "%s")
    assert f.exact("%s")


def test_softmax_of_zeros_is_not_zero() -> None:
    body = """
      %x = arith.constant dense<0.0> : tensor<2x3xf32>
      %s = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>"""
    f = Function(function("%e: tensor<2x3xf32>", body, "%s : tensor<2x3xf32>"))
    assert f.model.flow.facts(f.value("%s")).nonzero is True
