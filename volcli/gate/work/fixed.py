"""A unit of work: the fixes of one file, each made only where it is proved that the program stays equal.

In a round the file is checked; of the fixes that are proposed, those that are apart from each other are
tried, function by function from the last one to the first, so that edits do not move others. All fixes of a
function are proved together, and if that is not possible each alone. What was changed is checked again, since
a fix may show more, until nothing is left that was not tried: each round makes a fix or refuses one, and
there are at most FIX_ROUNDS. What a function may state of its arguments is tried again after each round that
made a fix, since a caller may show it that states something itself now. Each proof is about the text before
and after one step, so that all steps together are proved, too.

`fixed` changes no file, and depends on its argument alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from volcli.frontend.text.source import Source, decode
from volcli.gate.findings.finding import Finding
from volcli.gate.findings.fix import Edit, applied
from volcli.gate.findings.settings import Settings
from volcli.gate.fixes.callers import NEEDS, shown_by_callers
from volcli.gate.fixes.proving import FixProof, attempted, different, proved
from volcli.gate.fixes.sweeping import swept
from volcli.gate.work.pieces import part_of, pieces_of
from volcli.gate.work.work import Work, checked, most_seconds
from volcli.limits import gate as limits

Key = tuple[str, str, str, str, int]
"""What a finding is about: it stays the same where other lines change."""
_LOSES = "comments in the code that is removed are lost"


@dataclass(frozen=True)
class FixWork:
    """The file of WORK; of its findings, those WANTED may be fixed, and what is found only after a fix.

    With `unsafe`, also with fixes that change which errors may happen, or rest on assumptions.
    """

    work: Work
    wanted: frozenset[Key]
    unsafe: bool = False

    @property
    def label(self) -> str:
        """The file."""
        return self.work.label


@dataclass(frozen=True)
class Refusal:
    """A fix that was not made, and why; `is_unsafe`: it is made if unsafe fixes are asked for."""

    finding: Finding
    reason: str
    is_unsafe: bool = False


@dataclass(frozen=True)
class FixedFile:
    """What the file at `path` held `before` and holds `after` its fixes, and which findings had them."""

    path: str
    name: str
    before: bytes
    after: bytes
    fixed: tuple[Finding, ...] = ()
    refused: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class Fixes:
    """What became of the fixes of a run: which findings have theirs, and which do not, with the reason."""

    fixed: tuple[Finding, ...] = ()
    refused: tuple[Refusal, ...] = ()


@dataclass
class _Course:
    """How far the fixes of a file are."""

    work: FixWork
    text: str
    fixed: list[Finding] = field(default_factory=list[Finding])
    refused: dict[Key, Refusal] = field(default_factory=dict[Key, Refusal])
    left: frozenset[Key] = frozenset()

    @property
    def source(self) -> Source:
        """The text as it is now."""
        return Source(self.work.work.name, self.text)

    def findings(self) -> tuple[Finding, ...]:
        """What is found in it."""
        return checked(replace(self.work.work, data=self.text.encode())).findings


def key_of(finding: Finding) -> Key:
    """What FINDING is about."""
    return finding.code, finding.function, finding.subject, finding.content, finding.copy


def most_seconds_of(work: FixWork) -> float | None:
    """The processor time that WORK may take at most; None: any."""
    seconds = most_seconds(work.work)
    return None if seconds is None else seconds * limits.FIX_ROUNDS


def fixed(work: FixWork) -> FixedFile:
    """The file of WORK, whose data are given, with its fixes."""
    data = work.work.data or b""
    course = _Course(work, decode(data, work.work.path).text)
    found = course.findings()
    course.left = frozenset(key_of(each) for each in found) - work.wanted
    for _ in range(limits.FIX_ROUNDS):
        known = course.text, list(course.fixed)
        tried = [each for each in found if _is_open(each, course)]
        if not tried:
            break
        for function, group in _groups(tried):
            _fix(course, function, group)
        if course.text == known[0]:
            continue
        course.text = swept(known[0], course.source, work.work.settings, _proved)
        course.refused = {k: e for k, e in course.refused.items() if e.finding.code not in NEEDS}
        before, found = found, course.findings()
        if any(each.is_unusable for each in found) and not any(each.is_unusable for each in before):
            course.text, course.fixed = known
            course.refused |= {key_of(e): Refusal(e, "the edited text cannot be checked") for e in tried}
            found = before
    refused = tuple(sorted(course.refused.values(), key=lambda one: (one.finding.line or 0, one.reason)))
    return FixedFile(work.work.path, work.work.name, data, course.text.encode(), tuple(course.fixed), refused)


def _is_open(finding: Finding, course: _Course) -> bool:
    key = key_of(finding)
    return (
        finding.fix is not None
        and finding.ignored is None
        and key not in course.left
        and key not in course.refused
    )


def _groups(found: Sequence[Finding]) -> Iterator[tuple[str, list[Finding]]]:
    """Those of what was FOUND whose edits are apart, by their functions, the last one first."""
    taken: list[Edit] = []
    groups: list[tuple[str, list[Finding]]] = []
    for each in found:
        edits = () if each.fix is None else each.fix.edits
        if not any(_overlap(one, other) for one in edits for other in taken):
            taken += edits
            if not groups or groups[-1][0] != each.function:
                groups.append((each.function, []))
            groups[-1][1].append(each)
    return reversed(groups)


def _overlap(one: Edit, other: Edit) -> bool:
    first, second = sorted([one, other], key=lambda each: (each.line, each.column))
    start = second.line, second.column
    return start == (first.line, first.column) or start < (first.end_line, first.end_column)


def _fix(course: _Course, function: str, group: Sequence[Finding]) -> None:
    """Make the fixes of GROUP in FUNCTION: together, or, if that is not proved, each alone."""
    if len(group) > 1 and _proof(course, function, group)[1].verdict == "safe":
        course.text = _edited(course.text, group)
        course.fixed += group
        return
    for each in reversed(group):
        after, proof = _proof(course, function, [each])
        if proof.verdict == "unproved" or (proof.verdict == "unsafe" and not course.work.unsafe):
            course.refused[key_of(each)] = Refusal(each, proof.reason, proof.verdict == "unsafe")
        else:
            course.text = after
            course.fixed.append(each)


def _proof(course: _Course, function: str, group: Sequence[Finding]) -> tuple[str, FixProof]:
    after = _edited(course.text, group)
    texts, settings = (course.source, replace(course.source, text=after)), course.work.work.settings
    proof = _proved(*texts, function, settings)
    for each in group:
        if each.code in NEEDS and proof.verdict != "unproved":
            shown = attempted(partial(shown_by_callers, *texts, each, settings))
            proof = min(proof, shown, key=lambda one: ("unproved", "unsafe", "safe").index(one.verdict))
    fixes = [each.fix for each in group if each.fix is not None]
    rests_on = dict.fromkeys(one for each in group for one in each.assumptions)
    if proof.verdict == "safe" and rests_on:
        proof = FixProof("unsafe", f"the finding holds if {' and '.join(rests_on)}")
    elif proof.verdict == "safe" and any(fix.loses for fix in fixes):
        proof = FixProof("unsafe", _LOSES)
    return after, proof


def _proved(before: Source, after: Source, function: str, settings: Settings) -> FixProof:
    """What is known of AFTER, in which FUNCTION of BEFORE is edited, from what it depends on (`pieces`).

    So n functions take n times what one takes, and not each of them what all take.
    """
    one, other = (_needed(each, function) for each in different(before, after))
    return proved(one, other, function, settings)


def _needed(source: Source, function: str) -> Source:
    """SOURCE with empty lines in place of what FUNCTION does not depend on; all if that is not known."""
    own = [each for each in pieces_of(source.text) or () if each.symbol == f"@{function}"]
    return replace(source, text=part_of(own).text(source.text)) if len(own) == 1 else source


def _edited(text: str, group: Iterable[Finding]) -> str:
    return applied(text, [edit for each in group if each.fix is not None for edit in each.fix.edits])
