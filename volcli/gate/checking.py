"""The gate from Python: `volcli.check`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from volcli.diagnostics import UsageError
from volcli.gate.policy.discovery import empty
from volcli.gate.policy.policy import Policy
from volcli.gate.policy.policy_file import find_policy
from volcli.gate.records.baseline import Baseline, read_baseline
from volcli.gate.report import Report
from volcli.gate.run import run


def check(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    policy: Policy | None = None,
    baseline: str | os.PathLike[str] | Baseline | None = None,
) -> Report:
    """What `volcli check` finds in PATHS: files, folders and patterns.

    Without a POLICY it is that of the current folder. A folder without files is refused (V017), unless the
    policy says `allow_empty`. With a BASELINE, or the path of one, or one in the policy, only what is new or
    changed since then is found. Raises UsageError: V100 for a path that names nothing, V013 and V014 for a
    policy or a baseline that cannot be used.

    >>> report = check("testdata/memory/shifted_rows.mlir")
    >>> (finding,) = report.findings
    >>> finding.code, finding.function, finding.witness["index"]
    ('V203', 'rows', [-2, 0])
    >>> report.exit_code
    1
    """
    named = [os.fspath(each) for each in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    policy = policy or find_policy(Path.cwd())
    baseline = policy.baseline_file(None) if baseline is None else baseline
    wrong = () if policy.allow_empty else empty(named, policy.excluded)
    for each in wrong:
        raise UsageError(each)
    if baseline is not None and not isinstance(baseline, Baseline):
        baseline = read_baseline(os.fspath(baseline))
    return run(named, policy, baseline)
