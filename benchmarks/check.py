"""How long `volcli check` takes for files: against parsing, with workers, warm, and with baselines.

    python benchmarks/check.py PATHS

Times of the processor, which a busy machine changes little, are of all processes that a run starts, workers
and what they are copied from included. "Reading only" asks for the code of what cannot be read (V101): what
the gate itself costs beside reading. Times of the clock mean something only where nothing else runs; the last
column compares each with the first of its table.
"""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import volcli
from volcli.diagnostics import UsageError
from volcli.gate.policy.policy import Policy
from volcli.gate.run import run, works_for

Row = tuple[str, float]
_ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of Linux: what a run leaves behind can be waited for."""
READING = ("--select=V101",)


def parsed(paths: Sequence[str]) -> None:
    """Parse all files in PATHS."""
    for work in works_for(paths, Policy()):
        try:
            volcli.load(work.path, split=True)
        except UsageError:
            continue  # checking finds that, too


def checked(paths: Sequence[str]) -> None:
    """Check all files in PATHS in this process."""
    run(paths, Policy())


ALONE: dict[str, Callable[[Sequence[str]], None]] = {"--parse": parsed, "--check": checked}


def measured(*command: str) -> tuple[float, float]:
    """The time of the processor that COMMAND and all that it starts take, and that of the clock."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    before, begin = _spent(), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    elapsed = time.perf_counter() - begin
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    return _spent() - before, elapsed


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def checking(paths: Sequence[str], show: Callable[[str, list[Row], str], None]) -> None:
    """SHOW tables of times for the files in PATHS."""
    files = len(works_for(paths, Policy()))
    alone = (sys.executable, __file__)
    check = (sys.executable, "-m", "volcli", "check", *paths)
    with tempfile.TemporaryDirectory() as folder:
        cache = ("--cache-dir", f"{folder}/cache")
        fresh = ("--jobs=2", "--no-cache")
        write = ("--baseline", f"{folder}/baseline.json", "--update-baseline")
        runs = {
            "parsing, one process": measured(*alone, "--parse", *paths),
            "volcli check --jobs 1, reading only": measured(*check, *READING, "--jobs=1", "--no-cache"),
            "volcli check --jobs 2, reading only": measured(*check, *READING, "--jobs=2", "--no-cache"),
            "all codes, one process": measured(*alone, "--check", *paths),
            "volcli check --jobs 1": measured(*check, "--jobs=1", "--no-cache"),
            "volcli check --jobs 2, cache written": measured(*check, "--jobs=2", *cache),
            "volcli check --jobs 2, all known": measured(*check, "--jobs=2", *cache),
            "a baseline is written": measured(*check, *fresh, *write),
            "compared with a baseline": measured(*check, *fresh, *write[:2]),
            "a baseline with facts is written": measured(*check, *fresh, *write, "--facts"),
            "compared with a baseline with facts": measured(*check, *fresh, *write[:2]),
        }
    for at, what in enumerate(("time of the processor", "by the clock")):
        show(f"{files} files, {what}", [(name, each[at]) for name, each in runs.items()], "parsing")


def printed(title: str, rows: list[Row], unit: str) -> None:
    """Print ROWS with their ratios to the first, which is the UNIT."""
    print(f"\n{title}")
    for name, seconds in rows:
        print(f"  {name:44} {seconds:9.2f} s   {seconds / rows[0][1]:.2f} x {unit}")


def main() -> None:
    """The command line; what `measured` starts is one of ALONE."""
    if (work := ALONE.get(sys.argv[1])) is not None:
        work(sys.argv[2:])
        return
    checking(sys.argv[1:], printed)


if __name__ == "__main__":
    main()
