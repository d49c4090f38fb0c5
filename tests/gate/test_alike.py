"""One cause is told once, with all of its places; each of the findings keeps its identity."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.gate.test_grounds import report_of
from volcli.gate.findings.alike import grouped
from volcli.gate.findings.grounds import LOOP
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.run import found_in, run, updated, works_for
from volcli.report.gate import rendered


def unrolled(count: int, buffer: str = "%m", function: str = "f") -> str:
    """COUNT reads in a row, from the end of a buffer of 9 elements on."""
    reads = "".join(
        f"  %{each} = affine.load {buffer}[{9 + each}] : memref<9xf32>\n" for each in range(count)
    )
    return f"func.func @{function}({buffer}: memref<9xf32>) {{\n{reads}  return\n}}\n"


def looped(count: int) -> str:
    """2 COUNT accesses to buffers of their own, in a loop with one iteration too many."""
    arguments = ", ".join(f"%m{each}: memref<8xf32>" for each in range(count))
    accesses = "".join(
        f"    %{each} = affine.load %m{each}[%i] : memref<8xf32>\n"
        f"    affine.store %{each}, %m{each}[7 - %i + 1] : memref<8xf32>\n"
        for each in range(count)
    )
    return f"func.func @g({arguments}) {{\n  affine.for %i = 0 to 9 {{\n{accesses}  }}\n  return\n}}\n"


@pytest.mark.parametrize("text", [unrolled(32), looped(16)])
def test_unrolled_code_and_a_wrong_bound_are_told_once(tmp_path: Path, text: str) -> None:
    report = report_of(tmp_path, text)
    findings = [each for each in report.findings if each.code == "V203"]
    assert len(findings) == 32
    said = rendered(report, "text").splitlines()
    assert sum(": error: V203: " in each for each in said) == 1
    begin = next(i for i, each in enumerate(said) if each.startswith("  and 31 more like it, at "))
    rows = [said[begin], *(each for each in said[begin + 1 :] if each.startswith("    "))]
    assert max(map(len, rows)) <= 80
    places = " ".join(rows).partition(" at ")[2].replace(" ", "").split(",")
    assert places == [f"{each.line}:{each.column}" for each in findings[1:]]
    assert len(rendered(report, "concise", quiet=True).splitlines()) == len(report.findings)


@pytest.mark.parametrize(
    "text",
    [
        unrolled(3),
        unrolled(3) + unrolled(3, function="g"),
        unrolled(2).replace("  return\n}\n", "")
        + "".join(
            unrolled(2, "%n").replace("%0 ", "%a ").replace("%1 ", "%b ").splitlines(keepends=True)[1:]
        ),
    ],
    ids=["too few", "in two functions", "of two buffers"],
)
def test_what_is_not_alike_is_told_one_by_one(tmp_path: Path, text: str) -> None:
    text = text.replace("(%m: ", "(%n: memref<9xf32>, %m: ")
    report = report_of(tmp_path, text)
    assert len(report.findings) >= 3
    assert {each.code for each in report.findings} == {"V203"}
    assert [len(each) for each in grouped(report.findings)] == [1] * len(report.findings)


def test_each_finding_is_in_one_group_in_order(tmp_path: Path) -> None:
    found = report_of(tmp_path, looped(4) + unrolled(5) + unrolled(2, function="h")).findings
    groups = grouped(found)
    assert [len(each) for each in groups] == [8, 5, 1, 1]
    assert sorted(each.key for group in groups for each in group) == sorted(each.key for each in found)


def test_json_names_the_groups_by_keys(tmp_path: Path, root: Path) -> None:
    report = report_of(tmp_path, unrolled(5))
    data = json.loads(rendered(report, "json"))
    jsonschema.validate(data, json.loads((root / "docs" / "findings.schema.json").read_text()))
    (file,) = data["files"]
    assert file["alike"] == [[each["key"] for each in file["findings"]]]


def test_a_baseline_knows_each_of_a_group(tmp_path: Path) -> None:
    """One more in a known group is new, and only it; one that is made worse is told as changed, alone."""
    path = tmp_path / "a.mlir"
    path.write_text(unrolled(6))
    files = found_in(works_for([str(path)], Policy()), Policy())
    baseline = updated(Baseline(str(tmp_path), has_facts=False), files)
    assert len(baseline.findings) == 6
    path.write_text(unrolled(7))
    assert [each.state for each in run([str(path)], Policy(), baseline).findings] == ["new"]
    path.write_text(looped(4))
    known = updated(baseline, found_in(works_for([str(path)], Policy()), Policy()))
    path.write_text(looped(4).replace("0 to 9", "0 to 10"))
    report = run([str(path)], Policy(), known)
    assert [each.state for each in report.findings] == ["changed"] * 8
    assert [len(each) for each in grouped(report.findings)] == [1] * 8


def test_the_loop_around_findings_is_shown_at_the_first_one(tmp_path: Path) -> None:
    report = report_of(tmp_path, looped(1))
    assert len([each for each in report.findings if any(g.said == LOOP for g in each.shown)]) == 2
    assert rendered(report, "text").count("2:3: the loop is here") == 1
