"""Findings for people: as compilers print them, with a sum at the end."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from volcli.diagnostics import caret
from volcli.diagnostics.counted import counted
from volcli.gate.findings.alike import grouped
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.grounds import LOOP, Ground
from volcli.gate.report import Report
from volcli.gate.work.fixed import Fixes
from volcli.limits import gate as limits


def as_text(report: Report, *, quiet: bool) -> str:
    """The findings of REPORT, and unless QUIET how many there are."""
    return _text(report, _told, quiet)


def _told(report: Report) -> Iterator[str]:
    """The findings of REPORT, those that are alike as one; each loop around them is shown once."""
    for file in report.files:
        shown = set[Ground]()
        for first, *others in grouped(file.findings):
            loops = {each for each in first.shown if each.said == LOOP}
            yield from lines_of(first, shown)
            yield from _like(others)
            shown |= loops


def _like(others: Sequence[Finding]) -> Iterator[str]:
    """`and 31 more like it, at 13:8, 14:8, ...`, the places of OTHERS in lines of 80 columns."""
    if not others:
        return
    places = [f"{each.line}:{each.column}" for each in others]
    shown, more = places[: limits.GROUPED_PLACES], len(places) - limits.GROUPED_PLACES
    at = ", ".join(shown) + (f", and {more} others" if more > 0 else "")
    said = f"  and {len(others)} more like it, at {at}"
    yield from textwrap.wrap(said, 80, subsequent_indent="    ", break_long_words=False)


def as_lines(report: Report, *, quiet: bool) -> str:
    """The same with one line for each finding."""
    return _text(report, lambda told: map(_line, told.findings), quiet)


def _text(report: Report, said: Callable[[Report], Iterable[str]], quiet: bool) -> str:
    lines = [*said(report)]
    if not quiet:
        lines += below(report)
    return "".join(line + "\n" for line in lines)


def below(report: Report) -> list[str]:
    """What is said below the findings of REPORT: fixes, sums, what comments ignore, what is not known."""
    fixes = () if report.fixes is None else said_of_fixes(report.fixes)
    return [*fixes, _sum(report), *_unanalysed(report), *_since(report)]


def _line(finding: Finding) -> str:
    changed = " (changed)" if finding.state == "changed" else ""
    place = _in_one_line(str(finding.place or finding.file))
    return f"{place}: {finding.severity}: {finding.code}: {finding.message}{changed}"


def lines_of(finding: Finding, known: Container[Ground] = frozenset()) -> Iterator[str]:
    """FINDING with its line of the program, the places that it rests on but for KNOWN ones, what to do."""
    yield _line(finding)
    if finding.before:
        yield f"  before: {finding.before}"
    if finding.source and finding.column is not None and finding.column <= len(finding.source) + 1:
        yield finding.source
        yield caret(finding.source, finding.column)
    places_shown = (one for one in finding.shown if one not in known)
    for said, each in groupby(places_shown, key=lambda one: one.said):
        places = [f"{one.line}:{one.column}" for one in each]
        yield from (f"  {place}: {said}" for place in places[: limits.RELATED_PLACES])
        if more := len(places[limits.RELATED_PLACES :]):
            yield f"  and at {counted(more, 'other place')}: {said}"
    if finding.confirmed:
        yield f"  confirmed: {finding.confirmed}"
    if finding.unfixed:
        yield f"  not fixed: {finding.unfixed}"
    elif finding.fix is not None:
        yield f"  fix: {finding.fix.title} (--fix)"
    yield f"  next: {finding.next_step}"


def example_of(witness: Mapping[str, Any]) -> str:
    """`iteration [8], index [9], %n = 4`, of the example WITNESS of a finding; "" without any."""
    given = ((name, witness.get(name)) for name in ("iteration", "source", "sink", "index", "element"))
    said = [f"{name} {value}" for name, value in given if value]
    numbers: Mapping[str, Any] = witness.get("parameters") or {}
    return ", ".join([*said, *(f"{name} = {value}" for name, value in numbers.items())])


def _in_one_line(name: str) -> str:
    """NAME with what ends lines or moves the cursor written as Python would: a finding is one line."""
    return "".join(repr(c)[1:-1] if ord(c) < ord(" ") or c in _LINE_ENDS else c for c in name)


_LINE_ENDS = "\x7f\x85\u2028\u2029"


def _sum(report: Report) -> str:
    """`2 errors and 1 warning in 1 of 3 files (V203: 2, V206: 1)`."""
    counts = Counter(finding.severity for finding in report.findings)
    said = [counted(counts[word], word) for word in ("error", "warning", "remark") if counts[word]]
    files = counted(len(report.files), "file")
    if not said:
        return f"no findings in {files}"
    with_some = sum(1 for file in report.files if file.findings)
    codes = sorted(Counter(finding.code for finding in report.findings).items())
    by_code = said_of(dict(codes))
    first, last = said[:-1], said[-1]
    by_severity = f"{', '.join(first)} and {last}" if first else last
    return f"{by_severity} in {with_some} of {files} ({by_code})"


def _unanalysed(report: Report) -> Iterator[str]:
    """`ignored by comments: 2 findings (V203: 2)`; `not read or analysed: 3 places (V301: 1, V306: 2)`.

    And how to see those that are not told.
    """
    for why, is_repeated in (("ignored by comments", False), ("again in later dumps", True)):
        if counts := Counter(each.code for each in report.ignored if each.is_repeated is is_repeated):
            yield f"{why}: {counted(counts.total(), 'finding')} ({said_of(dict(sorted(counts.items())))})"
    if counts := report.unanalysed:
        told = {finding.code for finding in report.findings}
        more = "" if "V316" in told or told >= counts.keys() else "; --select V316 shows where"
        yield f"not read or analysed: {counted(sum(counts.values()), 'place')} ({said_of(counts)}){more}"


def said_of(counts: Mapping[str, int]) -> str:
    """`V301: 1, V306: 2`."""
    return ", ".join(f"{code}: {count}" for code, count in counts.items())


def said_of_fixes(fixes: Fixes, *, would: bool = False) -> Iterator[str]:
    """`fixed 3 findings in 2 files (V206: 2, V223: 1)`, or what WOULD be; and what is not."""
    done = "would fix" if would else "fixed"
    files = len({each.file for each in fixes.fixed})
    codes = dict(sorted(Counter(each.code for each in fixes.fixed).items()))
    by_code = f" in {counted(files, 'file')} ({said_of(codes)})" if codes else ""
    yield f"{done} {counted(len(fixes.fixed), 'finding')}{by_code}"
    if unsafe := sum(each.is_unsafe for each in fixes.refused):
        yield f"not fixed without --unsafe-fixes: {counted(unsafe, 'finding')}"
    if unproved := len(fixes.refused) - unsafe:
        yield f"not fixed for lack of a proof: {counted(unproved, 'finding')}"


def _since(report: Report) -> Iterator[str]:
    """`since the baseline: 1 new, 0 changed; 4 known, 1 fixed`."""
    if report.since is None:
        return
    states = Counter(finding.state for finding in report.findings)
    fixed = len(report.since.fixed)
    said = f"since the baseline: {states['new']} new, {states['changed']} changed; {report.since.known} known"
    yield said + (f", {fixed} fixed (--update-baseline removes them)" if fixed else "")
