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


def by_dump(findings: Sequence[Finding], text: str) -> tuple[Finding, ...]:
    """FINDINGS in TEXT, in their order, each with its dump; those that an earlier dump has are ignored.

    None has a fix: what is to be corrected is the pass.
    """
    chunks = [
        (each.first_line, said) for each in split_chunks(Source("", text)) if (said := header_of(each.text))
    ]
    firsts = [first for first, _ in chunks]
    dumps = [bisect_right(firsts, each.line or 0) - 1 for each in findings]
    groups: defaultdict[tuple[str, str], defaultdict[int, list[int]]]
    groups = defaultdict(lambda: defaultdict(list))
    for at, (finding, dump) in enumerate(zip(findings, dumps, strict=True)):
        if dump >= 0 and finding.ignored is None and not finding.code.startswith(ALWAYS):
            groups[finding.code, finding.function][dump].append(at)
    again: dict[int, str] = {}
    for members_of in groups.values():
        first, known = min(members_of), _Known()
        for _, members in sorted(members_of.items()):
            again |= dict.fromkeys(_repeated(members, findings, known), f"{AGAIN} {firsts[first]}")
    found: list[Finding] = []
    for at, (finding, dump) in enumerate(zip(findings, dumps, strict=True)):
        if dump >= 0:
            line, said = chunks[dump]
            own, *others = finding.rests_on or (Ground(),)
            shown = Ground(f"{DUMP} {said}", "", line, 1, 1)
            finding = replace(finding, rests_on=(own, shown, *others), fix=None)
        found.append(replace(finding, ignored=again[at]) if at in again else finding)
    return tuple(found)


def _repeated(members: Sequence[int], findings: Sequence[Finding], known: _Known) -> list[int]:
    """Those of MEMBERS, the positions among FINDINGS in one dump, that are KNOWN; and they are known then."""

    def novelty(at: int) -> tuple[bool, bool]:
        return findings[at].content not in known.contents, findings[at].message not in known.words

    found = sorted(members, key=novelty)[: known.most]
    known.most = max(known.most, len(members))
    known.contents.update(findings[at].content for at in members)
    known.words.update(findings[at].message for at in members)
    return found
