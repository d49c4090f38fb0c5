"""What the tensor operations of tensor_ops.py say of elements and sizes (test_units.py has their syntax)."""

from __future__ import annotations

from tests.shared.enumeration import Function, box_points, function


def test_a_bitcast_is_a_copy() -> None:
    f = Function(function(
        "%t: tensor<2x3xf32>", "%r = tensor.bitcast %t : tensor<2x3xf32> to tensor<2x3xi32>",
        "%r : tensor<2x3xi32>",
    ))  # fmt: skip
    assert f.reads("%r") == {(r, "t", r) for r in box_points(2, 3)}
    assert f.exact("%r")


def test_a_bitcast_keeps_the_sizes() -> None:
    f = Function(function(
        "%t: tensor<2x?xf32>", "%r = tensor.bitcast %t : tensor<2x?xf32> to tensor<2x?xi32>",
        "%r : tensor<2x?xi32>",
    ))  # fmt: skip
    assert f.sizes("%r") == f.sizes("%t")


def test_a_gather_by_data_may_read_any_slice() -> None:
    """The coordinates are data: each slice is one of all, at the same element."""
    f = Function(function(
        "%t: tensor<3x2xf32>, %i: tensor<2x1xindex>",
        "%r = tensor.gather %t[%i] gather_dims([0]) : (tensor<3x2xf32>, tensor<2x1xindex>) -> tensor<2x2xf32>",
        "%r : tensor<2x2xf32>",
    ))  # fmt: skip
    from_slices = {(r, "t", (row, r[1])) for r in box_points(2, 2) for row in range(3)}
    assert f.reads("%r") == from_slices | {(r, "i", (r[0], 0)) for r in box_points(2, 2)}
    assert not f.exact("%r")


def test_a_scatter_has_the_destinations_sizes() -> None:
    f = Function(function(
        "%s: tensor<2x?xf32>, %t: tensor<3x?xf32>, %i: tensor<2x1xindex>",
        "%r = tensor.scatter %s into %t[%i] scatter_dims([0]) unique"
        " : (tensor<2x?xf32>, tensor<3x?xf32>, tensor<2x1xindex>) -> tensor<3x?xf32>",
        "%r : tensor<3x?xf32>",
    ))  # fmt: skip
    assert f.sizes("%r") == f.sizes("%t")
    assert not f.exact("%r")


def test_a_scatter_by_numbers_is_exact() -> None:
    """Rows 2 and 0 are those of the source, row 1 is the destination's."""
    f = Function(function(
        "%s: tensor<2x2xf32>, %t: tensor<3x2xf32>",
        "%i = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>\n"
        "%r = tensor.scatter %s into %t[%i] scatter_dims([0]) unique"
        " : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<2x1xindex>) -> tensor<3x2xf32>",
        "%r : tensor<3x2xf32>",
    ))  # fmt: skip
    rows = {2: ("s", 0), 0: ("s", 1), 1: ("t", 1)}
    assert f.reads("%r") == {(r, rows[r[0]][0], (rows[r[0]][1], r[1])) for r in box_points(3, 2)}
    assert f.exact("%r")
