"""Sizes, the findings V201 and V202 where they are true (and nowhere else), and refined types."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import volcli
from tests.enumeration import function, run
from volcli.driver import load
from volcli.facts.shapes import ShapeFact

RUNNER = shutil.which("mlir-runner-22")
LIBRARIES = (
    sorted((Path(RUNNER).resolve().parents[1] / "lib").glob("libmlir_c_runner_utils.so*")) if RUNNER else []
)


def findings(text: str) -> list[str]:
    return [d.code for d in load(text).run("infer-shapes").diagnostics]


def generic(maps: str, iterators: str, types: str, result: str) -> str:
    """`%r = linalg.generic` on %a and %o that copies."""
    return f"""%r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
        ins(%a : {types}) outs(%o : {result}) {{
      ^bb0(%x: f32, %y: f32):
        linalg.yield %x : f32
      }} -> {result}"""


def copy_text(first: str, second: str) -> str:
    body = (
        f"%r = linalg.copy ins(%a : tensor<{first}xf32>) "
        f"outs(%o : tensor<{second}xf32>) -> tensor<{second}xf32>"
    )
    return function(f"%a: tensor<{first}xf32>, %o: tensor<{second}xf32>", body)


P = '"parallel"'
IDENTITY = "affine_map<(d0, d1) -> (d0, d1)>"

WRONG = {
    "inner dimensions of a matmul": (
        "V201",
        function(
            "%a: tensor<2x3xf32>, %b: tensor<4x5xf32>, %o: tensor<2x5xf32>",
            """%r = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<4x5xf32>)
               outs(%o : tensor<2x5xf32>) -> tensor<2x5xf32>""",
        ),
    ),
    "through a dynamic chain": (
        "V201",
        function(
            "%a: tensor<3xf32>, %b: tensor<4xf32>",
            """%x = tensor.cast %a : tensor<3xf32> to tensor<?xf32>
               %y = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
               %r = arith.addf %x, %y : tensor<?xf32>""",
        ),
    ),
    "through two uses of one size": (
        "V201",
        function(
            "%t: tensor<?xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>",
            """%x = linalg.copy ins(%a : tensor<3xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
               %y = linalg.copy ins(%b : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>""",
        ),
    ),
    "an odd size that must be even": (
        "V201",
        function(
            "%t: tensor<?xf32>, %a: tensor<7xf32>",
            """%c = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
               %x = linalg.copy ins(%a : tensor<7xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>""",
        ),
    ),
    "a size that would be negative": (
        "V201",
        function(
            "%t: tensor<?xf32>, %a: tensor<2xf32>, %v: f32",
            """%p = tensor.pad %t low[2] high[1] {
               ^bb0(%i: index): tensor.yield %v : f32
               } : tensor<?xf32> to tensor<?xf32>
               %x = linalg.copy ins(%a : tensor<2xf32>) outs(%p : tensor<?xf32>) -> tensor<?xf32>""",
        ),
    ),
    "concatenated tensors": (
        "V201",
        function(
            "%a: tensor<2x3xf32>, %b: tensor<4x3xf32>",
            "%r = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<?x6xf32>",
        ),
    ),
    "an inserted slice": (
        "V201",
        function(
            "%a: tensor<?xf32>, %b: tensor<3xf32>, %d: tensor<9xf32>",
            """%x = linalg.copy ins(%b : tensor<3xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
               %c4 = arith.constant 4 : index
               %r = tensor.insert_slice %x into %d[0] [%c4] [1] : tensor<?xf32> into tensor<9xf32>""",
        ),
    ),
    "a declared type": (
        "V202",
        function(
            "%t: tensor<4xf32>, %v: f32",
            """%c2 = arith.constant 2 : index
               %p = tensor.pad %t low[%c2] high[0] {
               ^bb0(%i: index): tensor.yield %v : f32
               } : tensor<4xf32> to tensor<7xf32>""",
        ),
    ),
    "a cast": (
        "V202",
        function(
            "%t: tensor<4xf32>",
            """%x = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
               %y = tensor.cast %x : tensor<?xf32> to tensor<5xf32>""",
        ),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_contradiction_is_found(name: str) -> None:
    code, text = WRONG[name]
    assert findings(text) == [code]


def test_a_finding_has_the_place_of_its_operation() -> None:
    _, text = WRONG["through two uses of one size"]
    (found,) = run(text, "infer-shapes").diagnostics
    assert found.place is not None
    line = text.splitlines()[found.place.line - 1]
    assert line[found.place.column - 1 :].startswith(("%y = linalg.copy", "linalg.copy ins(%b"))


RIGHT = {
    "equal": copy_text("4", "4"),
    "dynamic": copy_text("?", "4"),
    "both dynamic": copy_text("?", "?"),
    "zero-size": copy_text("0", "0"),
    "zero-size and dynamic": copy_text("0", "?"),
    "a unit dimension read at 0": function(
        "%a: tensor<4x1xf32>, %o: tensor<4x5xf32>",
        generic(
            f"affine_map<(d0, d1) -> (d0, 0)>, {IDENTITY}", f"{P}, {P}", "tensor<4x1xf32>", "tensor<4x5xf32>"
        ),
    ),
    "a broadcast": function(
        "%a: tensor<5xf32>, %o: tensor<4x5xf32>",
        generic(f"affine_map<(d0, d1) -> (d1)>, {IDENTITY}", f"{P}, {P}", "tensor<5xf32>", "tensor<4x5xf32>"),
    ),
    "a strided reading": function(
        "%a: tensor<9x5xf32>, %o: tensor<4x5xf32>",
        generic(
            f"affine_map<(d0, d1) -> (d0 * 2 + 1, d1)>, {IDENTITY}",
            f"{P}, {P}",
            "tensor<9x5xf32>",
            "tensor<4x5xf32>",
        ),
    ),
    "rank reduction": function(
        "%t: tensor<4x5x6xf32>, %n: index",
        """%r = tensor.extract_slice %t[1, 0, 2] [1, 5, 1] [1, 1, 1] : tensor<4x5x6xf32> to tensor<5xf32>
           %s = tensor.extract_slice %t[0, %n, 0] [%n, 1, 6] [1, 1, 1] : tensor<4x5x6xf32> to tensor<?x6xf32>
           %u = tensor.insert_slice %r into %t[1, 0, 2] [1, 5, 1] [1, 1, 1] : tensor<5xf32>
             into tensor<4x5x6xf32>""",
    ),
    "an assertion": function(
        "%t: tensor<?xf32>, %u: tensor<?xf32>",
        """%c0 = arith.constant 0 : index
           %a = tensor.dim %t, %c0 : tensor<?xf32>
           %b = tensor.dim %u, %c0 : tensor<?xf32>
           %k = arith.cmpi eq, %a, %b : index
           cf.assert %k, "sizes"
           %r = arith.addf %t, %u : tensor<?xf32>""",
    ),
    "one size in two ways": function(
        "%t: tensor<?xf32>, %v: f32, %a: tensor<6xf32>",
        """%c = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
           %x = linalg.copy ins(%a : tensor<6xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>""",
    ),
    "unknown operations": function(
        "%a: tensor<3xf32>, %b: tensor<4xf32>",
        """%x = "my.op"(%a) : (tensor<3xf32>) -> tensor<?xf32>
           %r = linalg.copy ins(%b : tensor<4xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>""",
    ),
    "a scalar operand": function(
        "%k: i1, %a: tensor<3xf32>",
        '%r = "arith.select"(%k, %a, %a) : (i1, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>',
    ),
    "the other branch": """
        func.func @f(%t: tensor<?xf32>, %k: i1, %a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<?xf32> {
          cf.cond_br %k, ^bb1, ^bb2
        ^bb1:
          %x = linalg.copy ins(%a : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
          return %x : tensor<?xf32>
        ^bb2:
          %y = linalg.copy ins(%b : tensor<5xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
          return %y : tensor<?xf32>
        }""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_may_be_right_is_no_finding(name: str) -> None:
    assert findings(RIGHT[name]) == []


def shapes(text: str) -> dict[str, str]:
    facts = run(text, "infer-shapes").facts
    return {f.value: ", ".join(map(str, f.sizes)) for f in facts if isinstance(f, ShapeFact)}


def test_sizes_of_a_dynamic_convolution() -> None:
    """Out = floor((in + 1 + 2 - 5) / 2) + 1, which the program computes and the convolution must fit."""
    text = function(
        "%ifm: tensor<1x3x?x16xf32>, %wgt: tensor<8x3x5x5xf32>, %n: index, %v: f32",
        """%pad = tensor.pad %ifm low[0, 0, 1, 1] high[0, 0, 2, 2] {
           ^bb0(%a: index, %b: index, %c: index, %d: index): tensor.yield %v : f32
           } : tensor<1x3x?x16xf32> to tensor<1x3x?x19xf32>
           %c2 = arith.constant 2 : index
           %h = tensor.dim %pad, %c2 : tensor<1x3x?x19xf32>
           %o = affine.apply affine_map<(d0) -> ((d0 - 5) floordiv 2 + 1)>(%h)
           %e = tensor.empty(%o) : tensor<1x8x?x8xf32>
           %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<1>
             : tensor<2xi64>}
             ins(%pad, %wgt : tensor<1x3x?x19xf32>, tensor<8x3x5x5xf32>)
             outs(%e : tensor<1x8x?x8xf32>) -> tensor<1x8x?x8xf32>""",
        "%r : tensor<1x8x?x8xf32>",
    )
    found = shapes(text)
    assert found["%pad"] == "1, 3, ifm_d2 + 3, 19"
    assert found["%r"] == "1, 8, ifm_d2 floordiv 2, 8"


REFINABLE = {
    "a value of an unknown operation, as init": """
        func.func private @make() -> tensor<?xf32>
        func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
          %o = call @make() : () -> tensor<?xf32>
          %r = linalg.copy ins(%a : tensor<4xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
          return %r : tensor<?xf32>
        }""",
    "a value of an unknown operation, as operand": """
        func.func private @make() -> tensor<?xf32>
        func.func @f(%a: tensor<4xf32>) -> tensor<?xf32> {
          %o = call @make() : () -> tensor<?xf32>
          %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
          %r = arith.addf %c, %o : tensor<?xf32>
          return %r : tensor<?xf32>
        }""",
    "a use in a loop": """
        func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<?xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c4 = arith.constant 4 : index
          %e = tensor.empty(%c4) : tensor<?xf32>
          %cst = arith.constant 1.0 : f32
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %e) -> (tensor<?xf32>) {
            %y = linalg.fill ins(%cst : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
            scf.yield %y : tensor<?xf32>
          }
          return %r : tensor<?xf32>
        }""",
    "a collapsed product": """
        func.func @f(%t: tensor<?x?xf32>, %a: tensor<8xf32>) -> tensor<?xf32> {
          %c = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
          %r = arith.addf %c, %c : tensor<?xf32>
          %o = linalg.copy ins(%a : tensor<8xf32>) outs(%r : tensor<?xf32>) -> tensor<?xf32>
          return %o : tensor<?xf32>
        }""",
    "an expanded size": """
        func.func @f(%t: tensor<?xf32>, %a: tensor<2x4xf32>) -> tensor<?x4xf32> {
          %c2 = arith.constant 2 : index
          %e = tensor.expand_shape %t [[0, 1]] output_shape [%c2, 4] : tensor<?xf32> into tensor<?x4xf32>
          %o = linalg.copy ins(%a : tensor<2x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
          return %o : tensor<?x4xf32>
        }""",
    "an expanded product": """
        func.func @f(%a: tensor<8xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
          %t = tensor.cast %a : tensor<8xf32> to tensor<?xf32>
          %e = tensor.expand_shape %t [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
          return %e : tensor<?x?xf32>
        }""",
    "an inserted slice": """
        func.func @f(%d: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
          %c4 = arith.constant 4 : index
          %s = tensor.splat %x[%c4] : tensor<?xf32>
          %r = tensor.insert_slice %s into %d[1] [%c4] [1] : tensor<?xf32> into tensor<8xf32>
          return %r : tensor<8xf32>
        }""",
    "branches": RIGHT["the other branch"],
    "a loop of blocks": """
        func.func @f(%k: i1, %a: tensor<4xf32>) -> tensor<?xf32> {
          %c = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
          cf.br ^bb1(%c : tensor<?xf32>)
        ^bb1(%x: tensor<?xf32>):
          %y = linalg.copy ins(%a : tensor<4xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
          cf.cond_br %k, ^bb1(%y : tensor<?xf32>), ^bb2
        ^bb2:
          return %y : tensor<?xf32>
        }""",
    "a chain of everything": """
        func.func @f(%t: tensor<?x6xf32>, %x: f32) -> tensor<?x?xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c5 = arith.constant 5 : index
          %p = tensor.pad %t low[%c1, 0] high[0, %c0] {
          ^bb0(%i: index, %j: index):
            tensor.yield %x : f32
          } : tensor<?x6xf32> to tensor<?x?xf32>
          %s = tensor.extract_slice %p[%c0, 1] [3, %c5] [1, %c1] : tensor<?x?xf32> to tensor<3x?xf32>
          %m = arith.mulf %s, %s : tensor<3x?xf32>
          %d = tensor.dim %m, %c1 : tensor<3x?xf32>
          %e = tensor.empty(%c1, %d) : tensor<?x?xf32>
          %z = linalg.fill ins(%x : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
          %g = tensor.generate %d, %c1 {
          ^bb0(%i: index, %j: index):
            tensor.yield %x : f32
          } : tensor<?x?xf32>
          %ee = tensor.empty(%c1, %c1) : tensor<?x?xf32>
          %mm = linalg.matmul ins(%z, %g : tensor<?x?xf32>, tensor<?x?xf32>)
            outs(%ee : tensor<?x?xf32>) -> tensor<?x?xf32>
          %cc = tensor.concat dim(0) %mm, %mm : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
          %in = tensor.insert %x into %cc[%c1, %c0] : tensor<?x?xf32>
          return %in : tensor<?x?xf32>
        }""",
}


def refined(text: str) -> str:
    return run(text, "infer-shapes{refine-types}").text("none")


def mlir(tool: str, text: str, *arguments: str) -> str:
    done = subprocess.run(
        [tool, *arguments], input=text, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr + text
    return done.stdout


def signatures(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if "func.func" in line]


@pytest.mark.mlir
@pytest.mark.parametrize("name", REFINABLE)
def test_refined_programs_are_valid(name: str, mlir_opt: str) -> None:
    text = REFINABLE[name]
    mlir(mlir_opt, text)
    assert signatures(mlir(mlir_opt, refined(text))) == signatures(mlir(mlir_opt, text))


@pytest.mark.mlir
@pytest.mark.parametrize("name", REFINABLE)
def test_refinement_is_idempotent(name: str) -> None:
    once = refined(REFINABLE[name])
    assert refined(once) == once


def test_proved_sizes_are_in_the_types() -> None:
    text = refined(REFINABLE["a chain of everything"])
    for piece in (
        "tensor<3x5xf32>",
        "tensor<1x5xf32>",
        "tensor<5x1xf32>",
        "tensor<1x1xf32>",
        "tensor<2x1xf32>",
    ):
        assert piece in text
    assert "tensor.empty() : tensor<1x5xf32>" in text


def test_what_holds_after_an_assertion_is_not_written_into_types() -> None:
    text = function(
        "%t: tensor<?xf32>",
        """%c0 = arith.constant 0 : index
           %c4 = arith.constant 4 : index
           %n = tensor.dim %t, %c0 : tensor<?xf32>
           %k = arith.cmpi eq, %n, %c4 : index
           cf.assert %k, "sizes"
           %r = arith.addf %t, %t : tensor<?xf32>""",
        "%r : tensor<?xf32>",
    )
    assert "tensor<4xf32>" not in refined(text)
    assert shapes(text)["%r"] == "4"


LOWERING = (
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,"
    "finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
    "reconcile-unrealized-casts)"
)

RUNNABLE = """
func.func @f(%t: tensor<?x6xf32>, %x: f32) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %p = tensor.pad %t low[%c1, 0] high[0, %c0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x6xf32> to tensor<?x?xf32>
  %s = tensor.extract_slice %p[%c0, 1] [3, %c5] [1, %c1] : tensor<?x?xf32> to tensor<3x?xf32>
  %d = tensor.dim %s, %c1 : tensor<3x?xf32>
  %g = tensor.generate %d, %c1 {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32>
  %ee = tensor.splat %x[%c1] : tensor<3x?xf32>
  %mm = linalg.matmul ins(%s, %g : tensor<3x?xf32>, tensor<?x?xf32>)
    outs(%ee : tensor<3x?xf32>) -> tensor<3x?xf32>
  %in = tensor.insert %x into %mm[%c1, %c0] : tensor<3x?xf32>
  %r = tensor.cast %in : tensor<3x?xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @main() -> f32 {
  %a = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 1.5, 2.5, 3.5, 4.5, 5.5]]>
    : tensor<2x6xf32>
  %t = tensor.cast %a : tensor<2x6xf32> to tensor<?x6xf32>
  %x = arith.constant 2.0 : f32
  %r = call @f(%t, %x) : (tensor<?x6xf32>, f32) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %u = tensor.extract %r[%c2, %c0] : tensor<?x?xf32>
  %v = tensor.extract %r[%c0, %c0] : tensor<?x?xf32>
  %w = arith.mulf %v, %x : f32
  %s = arith.addf %u, %w : f32
  return %s : f32
}
"""


@pytest.mark.mlir
@pytest.mark.skipif(
    not LIBRARIES, reason="needs mlir-runner-22 and its libraries (Debian package mlir-22-tools)"
)
def test_refined_programs_compute_the_same(mlir_opt: str) -> None:
    assert RUNNER is not None
    changed = refined(RUNNABLE)
    assert changed.count("?") < RUNNABLE.count("?")
    results = [
        mlir(
            RUNNER,
            mlir(mlir_opt, text, f"--pass-pipeline={LOWERING}"),
            "-e",
            "main",
            "--entry-point-result=f32",
            f"--shared-libs={LIBRARIES[0]}",
        )
        for text in (RUNNABLE, changed)
    ]
    assert results[0] == results[1]
    assert float(results[0]) == 2.0 + 2 * (1.5 + 2.5 + 3.5 + 4.5 + 5.5) + 2 * (2.0 + 2 * 5 * 2.0)


@pytest.mark.parametrize(
    "text",
    [
        """\
func.func @f(%a: tensor<4x5xf32>, %b: tensor<6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %x = tensor.cast %a : tensor<4x5xf32> to tensor<4x?xf32>
  %y = tensor.cast %b : tensor<6x7xf32> to tensor<?x7xf32>
  %r = linalg.matmul ins(%x, %y : tensor<4x?xf32>, tensor<?x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %r : tensor<4x7xf32>
}
""",
        """\
func.func @f(%a: tensor<4xf32>, %v: f32) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %a low[%c1] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  %q = tensor.cast %p : tensor<?xf32> to tensor<8xf32>
  return %q : tensor<8xf32>
}
""",
    ],
)
def test_sizes_that_contradict_each_other_are_said_and_not_written(text: str) -> None:
    """With both sizes in its types, the operation would be invalid, and the text could not be read again."""
    program = volcli.loads(text).run("infer-shapes{refine-types}")
    said = {d.code for d in program.diagnostics}
    assert said & {"V201", "V202"}
    again = volcli.loads(program.text(annotate="none")).run("infer-shapes")
    assert {d.code for d in again.diagnostics} == said
    assert "V900" not in said
