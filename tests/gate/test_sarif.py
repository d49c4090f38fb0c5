"""A SARIF log is valid, and each of its places is one of the files: regions, code flows, suppressions, fixes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fluidattacks_core.sarif import SarifLog

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
