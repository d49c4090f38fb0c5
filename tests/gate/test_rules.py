"""Each code of a finding has a program in testdata/check that causes it, and one that nearly does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from volcli.diagnostics import CODES
from volcli.gate.policy.policy import CodeChoice, Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.run import found_in, run, updated, works_for

EXAMPLES = ROOT / "testdata" / "check"
OTHERS = {"V240", "V241", "V290", "V291"}
"""What other commands say: of executions, of passes, and of comments."""
OF_WHAT_IS_UNKNOWN = {"V314", "V315", "V316"}
"""Limits that `volcli check` alone tells."""


def test_each_code_has_its_examples() -> None:
    assert {path.stem for path in EXAMPLES.rglob("*.mlir")} == {
        code for code in CODES if code.startswith("V2") or code in OF_WHAT_IS_UNKNOWN
    } - OTHERS


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_one_function_fires_and_the_other_ones_do_not(path: Path) -> None:
    code = path.stem
    policy = replace(Policy(allocation=1024), asked=CodeChoice((code, *({"V223": ["V203"]}.get(code, [])))))
    findings = [each for each in run([str(path)], policy).findings if each.code == code]
    assert [(each.code, each.function) for each in findings] == [(code, "fires")]
    assert findings[0].line is not None
    assert findings[0].next_step


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_what_is_right_has_no_other_finding(path: Path) -> None:
    assert [each for each in run([str(path)], Policy()).findings if each.function == "silent"] == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", sorted((EXAMPLES / "since").glob("*.mlir")), ids=lambda path: path.stem)
def test_one_function_loses_what_was_known_and_the_other_does_not(path: Path, tmp_path: Path) -> None:
    before, after = path.read_text().split("// -----")
    file = tmp_path / "a.mlir"
    file.write_text(before)
    policy = Policy(folder=str(tmp_path))
    baseline = updated(Baseline(str(tmp_path)), found_in(works_for([str(file)], policy, record=True), policy))
    file.write_text(after)
    assert [(each.code, each.function) for each in run([str(file)], policy, baseline).findings] == [
        (path.stem, "fires")
    ]


def test_a_code_is_shown_with_its_example(volcli: Run) -> None:
    assert volcli("codes", "V203").stdout.endswith((EXAMPLES / "V203.mlir").read_text())
    assert volcli("codes", "V235").stdout.endswith((EXAMPLES / "since" / "V235.mlir").read_text())
    assert volcli("codes", "V203", "V205").stdout.count("\n") == 4
    assert volcli("codes", "V900").stdout.count("\n") == 2


SUM = """func.func @f(%m: memref<8xf32>) -> f32 {
  %s = memref.alloc() : memref<1xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xf32>
    %y = affine.load %s[0] : memref<1xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %s[0] : memref<1xf32>
  }
  %r = affine.load %s[0] : memref<1xf32>
  return %r : f32
}

func.func @g(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
"""


def test_what_begins_with_uninitialized_elements_is_told_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(SUM)
    assert [each.next_step for each in run([str(tmp_path / "a.mlir")], Policy()).findings] == [
        "initialize %s[0] before the loop: it is what the loop adds to, or combines with more",
        "fill %e with what 'linalg.matmul' begins with: linalg.fill, with 0 for a sum",
    ]
