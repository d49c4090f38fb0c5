"""`// volcli: ignore V203 because ...`: findings that somebody has looked at and wants to hear no more of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from volcli.diagnostics import CODES, Place
from volcli.gate.analysed import Analysed
from volcli.gate.directives import Directive, directives
from volcli.gate.finding import ALWAYS, Finding

_CODES = re.compile(r"(V\d{1,3}(?:\s*,\s*V\d{1,3})*)(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class _Ignore:
    directive: Directive
    codes: tuple[str, ...]
    line: int | None

    def covers(self, finding: Finding) -> bool:
        is_there = self.directive.kind == "ignore-file" or finding.line == self.line
        return is_there and finding.code.startswith(self.codes) and not finding.code.startswith(ALWAYS)


def remaining(findings: Iterable[Finding], analysed: Analysed) -> Iterator[Finding]:
    """FINDINGS but for those that comments ignore; and a finding for each comment that ignores none.

    A comment that ignores nothing is told (V223) only where all of its codes were looked for.
    """
    ignores: list[_Ignore] = []
    for directive in directives(analysed.unit.parsed.source):
        if directive.kind == "expect":
            continue
        found = _read(directive, analysed)
        if isinstance(found, str):
            yield _finding(analysed, "V222", directive, found)
        else:
            ignores.append(found)
    used: set[_Ignore] = set()
    for finding in findings:
        covering = [each for each in ignores if each.covers(finding)]
        used.update(covering)
        if not covering:
            yield finding
    for each in ignores:
        named = [code for code in CODES if code.startswith(each.codes)]
        if each not in used and analysed.settings.codes.issuperset(named):
            message = f"no {' or '.join(each.codes)} is found here"
            yield _finding(analysed, "V223", each.directive, message)


def _read(directive: Directive, analysed: Analysed) -> _Ignore | str:
    """What DIRECTIVE ignores, or what is wrong with it."""
    found = _CODES.match(directive.text)
    if found is None:
        return "an ignore comment names codes first: // volcli: ignore V203 reason"
    codes = tuple(code.strip().upper() for code in found[1].split(","))
    for code in codes:
        if not any(name.startswith(code) for name in CODES):
            return f"no code begins with '{code}'"
    line = directive.line_of(analysed.lines)
    if line is None and directive.kind == "ignore":
        return "no operation begins where this comment is about: it stands above it, or behind its first line"
    return _Ignore(directive, codes, line)


def _finding(analysed: Analysed, code: str, directive: Directive, message: str) -> Finding:
    line = directive.line_of(analysed.lines)
    op = None if line is None else analysed.first_in(line)
    place = Place(analysed.unit.parsed.source.name, directive.line, directive.column)
    return analysed.finding(code, op, message, subject=f"{directive.kind} {directive.text}", place=place)
