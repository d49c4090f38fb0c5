"""What a finding rests on, in reports: the places are named, and formats agree on them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from volcli.gate.policy.policy import Policy
from volcli.gate.report import Report
from volcli.gate.run import run
from volcli.report.gate import rendered

RACE = """func.func @race(%m: memref<9xf32>, %x: f32) {
  affine.for %k = 0 to 2 {
    affine.parallel (%i) = (0) to (8) {
      %v = affine.load %m[%i + 1] : memref<9xf32>
      affine.store %v, %m[%i] : memref<9xf32>
    }
  }
  return
}
"""
FREED = """func.func @freed(%m: memref<1xf32>, %x: f32) {
  %t = memref.alloc() : memref<1xf32>
  affine.store %x, %t[0] : memref<1xf32>
  memref.dealloc %t : memref<1xf32>
  %v = affine.load %t[0] : memref<1xf32>
  affine.store %v, %m[0] : memref<1xf32>
  return
}
"""
CALL = """func.func @at(%m: memref<8xf32>, %k: index) -> f32 {
  %v = memref.load %m[%k] : memref<8xf32>
  return %v : f32
}
func.func @user(%m: memref<8xf32>) -> f32 {
  %k = arith.constant 8 : index
  %v = func.call @at(%m, %k) : (memref<8xf32>, index) -> f32
  return %v : f32
}
"""
PARTLY = """func.func @part(%x: f32) -> f32 {
  %a = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 5 {
    affine.store %x, %a[%i] : memref<9xf32>
  }
  %v = affine.load %a[5] : memref<9xf32>
  return %v : f32
}
"""


def report_of(folder: Path, text: str) -> Report:
    (folder / "a.mlir").write_text(text)
    return run([str(folder / "a.mlir")], Policy())


@pytest.mark.parametrize(
    ("text", "code", "places"),
    [
        (
            RACE,
            "V207",
            [
                "2:3: the loop is here",
                "4:12: one iteration reads %m[%i + 1] here",
                "5:7: one iteration writes %m[%i] here",
            ],
        ),
        (FREED, "V216", ["4:3: freed here"]),
        (CALL, "V208", ["1:1: the called function"]),
        (PARTLY, "V205", ["4:5: other elements are written here"]),
    ],
)
def test_the_places_that_a_finding_rests_on_are_named(
    tmp_path: Path, text: str, code: str, places: list[str]
) -> None:
    report = report_of(tmp_path, text)
    (found,) = (each for each in report.findings if each.code == code)
    assert [f"{each.line}:{each.column}: {each.said}" for each in found.shown] == places
    said = rendered(report, "text")
    assert all(f"\n  {each}\n" in said for each in places)
    assert found.content != ""
    assert (found.reason != "") == (code != "V205")  # what is written beside it is no evidence


def test_a_code_flow_leads_to_the_finding(tmp_path: Path) -> None:
    """The accesses of the race in their order, and then the loop with the two iterations."""
    (result,) = sarif_of(report_of(tmp_path, RACE))["results"]
    (flow,) = result["codeFlows"]
    steps = [each["location"] for each in flow["threadFlows"][0]["locations"]]
    assert [each["physicalLocation"]["region"]["startLine"] for each in steps] == [2, 4, 5, 3]
    assert re.fullmatch(
        r"V207, source \[0, \d\], sink \[0, \d\], element \[\d\]", steps[-1]["message"]["text"]
    )
    assert steps[:-1] == result["relatedLocations"]


@pytest.mark.parametrize("before", ["", "ü" * 200], ids=["short", "long"])
def test_formats_agree_on_lines_and_columns(tmp_path: Path, before: str) -> None:
    """In characters, also where the line has others before, and is cut in `text`, which counts bytes as mlir-opt does."""
    constant = f'  %u = "arith.constant"() {{value = 1.0 : f32, n = "üü{before}"}} : () -> f32 %v = '
    text = PARTLY.replace("  %v = ", constant)
    report = report_of(tmp_path, text)
    (found,) = (each for each in report.findings if each.code == "V205")
    assert found.column == (found.character or 0) + 2 + len(before)
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in sarif_of(report)["results"]]
    for each in regions:
        line = text.split("\n")[each["startLine"] - 1]
        assert line[each["startColumn"] - 1 :].startswith(("%v", "affine."))
        assert (each["endLine"], each["endColumn"]) == (each["startLine"], len(line) + 1)
    sarif = sorted((each["startLine"], each["startColumn"]) for each in regions)
    issues = [each["location"] for each in json.loads(rendered(report, "gitlab"))]
    begins = [each["positions"]["begin"] for each in issues]
    assert [each["lines"]["begin"] for each in issues] == [each["line"] for each in begins]
    assert sorted((each["line"], each["column"]) for each in begins) == sarif
    for style, pattern in (("github", r"line=(\d+),col=(\d+)"), ("junit", r"a\.mlir:(\d+):(\d+): ")):
        places = re.findall(pattern, rendered(report, style))
        assert sorted((int(line), int(column)) for line, column in places) == sarif


def sarif_of(report: Report) -> Mapping[str, Any]:
    run_: Mapping[str, Any] = json.loads(rendered(report, "sarif"))["runs"][0]
    return run_


def test_a_finding_is_explained_by_its_record(tmp_path: Path) -> None:
    report = report_of(
        tmp_path, PARTLY + CALL.replace("@at", "@near").replace("func.func @near", "func.func private @near")
    )
    said = rendered(report, "explained").splitlines()
    (call,) = (each for each in report.findings if each.code == "V208")
    assert f"  known in a baseline by: V208 @user %v, operation {call.content}" in said
    assert f"  changed if its numbers and sets do, or its evidence: {call.reason}" in said
    assert "    evidence: 9:1: the called function" in said
    assert "    called: @near, at line 9" in said
    assert "    context: 4:5: other elements are written here" in said
