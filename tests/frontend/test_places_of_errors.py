"""Syntax errors stand where mlir-opt finds them, and say what it says; earlier definitions are noted."""

from __future__ import annotations

import re
import subprocess

import pytest

import volcli

BEYOND = "9223372036854775808"
ERRORS = {
    "key of a property": '%r = "arith.constant"() <{value = 1 : i32, value = 2 : i32}> : () -> i32',
    "key of an attribute": '"t.a"() {a = 1, b = {a = 2},\n   a = 3} : () -> ()',
    "end of a location": 'return loc("x.py":1:2',
    "column of a location": 'return loc("x.py":1 2)',
    "end of a fused location": 'return loc(fused["a"',
    "caller of a location": 'return loc(callsite("a" "b"))',
    "no location": "return loc()",
    "no operand": "%r = tensor.generate %n {\n  ^bb0(%i: index):\n    tensor.yield\n  } : tensor<?xf32>",
    "upper bound": f"affine.for %i = 0 to {BEYOND} {{\n  }}",
    "lower bound": f"affine.for %i = -9{BEYOND} to 9 {{\n  }}",
    "bound of a parallel loop": f"affine.parallel (%i) = (0) to ({BEYOND}) {{\n  }}",
    "subscript": f"%r = affine.load %m[%n + {BEYOND}] : memref<?xf32>",
}
PLACES = {
    "step": f"affine.for %i = 0 to 9 step {BEYOND} {{\n  }}",
    "offset": f"%r = memref.subview %m[{BEYOND}] [4] [1] : memref<?xf32> to memref<?xf32>",
}


def said(text: str, mlir_opt: str) -> tuple[list[str], list[str]]:
    """What mlir-opt says of a text, and what volcli does: line, column, message."""
    ran = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect"], input=text, capture_output=True, text=True
    )
    theirs = re.findall(r"<stdin>:(\d+:\d+): (?:error|note): (.*)", ran.stderr)
    ours: list[str] = []
    for each in volcli.load(text, via="xdsl").diagnostics:
        assert each.place is not None
        ours.append(f"{each.place.line}:{each.place.column} {each.message}")
        ours += [f"{place.line}:{place.column} {said}" for place, said in each.related]
    return [f"{place} {message}" for place, message in theirs], ours


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ERRORS)
def test_place_and_message(mlir_opt: str, name: str) -> None:
    theirs, ours = said(f"func.func @f(%n: index, %m: memref<?xf32>) {{\n  {ERRORS[name]}\n}}\n", mlir_opt)
    assert theirs
    assert ours == theirs


@pytest.mark.parametrize("name", PLACES)
def test_place(mlir_opt: str, name: str) -> None:
    """The words differ."""
    theirs, ours = said(f"func.func @f(%n: index, %m: memref<?xf32>) {{\n  {PLACES[name]}\n}}\n", mlir_opt)
    assert [each.partition(" ")[0] for each in ours] == [theirs[0].partition(" ")[0]]


DEFINITIONS = {
    "a result": "%a = arith.addi %n, %n : index\n  %b, %a = \"t.a\"() : () -> (i32, i32)\n  return",
    "an argument": "%n = arith.constant 1 : index\n  return",
    "a result among several": "%a:2 = \"t.a\"() : () -> (i32, i32)\n  %a = \"t.a\"() : () -> i32\n  return",
}  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_second_definition_names_the_first(mlir_opt: str, name: str) -> None:
    theirs, ours = said(f"func.func @f(%n: index) {{\n  {DEFINITIONS[name]}\n}}\n", mlir_opt)
    assert len(theirs) == 2
    assert ours == theirs
