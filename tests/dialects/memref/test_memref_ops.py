"""What the memref operations hold, and what is no memref operation (test_units.py has their syntax)."""

from __future__ import annotations

import pytest
from xdsl.dialects import memref as xdsl_memref
from xdsl.dialects.builtin import BoolAttr, IntegerAttr, TensorType, f32, i64
from xdsl.ir import Operation

from tests.dialects.roundtrip import read_natively
from volcli.frontend.parse.constants.splat import SplatElementsAttr
from volcli.frontend.text.locations import place_of
from volcli.loading.driver import load
from volcli_dialects import memref

LOAD = """func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] {alignment = 16 : i64, nontemporal = true, x.y} : memref<4xf32>
  return %x : f32
}"""


def find(text: str, name: str) -> Operation:
    return next(op for op in read_natively(text).module.walk() if op.name == name)


def test_what_is_inherent_is_a_property() -> None:
    op = find(LOAD, "memref.load")
    assert op.properties == {"alignment": IntegerAttr(16, i64), "nontemporal": BoolAttr.from_bool(True)}
    assert list(op.attributes) == ["x.y"]


def test_ours_are_also_xdsls() -> None:
    ours = {kind.name: kind for kind in memref.dialect().operations}
    for base in (xdsl_memref.LoadOp, xdsl_memref.StoreOp, xdsl_memref.CastOp, xdsl_memref.SubviewOp):
        assert issubclass(ours[base.name], base)


def test_a_global_is_a_tensor_and_a_splat_stays_one_element() -> None:
    op = find("memref.global constant @c : memref<1000x1000xf32, 1> = dense<0.0>", "memref.global")
    value = op.properties["initial_value"]
    assert isinstance(value, SplatElementsAttr)
    assert value.type == TensorType(f32, [1000, 1000])


def test_the_hidden_end_of_a_scope_stands_where_the_scope_does() -> None:
    text = "func.func @f() {\n  memref.alloca_scope {\n    %m = memref.alloca() : memref<4xf32>\n  }\n  return\n}"
    assert place_of(find(text, "memref.alloca_scope.return")) == place_of(find(text, "memref.alloca_scope"))


@pytest.mark.parametrize(
    "op",
    [
        "memref.atomic_rmw divf %x, %m[%i] : (f32, memref<4x4xf32>) -> f32",
        "memref.transpose %m (i, j) -> (j, k) : memref<4x4xf32> to memref<4x4xf32>",
        "memref.transpose %m (i, j) -> (j) : memref<4x4xf32> to memref<4x4xf32>",
        "memref.prefetch %m[%i, %i], maybe, locality<1>, data : memref<4x4xf32>",
        "memref.dma_start %m[%i, %i], %m[%i, %i], %i : memref<4x4xf32>",
        "memref.load %m[%i, %i] : tensor<4x4xf32>",
        "memref.cast %m : memref<4x4xf32>",
    ],
)
def test_what_is_no_operation_of_memref(op: str) -> None:
    text = f"func.func @f(%m: memref<4x4xf32>, %i: index, %x: f32) {{\n  {op}\n  return\n}}"
    diagnostics = load(text, via="xdsl").diagnostics
    assert [d.code for d in diagnostics] in (["V103"], ["V110"])


def test_a_global_of_no_buffer() -> None:
    (diagnostic,) = load("memref.global @c : tensor<4xf32> = dense<0.0>\n", via="xdsl").diagnostics
    assert diagnostic.message == "expected the type of a buffer"
