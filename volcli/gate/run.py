"""The gate itself: files are discovered, checked and judged. How work is spread is decided here only."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from volcli.diagnostics import Severity
from volcli.gate.findings.finding import Finding
from volcli.gate.policy.discovery import discovered
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline, KnownFact, KnownFinding
from volcli.gate.records.since import FileNow, Since, compared
from volcli.gate.work.cache import ResultCache
from volcli.gate.work.work import FileResult, Work

if TYPE_CHECKING:
    from volcli.gate.records.record import Record
    from volcli.gate.shards import Shard
    from volcli.gate.work.executor import Executor


@dataclass(frozen=True)
class FileFindings:
    """What the gate says of one file: its findings, by place, with the policy's severities."""

    file: str
    findings: tuple[Finding, ...]
    functions: int
    records: tuple[Record, ...] | None = None
    """What is known of it, where results are to be put together and compared."""
    unanalysed: Mapping[str, int] = field(default_factory=dict[str, int])
    """By the code of the reason, how much was not read or analysed, whatever codes are wanted."""


@dataclass(frozen=True)
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

    @property
    def findings(self) -> list[Finding]:
        """The findings of all files."""
        return [finding for file in self.files for finding in file.findings]

    @property
    def unanalysed(self) -> dict[str, int]:
        """Of all files, by the code of the reason, how much was not read or analysed."""
        every = sum((Counter(file.unanalysed) for file in self.files), Counter[str]())
        return dict(sorted(every.items()))


@dataclass(frozen=True)
class Running:
    """How work is done: by so many JOBS at a time (0: in this process), or by what EXECUTOR makes.

    What is known is in CACHE.

    DONE is told how much of the work is done, and how much there is, and WARN what makes it slower. None of
    that changes any result.
    """

    jobs: int = 0
    executor: Callable[[], Executor] | None = None
    cache: ResultCache | None = None
    done: Callable[[int, int], None] = lambda done, all: None
    warn: Callable[[str], None] = lambda message: None


def run(
    paths: Sequence[str], policy: Policy, baseline: Baseline | None = None, running: Running = Running()
) -> Report:
    """Check what PATHS name under POLICY. Raises UsageError (V100) for a path that names nothing.

    With a BASELINE, what it has is not told again, and what it had and is lost is.
    """
    works = works_for(paths, policy, record=baseline is not None)
    files = found_in(works, policy, running)
    if baseline is None:
        return reported([each.findings for each in files], files, policy)
    return compared_with(baseline, files, policy)


def run_shard(
    shard: Shard, paths: Sequence[str], policy: Policy, record: bool, running: Running = Running()
) -> Report:
    """Check the files in one SHARD of those that PATHS name; RECORD what is known, for a baseline."""
    works = shard.of(works_for(paths, policy, record=record))
    files = found_in(works, policy, running)
    report = reported([each.findings for each in files], files, policy)
    if record:
        known = [replace(one, records=now.records) for one, now in zip(report.files, files, strict=True)]
        report = replace(report, files=tuple(known))
    return replace(report, shard=str(shard))


def compared_with(baseline: Baseline, files: Sequence[FileNow], policy: Policy) -> Report:
    """What is new in FILES since BASELINE, and what is lost."""
    since = compared(files, baseline)
    return replace(reported(since.findings, files, policy), since=since)


def works_for(paths: Sequence[str], policy: Policy, *, record: bool = False) -> list[Work]:
    """The work that PATHS mean under POLICY."""
    return [work_of(path, policy, record=record) for path in discovered(paths, policy.exclude, policy.folder)]


def updated(baseline: Baseline, files: Sequence[FileNow]) -> Baseline:
    """BASELINE with what is found and known in FILES now."""
    names = [baseline.name(each.path) for each in files]
    return baseline.with_files(
        names,
        (
            KnownFinding.of(finding, name)
            for name, each in zip(names, files, strict=True)
            for finding in each.findings
            if not finding.is_always_told
        ),
        (KnownFact(name, r) for name, each in zip(names, files, strict=True) for r in each.records),
    )


def work_of(path: str, policy: Policy, *, record: bool = False) -> Work:
    """The work that the file at PATH means under POLICY."""
    settings = policy.for_file(_place(path, policy)).settings
    return Work(path, path.replace(os.sep, "/"), replace(settings, record=record) if record else settings)


def _place(path: str, policy: Policy) -> str:
    """PATH as the policy's patterns have it."""
    return os.path.relpath(path, policy.folder).replace(os.sep, "/")


def _results(works: Sequence[Work], running: Running) -> list[FileResult]:
    """What is found of each of WORKS, in their order."""
    from volcli.gate.work.executor import Here
    from volcli.gate.work.schedule import Schedule

    if running.executor is not None:
        executor = running.executor()
    elif running.jobs:
        from volcli.gate.work.pool import Workers

        executor = Workers(running.jobs, warn=running.warn)
    else:
        executor = Here()
    return Schedule(works, executor, running.cache, running.done).results()


def found_in(works: Sequence[Work], policy: Policy, running: Running = Running()) -> list[FileNow]:
    """What is found of WORKS, with the severities of POLICY."""
    files: list[FileNow] = []
    for work, result in zip(works, _results(works, running), strict=True):
        here = policy.for_file(_place(work.path, policy))
        found = tuple(
            replace(each, severity=here.severity(each.code).value)
            for each in result.findings
            if here.wants(each.code)
        )
        gaps = dict(sorted(Counter(code for _, code in result.gaps).items()))
        files.append(FileNow(work.path, result.file, found, result.records, result.functions, gaps))
    return files


def reported(findings: Sequence[Sequence[Finding]], files: Sequence[FileNow], policy: Policy) -> Report:
    """The report of FINDINGS, those of each of FILES."""
    exit_code = 0
    told: list[FileFindings] = []
    for file, found in zip(files, findings, strict=True):
        here = policy.for_file(_place(file.path, policy))
        kept = tuple(each for each in found if here.wants(each.code))
        for each in kept:
            if each.is_unusable:
                exit_code = 2
            elif here.fails(Severity(each.severity)):
                exit_code = max(exit_code, 1)
        told.append(FileFindings(file.name, kept, file.functions, unanalysed=file.unanalysed))
    return Report(tuple(told), exit_code)
