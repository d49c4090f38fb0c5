"""A SARIF log is valid, and each of its places is one of the files: regions, code flows, suppressions, fixes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from fluidattacks_core.sarif import SarifLog

from volcli.cli.commands import volcli
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.run import found_in, run, updated, works_for
from volcli.report.gate import rendered

EXAMPLES = ("V203", "V205", "V206", "V207", "V208", "V216", "V223")


def log_of(folder: Path) -> Mapping[str, Any]:
    """What is said of examples of codes, of which the first one is known, and of a file that cannot be read."""
    for name in EXAMPLES:
        (folder / f"{name}.mlir").write_bytes(Path("testdata", "check", f"{name}.mlir").read_bytes())
    (folder / "broken.mlir").write_text("func.func @g( {\n")
    known = found_in(works_for([str(folder / "V203.mlir")], Policy()), Policy())
    baseline = updated(Baseline(str(folder), has_facts=False), known)
    return json.loads(rendered(run([str(folder)], Policy(), baseline), "sarif"))


def locations(value: Any) -> Iterator[Mapping[str, Any]]:
    """The physical locations anywhere in VALUE."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name == "physicalLocation":
                yield each
            else:
                yield from locations(each)
    elif isinstance(value, list):
        for each in value:
            yield from locations(each)


def test_a_log_with_all_parts_is_valid(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    SarifLog.model_validate(log)
    (ran,) = log["runs"]
    results, rules = ran["results"], ran["tool"]["driver"]["rules"]
    assert {each["ruleId"] for each in results} == {*EXAMPLES, "V103"}
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in results)
    assert all(each["helpUri"].startswith("https://") for each in rules)
    parts = {name for each in results for name in each}
    assert parts >= {"codeFlows", "relatedLocations", "suppressions", "fixes", "baselineState"}
    (invocation,) = ran["invocations"]
    assert [each["descriptor"]["id"] for each in invocation["toolExecutionNotifications"]] == ["V103"]


def test_each_place_of_a_log_is_in_its_file(tmp_path: Path) -> None:
    (ran,) = log_of(tmp_path)["runs"]
    places = list(locations(ran))
    assert len(places) > 20
    for each in places:
        text = Path(each["artifactLocation"]["uri"].removeprefix("file://")).read_text().split("\n")
        region = each["region"]
        line = text[region["startLine"] - 1]
        assert 1 <= region["startColumn"] <= len(line) + 1
        assert region.get("endLine", region["startLine"]) == region["startLine"]
        assert region["startColumn"] < region.get("endColumn", region["startColumn"] + 1) <= len(line) + 1
    for each in ran["results"]:
        for flow in each.get("codeFlows", ()):
            steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
            assert steps[-1]["physicalLocation"] == each["locations"][0]["physicalLocation"]
            assert len(steps) > 1


def test_facts_by_place_are_those_of_json_and_of_the_terminal(tmp_path: Path) -> None:
    """Of a line, the same record: SARIF has each fact of JSON, with what the terminal states, at its place."""
    file = tmp_path / "a.mlir"
    program = """func.func @f(%m: memref<9xf32>, %p: memref<9xindex>) {
  affine.for %i = 0 to 10 {
    %k = affine.load %p[%i] : memref<9xindex>
    %x = memref.load %m[%k] : memref<9xf32>
  }
  return
}
"""
    file.write_text(program)

    def explained(line: int, *options: str) -> str:
        return CliRunner().invoke(volcli, ["explain", f"{file}:{line}", *options]).stdout

    for line in (3, 4):
        text, log = explained(line), json.loads(explained(line, "--format", "sarif"))
        SarifLog.model_validate(log)
        results = [each for each in log["runs"][0]["results"] if "fact" in each.get("properties", {})]
        (report,) = json.loads(explained(line, "--format", "json"))["files"]
        assert [each["properties"]["fact"] for each in results] == report["facts"]
        assert results
        for each in results:
            assert all(part in text for part in each["message"]["text"].split("; "))
            region = each["locations"][0]["physicalLocation"]["region"]
            assert region == {"startLine": line, "startColumn": program.split("\n")[line - 1].index("=") + 3}
        kinds = {each["kind"] for each in results if each["ruleId"] == "access"}
        assert kinds == {"informational" if line == 3 else "open"}


def test_columns_of_facts_count_characters(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(
        'func.func @f(%m: memref<9xf32>) attributes {"ü"} { %x = affine.load %m[1] : memref<9xf32> return }'
    )
    ran = CliRunner().invoke(volcli, ["analyze", str(file), "--ask", "access", "--format", "sarif"])
    (result,) = json.loads(ran.stdout)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert file.read_text()[region["startColumn"] - 1 :].startswith("affine.load")
