"""How long `volcli check` takes for the files in PATHS: against parsing, with one and two workers, and warm.

    python benchmarks/check.py PATHS

Parsing and checking in one process are times of the processor, which a busy machine changes little. Whole
runs are times of the clock, and mean something only where nothing else runs; the last column compares each
with the first of its table.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

import volcli
from volcli.diagnostics import UsageError
from volcli.gate.policy.policy import Policy
from volcli.gate.run import run, works_for

Row = tuple[str, float]


def processor(work: Callable[[], object]) -> float:
    """The time of the processor that WORK takes, of this process and of those that it waits for."""
    begin = _spent()
    work()
    return _spent() - begin


def _spent() -> float:
    copies = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + copies.ru_utime + copies.ru_stime


def parsed(paths: Sequence[str]) -> None:
    """Parse all files in PATHS."""
    for work in works_for(paths, Policy()):
        try:
            volcli.load(work.path, split=True)
        except UsageError:
            continue  # checking finds that, too


def clock(paths: Sequence[str], *options: str) -> float:
    """The time of a run of volcli check with OPTIONS."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "volcli", "check", *paths, *options]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begin


def checking(paths: Sequence[str], show: Callable[[str, list[Row], str], None]) -> None:
    """SHOW tables of times for the files in PATHS."""
    files = len(works_for(paths, Policy()))
    run(paths[:1], Policy())  # imports are not timed
    rows = [
        ("parsing", processor(lambda: parsed(paths))),
        ("volcli check, nothing known", processor(lambda: run(paths, Policy()))),
    ]
    show(f"{files} files in one process, time of the processor", rows, "parsing")
    with tempfile.TemporaryDirectory() as folder:
        cache = ("--cache-dir", f"{folder}/cache")
        rows = [
            ("volcli check --jobs 1, nothing known", clock(paths, "--jobs=1", "--no-cache")),
            ("volcli check --jobs 2, nothing known", clock(paths, "--jobs=2", *cache)),
            ("volcli check --jobs 2, all known", min(clock(paths, "--jobs=2", *cache) for _ in range(3))),
        ]
    show(f"{files} files, whole runs, by the clock", rows, "one worker")


def printed(title: str, rows: list[Row], unit: str) -> None:
    """Print ROWS with their ratios to the first, which is the UNIT."""
    print(f"\n{title}")
    for name, seconds in rows:
        print(f"  {name:44} {seconds:9.2f} s   {seconds / rows[0][1]:.2f} x {unit}")


if __name__ == "__main__":
    checking(sys.argv[1:], printed)
