"""A log of dumps has a program after each pass: what one pass breaks is found in the first dump that has it.

Of a function, let n(d) be the number of findings of one code in the dump d. In d, max n(e) of them, e before
d, are known, and the others are new. Known are first those of known content, then those of known words, then
others in the order of the text, as a pass may give operations another form. A loop that is unrolled has more,
and these are told.

    dumps of @f     a: 0   b: 2   c: 2   d: 3   e: 1
    told            a: 0   b: 2   c: 0   d: 1   e: 0
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from volcli.frontend.text.dumps import header_of
from volcli.frontend.text.source import Source, split_chunks
from volcli.gate.findings.finding import AGAIN, ALWAYS, Finding
from volcli.gate.findings.grounds import DUMP, Ground


@dataclass
class _Known:
    """The most findings that a dump has had, and the contents and words of all of them."""

    most: int = 0
    contents: set[str] = field(default_factory=set[str])
    words: set[str] = field(default_factory=set[str])

    def among(self, members: Sequence[Finding]) -> list[Finding]:
        """Those of MEMBERS, of one dump, that are known; and all of them are known then."""
        novelty = sorted(members, key=lambda e: (e.content not in self.contents, e.message not in self.words))
        found = novelty[: self.most]
        self.most = max(self.most, len(members))
        self.contents.update(each.content for each in members)
        self.words.update(each.message for each in members)
        return found


def repeated(dumps: Sequence[Sequence[Finding]]) -> dict[int, int]:
    """By the identity of a finding in DUMPS, in their order, that is known, the first dump that has some."""
    groups: defaultdict[tuple[str, str], list[tuple[int, list[Finding]]]] = defaultdict(list)
    for number, findings in enumerate(dumps):
        members: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
        for each in findings:
            if each.ignored is None and not each.code.startswith(ALWAYS):
                members[each.code, each.function].append(each)
        for key, found in members.items():
            groups[key].append((number, found))
    again: dict[int, int] = {}
    for group in groups.values():
        known = _Known()
        for _, found in group:
            again |= dict.fromkeys(map(id, known.among(found)), group[0][0])
    return again


def by_dump(findings: Sequence[Finding], text: str) -> tuple[Finding, ...]:
    """FINDINGS in TEXT, in their order, each with its dump; those that an earlier dump has are ignored.

    None has a fix: what is to be corrected is the pass.
    """
    headers = ((each.first_line, header_of(each.text)) for each in split_chunks(Source("", text)))
    chunks = [(line, said) for line, said in headers if said is not None]
    firsts = [line for line, _ in chunks]
    dumps: list[list[Finding]] = [[] for _ in chunks]
    found: list[Finding] = []
    for finding in findings:
        if (at := bisect_right(firsts, finding.line or 0) - 1) >= 0:
            own, *others = finding.rests_on or (Ground(),)
            shown = Ground(f"{DUMP} {chunks[at][1]}", "", firsts[at], 1, 1)
            finding = replace(finding, rests_on=(own, shown, *others), fix=None)
            dumps[at].append(finding)
        found.append(finding)
    again = {each: f"{AGAIN} of line {firsts[first]}" for each, first in repeated(dumps).items()}
    return tuple(replace(each, ignored=again.get(id(each), each.ignored)) for each in found)
