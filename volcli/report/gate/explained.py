"""Findings with all that they rest on, for who asks why one is told, or why it is known or changed."""

from __future__ import annotations

from collections.abc import Iterator

from volcli.gate.findings.finding import Finding
from volcli.gate.findings.grounds import ASSUMED, CALLED, CONTEXT
from volcli.gate.report import Report
from volcli.report.gate.text import below, lines_of


def as_explained(report: Report, *, quiet: bool) -> str:
    """The findings of REPORT, each with its grounds and what a baseline compares; sums unless QUIET."""
    lines = [line for finding in report.findings for line in _lines(finding)]
    lines += [] if quiet else below(report)
    return "".join(line + "\n" for line in lines)


def _lines(finding: Finding) -> Iterator[str]:
    yield from lines_of(finding)
    yield f"  known in a baseline by: {finding.key}, operation {finding.content or 'none'}"
    yield f"  changed if its numbers and sets do, or its evidence: {finding.reason or 'none'}"
    for each in finding.rests_on:
        if each.said == ASSUMED:
            yield f"    evidence: it is assumed that {each.content}"
        elif each.said == CALLED:
            yield f"    called: @{each.function}, at line {each.line}"
        elif each.said:
            kind = "context" if each.said.startswith(CONTEXT) else "evidence"
            yield f"    {kind}: {each.line}:{each.column}: {each.said}"
