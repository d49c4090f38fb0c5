"""The report for programs: one JSON object, described by docs/facts.schema.json.

    {"volcli": "0.2.0", "schema": 1, "files": [
        {"file": "a.mlir", "diagnostics": [{"code": "V301", "severity": "remark", ...}], "facts": [...]}]}

SCHEMA changes when a reader of the old form would misread the new one; new fields and new questions do not
change it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from volcli import __version__
from volcli.diagnostics import Diagnostic
from volcli.report.files import FileReport

SCHEMA = 1


def as_json(reports: Sequence[FileReport]) -> str:
    """REPORTS as the text of one JSON object."""
    return json.dumps(envelope(reports), indent=2, ensure_ascii=False) + "\n"


def envelope(reports: Sequence[FileReport]) -> dict[str, object]:
    """REPORTS as the object itself, for Python."""
    return {"volcli": __version__, "schema": SCHEMA, "files": [_file(report) for report in reports]}


def _file(report: FileReport) -> dict[str, object]:
    return {
        "file": report.file,
        "diagnostics": [_diagnostic(each) for each in report.diagnostics],
        "facts": [fact.to_json() for fact in report.facts],
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, object]:
    place = diagnostic.place
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "message": diagnostic.message,
        "next_step": diagnostic.next_step,
    }
