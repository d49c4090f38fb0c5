"""What combines the iterations of affine.parallel, and memref.atomic_rmw an element with a value, by its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

import volcli
from volcli.execution.inputs import Inputs

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
