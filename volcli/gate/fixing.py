"""`check --fix`: the fixes of what a report tells, file by file, and what became of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from volcli.diagnostics import UsageError
from volcli.frontend.text.source import read_bytes
from volcli.gate.findings.finding import Finding
from volcli.gate.policy.policy import Policy
from volcli.gate.report import Report
from volcli.gate.run import Running, works_for
from volcli.gate.work.carrying import carry_out
from volcli.gate.work.executor import Executor, Here, WorkerLostError
from volcli.gate.work.fixed import FixedFile, Fixes, FixWork, Refusal, fixed, key_of, most_seconds_of


def fixed_files(
    report: Report, paths: Sequence[str], policy: Policy, unsafe: bool, running: Running
) -> list[FixedFile]:
    """The files among PATHS of which REPORT tells findings that have fixes, with those that are proved."""
    wanted = {
        each.file: frozenset(map(key_of, each.findings))
        for each in report.files
        if any(one.fix is not None for one in each.findings)
    }
    works: list[FixWork] = []
    seen: set[str] = set()
    for work in works_for(paths, policy):
        place = os.path.realpath(work.path)
        if (keys := wanted.get(work.name)) and place not in seen:
            seen.add(place)  # by another name it is the same file
            try:
                works.append(FixWork(replace(work, data=read_bytes(work.path)), keys, unsafe))
            except UsageError:  # it is gone: the next report says so
                continue
    return _done(works, running)


def _done(works: Sequence[FixWork], running: Running) -> list[FixedFile]:
    """What comes of WORKS; a file whose work does not end is as it was."""
    executor: Executor[FixWork, FixedFile] = Here(fixed)
    if running.jobs:
        from volcli.gate.work.pool import Workers

        executor = Workers(running.jobs, fixed, most_seconds_of, running.warn)
    waiting = iter(works)
    found: dict[str, FixedFile] = {}

    def end(work: FixWork, future: Future[Any]) -> None:
        data = work.work.data or b""
        try:
            found[work.work.path] = executor.result(future)
        except WorkerLostError:
            running.warn(f"{work.work.name}: its fixes were not completed, and it is left as it is")
            found[work.work.path] = FixedFile(work.work.path, work.work.name, data, data)

    carry_out(executor, lambda: next(waiting, None), lambda work: work, end)
    return [found[each.work.path] for each in works]


def made(files: Sequence[FixedFile], write: Callable[[FixedFile], bool]) -> Fixes:
    """What became of the fixes of FILES, which WRITE writes: it tells whether it could."""
    kept: list[Finding] = []
    refused: list[Refusal] = []
    for each in files:
        if each.after == each.before or write(each):
            kept += each.fixed
            refused += each.refused
    return Fixes(tuple(kept), tuple(refused))


def with_fixes(report: Report, fixes: Fixes) -> Report:
    """REPORT, of what was found after FIXES: what has none says why."""
    reasons = {(each.finding.file, key_of(each.finding)): each for each in fixes.refused}

    def told(finding: Finding) -> Finding:
        refusal = reasons.get((finding.file, key_of(finding)))
        if refusal is None:
            return finding
        return replace(finding, unfixed=refusal.reason + " (--unsafe-fixes)" * refusal.is_unsafe)

    files = (replace(each, findings=tuple(map(told, each.findings))) for each in report.files)
    return replace(report, files=tuple(files), fixes=fixes)
