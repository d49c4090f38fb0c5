"""The gate itself: files are discovered, checked and judged. How work is spread is decided here only."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from volcli.diagnostics import Severity
from volcli.gate.discovery import discovered
from volcli.gate.finding import Finding
from volcli.gate.policy import Policy
from volcli.gate.work import FileResult, Work, checked


@dataclass(frozen=True)
class FileFindings:
    """What the gate says of one file: its findings, by place, with the policy's severities."""

    file: str
    findings: tuple[Finding, ...]
    functions: int


@dataclass(frozen=True)
class Report:
    """What the gate says: of each file, by name. `exit_code` is 0, 1 or 2.

    It is 2 if the call or a file could not be used or volcli failed, else 1 if a finding is as severe as the
    policy's `fail_on`.
    """

    files: tuple[FileFindings, ...]
    exit_code: int

    @property
    def findings(self) -> list[Finding]:
        """The findings of all files."""
        return [finding for file in self.files for finding in file.findings]


def run(paths: Sequence[str], policy: Policy) -> Report:
    """Check what PATHS name under POLICY. Raises UsageError (V100) for a path that names nothing."""
    works = [_work(path, policy) for path in discovered(paths, policy.exclude, policy.folder)]
    return _judged(works, policy)


def _work(path: str, policy: Policy) -> Work:
    return Work(path, path.replace(os.sep, "/"), policy.for_file(_place(path, policy)).settings)


def _place(path: str, policy: Policy) -> str:
    """PATH as the policy's patterns have it."""
    return os.path.relpath(path, policy.folder).replace(os.sep, "/")


def _results(works: Sequence[Work]) -> Iterator[FileResult]:
    """What is found of each of WORKS, in their order."""
    return map(checked, works)


def _judged(works: Sequence[Work], policy: Policy) -> Report:
    """What is found of WORKS, as POLICY weighs it."""
    exit_code = 0
    files: list[FileFindings] = []
    for work, result in zip(works, _results(works), strict=True):
        here = policy.for_file(_place(work.path, policy))
        found = tuple(
            replace(each, severity=here.severity(each.code).value)
            for each in result.findings
            if here.wants(each.code)
        )
        for each in found:
            if each.is_unusable:
                exit_code = 2
            elif here.fails(Severity(each.severity)):
                exit_code = max(exit_code, 1)
        files.append(FileFindings(result.file, found, result.functions))
    return Report(tuple(files), exit_code)
