"""What has changed since a baseline: new findings, changed ones, and facts that are lost.

A finding that is known has changed if its numbers or sets have, or if it is in another function or file, and
that is not just a new name (`extent.py`).

A fact is looked at only in functions without new findings, and in private ones only if calls of them have
none: what is wrong there is said already, and most of what is lost is lost by it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from volcli.gate.findings.finding import Finding
from volcli.gate.records.baseline import Baseline, KnownFact, KnownFinding
from volcli.gate.records.extent import KnownFunctions, extent, function_of, without_places
from volcli.gate.records.matching import Matching, matched
from volcli.gate.records.record import Record

_IN_ORDER = ("access", "loops", "preconditions")
"""The questions of which what is left in a function may be paired in any order."""


@dataclass(frozen=True)
class FileNow:
    """What is found and known of one file now: at PATH, and called NAME in findings."""

    path: str
    name: str
    findings: tuple[Finding, ...]
    records: tuple[Record, ...]
    functions: tuple[str, ...] = ()
    unanalysed: Mapping[str, int] = field(default_factory=dict[str, int])
    """By the code of the reason, how much was not read or analysed."""
    ignored: tuple[Finding, ...] = ()
    """What comments ignore."""


@dataclass(frozen=True)
class Since:
    """What has changed: findings per file, and how many there were `known` and are `fixed`."""

    findings: tuple[tuple[Finding, ...], ...]
    known: int
    fixed: tuple[KnownFinding, ...]


@dataclass(frozen=True)
class _Now:
    """A finding, as what it is matched by."""

    finding: Finding
    entry: KnownFinding

    @property
    def kind(self) -> str:
        return self.entry.kind

    @property
    def file(self) -> str:
        return self.entry.file

    @property
    def key(self) -> str:
        return self.entry.key

    @property
    def content(self) -> str:
        return self.entry.content

    @property
    def said(self) -> str:
        return self.entry.said

    @property
    def message(self) -> str:
        return self.entry.message

    @property
    def reason(self) -> str:
        return self.entry.reason


def compared(files: Sequence[FileNow], baseline: Baseline) -> Since:
    """What has changed in FILES since BASELINE. Files that are there and were not checked are left alone."""
    names = {baseline.name(each.path) for each in files}
    old = baseline.of_files(names)
    now = [
        _Now(finding, KnownFinding.of(finding, baseline.name(file.path)))
        for file in files
        for finding in file.findings
        if not finding.is_always_told
    ]
    found = matched(old.findings, now)
    states = {id(each): "new" for file in files for each in file.findings if each.is_always_told}
    states |= {id(each.finding): "new" for each in found.new}
    told = _changed(found, old, files)
    states |= dict.fromkeys(told, "changed")
    lost = _lost(files, old) if baseline.has_facts else {}
    result: list[tuple[Finding, ...]] = []
    for file in files:
        here = [
            replace(f, state=states[id(f)], before=told.get(id(f), ""))
            for f in file.findings
            if id(f) in states
        ]
        concerned = {name for each in here for name in (each.function, *each.concerns)}
        here += [
            replace(each, state="new") for each in lost.get(file.name, ()) if each.function not in concerned
        ]
        result.append(tuple(sorted(here, key=lambda f: (f.line or 0, f.column or 0, f.code, f.message))))
    known = len(found.same) + len(found.changed) - sum(state == "changed" for state in states.values())
    return Since(tuple(result), known, found.gone)


def _changed(found: Matching[KnownFinding, _Now], old: Baseline, files: Sequence[FileNow]) -> dict[int, str]:
    """By the identity of a finding that was known and is another one now, what was known."""
    functions = KnownFunctions.of(
        (
            *((file, name) for file, names in old.functions.items() for name in names),
            *((each.file, each.record.function) for each in old.facts),
            *((each.file, function_of(each.key)) for each in old.findings),
        ),
        ((old.name(file.path), name) for file in files for name in ("", *file.functions)),
    )
    changed: dict[int, str] = {}
    for pairs, differs in ((found.same, _has_grown), (found.changed, _says_more)):
        for before, each in pairs:
            origin = functions.origin(before, each)
            if origin is not None:
                changed[id(each.finding)] = f"in {origin}: {before.message}"
            elif differs(before, each) or functions.mentions_others(before, each):
                changed[id(each.finding)] = before.message
    return changed


def _has_grown(before: KnownFinding, now: _Now) -> bool:
    """Whether two findings about one content, maybe renamed, differ in what counts."""
    is_other = bool(before.reason) and before.reason != now.reason
    return is_other or extent(before.message) != extent(now.message)


def _says_more(before: KnownFinding, now: _Now) -> bool:
    """Whether two findings of one name, about another content, differ."""
    return without_places(before.message) != without_places(now.message)


def _lost(files: Sequence[FileNow], old: Baseline) -> dict[str, list[Finding]]:
    """Per file, what is no longer known."""
    from volcli.gate.records.regressions import (
        regressions,  # and with it the engines, which a run without needs not
    )

    now = [KnownFact(old.name(file.path), record) for file in files for record in file.records]
    called = {old.name(file.path): file.name for file in files}
    found = matched(old.facts, now)
    pairs: defaultdict[str, list[tuple[Record, Record]]] = defaultdict(list)
    for before, after in (*found.same, *found.changed, *_left(found)):
        pairs[after.file].append((before.record, after.record))
    return {called[file]: regressions(pairs.get(file, []), called[file]) for file in called}


def _left(found: Matching[KnownFact, KnownFact]) -> list[tuple[KnownFact, KnownFact]]:
    """Pairs of what neither content nor key pairs: facts of a kind of which a function has as many."""
    gone: defaultdict[tuple[str, str, str], list[KnownFact]] = defaultdict(list)
    new: defaultdict[tuple[str, str, str], list[KnownFact]] = defaultdict(list)
    for entries, groups in ((found.gone, gone), (found.new, new)):
        for each in entries:
            if each.kind in _IN_ORDER:
                groups[each.kind, each.file, each.record.function].append(each)
    return [
        pair
        for group, entries in gone.items()
        if len(entries) == len(new[group])
        for pair in zip(entries, new[group], strict=True)
    ]
