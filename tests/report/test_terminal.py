"""Tables for people: what breaks where, and what stands over what."""

from __future__ import annotations

import pytest

from volcli.loading.driver import load
from volcli.report.files import FileReport
from volcli.report.terminal import as_tables, broken

LAYER = """
func.func @f(%a: tensor<8xf32>) -> tensor<10xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}
"""
ACCESS = """
func.func @f(%m: memref<?xf32>, %n: memref<4xf32>) -> f32 {
  affine.for %i = 0 to 10 {
    %x = affine.load %m[%i] : memref<?xf32>
  }
  %c9 = arith.constant 9 : index
  %y = memref.load %n[%c9] : memref<4xf32>
  return %y : f32
}
"""


def tables(text: str, pipeline: str, width: int | None) -> list[str]:
    facts = load(text).run(pipeline).facts
    return as_tables([FileReport("a.mlir", facts=facts)], width=width).splitlines()


def test_a_value_is_the_heading_of_its_rows() -> None:
    heading, dense, static = tables(LAYER, "sparsity-regions", 64)[3:6]
    assert heading == " 4:8  f  %p"
    assert dense.split()[:2] == ["dense", "8"]
    assert static.split()[:3] == ["static", "zero", "2"]
    assert dense.index(" 8 ") == static.index(" 2 ")  # numbers stand under each other


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for text, pipeline in ((LAYER, "sparsity-regions,element-maps"), (ACCESS, "check-accesses")):
        assert max(map(len, tables(text, pipeline, width))) <= width


def test_always_and_for_some_arguments_have_different_words() -> None:
    rows = [line for line in tables(ACCESS, "check-accesses", None) if "out-of-bounds" in line]
    assert ["for some arguments" in row for row in rows] == [True, False]


def test_sets_break_at_their_pieces() -> None:
    assert broken("{ a[i] : 0 <= i <= 2; a[i = 9] }", 22) == "{ a[i] : 0 <= i <= 2;\n  a[i = 9] }"
    assert broken("short", 22) == "short"


def test_wide_characters_take_two_columns_in_a_pipe_too() -> None:
    text = 'func.func @"深さ"(%a: index) { return }\nfunc.func @f(%b: index) { return }\n'
    names, wide, plain = tables(text, "value-bounds", None)[3:]
    at = names.index("value")
    assert (wide.index("%a"), plain.index("%b")) == (at - 2, at)
