"""The gate itself: files are discovered, checked and judged. How work is spread is decided here only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from volcli.gate.policy.discovery import discovered
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline, KnownFact, KnownFinding
from volcli.gate.records.since import FileNow
from volcli.gate.records.trees import told_once
from volcli.gate.report import Report, compared_with, place_of, reported
from volcli.gate.work.cache import ResultCache
from volcli.gate.work.work import FileResult, Work, checked, most_seconds
from volcli.runtime.paths import with_slashes

if TYPE_CHECKING:
    from volcli.gate.shards import Shard
    from volcli.gate.work.executor import Executor


@dataclass(frozen=True)
class Running:
    """How work is done: by JOBS processes at a time (0: in this process), or by what EXECUTOR makes.

    What is known is in CACHE.

    DONE is told how much of the work is done, and how much there is, WARN what makes it slower, and PARTLY
    what is known of a file that is not over. None of that changes any result.
    """

    jobs: int = 0
    executor: Callable[[], Executor[Work, FileResult]] | None = None
    cache: ResultCache | None = None
    done: Callable[[int, int], None] = lambda done, all: None
    warn: Callable[[str], None] = lambda message: None
    partly: Callable[[FileNow], None] | None = None


def run(
    paths: Sequence[str], policy: Policy, baseline: Baseline | None = None, running: Running = Running()
) -> Report:
    """Check what PATHS name under POLICY. Raises UsageError (V100) for a path that names nothing.

    With a BASELINE, what it has is not told again, and what it had and is lost is.
    """
    works = works_for(paths, policy, record=_is_recorded(baseline))
    files = found_in(works, policy, running)
    if baseline is None:
        return reported([each.findings for each in files], files, policy)
    return compared_with(baseline, files, policy)


def run_shard(
    shard: Shard,
    paths: Sequence[str],
    policy: Policy,
    baseline: Baseline | None = None,
    running: Running = Running(),
) -> Report:
    """Check the files in one SHARD of those that PATHS name; keep what is compared with a BASELINE."""
    works = shard.of(works_for(paths, policy, record=_is_recorded(baseline)))
    files = found_in(works, policy, running)
    report = reported([each.findings for each in files], files, policy)
    if baseline is not None:
        known = [replace(one, records=now.records) for one, now in zip(report.files, files, strict=True)]
        report = replace(report, files=tuple(known))
    return replace(report, shard=str(shard))


def _is_recorded(baseline: Baseline | None) -> bool:
    return baseline is not None and baseline.has_facts


def works_for(paths: Sequence[str], policy: Policy, *, record: bool = False) -> list[Work]:
    """The work that PATHS mean under POLICY."""
    return [work_of(path, policy, record=record) for path in discovered(paths, policy.excluded)]


def updated(baseline: Baseline, files: Sequence[FileNow]) -> Baseline:
    """BASELINE with what is found and known in FILES now."""
    names = [baseline.name(each.path) for each in files]
    return baseline.with_files(
        {name: each.functions for name, each in zip(names, files, strict=True)},
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
    settings = policy.for_file(place_of(path, policy)).settings
    return Work(path, with_slashes(path), replace(settings, record=record) if record else settings)


def _results(works: Sequence[Work], policy: Policy, running: Running) -> list[FileResult]:
    """What is found of each of WORKS, in their order."""
    from volcli.gate.work.executor import Here
    from volcli.gate.work.schedule import Schedule

    if running.executor is not None:
        executor = running.executor()
    elif running.jobs:
        from volcli.gate.work.pool import Workers

        executor = Workers(running.jobs, checked, most_seconds, running.warn)
    else:
        executor = Here(checked)
    partly = running.partly

    def tell(position: int, result: FileResult) -> None:
        if partly is not None:
            partly(_now(works[position], result, policy))

    return Schedule(works, executor, running.cache, running.done, tell if partly else None).results()


def found_in(works: Sequence[Work], policy: Policy, running: Running = Running()) -> list[FileNow]:
    """What is found of WORKS, with the severities of POLICY."""
    results = _results(works, policy, running)
    files = (_now(work, result, policy) for work, result in zip(works, results, strict=True))
    return told_once(list(files))


def _now(work: Work, result: FileResult, policy: Policy) -> FileNow:
    """RESULT of WORK with the severities of POLICY."""
    here = policy.for_file(place_of(work.path, policy))
    found = [
        replace(each, severity=here.severity(each.code).value)
        for each in result.findings
        if here.wants(each.code)
    ]
    told, ignored = (tuple(each for each in found if (each.ignored is None) is so) for so in (True, False))
    gaps = dict(sorted(Counter(code for _, code in result.gaps).items()))
    return FileNow(work.path, result.file, told, result.records, result.functions, gaps, ignored)
