"""Sizes, the findings V201 and V202 where they are true (and nowhere else), and refined types."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import volcli
from tests.shared.enumeration import function, run
from volcli.facts.shapes import ShapeFact
from volcli.loading.driver import load

RUNNER = shutil.which("mlir-runner-22")
LIBRARIES = (
    sorted((Path(RUNNER).resolve().parents[1] / "lib").glob("libmlir_c_runner_utils.so*")) if RUNNER else []
)


FOLDER = Path(__file__).parent / "shapes"


def programs(file: str) -> dict[str, str]:
    """The programs of FILE by the comment in their first line."""
    _, *chunks = (FOLDER / file).read_text().split("// -----\n// ")
    return {chunk.partition("\n")[0]: chunk.partition("\n")[2] for chunk in chunks}


WRONG, RIGHT, REFINABLE = (programs(f"{name}.mlir") for name in ("contradictions", "possible", "refinable"))
REFINABLE["branches"] = RIGHT["the other branch"]


@pytest.mark.parametrize("name", WRONG)
def test_a_contradiction_is_found_at_its_operation(name: str) -> None:
    text = WRONG[name]
    stated = [(n, line.split()[-1]) for n, line in enumerate(text.splitlines(), 1) if "// V" in line]
    found = load(text).run("infer-shapes").diagnostics
    assert [(d.place.line, d.code) for d in found if d.place] == stated
    (place,) = (d.place for d in found)
    assert place is not None
    before = text.splitlines()[place.line - 1][: place.column - 1]
    assert re.fullmatch(r"\s*(%\w+ = )?", before)


@pytest.mark.parametrize("name", RIGHT)
def test_what_may_be_right_is_no_finding(name: str) -> None:
    assert load(RIGHT[name]).run("infer-shapes").diagnostics == []


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


@pytest.mark.slow
@pytest.mark.parametrize("name", REFINABLE)
def test_refined_programs_are_valid(name: str, mlir_opt: str) -> None:
    text = REFINABLE[name]
    mlir(mlir_opt, text)
    assert signatures(mlir(mlir_opt, refined(text))) == signatures(mlir(mlir_opt, text))


@pytest.mark.sample(1)
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

RUNNABLE = (FOLDER / "runnable.mlir").read_text()


@pytest.mark.slow
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
