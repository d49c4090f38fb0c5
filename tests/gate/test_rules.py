"""Each code of a finding has a program in testdata/check that causes it, and one that nearly does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.findings_document import findings_document
from volcli.diagnostics import CODES
from volcli.gate.policy import CodeChoice, Policy
from volcli.gate.run import run

EXAMPLES = ROOT / "testdata" / "check"
OTHERS = {"V290", "V291", "V230", "V231", "V232", "V233", "V234"}
"""What other commands say of comments, and what is said against a baseline."""


def test_each_code_has_its_examples() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.mlir")} == {
        code for code in CODES if code.startswith("V2")
    } - OTHERS


def test_the_page_of_findings_is_current() -> None:
    assert (ROOT / "docs" / "findings.md").read_text() == findings_document(ROOT), "run `make update`"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_one_function_fires_and_the_other_ones_do_not(path: Path) -> None:
    code = path.stem
    policy = replace(Policy(allocation=1024), asked=CodeChoice((code, *({"V223": ["V203"]}.get(code, [])))))
    findings = [each for each in run([str(path)], policy).findings if each.code == code]
    assert [(each.code, each.function) for each in findings] == [(code, "fires")]
    assert findings[0].line is not None
    assert findings[0].next_step


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.mlir")), ids=lambda path: path.stem)
def test_what_is_right_has_no_other_finding(path: Path) -> None:
    assert [each for each in run([str(path)], Policy()).findings if each.function == "silent"] == []
