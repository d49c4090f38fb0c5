"""Findings as SARIF 2.1.0 (OASIS Standard), which code-scanning services read.

A finding's place is its region, up to the end of the line; its key and the number of its content are partial
fingerprints, by which such a service follows it over changes of the file. What kept a file from being read is
a notification of the invocation, too.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from volcli import __version__
from volcli.diagnostics import CODES, Code, Diagnostic, Severity
from volcli.diagnostics.codes import SITE
from volcli.facts.fact import Fact
from volcli.gate.findings.finding import Finding, character_at, of_diagnostic
from volcli.gate.findings.fix import Fix
from volcli.gate.findings.grounds import Ground
from volcli.gate.findings.settings import UNREADABLE
from volcli.gate.report import Report
from volcli.report.files import FileReport
from volcli.report.gate.text import example_of
from volcli.runtime.paths import uri, with_slashes

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_INFORMATION = "https://github.com/volcli/volcli"
_LEVELS = {Severity.ERROR.value: "error", Severity.WARNING.value: "warning", Severity.REMARK.value: "note"}


def as_sarif(report: Report) -> str:
    """REPORT as the text of one SARIF log with one run."""
    findings = [each for file in report.files for each in (*file.findings, *file.ignored)]
    codes = sorted({finding.code for finding in findings})
    return _log(
        [_rule(CODES[code]) for code in codes],
        [each.file for each in report.files],
        [_result(finding, codes) for finding in findings],
        invocations=[_invocation(report)],
        **({"properties": {"unanalysed": report.unanalysed}} if report.unanalysed else {}),
    )


def facts_as_sarif(reports: Sequence[FileReport]) -> str:
    """The facts and diagnostics of REPORTS as a log.

    A fact is an informational result, an unknown one is open; its properties are its record in JSON.
    """
    asked = sorted({fact.question for report in reports for fact in report.facts})
    said = [_said(each, report) for report in reports for each in report.diagnostics]
    codes = sorted({finding.code for finding in said})
    rules = [{"id": each, "helpUri": f"{SITE}/reference/questions.html"} for each in asked]
    found = [_fact(fact, report) for report in reports for fact in report.facts]
    return _log(
        [*(_rule(CODES[code]) for code in codes), *rules],
        [report.file for report in reports],
        [*(_result(finding, codes) for finding in said), *found],
    )


def _said(diagnostic: Diagnostic, report: FileReport) -> Finding:
    finding = of_diagnostic(diagnostic, report.file)
    return finding if finding.line is None else replace(finding, source=_line(report, finding.line))


def _line(report: FileReport, number: int) -> str:
    """The line with this NUMBER of the file of REPORT; "" if its text is not known."""
    lines = report.text.split("\n")
    return lines[number - 1] if number <= len(lines) else ""


def _log(rules: list[Any], files: list[str], results: list[Any], **more: Any) -> str:
    """The text of a log with one run."""
    driver = {"name": "volcli", "version": __version__, "informationUri": _INFORMATION, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "artifacts": [{"location": {"uri": uri(with_slashes(file))}} for file in files],
        "results": results,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run | more]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _fact(fact: Fact, report: FileReport) -> dict[str, Any]:
    at = fact.place
    region = {"startLine": at.line, "startColumn": character_at(_line(report, at.line), at.column)}
    place = {"artifactLocation": {"uri": uri(with_slashes(report.file))}, "region": region}
    return {
        "ruleId": fact.question,
        "kind": "open" if fact.answer == "unknown" else "informational",
        "level": "none",
        "message": {"text": "; ".join(fact.statements())},
        "locations": [
            {"physicalLocation": place, "logicalLocations": [{"name": fact.function, "kind": "function"}]}
        ],
        "properties": {"fact": fact.to_json()},
    }


def _invocation(report: Report) -> dict[str, Any]:
    """How the run went, and what could not be read or went wrong in it."""
    stopped = [each for each in report.findings if each.is_unusable or each.code in UNREADABLE]
    notifications = [
        {
            "descriptor": {"id": each.code},
            "level": _LEVELS[each.severity],
            "message": {"text": each.message},
            "locations": [{"physicalLocation": _place(each)}],
        }
        for each in stopped
    ]
    return {
        "executionSuccessful": report.exit_code != 2,
        "exitCode": report.exit_code,
        **({"toolExecutionNotifications": notifications} if notifications else {}),
    }


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.name,
        "shortDescription": {"text": code.summary},
        "help": {"text": code.next_step},
        "helpUri": code.page,
        "defaultConfiguration": {"level": _LEVELS[code.severity.value]},
    }


def _result(finding: Finding, codes: list[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _place(finding)}
    if finding.function:
        location["logicalLocations"] = [{"name": finding.function, "kind": "function"}]
    before = f"; before: {finding.before}" if finding.before else ""
    shown = [_related(finding, each) for each in finding.shown]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.message}{before}; next: {finding.next_step}"},
        "locations": [location],
        "partialFingerprints": {
            "subject/v1": finding.key,
            "content/v1": f"{finding.code}:{finding.content}:{finding.copy}",
            **({"reason/v1": finding.reason} if finding.reason else {}),
        },
        **({"relatedLocations": shown} if shown else {}),
        **({"codeFlows": [_flow(finding, shown)]} if shown else {}),
    }
    if finding.ignored is not None:
        justification = {"justification": finding.ignored} if finding.ignored else {}
        kind = "external" if finding.is_repeated else "inSource"
        result["suppressions"] = [{"kind": kind, **justification}]
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix, finding.file)]
    if finding.state:
        result["baselineState"] = {"new": "new", "changed": "updated"}[finding.state]
    properties = {"witness": finding.witness, "confirmed": finding.confirmed or None}
    if known := {name: value for name, value in properties.items() if value is not None}:
        result["properties"] = known
    return result


def _related(finding: Finding, ground: Ground) -> dict[str, Any]:
    """One GROUND of FINDING as a location."""
    region = {"startLine": ground.line, "startColumn": ground.character}
    place = {"artifactLocation": {"uri": uri(finding.file)}, "region": region}
    return {"physicalLocation": place, "message": {"text": ground.said}}


def _flow(finding: Finding, shown: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How an execution gets to FINDING: by the places SHOWN, in the order of its grounds, to its own."""
    said = ", ".join(filter(None, (finding.code, example_of(finding.witness or {}))))
    here = {"physicalLocation": _place(finding), "message": {"text": said}}
    steps = [{"location": each} for each in (*shown, here)]
    return {"threadFlows": [{"locations": steps}]}


def _fix(fix: Fix, file: str) -> dict[str, Any]:
    """What FIX would edit in FILE."""
    replacements = [
        {
            "deletedRegion": {
                "startLine": each.line,
                "startColumn": each.column,
                "endLine": each.end_line,
                "endColumn": each.end_column,
            },
            **({"insertedContent": {"text": each.text}} if each.text else {}),
        }
        for each in fix.edits
    ]
    return {
        "description": {"text": f"{fix.title}, if `volcli check --fix` proves that the program stays equal"},
        "artifactChanges": [{"artifactLocation": {"uri": uri(file)}, "replacements": replacements}],
    }


def _place(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(finding.file)}}
    if finding.line is not None and finding.character is not None:
        region = {"startLine": finding.line, "startColumn": finding.character}
        if finding.characters is not None and finding.characters[1] > finding.character:
            region |= {"endLine": finding.line, "endColumn": finding.characters[1]}
        place["region"] = region
    return place
