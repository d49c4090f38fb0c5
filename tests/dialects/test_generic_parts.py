"""Parts in generic form that mlir-opt refuses: one error at the operation, and nothing else is asked of it."""

from __future__ import annotations

import subprocess

import pytest

import volcli
from volcli.diagnostics import Severity

PASSES = "infer-shapes,element-maps{of=all},sparsity-regions{of=all},value-bounds,dependences,memory-flow"
FUNCTION = """func.func @f(%n: index, %i: i32, %x: f32, %c: i1, %t: tensor<4xf32>, %u: tensor<4x4xf32>, %v: vector<4xf32>,
             %m: memref<4xf32>, %p: memref<f32>, %d: tensor<?xf32>) {{
  {}
  return
}}
"""
PARTS = {
    "a property that there is not": (
        '%r = "arith.remui"(%n, %n) <{a = 1 : i32}> : (index, index) -> index',
        "invalid properties: this operation does not support properties",
    ),
    "a cast of what is no number": (
        '%r = "arith.fptosi"(%m) : (memref<4xf32>) -> i32',
        "operand #0 must be floating-point-like, but got 'memref<4xf32>'",
    ),
    "a cast into what is no number": (
        '%r = "arith.sitofp"(%i) : (i32) -> index',
        "result #0 must be floating-point-like, but got 'index'",
    ),
    "a cast of a vector to a tensor": (
        '%r = "arith.bitcast"(%v) : (vector<4xf32>) -> tensor<4xi32>',
        "failed to verify that input and output have the same tensor dimensions",
    ),
    "a cast to a tensor of unknown rank": (
        '%r = "arith.extf"(%t) : (tensor<4xf32>) -> tensor<*xf64>',
        "failed to verify that input and output have the same tensor dimensions",
    ),
    "a cast of an index": (
        '%r = "arith.extui"(%n) : (index) -> i64',
        "operand #0 must be signless-fixed-width-integer-like, but got 'index'",
    ),
    "an index cast of floats": (
        '%r = "arith.index_cast"(%x) : (f32) -> index',
        "operand #0 must be signless-integer-like or memref of signless-integer, but got 'f32'",
    ),
    "scales of another shape": (
        '%r = "arith.scaling_truncf"(%t, %u) : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf16>',
        "all non-scalar operands/results must have the same shape and base type",
    ),
    "one overflow of many sums": (
        '%i4 = arith.constant dense<1> : tensor<4xi32>\n  '
        '%r, %o = "arith.addui_extended"(%i4, %i4) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, i1)',
        "if an operand is non-scalar, then all results must be non-scalar",
    ),
    "a loop without induction variable": (
        '"scf.for"(%n, %n, %n) ({\n    "scf.yield"() : () -> ()\n  }) : (index, index, index) -> ()',
        None,
    ),
    "a mask that is no vector": ('%r = "vector.create_mask"(%n, %n) : (index, index) -> i32', None),
    "ranks of a concatenation": (
        '%r = "tensor.concat"(%u, %t) <{dim = 0 : i64}> : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>',
        "rank of concatenated inputs must match result rank",
    ),
    "a permutation of more dimensions": (
        '%r = "memref.transpose"(%m) <{permutation = affine_map<(d0, d1) -> (d1)>}> : (memref<4xf32>) -> '
        "memref<4xf32>",
        "expected a permutation map",
    ),
    "ranks of a copy": (
        '"memref.copy"(%m, %p) : (memref<4xf32>, memref<f32>) -> ()',
        "requires the same shape for all operands",
    ),
    "a size less": (
        '%r = "memref.expand_shape"(%m) <{reassociation = [[0, 1]], static_output_shape = '
        "array<i64: -9223372036854775808, 2>}> : (memref<4xf32>) -> memref<2x2xf32>",
        "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 1 dynamic "
        "dims while output_shape has 0 values",
    ),
    "a shape that is a number": (
        '%r = "tensor.reshape"(%t, %t) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
        "operand #1 must be 1D tensor of signless integer or index values, but got 'tensor<4xf32>'",
    ),
    "a generator without a block": (
        '%r = "tensor.generate"(%n) ({}) : (index) -> tensor<?xf32>',
        "region #0 ('body') failed to verify constraint: region with 1 blocks",
    ),
    "a branch with two blocks": (
        '"scf.if"(%c) ({\n  ^a:\n    scf.yield\n  ^b:\n    scf.yield\n  }, {}) : (i1) -> ()',
        "expects region #0 to have 0 or 1 blocks",
    ),
    "a branch with an argument": (
        '"scf.if"(%c) ({\n  ^a(%y: i32):\n    scf.yield\n  }, {}) : (i1) -> ()',
        "region #0 should have no arguments",
    ),
    "a default without a block": (
        '"scf.index_switch"(%n) <{cases = array<i64>}> ({}) : (index) -> ()', None,
    ),
    "an unknown end": (
        '"affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>, '
        "step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 0>}> ({\n"
        '  ^a(%k: index):\n    "t.end"() : () -> ()\n  }) : () -> ()',
        "expects regions to end with 'affine.yield', found 't.end'",
    ),
    "an exponent for another shape": (
        '%r = "math.fpowi"(%v, %i) : (vector<4xf32>, i32) -> vector<4xf32>',
        "requires the same shape for all operands and results",
    ),
    "no subscripts of a map": (
        '"linalg.matmul"() ({\n    linalg.yield\n  }) : () -> ()',
        "expected the number of indexing_map (3) to be equal to the number of input/output operands (0)",
    ),
}  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PARTS)
def test_one_error_in_the_words_of_mlir_opt(mlir_opt: str, name: str) -> None:
    op, message = PARTS[name]
    text = FUNCTION.format(op)
    ran = subprocess.run(
        [mlir_opt, "--allow-unregistered-dialect"], input=text, capture_output=True, text=True
    )
    assert ran.returncode == 1
    found = [d for d in volcli.load(text, via="xdsl").run(PASSES).diagnostics if d.severity is Severity.ERROR]
    assert [each.code for each in found] == ["V110"]
    if message is not None:
        assert found[0].message.endswith(f" op {message}")


@pytest.mark.parametrize("op", ["square", "add", "fill"])
def test_an_operation_of_any_rank_without_an_output(op: str) -> None:
    """mlir-opt ends with a crash."""
    text = FUNCTION.format(f'"linalg.{op}"() ({{\n    linalg.yield\n  }}) : () -> ()')
    (found,) = volcli.load(text, via="xdsl").run(PASSES).diagnostics
    assert found.message == f"'linalg.{op}' op expected 1 or more outputs, but found 0"


def test_a_property_that_is_not_defined_is_none() -> None:
    text = FUNCTION.format("""%w = tensor.empty() : tensor<1x1x2x2xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  %o = tensor.empty() : tensor<1x1x1x1xf32>
  %r = "linalg.pooling_nchw_sum"(%w, %k, %o) <{indexing_maps = #t.a, operandSegmentSizes = array<i32: 2, 1>}> ({
  ^a(%1: f32, %2: f32, %3: f32):
    %s = arith.addf %3, %1 : f32
    linalg.yield %s : f32
  }) : (tensor<1x1x2x2xf32>, tensor<2x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>""")
    assert volcli.load(text, via="xdsl").run(PASSES).diagnostics == []


ENDS = {
    "a yield of two": "    affine.yield %x, %x : f32, f32",
    "a yield that is malformed": '    "affine.yield"(%x) ({}) : (f32) -> ()',
    "no end": "    %z = arith.addi %i, %i : i32",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_loop_whose_end_is_invalid_has_no_answers(name: str) -> None:
    text = FUNCTION.format(
        '%r = "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (4)>, '
        "step = 1 : index, operandSegmentSizes = array<i32: 0, 0, 1>}> ({\n"
        f"  ^a(%k: index, %y: f32):\n{ENDS[name]}\n  }}) : (f32) -> f32"
    )
    program = volcli.load(text, via="xdsl").run(PASSES)
    assert [each.code for each in program.diagnostics if each.severity is Severity.ERROR] == ["V110"]
    (found,) = (
        f.to_json() for f in program.facts if f.question == "bounds" and getattr(f, "value", None) == "%k"
    )
    assert (found["lb"]["constant"], found["ub"]["constant"]) == (None, None)


def test_a_body_that_uses_an_invalid_operation_depends_on_all_of_its_operands() -> None:
    text = FUNCTION.format("""%r = tensor.generate %n {
  ^bb0(%k: index):
    %e = "tensor.extract"(%u, %k) : (tensor<4x4xf32>, index) -> f32
    tensor.yield %e : f32
  } : tensor<?xf32>""")
    program = volcli.load(text, via="xdsl").run("element-maps{of=all}")
    assert [each.code for each in program.diagnostics if each.severity is Severity.ERROR] == ["V110"]
    (fact,) = (fact.to_json() for fact in program.facts if getattr(fact, "value", None) == "%r")
    assert fact["exact"] is False


def test_values_that_use_each_other_end() -> None:
    text = FUNCTION.format("""%a = "t.a"(%b) : (index) -> index
  %s = arith.addi %b, %a : index
  %b = arith.addi %s, %n : index
  %r = tensor.empty(%b) : tensor<?xf32>
  %e = tensor.extract_slice %r[%s] [%b] [1] : tensor<?xf32> to tensor<?xf32>""")
    program = volcli.load(text, via="xdsl").run(PASSES)
    assert {each.code for each in program.diagnostics if each.severity is Severity.ERROR} == {"V110"}


def test_a_vector_without_dimensions_may_be_interleaved() -> None:
    text = FUNCTION.format(
        "%z = vector.broadcast %x : f32 to vector<f32>\n  "
        '%r = "vector.interleave"(%z, %z) : (vector<f32>, vector<f32>) -> vector<2xf32>'
    )
    assert not [
        said for said in volcli.loads(text).run(PASSES).diagnostics if said.severity is Severity.ERROR
    ]


def test_a_size_that_is_computed_before_its_operands_is_one_error() -> None:
    text = """func.func @f(%t: tensor<100x?xf32>) {
      %height = affine.min affine_map<(d0) -> (16, -d0 + 100)>(%i)
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      scf.for %i = %c0 to %c16 step %c16 {
        %tile = tensor.extract_slice %t[%i, 0] [%height, 1] [1, 1] : tensor<100x?xf32> to tensor<?x1xf32>
      }
      return
    }"""
    said = volcli.loads(text).run(PASSES).diagnostics
    assert "V900" not in {each.code for each in said}


def test_an_operation_whose_first_region_is_empty_is_analysed() -> None:
    text = '"t.f"() ({}, {\n^bb0(%n: index, %t: tensor<?xf32>):\n  "t.end"(%n) : (index) -> ()\n}) : () -> ()'
    program = volcli.loads(text).run("infer-shapes,value-bounds,element-maps{of=all},dependences")
    assert not [said for said in program.diagnostics if said.code == "V900"]
    assert {"%n", "%t"} <= {fact.to_json().get("value") for fact in program.facts}
