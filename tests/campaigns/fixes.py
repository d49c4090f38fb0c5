"""The long campaign for fixes: files with findings, as `volcli check --fix` leaves them.

    python -m tests.campaigns.fixes [SEEDS]

All written programs and SEEDS random ones (100) are files of one folder, which is fixed at once. Of each the
text must be the expected one, equal to the old one in both directions as `diff` proves it, and what was fixed
must be gone. Exits 1 where that is not so.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import volcli
from tests.gate.fixes.programs import WRITTEN, Fixable
from tests.gate.fixes.random_programs import random_program

_CODES = ("--select", "V1,V2,V204,V215")


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    programs = [*WRITTEN, *map(random_program, range(count))]
    with tempfile.TemporaryDirectory() as folder:
        wrong = [*_wrong(Path(folder), programs)]
    print(f"{len(programs)} programs with {sum(len(each.codes) for each in programs)} fixes")
    print(f"{len(wrong)} of them wrong", *wrong, sep="\n  ")
    return 1 if wrong else 0


def _wrong(folder: Path, programs: Sequence[Fixable]) -> Iterator[str]:
    files = [folder / f"{number:03}.mlir" for number in range(len(programs))]
    before = folder / "before"
    before.mkdir()
    for file, program in zip(files, programs, strict=True):
        for path in (file, before / file.name):
            path.write_bytes(program.before.encode())
    _check("--fix", "-q", "--exclude", "before/", cwd=folder)
    left = _check("--format", "json", "--exclude", "before/", cwd=folder)
    found = {Path(each["file"]).name: each["findings"] for each in json.loads(left)["files"]}
    for file, program in zip(files, programs, strict=True):
        if file.read_bytes() != program.after.encode():
            yield f"{file.name}, {program.name}: another text"
        if still := {each["code"] for each in found[file.name]} & set(program.codes):
            yield f"{file.name}, {program.name}: still found: {still}"
        old, new = volcli.load(before / file.name), volcli.load(file)
        if {each.verdict for each in (*old.diff(new), *new.diff(old))} != {"equal"}:
            yield f"{file.name}, {program.name}: not proved to be equal"


def _check(*arguments: str, cwd: Path) -> str:
    line = [sys.executable, "-m", "volcli", "check", "--no-cache", "--exit-zero", *_CODES, *arguments]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
