"""Findings that are alike: what one mistake makes of unrolled code, or of all accesses in one loop.

Findings f and g of one file are alike if they have equal

- code, severity, function, and digest of evidence,
- loops around their operations, and dumps of passes in which they are, too, and
- messages, apart from subscripts and numbers; in loops also apart from names, and from what kind of access
  it is, since all accesses in a loop have its bounds.

This is an equivalence, so a run of the gate is partitioned. A class of `GROUPED_FINDINGS` or more is told
once, by its first finding in the order of the text, with the places of the others. Each of them keeps its
identity: baselines, comments, counts and exit codes know findings, and no groups.

What differs is never left out: a finding that is changed since a baseline, or was to be fixed, is alike to no
other one.

Example: `%m[9]` to `%m[40]` of a buffer with 9 elements, in a row: one finding, "and 31 more like it".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable

from volcli.gate.findings.finding import Finding
from volcli.gate.findings.grounds import DUMP, LOOP, without_names
from volcli.limits import gate as limits

_SUBSCRIPTS = re.compile(r"\[[^\]]*\]")
_NUMBERS = re.compile(r"-?\d+")
_ACCESSES = re.compile(r"'[\w.]+' op (?:reads|writes) ")


def grouped(findings: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """FINDINGS in groups, each group at the place of its first one."""
    every = list(findings)
    classes: defaultdict[Hashable, list[Finding]] = defaultdict(list)
    causes = [_cause(position, each) for position, each in enumerate(every)]
    for cause, each in zip(causes, every, strict=True):
        classes[cause].append(each)
    said: list[tuple[Finding, ...]] = []
    for cause, each in zip(causes, every, strict=True):
        alike = classes[cause]
        if len(alike) < limits.GROUPED_FINDINGS:
            said.append((each,))
        elif alike[0] is each:
            said.append(tuple(alike))
    return said


def _cause(position: int, finding: Finding) -> Hashable:
    """What findings that are alike to FINDING have in common with it; its POSITION, if none is."""
    if finding.state == "changed" or finding.unfixed or not finding.function:
        return position
    loops = tuple((each.line, each.column) for each in finding.rests_on if each.said == LOOP)
    said = _NUMBERS.sub("", _SUBSCRIPTS.sub("[]", finding.message))
    if loops:
        said = without_names(_ACCESSES.sub("accesses ", said))
    dumps = tuple(each.said for each in finding.rests_on if each.said.startswith(DUMP))
    title = None if finding.fix is None else finding.fix.title
    common = finding.file, finding.code, finding.severity, finding.function, finding.reason, finding.state
    return *common, finding.ignored, title, loops, dumps, said
