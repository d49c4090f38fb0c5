"""What combines the iterations of affine.parallel, and memref.atomic_rmw an element with a value, by its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

import volcli
from tests.execution.programs.peer import LOWERING
from tests.shared.execution import executed, needs_runner
from volcli.execution.runs.inputs import Inputs

_INTEGERS: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b, "andi": lambda a, b: a & b, "maxs": max, "maxu": lambda a, b: max(a & 255, b & 255),
    "mins": min, "minu": lambda a, b: min(a & 255, b & 255), "muli": lambda a, b: a * b, "ori": lambda a, b: a | b,
}  # fmt: skip
_FLOATS: dict[str, Callable[[float, float], float]] = {
    "addf": lambda a, b: a + b, "maximumf": max, "minimumf": min, "mulf": lambda a, b: a * b
}  # fmt: skip
_ELEMENTS = (3, -2, 5)


def _results(text: str) -> list[float]:
    return [float(each) for each in volcli.loads(text).function("f").run(Inputs()).results]


@pytest.mark.parametrize("name", [*_INTEGERS, *_FLOATS])
def test_reductions(name: str) -> None:
    function: Callable[[Any, Any], Any] = _FLOATS.get(name) or _INTEGERS[name]
    kind, of = ("f32", float) if name in _FLOATS else ("i8", int)
    found = _results(f"""
    func.func @f() -> ({kind}, {kind}) {{
      %t = arith.constant dense<{[of(each) for each in _ELEMENTS]}> : tensor<3x{kind}>
      %m = bufferization.to_buffer %t : tensor<3x{kind}> to memref<3x{kind}>
      %one = memref.alloc() : memref<{kind}>
      %c0 = arith.constant 0 : index
      %first = memref.load %m[%c0] : memref<3x{kind}>
      memref.store %first, %one[] : memref<{kind}>
      %r = affine.parallel (%i) = (0) to (3) reduce ("{name}") -> ({kind}) {{
        %v = affine.load %m[%i] : memref<3x{kind}>
        affine.yield %v : {kind}
      }}
      affine.for %i = 1 to 3 {{
        %v = affine.load %m[%i] : memref<3x{kind}>
        %old = memref.atomic_rmw {name} %v, %one[] : ({kind}, memref<{kind}>) -> {kind}
      }}
      %atomic = memref.load %one[] : memref<{kind}>
      return %r, %atomic : {kind}, {kind}
    }}
    """)
    expected = reduce(function, _ELEMENTS)
    assert found == [(expected + 128) % 256 - 128 if name in _INTEGERS else expected] * 2


def test_two_reductions_of_terms() -> None:
    program = volcli.loads("""
    func.func @f(%m: memref<2xf32>) -> (f32, f32) {
      %r:2 = affine.parallel (%i) = (0) to (2) reduce ("addf", "mulf") -> (f32, f32) {
        %a = affine.load %m[%i] : memref<2xf32>
        affine.yield %a, %a : f32, f32
      }
      return %r#0, %r#1 : f32, f32
    }
    """)
    results = program.function("f").run(Inputs(kind="terms")).results
    assert [str(each) for each in results[:2]] == [
        "addf(addf(0.0, m[0]), m[1])",
        "mulf(mulf(1.0, m[0]), m[1])",
    ]


SUMS = """
func.func @f() -> (f32, i32, f32) {
  %t = arith.constant dense<[0.1, 3.7, -2.5, 1000.25, 0.01, -999.9, 12.25, 0.3, -7.7, 5.5, 0.7, 2.2]> : tensor<12xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r:3 = scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c4) step (%c1, %c1) init (%zero, %one, %zero) -> (f32, i32, f32) {
    %k = affine.apply affine_map<(i, j) -> (i * 4 + j)>(%i, %j)
    %x = tensor.extract %t[%k] : tensor<12xf32>
    %n = arith.fptosi %x : f32 to i32
    scf.reduce(%x, %n, %x : f32, i32, f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      scf.reduce.return %s : i32
    }, {
    ^bb0(%a: f32, %b: f32):
      %s = arith.maximumf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r#0, %r#1, %r#2 : f32, i32, f32
}
func.func @main() {
  %r:3 = call @f() : () -> (f32, i32, f32)
  vector.print %r#0 : f32
  vector.print %r#1 : i32
  vector.print %r#2 : f32
  return
}
"""


@pytest.mark.slow
@needs_runner
def test_shuffled_sums_are_those_of_mlir_runner_but_for_rounding(mlir_opt: str) -> None:
    """Integers and extrema are equal in each order; sums of 12 floats differ by rounding, and some do."""
    total, count, largest = map(float, executed(mlir_opt, SUMS, LOWERING).split())
    function = volcli.loads(SUMS).function("f")
    runs = [[float(each) for each in function.run(Inputs(), shuffle=order).results] for order in range(12)]
    assert {tuple(run[1:]) for run in runs} == {(count, largest)}
    rounding = 12 * 2.0**-24 * 2035 + 5e-5  # by the sum of all magnitudes, and as it is printed
    assert all(abs(run[0] - total) <= rounding for run in runs)
    assert len({run[0] for run in runs}) > 1
