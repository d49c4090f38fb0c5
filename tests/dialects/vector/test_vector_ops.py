"""What the vector operations infer from their text (test_units.py has their syntax)."""

from __future__ import annotations

import pytest
from xdsl.ir import Operation

from tests.dialects.roundtrip import read_natively
from volcli.loading.driver import load


def function(body: str) -> str:
    arguments = (
        "%v: vector<4xf32>, %w: vector<[8]xf32>, %a: vector<2x3xi32>, %x: f32, %i: index, "
        "%m: memref<?x?x?xf32>, %k: vector<4x[8]xi1>"
    )
    return f"func.func @f({arguments}) {{\n{body}\nreturn\n}}"


def operation(body: str) -> Operation:
    (f,) = read_natively(function(body)).module.body.block.ops
    return list(f.regions[0].block.ops)[-2]


@pytest.mark.parametrize(
    ("body", "types"),
    [
        ("%r = vector.outerproduct %v, %w : vector<4xf32>, vector<[8]xf32>", ["vector<4x[8]xf32>"]),
        ("%r = vector.outerproduct %v, %x : vector<4xf32>, f32", ["vector<4xf32>"]),
        ("%r:6 = vector.to_elements %a : vector<2x3xi32>", ["i32"] * 6),
        ("%r:2 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>", ["vector<2xf32>"] * 2),
    ],
)
def test_types_of_results(body: str, types: list[str]) -> None:
    assert [str(result.type) for result in operation(body).results] == types


def test_a_window_is_the_last_dimensions_unless_it_says_otherwise() -> None:
    op = operation("%r = vector.transfer_read %m[%i, %i, %i], %x : memref<?x?x?xf32>, vector<4x2xf32>")
    assert str(op.properties["permutation_map"]) == "affine_map<(d0, d1, d2) -> (d1, d2)>"
    assert str(op.properties["in_bounds"]) == "[false, false]"


def test_a_mask_has_the_shape_of_what_is_read_in_memory() -> None:
    """It is neither permuted nor broadcast: dimension 0 of the mask is d0, which is the window's last."""
    op = operation(
        "%r = vector.transfer_read %m[%i, %i, %i], %x, %k"
        " {permutation_map = affine_map<(d0, d1, d2) -> (d2, 0, d0)>}"
        " : memref<?x?x?xf32>, vector<[8]x7x4xf32>"
    )
    assert str(op.operands[-1].type) == "vector<4x[8]xi1>"


def test_a_masked_operation_is_yielded() -> None:
    text = function(
        "%c = vector.constant_mask [2] : vector<4xi1>\n"
        "%r = vector.mask %c { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32"
    )
    inner, end = next(
        list(op.regions[0].block.ops) for op in read_natively(text).module.walk() if op.name == "vector.mask"
    )
    assert end.name == "vector.yield"
    assert list(end.operands) == list(inner.results)


@pytest.mark.parametrize(
    "body",
    [
        "vector.print %x : f32 punctuation <dash>",
        "%r = vector.contract {kind = #vector.kind<add>} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32",
        "%r:2 = vector.to_elements %x : f32",
        "%r = vector.from_elements %x : f32",
    ],
)
def test_what_is_no_operation_of_vector(body: str) -> None:
    assert [d.code for d in load(function(body), via="xdsl").diagnostics] == ["V103"]
