"""Maps and regions of tensors that loops compute, against executions on terms."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.contents import tensor_loops
from tests.oracles.contents.judge import judge
from tests.shared.seeds import seeds
from volcli.facts.regions import RegionsFact

SHAPES = {"%a": (6,), "%b": (6,), "%x": ()}


def loop(body: str) -> str:
    """A loop of four iterations that carries %t, at first %a, and yields the tensor %q of BODY."""
    return f"""
func.func @f(%a: tensor<6xf32>, %b: tensor<6xf32>, %x: f32) -> tensor<6xf32> {{
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<6xf32>) {{
    %u = tensor.insert %z into %t[%i] : tensor<6xf32>
    %v = tensor.extract %b[%i] : tensor<6xf32>
    %k = arith.cmpi slt, %i, %c2 : index
    {body}
    scf.yield %q : tensor<6xf32>
  }}
  return %r : tensor<6xf32>
}}"""


BODIES = {
    "a copy": """%e = tensor.empty() : tensor<6xf32>
      %q = linalg.copy ins(%u : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>""",
    "a region": "%q = scf.execute_region -> tensor<6xf32> { scf.yield %u : tensor<6xf32> }",
    "a branch": """%q = scf.if %k -> (tensor<6xf32>) { scf.yield %u : tensor<6xf32> }
      else { scf.yield %t : tensor<6xf32> }""",
    "two inserts by a branch": """%w = tensor.insert %v into %t[%i] : tensor<6xf32>
      %q = scf.if %k -> (tensor<6xf32>) { scf.yield %w : tensor<6xf32> }
      else { scf.yield %u : tensor<6xf32> }""",
    "a switch": """%q = scf.index_switch %i -> tensor<6xf32>
      case 1 { scf.yield %u : tensor<6xf32> } default { scf.yield %t : tensor<6xf32> }""",
    "a select": "%q = arith.select %k, %u, %t : tensor<6xf32>",
    "a selected number": """%o = tensor.extract %t[%i] : tensor<6xf32>
      %s = arith.select %k, %x, %o : f32
      %q = tensor.insert %s into %t[%i] : tensor<6xf32>""",
    "a sum": "%q = arith.addf %u, %b : tensor<6xf32>",
    "a slice": """%s = tensor.extract_slice %u[%i] [1] [1] : tensor<6xf32> to tensor<1xf32>
      %q = tensor.insert_slice %s into %t[%i] [1] [1] : tensor<1xf32> into tensor<6xf32>""",
    "a slice that is written in part": """%s = tensor.extract_slice %t[%i] [2] [1] : tensor<6xf32> to tensor<2xf32>
      %w = tensor.insert %v into %s[%c0] : tensor<2xf32>
      %q = tensor.insert_slice %w into %t[%i] [2] [1] : tensor<2xf32> into tensor<6xf32>""",
    "another tensor": "%q = arith.select %k, %b, %t : tensor<6xf32>",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_what_is_computed_from_an_insert_is_that_of_all_iterations(body: str) -> None:
    """No answer has the variable of the loop for a parameter, and none is exact that is of one iteration."""
    judge(loop(body), SHAPES)


def test_zeros_that_a_loop_leaves_are_zero() -> None:
    """The tensor before the loop is no constant, but what fills one."""
    text = loop("%q = tensor.insert %v into %u[%c0] : tensor<6xf32>").replace("%t = %a", "%t = %f")
    filled = """%e = tensor.empty() : tensor<6xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
      %r ="""
    text = text.replace("%r =", filled, 1)
    judge(text, SHAPES)
    facts = volcli.loads(text).run("sparsity-regions").facts
    (fact,) = (each for each in facts if isinstance(each, RegionsFact))
    zeros = [row.set for row in fact.regions if row.kind == "static" and row.zero]
    assert len(zeros) == 1
    assert zeros[0].is_equal(isl.Set("{ r[i] : 1 <= i < 6 }"))


@pytest.mark.parametrize("seed", seeds(6, 400))
def test_random_programs_against_executions(seed: int) -> None:
    """The long campaign draws more of them."""
    judge(tensor_loops.drawn(seed), SHAPES)


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs."""
    for seed in range(2000):
        judge(tensor_loops.drawn(seed), SHAPES)
