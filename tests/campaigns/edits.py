"""The long campaign for the cache and for pieces: random edits of repositories, and what `check` says of them.

    python -m tests.campaigns.edits --projects 40 --edits 50 --seed 0

After each edit, of code, comments, the policy, or the package that adds a dialect, a warm run, whose cache has all
earlier states, says byte for byte what a run without a cache says, and so do shards that are put together. What
`--diff` says is what a baseline of the revision says of the same files. The last state of each project is compared with a
run in one piece, too. Each run has a process of its own, which imports the package. Prints the edits after which they
differ. Exits 1 if they do.
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.gate.project import Project
from tests.shared.repository import git
from volcli.gate.policy.policy import Policy
from volcli.gate.policy.policy_file import find_policy
from volcli.gate.records.baseline import Baseline
from volcli.gate.report import Report
from volcli.gate.revision import run_since
from volcli.gate.run import Running, found_in, run, run_shard, updated, works_for
from volcli.gate.shards import Shard, merged
from volcli.gate.work.cache import ResultCache
from volcli.limits import gate as limits
from volcli.report.gate import rendered

_SHARDED, _COMPARED, _COMMITTED = 3, 5, 11
"""Every so many edits, there is a run in shards, a comparison with a revision, and a new revision."""
_SHARED = (
    "volcli",
    "volcli_dialects",
    "xdsl",
    "islpy",
    "numpy",
    "ml_dtypes",
    "flint",
    "diskcache",
    "pathspec",
)


def in_a_process(project: Project, work: Callable[[], str]) -> str:
    """What WORK returns in a process of its own, in the folder of PROJECT, whose package is installed there."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            sys.dont_write_bytecode = True  # by size and time, a file of today may be one of just now
            sys.path.insert(0, str(project.package))
            os.chdir(project.folder)
            said = work()
        except BaseException:
            said = traceback.format_exc()
        with os.fdopen(writing, "wb") as file:
            file.write(said.encode("utf-8", "surrogateescape"))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    return said.decode("utf-8", "surrogateescape")


def import_what_is_used(project: Project) -> None:
    """Import what checking PROJECT imports, but its package: all processes share that then."""
    names = in_a_process(project, lambda: cold() and "\n".join(sorted(sys.modules)))
    for name in names.splitlines():
        if name.partition(".")[0] in _SHARED:
            importlib.import_module(name)


def _written(report: Report) -> str:
    return "".join(rendered(report, style) for style in ("text", "json", "sarif"))


def _policy() -> Policy:
    return find_policy(Path.cwd())


def cold() -> str:
    """What is said without a cache."""
    return _written(run(["in"], _policy()))


def warm(folder: Path) -> str:
    """What is said with a cache in FOLDER, or what is wrong with that."""
    wrong: list[str] = []
    cache = ResultCache(folder, wrong.append)
    said = _written(run(["in"], _policy(), running=Running(cache=cache)))
    cache.close()
    return "".join(wrong) or said


def in_one_piece() -> str:
    """What is said if no file is cut into groups of functions."""
    limits.LARGE_FILE = 10**9  # pyright: ignore[reportAttributeAccessIssue, reportConstantRedefinition]
    return cold()


def in_shards(folder: Path) -> str:
    """What two shards say whose results are in FOLDER, put together."""
    names = [str(folder / f"{number}.json") for number in (1, 2)]
    for number, name in enumerate(names, 1):
        Path(name).write_text(rendered(run_shard(Shard(number, 2), ["in"], _policy()), "json"))
    return _written(merged(names, _policy()))


def _findings(report: Report) -> dict[str, Any]:
    """By file, what is new or changed."""
    return {each.file: each.findings for each in report.files}


def since_revision(folder: Path) -> str:
    """How what `--diff HEAD` says differs from what is said since a baseline of all files of HEAD, in FOLDER."""
    policy = _policy()
    git(Path.cwd(), "--work-tree", str(folder), "checkout", "-q", "HEAD", "--", "in")
    git(Path.cwd(), "reset", "-q")
    here = os.getcwd()
    os.chdir(folder)
    then = replace(policy, folder=str(folder))
    before = updated(Baseline(str(folder)), found_in(works_for(["in"], then, record=True), then))
    os.chdir(here)
    by_revision = _findings(run_since("HEAD", ["in"], policy, Running()))
    by_baseline = _findings(run(["in"], policy, replace(before, folder=here)))
    for name, found in by_baseline.items():
        if name not in by_revision:  # unchanged: a mistake of the policy is told of each file that is checked
            by_revision[name] = tuple(each for each in found if each.is_always_told)
    other = [
        f"{name}: {by_revision[name]} and {found}"
        for name, found in by_baseline.items()
        if found != by_revision[name]
    ]
    return "\n".join(other)


def differences(folder: Path, seed: int, edits: int) -> list[str]:
    """What differs after which of so many EDITS of the project of SEED, in FOLDER."""
    project = Project.made(folder / f"project{seed}", seed)
    git(project.folder, "init", "-q")
    import_what_is_used(project)
    done: list[str] = []
    found: list[str] = []

    def compare(what: str, said: str, wanted: str) -> None:
        if said != wanted:
            found.append(f"project {seed}, edit {len(done)}, {what}: {done[-3:]}: {_first(said, wanted)}")

    for number in range(edits):
        if number % _COMMITTED == 0:
            git(project.folder, "add", "-A")
            git(project.folder, "commit", "-q", "--allow-empty", "-m", "more")
        done.append(project.edit())
        wanted = in_a_process(project, cold)
        compare("warm", in_a_process(project, lambda: warm(project.package.parent / "cache")), wanted)
        with tempfile.TemporaryDirectory() as results:
            path = Path(results)
            if number % _SHARDED == 0:
                compare("in shards", in_a_process(project, lambda path=path: in_shards(path)), wanted)
            if number % _COMPARED == 0:
                compare("--diff", in_a_process(project, lambda path=path: since_revision(path)), "")
    compare("in one piece", in_a_process(project, in_one_piece), in_a_process(project, cold))
    return found


def _first(said: str, wanted: str) -> str:
    """The first lines in which SAID and WANTED differ."""
    pairs = zip_longest(said.splitlines(), wanted.splitlines())
    return next(f"{one!r} and not {other!r}" for one, other in pairs if one != other)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=4)
    parser.add_argument("--edits", type=int, default=50, help="of each project")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.projects):
            for each in differences(Path(folder), arguments.seed + number, arguments.edits):
                wrong += 1
                print(each, flush=True)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    spent = sum(each.ru_utime + each.ru_stime for each in used)
    print(
        f"{arguments.projects * arguments.edits} edits, {wrong} differences, {spent:.0f} s of processor time"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
