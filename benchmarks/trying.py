"""What trying costs `volcli diff` and `volcli check`: the part of their processor time that executions take.

    python benchmarks/trying.py diff FILE...     # each file against what mlir-opt-22 makes of it
    python benchmarks/trying.py check FILE...

Each comparison and each check is a process of its own, as a user's is, so that the time contains its start,
and the imports that executions alone need. A line for each in which something was executed, with its
seconds, and the part of them; at the end all, and the same for those that executed something.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from comparing import OF_LINALG, OF_LOOPS

CLEANED = {"canonicalize": "canonicalize", "cse": "cse"}
_SPENT = [0.0]
"""The seconds of executions, and of the imports for them."""


def rewrites(path: Path) -> dict[str, str]:
    """The pipelines by which mlir-opt changes the file at PATH."""
    return CLEANED | (OF_LINALG if "linalg." in path.read_text() else OF_LOOPS)


def measure_calls(module: ModuleType, name: str) -> None:
    """Keep the seconds of all calls of the function NAME of MODULE."""
    work = getattr(module, name)

    def run(*arguments: Any) -> Any:
        begin = time.process_time()
        try:
            return work(*arguments)
        finally:
            _SPENT[0] += time.process_time() - begin

    setattr(module, name, run)


def _report(verdicts: str) -> None:
    copies = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.process_time() + copies.ru_utime + copies.ru_stime
    print(json.dumps([seconds, _SPENT[0], verdicts]))


def diff(before: str, after: str) -> None:
    """One comparison, in this process."""
    import volcli
    from volcli.api import differences

    measure_calls(differences, "_tried")
    found = volcli.load(before, split=True).diff(volcli.load(after, split=True))
    counts: dict[str, int] = {}
    for each in found:
        counts[each.verdict] = counts.get(each.verdict, 0) + 1
    _report(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))


def check(path: str) -> None:
    """One check, in this process."""
    from volcli.gate.policy.policy import Policy
    from volcli.gate.run import run
    from volcli.gate.work import work

    measure_calls(work, "_confirmed")
    _report(str(len(run([path], Policy()).files)))


def _process(*arguments: str) -> list[Any] | None:
    command = [sys.executable, __file__, "--in-process", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(ran.stdout.splitlines()[-1]) if ran.returncode == 0 else None


def _pairs(path: Path, tool: str, folder: str) -> Iterator[tuple[str, Path]]:
    for name, pipeline in rewrites(path).items():
        after = Path(folder) / f"{path.stem}.{name.replace(' ', '-')}.mlir"
        command = [tool, str(path), "-allow-unregistered-dialect", "-split-input-file", "-o", str(after)]
        command.append(f"--pass-pipeline=builtin.module({pipeline})")
        if subprocess.run(command, capture_output=True, check=False).returncode == 0:
            yield name, after


def _jobs(kind: str, files: list[Path], folder: str) -> Iterator[tuple[str, list[str]]]:
    tool = shutil.which("mlir-opt-22")
    for path in files:
        if kind == "check":
            yield path.stem, [str(path)]
        elif tool is not None:
            for name, after in _pairs(path, tool, folder):
                yield f"{path.stem} {name}", [str(path), str(after)]


def measure(kind: str, files: list[Path]) -> None:
    """Print the times of all FILES."""
    rows: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for title, arguments in _jobs(kind, files, folder):
            found = _process(kind, *arguments)
            if found is None:
                print(f"{title:50} not compared", flush=True)
                continue
            seconds, spent, what = found
            rows.append((seconds, spent))
            if spent:
                print(f"{title:50} {seconds:7.2f} s {spent / seconds:4.0%}  {what}", flush=True)
    for text, chosen in (("all", rows), ("with executions", [row for row in rows if row[1]])):
        total, spent = sum(row[0] for row in chosen), sum(row[1] for row in chosen)
        part = spent / (total - spent) if total else 0.0
        print(f"{text:16} {len(chosen)}: {total:.1f} s, executions add {part:.1%}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="What executions cost diff and check.")
    parser.add_argument("kind", choices=("diff", "check"))
    parser.add_argument("files", nargs="+")
    parser.add_argument("--in-process", action="store_true")
    options = parser.parse_args()
    if not options.in_process:
        measure(options.kind, [Path(each) for each in options.files])
    elif options.kind == "diff":
        diff(*options.files)
    else:
        check(*options.files)


if __name__ == "__main__":
    main()
