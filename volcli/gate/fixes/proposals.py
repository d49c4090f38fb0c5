"""Fixes that are proposed for findings: by their codes, from the operations that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from xdsl.ir import Operation

from volcli.facts.dead import DeadFact
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.blocks import without_block
from volcli.gate.fixes.branches import without_branch
from volcli.gate.fixes.callers import NEEDS, stated
from volcli.gate.fixes.changes import with_space
from volcli.gate.fixes.loops import without_loop
from volcli.gate.fixes.padding import without_padding
from volcli.gate.fixes.removal import without
from volcli.gate.fixes.written import WrittenText

FIXABLE = ("V206", "V210", "V211", "V223", *NEEDS)


def proposed(found: Iterable[Finding], analysed: Analysed) -> Iterator[Finding]:
    """What was FOUND, each finding with the fix that there is for it."""
    written: WrittenText | None = None
    for each in found:
        if each.code in FIXABLE and each.ignored is None:
            written = written or WrittenText(analysed.unit.parsed)
            yield replace(each, fix=_of(each, analysed, written))
        else:
            yield each


def _of(finding: Finding, analysed: Analysed, written: WrittenText) -> Fix | None:
    if finding.code == "V223":
        return _without_comment(finding, written)
    if finding.code in NEEDS:
        return stated(finding, analysed.unit, written)
    op = analysed.at(finding.place)
    if op is None:
        return None
    dead = [each for each in analysed.facts(DeadFact) if each.place == finding.place]
    return _of_operation(finding.code, op, dead, analysed, written)


def _of_operation(
    code: str, op: Operation, dead: Sequence[DeadFact], analysed: Analysed, written: WrittenText
) -> Fix | None:
    match code, dead:
        case "V206", _:
            return None if op.results else without(op, written, "remove the store")
        case "V210", [fact] if fact.kind == "loop":
            return without_loop(op, written, analysed.unit.parsed.names)
        case "V210", [fact] if fact.kind == "branch":
            return without_branch(op, fact.region, written, analysed.unit.parsed.names)
        case "V210", [fact] if fact.kind == "block":
            return without_block(op, fact.region, written)
        case "V211", _:
            return without_padding(op, written, analysed.unit.parsed.names, is_empty=bool(dead))
        case _:
            return None


def _without_comment(finding: Finding, written: WrittenText) -> Fix | None:
    if finding.line is None or finding.column is None:
        return None
    start = written.offset(finding.line, finding.column)
    end = next((end for first, end in written.comments if first == start), None)
    if end is None:
        return None
    return Fix("remove the comment", (written.edit(*with_space(written.text, start, end)),))
