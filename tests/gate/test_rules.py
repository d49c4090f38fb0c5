"""Each code of a finding has a program in testdata/check that causes it, and one that nearly does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from tests.gate.findings_document import findings_document
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


def test_the_page_of_findings_is_current() -> None:
    assert (ROOT / "docs" / "findings.md").read_text() == findings_document(ROOT), "run `make update`"


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
