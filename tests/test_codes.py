"""Each code that an input can cause has one input in testdata/errors that causes it and no other."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import ROOT, Run
from volcli.diagnostics import CODES

ERRORS = ROOT / "testdata" / "errors"
NOT_BY_A_FILE = {
    **dict.fromkeys(
        (
            "V001",
            "V002",
            "V003",
            "V004",
            "V005",
            "V006",
            "V007",
            "V008",
            "V009",
            "V010",
            "V011",
            "V012",
            "V013",
            "V014",
            "V015",
            "V016",
            "V017",
            "V018",
            "V020",
            "V290",
            "V291",
        ),
        "caused by the call",
    ),
    **dict.fromkeys(("V100", "V101"), "caused by the path"),
    **dict.fromkeys(
        ("V401", "V402", "V403", "V404", "V405"), "printed without the code, as mlir-opt prints them"
    ),
    **dict.fromkeys(("V230", "V231", "V232", "V233", "V234", "V235"), "found against a baseline: tests/gate"),
    **dict.fromkeys(
        ("V212", "V220", "V221", "V222", "V223", "V314", "V315", "V316"),
        "found by volcli check: testdata/check",
    ),
    **dict.fromkeys(("V241", "V317"), "found by volcli validate, of a tool: tests/validation"),
    "V900": "an error of volcli itself",
    "V901": "found by volcli check, of a process that ends: tests/gate",
}
_RUN = re.compile(r"// RUN: volcli (.*)")


def test_no_code_without_an_input() -> None:
    assert set(CODES) == {path.stem for path in ERRORS.iterdir()} | set(NOT_BY_A_FILE)


def inputs() -> list[object]:
    """The files; one that needs mlir-opt is marked so, and one that takes two seconds."""
    marks = {"V305": pytest.mark.slow, "V307": pytest.mark.mlir}
    return [
        pytest.param(path, marks=[marks[path.stem]] if path.stem in marks else [], id=path.stem)
        for path in sorted(ERRORS.iterdir())
    ]


@pytest.mark.sample(20)
@pytest.mark.parametrize("path", inputs())
def test_the_code_of_its_file(path: Path, volcli: Run) -> None:
    name = str(path.relative_to(ROOT))
    command = _RUN.search(path.read_text(errors="replace"))
    words = shlex.split(command[1]) if command else ["opt", "%s"]
    ran = volcli(*(name if word == "%s" else word for word in words))
    said = re.findall(r"^(\S+?):(\d+):(\d+): (error|warning|remark): (V\d+): .+$", ran.stderr, re.MULTILINE)
    assert {(file, severity, code) for file, _, _, severity, code in said} == {
        (name, CODES[path.stem].severity.value, path.stem)
    }
    assert ran.returncode == CODES[path.stem].exit_code
    assert "  next: " in ran.stderr
    assert "Traceback" not in ran.stderr
