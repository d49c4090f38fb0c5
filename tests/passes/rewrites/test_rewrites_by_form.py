"""Rewrites of functions of blocks: what they know is what is true of their form."""

from __future__ import annotations

import pytest

import volcli

SIZES = """
func.func @f(%t: tensor<?xf32>, %v: f32, %s: i32, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = tensor.insert %v into %t[%n] : tensor<?xf32>
  cf.switch %s : i32, [default: ^b(%t, %c0 : tensor<?xf32>, index), 4: ^c(%u, %c1 : tensor<?xf32>, index)]
^b(%x: tensor<?xf32>, %i: index):
  %y = tensor.insert %v into %x[%i] : tensor<?xf32>
  %e = arith.cmpi slt, %i, %n : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %e, ^b(%y, %j : tensor<?xf32>, index), ^c(%y, %j : tensor<?xf32>, index)
^c(%z: tensor<?xf32>, %k: index):
  %d = tensor.dim %z, %c0 : tensor<?xf32>
  return %d, %k : index, index
}
"""


def test_a_size_that_blocks_pass_on_is_that_of_what_is_passed_first() -> None:
    assert "tensor.dim %t" in volcli.loads(SIZES).run("reify-bounds").text()


@pytest.mark.parametrize("other", ["%w: tensor<?xf32>", "%w: tensor<8xf32>"])
def test_sizes_that_differ_stay(other: str) -> None:
    """Either of two tensors may be passed, of which one is no longer than the other."""
    text = SIZES.replace("%v: f32", f"%v: f32, {other}").replace("^c(%u,", "^c(%p,")
    cast = "%p = tensor.cast %w : tensor<8xf32> to tensor<?xf32>" if "8" in other else ""
    text = text.replace("  cf.switch", f"  {cast}\n  cf.switch") if cast else text.replace("%p", "%w")
    assert not any(unit.rewritten for unit in volcli.loads(text).run("reify-bounds").units)


COUNTED = """
func.func @f(%n: index, %m: memref<8xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %t = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %t, ^b, ^e
^b:
  %k = arith.minsi %i, %LIMIT : index
  memref.store %v, %m[%k] : memref<8xi64>
  %j = arith.addi %i, %c1 : index
  cf.br ^h(%j : index)
^e:
  return
}
"""


def test_a_minimum_in_a_loop_of_blocks_goes_where_the_loop_decides_it() -> None:
    assert "minsi" not in volcli.loads(COUNTED.replace("%LIMIT", "%c8")).run("simplify-bounds").text()


@pytest.mark.parametrize("limit", ["%c1", "%n"])
def test_a_minimum_that_the_loop_does_not_decide_stays(limit: str) -> None:
    program = volcli.loads(COUNTED.replace("%LIMIT", limit)).run("simplify-bounds")
    assert not any(unit.rewritten for unit in program.units)
