"""Findings as workflow commands of GitHub Actions, which shows them at the lines of a pull request."""

from __future__ import annotations

from volcli.diagnostics import Severity
from volcli.gate.findings.finding import Finding
from volcli.gate.report import Report
from volcli.report.gate.text import said_of

_COMMANDS = {
    Severity.ERROR.value: "error",
    Severity.WARNING.value: "warning",
    Severity.REMARK.value: "notice",
}


def as_annotations(report: Report) -> str:
    """REPORT as one line for each finding, and one for what was not analysed."""
    lines = [_line(finding) for finding in report.findings]
    if counts := report.unanalysed:
        said = said_of(counts)
        lines.append(f"::notice title=volcli::not read or analysed: {_escaped(said)}")
    return "".join(line + "\n" for line in lines)


def _line(finding: Finding) -> str:
    fields = {"file": finding.file, "title": f"{finding.code}"}
    if finding.line is not None:
        fields |= {"line": str(finding.line), "col": str(finding.character)}
    said = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in fields.items())
    before = f"\nbefore: {finding.before}" if finding.before else ""
    message = f"{finding.message}{before}\nnext: {finding.next_step}"
    return f"::{_COMMANDS[finding.severity]} {said}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    """TEXT with what a workflow command gives a meaning to as GitHub wants it: '%0A' for a new line."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
