"""`// volcli: ignore V203: reason`: findings that somebody has looked at and wants to hear no more of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from volcli.diagnostics import CODES, Place
from volcli.frontend.text.expected import expectations
from volcli.frontend.text.source import Source
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.directives import Directive
from volcli.gate.findings.finding import ALWAYS, Finding
from volcli.gate.findings.settings import UNREADABLE

SINCE_BASELINE = ("V230", "V231", "V232", "V233", "V234", "V235")
"""What is found only where facts are compared with those of a baseline."""
_FORM = re.compile(
    r"(?P<codes>V\d{1,3}(?:\s*,\s*V\d{1,3})*)(?!\w)"
    r"(?:\s*\buntil\s+(?P<until>\d[\d-]*))?[\s:,-]*(?P<reason>.*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Ignore:
    directive: Directive
    codes: tuple[str, ...]
    line: int | None
    reason: str

    def covers(self, finding: Finding, line: int | None) -> bool:
        """Whether FINDING, which is about what begins in LINE, is of no interest."""
        is_there = self.directive.kind == "ignore-file" or line == self.line
        return is_there and finding.code.startswith(self.codes) and not finding.code.startswith(ALWAYS)


def marked(findings: Iterable[Finding], analysed: Analysed) -> Iterator[Finding]:
    """FINDINGS, those that comments ignore or expect marked; and one for each comment that ignores none.

    A test of mlir-opt expects an error where it has a mistake. It need not be read beyond that.

    What is said of an expectation is about the operation that this is about. A comment that ignores nothing
    is told (V223) only where all of its codes were looked for; against a baseline that is done later.
    """
    ignores: list[_Ignore] = []
    found = [*findings]
    about: dict[int | None, int | None] = {}
    for directive in analysed.directives:
        if not directive.is_behind:
            about[directive.line] = directive.line_of(analysed.lines)
        if directive.kind != "expect" and directive.mistake is None:
            ignore = _read(directive, analysed)
            if isinstance(ignore, str):
                found.append(_finding(analysed, "V222", directive, ignore))
            else:
                ignores.append(ignore)
                if analysed.settings.reasons and not ignore.reason:
                    message = "an ignore comment gives its reason: // volcli: ignore V203: reason"
                    found.append(_finding(analysed, "V222", directive, message))
    expected = _expected(analysed.unit.parsed.source)
    used: set[_Ignore] = set()
    for finding in found:
        line = about.get(finding.line, finding.line)
        covering = [each for each in ignores if each.covers(finding, line)]
        used.update(covering)
        reasons = [each.reason for each in covering] or expected(finding)
        yield replace(finding, ignored=reasons[0]) if reasons else finding
    for each in ignores:
        named = [code for code in CODES if code.startswith(each.codes)]
        is_certain = analysed.settings.codes.issuperset(named) and not any(
            code in SINCE_BASELINE for code in named
        )
        if each not in used and is_certain:
            message = f"no {' or '.join(each.codes)} is found here"
            yield _finding(analysed, "V223", each.directive, message)


def _expected(source: Source) -> Callable[[Finding], list[str]]:
    """Of a finding, what comments in SOURCE expect in its place: an error that mlir-opt reports there."""
    by_line: dict[int | None, list[str]] = {}
    for each in expectations(source):
        if each.kind in ("error", "warning"):
            by_line.setdefault(each.line, []).append(f"expected-{each.kind} {{{{{each.text}}}}}")
    every = [each for said in by_line.values() for each in said]

    def found(finding: Finding) -> list[str]:
        if finding.code.startswith(ALWAYS):
            return []
        return every if finding.code in UNREADABLE else by_line.get(finding.line, [])

    return found


def ignored_regressions(analysed: Analysed) -> Callable[[int], tuple[str, ...]]:
    """For a line, the codes of facts that are lost since a baseline which comments ignore there."""
    everywhere: list[str] = []
    by_line: dict[int | None, list[str]] = {}
    for directive in analysed.directives:
        is_ignore = directive.kind != "expect" and directive.mistake is None
        ignore = _read(directive, analysed) if is_ignore else None
        if isinstance(ignore, _Ignore):
            codes = [code for code in SINCE_BASELINE if code.startswith(ignore.codes)]
            (everywhere if directive.kind == "ignore-file" else by_line.setdefault(ignore.line, [])).extend(
                codes
            )
    return lambda line: (*everywhere, *by_line.get(line, ()))


def _read(directive: Directive, analysed: Analysed) -> _Ignore | str:
    """What DIRECTIVE ignores, or what is wrong with it."""
    found = _FORM.match(directive.text)
    if found is None:
        return "an ignore comment names codes first: // volcli: ignore V203: reason"
    codes = tuple(code.strip().upper() for code in found["codes"].split(","))
    for code in codes:
        if not any(name.startswith(code) for name in CODES):
            return f"no code begins with '{code}'"
    line = directive.line_of(analysed.lines)
    if line is None and directive.kind == "ignore":
        return "no operation begins here: the comment belongs above the operation, or at the end of its "
        "first line"
    if (until := found["until"]) is not None:
        try:
            last = date.fromisoformat(until)
        except ValueError:
            return f"'{until}' is not a day: // volcli: ignore V203 until 2027-01-31: reason"
        if analysed.settings.today > last.isoformat():
            return f"this comment ignored {', '.join(codes)} until {until}, and that is over"
    return _Ignore(directive, codes, line, found["reason"].strip())


def _finding(analysed: Analysed, code: str, directive: Directive, message: str) -> Finding:
    line = directive.line_of(analysed.lines)
    op = None if line is None else analysed.first_in(line)
    place = Place(analysed.unit.parsed.source.name, directive.line, directive.column)
    return analysed.finding(code, op, message, subject=f"{directive.kind} {directive.text}", place=place)
