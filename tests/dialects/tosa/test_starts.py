"""The number that a reduction of tosa begins with takes part: its lowering fills a tensor with it."""

from __future__ import annotations

import pytest

import volcli

REDUCTION = """func.func @f(%x: tensor<4x6xKIND>) -> tensor<4x1xKIND> {
  %r = tosa.NAME %x {axis = 1 : i32} : (tensor<4x6xKIND>) -> tensor<4x1xKIND>
  return %r : tensor<4x1xKIND>
}"""
LOWERED = """func.func @f(%x: tensor<4x6xKIND>) -> tensor<4x1xKIND> {
  %z = arith.constant START
  %e = tensor.empty() : tensor<4xKIND>
  %f = linalg.fill ins(%z : KIND) outs(%e : tensor<4xKIND>) -> tensor<4xKIND>
  %s = linalg.reduce { COMBINED } ins(%x : tensor<4x6xKIND>) outs(%f : tensor<4xKIND>) dimensions = [1]
  %r = tensor.expand_shape %s [[0, 1]] output_shape [4, 1] : tensor<4xKIND> into tensor<4x1xKIND>
  return %r : tensor<4x1xKIND>
}"""
CASES = [
    ("reduce_sum", "f32", "arith.addf", "0.0", "1.0"),
    ("reduce_sum", "i32", "arith.addi", "0", "1"),
    ("reduce_product", "f32", "arith.mulf", "1.0", "2.0"),
    ("reduce_product", "i32", "arith.muli", "1", "2"),
    ("reduce_max", "i32", "arith.maxsi", "-2147483648", "0"),
    ("reduce_min", "i32", "arith.minsi", "2147483647", "0"),
    ("reduce_any", "i1", "arith.ori", "false", "true"),
    ("reduce_all", "i1", "arith.andi", "true", "false"),
]


def verdict(name: str, kind: str, combined: str, start: str) -> str:
    before = REDUCTION.replace("NAME", name)
    after = LOWERED.replace("COMBINED", combined).replace(
        "START", start if kind == "i1" else f"{start} : {kind}"
    )
    old, new = (volcli.loads(text.replace("KIND", kind)) for text in (before, after))
    assert (old.exit_code, new.exit_code) == (0, 0)
    (found,) = old.diff(new, compare="sources")
    return found.verdict


@pytest.mark.parametrize(("name", "kind", "combined", "start", "other"), CASES)
def test_the_start_takes_part(name: str, kind: str, combined: str, start: str, other: str) -> None:
    assert verdict(name, kind, combined, start) == "equal"
    assert verdict(name, kind, combined, other) != "equal"
