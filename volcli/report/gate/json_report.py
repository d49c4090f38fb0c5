"""Findings for programs: one JSON object, described by docs/findings.schema.json.

SCHEMA changes when a reader of the old form would misread the new one; new fields and new codes do not.
"""

from __future__ import annotations

import json
from typing import Any

from volcli import __version__
from volcli.gate.findings.alike import grouped
from volcli.gate.report import FileFindings, Report

SCHEMA = 1


def _to_compare(file: FileFindings) -> dict[str, Any]:
    """What a baseline is compared with, beside the findings of FILE."""
    if file.records is None:
        return {}
    return {"symbols": file.functions, "records": [one.to_json() for one in file.records]}


def as_json(report: Report) -> str:
    """REPORT as the text of one JSON object."""
    files = [
        {
            "file": each.file,
            "functions": len(each.functions),
            **_to_compare(each),
            "unanalysed": each.unanalysed,
            "findings": [finding.to_json() for finding in each.findings],
            "alike": [
                [finding.key for finding in group] for group in grouped(each.findings) if len(group) > 1
            ],
            "ignored": [finding.to_json() for finding in each.ignored],
        }
        for each in report.files
    ]
    data: dict[str, Any] = {"volcli": __version__, "schema": SCHEMA, "exit_code": report.exit_code}
    if report.shard is not None:
        data["shard"] = report.shard
    if report.since is not None:
        fixed = [{"file": one.file, "code": one.kind, "key": one.key} for one in report.since.fixed]
        data["baseline"] = {"known": report.since.known, "fixed": fixed}
    if report.fixes is not None:
        made = [{"file": each.file, "code": each.code, "key": each.key} for each in report.fixes.fixed]
        data["fixes"] = made
    data["files"] = files
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
