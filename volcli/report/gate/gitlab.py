"""Findings as a Code Quality report of GitLab, which shows them in a merge request."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from volcli.diagnostics import Severity
from volcli.gate.findings.finding import Finding
from volcli.gate.report import Report

_SEVERITIES = {
    Severity.ERROR.value: "critical",
    Severity.WARNING.value: "minor",
    Severity.REMARK.value: "info",
}


def as_code_quality(report: Report) -> str:
    """The findings of REPORT as a list of issues, in each of which `fingerprint` tells it from all others."""
    return json.dumps([_issue(each) for each in report.findings], indent=2, ensure_ascii=False) + "\n"


def _issue(finding: Finding) -> dict[str, object]:
    before = f"; before: {finding.before}" if finding.before else ""
    begin = {"line": finding.line or 1, "column": finding.character or 1}
    return {
        "description": f"{finding.message}{before}; next: {finding.next_step}",
        "check_name": finding.code,
        "fingerprint": _number_of([finding.file, finding.key]),
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": finding.file, "positions": {"begin": begin}, "lines": {"begin": begin["line"]}},
    }


def _number_of(texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogateescape")).hexdigest()
