"""Operations in generic form whose operands and results do not fit together: said once, and nothing else lost."""

from __future__ import annotations

import pytest

import volcli
from volcli.diagnostics import Severity

PASSES = "infer-shapes,element-maps,value-bounds,dependences,check-races,nests,memory-flow,sparsity-regions"

TYPES = {
    '"tensor.from_elements"(%f, %i) : (f32, i32) -> tensor<2xf32>': (
        "failed to verify that operand types match result element type"
    ),
    '"tensor.splat"(%i) : (i32) -> tensor<3xf32>': (
        "failed to verify that operand type matches element type of result"
    ),
    '"tensor.extract"(%t, %n) : (tensor<6xf32>, index) -> i32': (
        "failed to verify that result type matches element type of tensor"
    ),
    '"tensor.insert"(%i, %t, %n) : (i32, tensor<6xf32>, index) -> tensor<6xf32>': (
        "failed to verify that scalar type matches element type of dest"
    ),
    '"math.exp"(%f) : (f32) -> f64': "requires the same type for all operands and results",
}
COUNTS = {
    '"tensor.concat"() <{dim = 0 : i64}> : () -> tensor<6xf32>': "requires at least one input",
    '"linalg.transpose"() <{permutation = array<i64: 0>}> ({^bb0:\n}) : () -> tensor<6xf32>': (
        "expected 2 operands, but found 0"
    ),
    '"memref.distinct_objects"(%m, %m) : (memref<6xf32>, memref<6xf32>) -> memref<6xf32>': (
        "operand types and result types must match"
    ),
}
EFFECTS = {
    '"affine.dma_wait"(%m, %n) {tag_map = affine_map<(d0) -> (d0)>} : (memref<6xf32>, index) -> ()': (
        "incorrect number of operands"
    ),
    '"affine.dma_wait"(%n, %n, %n) {tag_map = affine_map<(d0) -> (d0)>} : (index, index, index) -> ()': (
        "expected DMA tag to be of memref type"
    ),
}


def check(line: str, message: str) -> None:
    text = f"""
func.func @f(%f: f32, %i: i32, %n: index, %t: tensor<6xf32>, %m: memref<6xf32>) {{
  {line}
  %last = memref.load %m[%n] : memref<6xf32>
  return
}}
"""
    errors = [each for each in volcli.load(text).run(PASSES).diagnostics if each.severity is Severity.ERROR]
    assert [each.code for each in errors] == ["V110"]
    assert errors[0].message.endswith(f" op {message}")


@pytest.mark.sample(5)
@pytest.mark.parametrize("operation", TYPES | COUNTS)
def test_results_that_do_not_fit(operation: str) -> None:
    check(f"%r = {operation}", (TYPES | COUNTS)[operation])


@pytest.mark.parametrize("operation", EFFECTS)
def test_operands_that_do_not_fit(operation: str) -> None:
    check(operation, EFFECTS[operation])


def test_all_results_that_must_be_of_one_type() -> None:
    line = '%l, %h = "arith.mului_extended"(%i, %i) : (i32, i32) -> (i32, i64)'
    check(line, "failed to verify that all of {lhs, rhs, low, high} have same type")


def test_an_invalid_insertion_may_write_any_element() -> None:
    text = """
func.func @f(%t: tensor<12xf32>) -> tensor<12xf32> {
  %r = scf.forall (%i) in (12) shared_outs(%o = %t) -> (tensor<12xf32>) {
    scf.forall.in_parallel {
      "tensor.parallel_insert_slice"(%o) : (tensor<12xf32>) -> ()
    }
  }
  return %r : tensor<12xf32>
}
"""
    program = volcli.load(text).run("dependences,check-races,nests")
    assert [each.code for each in program.diagnostics if each.severity is Severity.ERROR] == ["V110"]
    (loop,) = (fact.to_json() for fact in program.facts if fact.question == "loops")
    assert loop["kind"] != "parallel"


def test_an_attribute_with_a_default_may_be_missing() -> None:
    text = """
func.func @f(%a: vector<3xf32>, %b: vector<2xf32>) -> vector<3x2xf32> {
  %r = "vector.outerproduct"(%a, %b) : (vector<3xf32>, vector<2xf32>) -> vector<3x2xf32>
  return %r : vector<3x2xf32>
}
"""
    assert volcli.load(text).diagnostics == []
