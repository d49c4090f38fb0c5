"""What has changed since a revision: files that git says are others, and a baseline of what they were."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from volcli.diagnostics import Diagnostic, UsageError
from volcli.gate.policy.discovery import SUFFIX, discovered
from volcli.gate.policy.policy import Policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.report import Report, compared_with
from volcli.gate.run import Running, found_in, updated, work_of
from volcli.gate.work.work import Work
from volcli.runtime.paths import relative


def run_since(revision: str, paths: Sequence[str], policy: Policy, running: Running) -> Report:
    """Check the files that PATHS name and that differ from REVISION; say what is new since then.

    Files that git does not know are new. Files that are gone, or have another name now, are part of what was
    before, so that what was moved is found again. `main...` is the commit in which HEAD and main parted, and
    `main...topic` that of main and topic. Raises UsageError (V015) if git cannot say what changed.
    """
    root = _git(["rev-parse", "--show-toplevel"], ".").strip()
    revision = _commit(revision, root)
    changed = _names(_git(["diff", "--name-only", "--no-renames", "-z", revision, "--"], root))
    changed |= _names(_git(["ls-files", "--others", "--exclude-standard", "-z"], root))
    before = _names(_git(["ls-tree", "-r", "--name-only", "-z", revision], root)) & changed
    works = [
        work_of(path, policy, record=True)
        for path in discovered(paths, policy.excluded)
        if relative(path, root) in changed
    ]
    old: list[Work] = []
    for name in sorted(before):
        if name.endswith(SUFFIX):
            work = work_of(os.path.relpath(Path(root, name)), policy, record=True)
            old.append(replace(work, data=_show(revision, name, root)))
    known = updated(Baseline(root), found_in(old, policy, running))
    return compared_with(known, found_in(works, policy, running), policy)


def _commit(revision: str, root: str) -> str:
    """The commit that REVISION names. Raises UsageError (V015) for one that git does not know."""
    theirs, dots, ours = revision.partition("...")
    if dots:
        commits = [_commit(each or "HEAD", root) for each in (theirs, ours)]
        return _git(
            ["merge-base", *commits], root, f"{revision}', since the two share no commit here"
        ).strip()
    return _git(["rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], root, revision).strip()


def _names(text: str) -> set[str]:
    return {name for name in text.split("\0") if name}


def _git(arguments: Sequence[str], folder: str, revision: str | None = None) -> str:
    """What git says, run in FOLDER. Raises UsageError (V015)."""
    return _run(arguments, folder, revision).decode("utf-8", "surrogateescape")


def _show(revision: str, name: str, root: str) -> bytes:
    return _run(["show", f"{revision}:{name}"], root, None)


def _run(arguments: Sequence[str], folder: str, revision: str | None) -> bytes:
    try:
        ran = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(Diagnostic("V015", f"git cannot be run: {error.strerror}")) from None
    if ran.returncode:
        said = ran.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        what = f"no revision '{revision}'" if revision is not None else f"git {arguments[0]}: {said}"
        raise UsageError(Diagnostic("V015", what))
    return ran.stdout
