"""Maps of tensors that scf.while and stablehlo.while carry, against executions on terms."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.contents import scans
from tests.oracles.contents.judge import judge
from tests.shared.seeds import seeds
from volcli.facts.maps import MapFact

SHAPES = {"%a": (6,), "%b": (6,), "%x": ()}

FUNCTION = """
func.func @f(%a: tensor<6xf32>, %b: tensor<6xf32>, %x: f32, %n: index, %d: tensor<6xi1>) -> tensor<6xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
"""


def loop(first: str, condition: str, body: str, forwarded: str = "%i, %t") -> str:
    """A loop of the index %i and the tensor %t, at first FIRST and %a, while %c of CONDITION; the tensor of it."""
    return f"""{FUNCTION}
  %r:2 = scf.while (%i = {first}, %t = %a) : (index, tensor<6xf32>) -> (index, tensor<6xf32>) {{
    {condition}
    scf.condition(%c) {forwarded} : index, tensor<6xf32>
  }} do {{
  ^bb0(%i: index, %t: tensor<6xf32>):
    {body}
    scf.yield %k, %u : index, tensor<6xf32>
  }}
  return %r#1 : tensor<6xf32>
}}"""


COPIED = """%v = tensor.extract %b[%i] : tensor<6xf32>
    %u = tensor.insert %v into %t[%i] : tensor<6xf32>"""
LOOPS = {
    "one that counts down": loop(
        "%c4", "%c = arith.cmpi sgt, %i, %c0 : index", f"{COPIED}\n%k = arith.subi %i, %c1 : index"
    ),
    "one whose number doubles": loop(
        "%c1", "%c = arith.cmpi sle, %i, %c4 : index", f"{COPIED}\n%k = arith.addi %i, %i : index"
    ),
    "one that ends at a number": loop(
        "%c0", "%c = arith.cmpi ne, %i, %c4 : index", f"{COPIED}\n%k = arith.addi %i, %c1 : index"
    ),
    "one that is tested at its end": loop(
        "%c0",
        f"{COPIED}\n%k = arith.addi %i, %c1 : index\n%c = arith.cmpi slt, %k, %c4 : index",
        "",
        "%k, %u",
    ).replace("scf.yield %k, %u", "scf.yield %i, %t"),
    "one that changes nothing": loop(
        "%c0",
        "%c = tensor.extract %d[%i] : tensor<6xi1>",
        "%k = arith.addi %i, %c1 : index",
    ).replace("scf.yield %k, %u", "scf.yield %k, %t"),
}


@pytest.mark.parametrize("text", LOOPS.values(), ids=list(LOOPS))
def test_a_loop_whose_iterations_are_known_has_an_exact_map(text: str) -> None:
    assert judge(text, SHAPES) == (1, 0)


def test_where_data_decides_how_often_a_loop_runs_each_iteration_may_be_the_last() -> None:
    """The elements that are written may be what they were, and depend on what decides."""
    condition = """%e = tensor.extract %d[%i] : tensor<6xi1>
    %l = arith.cmpi slt, %i, %c4 : index
    %c = arith.andi %e, %l : i1"""
    text = loop("%c0", condition, f"{COPIED}\n%k = arith.addi %i, %c1 : index")
    assert judge(text, SHAPES) == (0, 1)
    (fact,) = (f for f in volcli.loads(text).run("element-maps").facts if isinstance(f, MapFact))
    assert "how often scf.while runs its regions" in str(fact.certainty.reason)
    elements = "r_1[i] -> a[i] : 0 <= i < 6; r_1[i] -> b[i] : 0 <= i < 4"
    deciding = "r_1[i] -> d[j] : 0 <= i < 6 and 0 <= j < 4"
    assert fact.map is not None
    assert isl.UnionMap(f"{{ {elements}; {deciding} }}").is_subset(fact.map)


def test_a_loop_after_one_whose_state_has_no_closed_form_reads_what_that_gives() -> None:
    """The form numbers the first loop: what was asked before of the second one is of another loop."""
    text = f"""{FUNCTION}
      %r:2 = scf.while (%i = %c1, %t = %a) : (index, tensor<6xf32>) -> (index, tensor<6xf32>) {{
        %c = arith.cmpi slt, %i, %n : index
        scf.condition(%c) %i, %t : index, tensor<6xf32>
      }} do {{
      ^bb0(%i: index, %t: tensor<6xf32>):
        %u = arith.addf %b, %t : tensor<6xf32>
        %k = arith.addi %i, %i : index
        scf.yield %k, %u : index, tensor<6xf32>
      }}
      %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %r#1) -> (tensor<6xf32>) {{
        %v = tensor.extract %r#1[%i] : tensor<6xf32>
        %u = tensor.insert %v into %t[%i] : tensor<6xf32>
        scf.yield %u : tensor<6xf32>
      }}
      return %s : tensor<6xf32>
    }}"""
    judge(text, SHAPES)


SCAN = """
func.func @f(%a: tensor<5x3xf32>, %v: tensor<3xf32>) -> (tensor<3xf32>, tensor<5x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<5x3xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%xs = %a, %i = %first, %s = %v, %ys = %zero)
      : tensor<5x3xf32>, tensor<i32>, tensor<3xf32>, tensor<5x3xf32> cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %negative = stablehlo.compare LT, %i, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %rows = stablehlo.constant dense<5> : tensor<i32>
    %more = stablehlo.add %i, %rows : tensor<i32>
    %at = stablehlo.select %negative, %more, %i : tensor<i1>, tensor<i32>
    %line = stablehlo.dynamic_slice %xs, %at, %z, sizes = [1, 3]
      : (tensor<5x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %row = stablehlo.reshape %line : (tensor<1x3xf32>) -> tensor<3xf32>
    %t = stablehlo.add %s, %row : tensor<3xf32>
    %u = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %zs = stablehlo.dynamic_update_slice %ys, %u, %at, %z
      : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %xs, %k, %t, %zs : tensor<5x3xf32>, tensor<i32>, tensor<3xf32>, tensor<5x3xf32>
  }
  return %r#2, %r#3 : tensor<3xf32>, tensor<5x3xf32>
}"""


def test_a_scan_sums_the_rows_up_to_each_one() -> None:
    assert judge(SCAN, {"%a": (5, 3), "%v": (3,)}) == (2, 0)
    facts = [each for each in volcli.loads(SCAN).run("element-maps").facts if isinstance(each, MapFact)]
    sums, expected = facts[1].map, "k <= i < 5 and 0 <= k and 0 <= j < 3"
    assert sums is not None
    whole = isl.UnionMap(
        f"{{ ys[i, j] -> a[k, j] : {expected}; ys[i, j] -> v[j] : 0 <= i < 5 and 0 <= j < 3 }}"
    )
    assert sums.is_equal(whole)


@pytest.mark.parametrize("seed", seeds(4, 400))
def test_random_scans_against_executions(seed: int) -> None:
    """The long campaign draws more of them."""
    judge(scans.drawn(seed), scans.SHAPES)
