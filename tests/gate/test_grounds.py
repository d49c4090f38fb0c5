"""What a finding rests on, in reports: the places are named, and formats agree on them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.gate.known import CALLS, DEAD, FREED, MARKED, RACE, UNWRITTEN
from volcli.gate.policy.policy import Policy
from volcli.gate.report import Report
from volcli.gate.run import run
from volcli.report.gate import rendered


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
        (CALLS, "V208", ["1:1: the called function"]),
        (UNWRITTEN, "V205", ["4:5: other elements are written here"]),
        (DEAD, "V206", ["2:3: the loop is here", "4:5: the buffer is also written here"]),
        (MARKED, "V213", ["3:10: passed on from here"]),
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
    assert (found.reason != "") == (code not in ("V205", "V206"))  # what is written beside it is no evidence


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
    text = UNWRITTEN.replace("  %v = ", constant)
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
        tmp_path,
        UNWRITTEN + CALLS.replace("func.func @at", "func.func private @at"),
    )
    said = rendered(report, "explained").splitlines()
    (call,) = (each for each in report.findings if each.code == "V208")
    assert f"  known in a baseline by: V208 @user %v, operation {call.content}" in said
    assert f"  changed if its numbers and sets do, or its evidence: {call.reason}" in said
    assert "    evidence: 9:1: the called function" in said
    assert "    called: @at, at line 9" in said
    assert "    context: 4:5: other elements are written here" in said


def test_of_many_places_of_one_kind_the_text_lists_the_first_and_counts_the_others(tmp_path: Path) -> None:
    stores = "".join(
        f"  %c{k} = arith.constant {k} : index\n  memref.store %x, %m[%c{k}] : memref<64xf32>\n"
        for k in range(8)
    )
    file = tmp_path / "a.mlir"
    file.write_text(
        f"func.func @f(%m: memref<64xf32>, %x: f32) {{\n{stores}"
        "  memref.store %x, %m[%c0] : memref<64xf32>\n  return\n}\n"
    )
    report = run([str(file)], Policy())
    assert [len(each.shown) for each in report.findings] == [8]
    lines = [line for line in rendered(report, "text").splitlines() if "is also written here" in line]
    assert len(lines) == 6
    assert lines[-1] == "  and at 3 other places: the buffer is also written here"
