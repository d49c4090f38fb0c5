"""Findings with all that they rest on, for who asks why one is told, or why it is known or changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volcli.diagnostics import CODES
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.grounds import ASSUMED, CALLED, CONTEXT
from volcli.gate.report import Report
from volcli.report.gate.text import below, example_of, lines_of


def as_explained(report: Report, *, quiet: bool) -> str:
    """The findings of REPORT, each with its grounds and what a baseline compares; sums unless QUIET."""
    lines = [line for finding in report.findings for line in grounds_of(finding)]
    lines += [] if quiet else below(report)
    return "".join(line + "\n" for line in lines)


def finding_lines(finding: Finding, given: Sequence[str]) -> Iterator[str]:
    """FINDING with all that it rests on; it was found with what is GIVEN."""
    yield from grounds_of(finding)
    function = f"@{finding.function}" if finding.function else "none"
    yield f"  function: {function}"
    if finding.is_repeated:
        yield f"  not told again: {finding.ignored}"
    elif finding.ignored is not None:
        yield f"  ignored by a comment: {finding.ignored or 'without a reason'}"
    if said := example_of(finding.witness or {}):
        yield f"  example: {said}"
    yield "  it was found with"
    yield from (f"    {each}" for each in given)
    code = CODES[finding.code]
    yield f"  {code.name}: {code.summary}"


def grounds_of(finding: Finding) -> Iterator[str]:
    """FINDING with its grounds, and what a baseline compares."""
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
