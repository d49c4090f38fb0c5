"""Logs of dumps after passes: what one pass breaks is told once, at the pass; a function stands without its module."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from volcli.gate.findings.settings import Settings
from volcli.gate.policy.policy import Policy
from volcli.gate.report import Report
from volcli.gate.run import run
from volcli.gate.work.work import Work, checked
from volcli.report.gate import rendered

HEADER = "// -----// IR Dump After {name}Pass ({name}) //----- //\n"
LOADS = "  %{name} = affine.load %m[{index}] : memref<4xf32>\n"


def dump(name: str, *loads: int, function: str = "f") -> str:
    body = "".join(LOADS.format(name=f"{name}_{at}", index=index) for at, index in enumerate(loads))
    return f"{HEADER.format(name=name)}func.func @{function}(%m: memref<4xf32>) {{\n{body}  return\n}}\n\n\n"


def report_of(folder: Path, text: str) -> Report:
    (folder / "a.mlir").write_text(text)
    return run([str(folder / "a.mlir")], Policy())


def lines_of(report: Report) -> list[int | None]:
    return [each.line for each in report.findings]


def test_each_finding_is_told_in_the_first_dump_that_has_it(tmp_path: Path) -> None:
    """The third dump has one more of the same words, and names of values are no reason to tell others again."""
    text = dump("a", 1) + dump("b", 4, 5) + dump("c", 5, 4) + dump("d", 4, 5, 4) + dump("e", 4)
    report = report_of(tmp_path, text)
    assert lines_of(report) == [10, 11, 28]
    assert len(report.ignored) == 5
    assert {each.ignored for each in report.ignored} == {"found first in the dump of line 8"}
    said = rendered(report, "text")
    assert said.count("8:1: in the dump after b\n") == 2
    assert "\nagain in later dumps: 5 findings (V203: 5)\n" in said


def test_dumps_of_other_functions_are_of_their_own(tmp_path: Path) -> None:
    assert lines_of(report_of(tmp_path, dump("a", 4) + dump("a", 4, function="g") + dump("b", 4))) == [3, 10]


def test_parts_that_are_no_dumps_are_programs_of_their_own(tmp_path: Path) -> None:
    text = (dump("a", 4) + dump("b", 4)).replace("// IR Dump", "// part")
    assert lines_of(report_of(tmp_path, text)) == [3, 10]


def test_a_dump_in_groups_of_functions_says_what_the_whole_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(dump(name, 4, function=f) for name in "ab" for f in "fgh")
    whole = report_of(tmp_path, text)
    monkeypatch.setattr("volcli.limits.gate.LARGE_FILE", 6)
    assert report_of(tmp_path, text) == whole
    assert len(whole.findings) == len(whole.ignored) == 3


REFERRING = """func.func @f(%m: memref<4xf32>) -> f32 {
  %g = memref.get_global @table : memref<4xf32>
  %x = affine.load %g[INDEX] : memref<4xf32>
  %y = call @other(%m) : (memref<4xf32>) -> f32
  %z = arith.addf %x, %y : f32
  return %z : f32
}
"""


@pytest.mark.parametrize("header", [HEADER.format(name="cse"), HEADER.format(name="cse")[9:]])
def test_the_dump_of_a_function_refers_to_what_it_does_not_show(header: str) -> None:
    def codes(text: str) -> list[str]:
        work = Work("a", "a", Settings(frozenset({"V110", "V203"})), text.encode())
        return [each.code for each in checked(work).findings]

    assert codes(header + REFERRING.replace("INDEX", "3")) == []
    assert codes(header + REFERRING.replace("INDEX", "4")) == ["V203"]
    assert codes(header + "module {\n" + REFERRING.replace("INDEX", "3") + "}\n") == ["V110", "V110"]
    assert codes(REFERRING.replace("INDEX", "3")) == ["V110", "V110"]


def test_sarif_has_the_dump_and_what_is_suppressed_by_it(tmp_path: Path) -> None:
    report = report_of(tmp_path, dump("a", 4) + dump("b", 4))
    told, again = json.loads(rendered(report, "sarif"))["runs"][0]["results"]
    assert "suppressions" not in told
    assert told["relatedLocations"][0]["message"]["text"] == "in the dump after a"
    assert again["suppressions"] == [
        {"kind": "external", "justification": "found first in the dump of line 1"}
    ]
