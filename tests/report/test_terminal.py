"""Tables for people: what breaks where, and what stands over what."""

from __future__ import annotations

import re

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
CONVOLUTION = """
func.func @f(%x: tensor<1x5x4x2xf32>, %w: tensor<3x3x2x4xf32>) -> tensor<1x5x4x4xf32> {

  %r = "stablehlo.convolution"(%x, %w) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    window_strides = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>,
    rhs_dilation = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}
    : (tensor<1x5x4x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x5x4x4xf32>
  return %r : tensor<1x5x4x4xf32>
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


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for text, pipeline in ((LAYER, "sparsity-regions,element-maps,layers"), (ACCESS, "check-accesses")):
        assert max(map(len, tables(text, pipeline, width))) <= width


@pytest.mark.parametrize("width", [40, 60, 80])
def test_columns_for_which_there_is_no_room_are_written_one_after_the_other(width: int) -> None:
    lines = tables(CONVOLUTION, "layers", width)
    assert lines[3] == " 4:8  f  %r"
    words = " ".join(line.strip() for line in lines[4 : lines.index(" 2:1  f  total")])
    assert words.split("input: ")[1].split() == [
        "%x",
        "field:",
        "1x3x3x2",
        "stride:",
        "1,",
        "1,",
        "1,",
        "-",
        "offset:",
        "0,",
        "-1,",
        "-1,",
        "-",
        "border:",
        "70.0%",
        "multiplications:",
        "1440",
        "zero:",
        "27.8%",
        "assuming",
        "nnan,",
        "ninf",
    ]
    assert all(len(line.split()) > 1 for line in lines[4:] if line)


def test_equations_are_not_broken() -> None:
    report = FileReport("a.mlir", facts=load(CONVOLUTION).run("element-maps").facts)
    for width in range(30, 70):
        for line in as_tables([report], width=width).splitlines():
            assert not re.search(r" =$|\{$|^\s*(= |\}$)", line), line


def test_always_and_for_some_arguments_have_different_words() -> None:
    rows = [
        line
        for line in tables(ACCESS, "check-accesses", None)
        if line[:1].isdecimal() and ("out-of-bounds" in line or "conditional" in line)
    ]
    assert sorted("conditional" in row for row in rows) == [False, True]


def test_sets_break_at_their_pieces() -> None:
    assert broken("{ a[i] : 0 <= i <= 2; a[i = 9] }", 22) == "{ a[i] : 0 <= i <= 2;\n  a[i = 9] }"
    assert broken("short", 22) == "short"


def test_wide_characters_take_two_columns_in_a_pipe_too() -> None:
    text = 'func.func @"深さ"(%a: index) { return }\nfunc.func @f(%b: index) { return }\n'
    names, wide, plain = tables(text, "value-bounds", None)[3:]
    at = names.index("value")
    assert (wide.index("%a"), plain.index("%b")) == (at - 2, at)
