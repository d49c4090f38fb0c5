"""The long campaign for fixes: files with findings, as `volcli check --fix` leaves them.

    python -m tests.campaigns.fixes [SEEDS]

All written programs and SEEDS random ones (100) are files of one folder, which is fixed at once. Of each the
text must be the expected one, `volcli diff` must prove it equal, and what was fixed must be gone. Exits 1
where that is not so.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.gate.fixes.programs import WRITTEN, Fixable
from tests.gate.fixes.random_programs import random_program


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
    _run("check", "--fix", "--no-cache", "-q", "--exclude", "before/", "--exit-zero", cwd=folder)
    for file, program in zip(files, programs, strict=True):
        if file.read_bytes() != program.after.encode():
            yield f"{program.name}: another text"
            continue
        said = _run("diff", "--strict", str(before / file.name), str(file), cwd=folder)
        if said.returncode:
            yield f"{program.name}: not equal: {said.stdout}"
        left = _run("check", "--no-cache", "--select", ",".join(set(program.codes)), str(file), cwd=folder)
        if left.returncode:
            yield f"{program.name}: still found: {left.stdout}"


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "volcli", *arguments]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
