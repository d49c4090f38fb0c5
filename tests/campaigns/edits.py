"""The long campaign for the cache: random edits of large files, what a warm run of `check` says against a cold one.

    python -m tests.campaigns.edits --documents 100 --edits 10 --seed 0

Each edit is checked: the warm run, whose cache has all earlier states of the file, says byte for byte what a run
without a cache says. The last state of each document is compared with a run in one piece, too, and every tenth
document with a new process. Prints the edits behind which they differ. Exits 1 if they do.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.gate.edits import Document
from volcli.gate.policy.policy import CodeChoice, Policy
from volcli.gate.run import Running, run
from volcli.gate.work.cache import ResultCache
from volcli.limits import gate as limits
from volcli.report.gate import rendered

LEAST = 600
"""Lines of a document."""
FRESH = 10
"""Every so many documents, the last state is checked by a new process."""
_EVERYTHING = CodeChoice(("V1", "V2", "V3", "V204", "V215"))
POLICIES = (
    Policy(asked=_EVERYTHING),
    Policy(asked=_EVERYTHING, require_reasons=True, allocation=64),
    Policy(asked=CodeChoice(("V1", "V2"), ("V206",)), unreadable="error"),
    Policy(asked=_EVERYTHING, operations=2000),
)
"""Each edit may be one of the policy, too: the file is checked with one of these, which share a cache."""


def said(file: Path, cache: ResultCache | None, policy: Policy = POLICIES[0]) -> str:
    """What is said of FILE, byte by byte."""
    report = run([str(file)], policy, running=Running(cache=cache))
    return rendered(report, "text") + rendered(report, "json")


def edited(document: Document) -> list[str]:
    """What was done to DOCUMENT until it is a large file again."""
    done = [document.edit()]
    while document.text().count("\n") < LEAST:
        done.append(document.edit())
    return done


def differences(folder: Path, seed: int, edits: int, *, fresh: bool = False) -> list[str]:
    """What differs after which of so many EDITS of the document of SEED."""
    document, file = Document.made(seed), folder / "a.mlir"
    done: list[str] = []
    found: list[str] = []
    cache = ResultCache(folder / f"cache{seed}", found.append)
    for number in range(edits):
        done += edited(document)
        file.write_bytes(document.text().encode())
        policy = POLICIES[number % 2 * document.choice.randrange(len(POLICIES))]
        warm, cold = said(file, cache, policy), said(file, None, policy)
        if warm != cold:
            found.append(f"document {seed}, edit {number}: {done[-3:]}")
    cache.close()
    cold = said(file, None)
    if in_one_piece(file) != cold:
        found.append(f"document {seed}, in one piece: {done[-3:]}")
    if fresh and in_a_new_process(file) != cold:
        found.append(f"document {seed}, in a new process: {done[-3:]}")
    return found


def in_one_piece(file: Path) -> str:
    """What is said of FILE if it is not cut into groups of functions."""
    usual = limits.LARGE_FILE
    try:
        limits.LARGE_FILE = 10**9  # pyright: ignore[reportAttributeAccessIssue, reportConstantRedefinition]
        return said(file, None)
    finally:
        limits.LARGE_FILE = usual  # pyright: ignore[reportConstantRedefinition]


def in_a_new_process(file: Path) -> str:
    """What a process says of FILE that has never seen it, nor another state of it."""
    code = f"from {__name__ if __name__ != '__main__' else 'tests.campaigns.edits'} import said; "
    code += f"from pathlib import Path; print(said(Path({str(file)!r}), None), end='')"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--edits", type=int, default=10, help="of each document")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    wrong = 0
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.documents):
            fresh = number % FRESH == 0
            for each in differences(Path(folder), arguments.seed + number, arguments.edits, fresh=fresh):
                wrong += 1
                print(each, flush=True)
    spent = time.process_time() - started
    print(
        f"{arguments.documents * arguments.edits} edits, {wrong} differences, {spent:.0f} s of processor time"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
