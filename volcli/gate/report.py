"""What the gate says of a run: the findings of each file, judged by the policy, and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from volcli.diagnostics import Severity
from volcli.diagnostics.counted import counted
from volcli.gate.findings.finding import Finding
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.records.since import FileNow, Since, compared
from volcli.runtime.paths import relative

if TYPE_CHECKING:
    from volcli.gate.records.record import Record
    from volcli.gate.work.fixed import Fixes


@dataclass(frozen=True)
class FileFindings:
    """What the gate says of one file: its findings, by place, with the policy's severities."""

    file: str
    findings: tuple[Finding, ...]
    functions: tuple[str, ...]
    records: tuple[Record, ...] | None = None
    """What is known of it, where results are to be put together and compared."""
    unanalysed: Mapping[str, int] = field(default_factory=dict[str, int])
    """By the code of the reason, how much was not read or analysed, whatever codes are wanted."""
    ignored: tuple[Finding, ...] = ()
    """What comments ignore, each with its reason."""


@dataclass(frozen=True, repr=False)
class Report:
    """What the gate says: of each file, by name. `exit_code` is 0, 1 or 2.

    It is 2 if the call or a file could not be used or volcli failed, else 1 if a finding is as severe as the
    policy's `fail_on`. With a baseline the findings are those of `since`, new and changed ones.
    """

    files: tuple[FileFindings, ...]
    exit_code: int
    since: Since | None = None
    shard: str | None = None
    """Which part of a run this is."""
    fixes: Fixes | None = None
    """What was fixed before, where fixes were asked for."""

    def __repr__(self) -> str:
        """`<Report of 2 files: 1 finding>`."""
        files, found = len(self.files), len(self.findings)
        return f"<Report of {counted(files, 'file')}: {counted(found, 'finding')}>"

    @property
    def findings(self) -> list[Finding]:
        """The findings of all files."""
        return [finding for file in self.files for finding in file.findings]

    @property
    def ignored(self) -> list[Finding]:
        """What comments ignore in all files."""
        return [finding for file in self.files for finding in file.ignored]

    @property
    def unanalysed(self) -> dict[str, int]:
        """Of all files, by the code of the reason, how much was not read or analysed."""
        every = sum((Counter(file.unanalysed) for file in self.files), Counter[str]())
        return dict(sorted(every.items()))


def reported(findings: Sequence[Sequence[Finding]], files: Sequence[FileNow], policy: Policy) -> Report:
    """The report of FINDINGS, those of each of FILES."""
    exit_code = 0
    told: list[FileFindings] = []
    for file, found in zip(files, findings, strict=True):
        here = policy.for_file(place_of(file.path, policy))
        kept = tuple(each for each in found if here.wants(each.code))
        for each in kept:
            if each.is_unusable:
                exit_code = 2
            elif here.fails(Severity(each.severity)):
                exit_code = max(exit_code, 1)
        told.append(FileFindings(file.name, kept, file.functions, None, file.unanalysed, file.ignored))
    return Report(tuple(told), exit_code)


def compared_with(baseline: Baseline, files: Sequence[FileNow], policy: Policy) -> Report:
    """What is new in FILES since BASELINE, and what is lost."""
    since = compared(files, baseline)
    return replace(reported(since.findings, files, policy), since=since)


def place_of(path: str, policy: Policy) -> str:
    """PATH as the policy's patterns have it."""
    return relative(path, policy.folder)
