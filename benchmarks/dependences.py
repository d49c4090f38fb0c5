"""Many accesses in one nest: mlir-opt's own dependence check against volcli's, remarks to a file.

    python benchmarks/dependences.py [ACCESSES...]

n accesses of one memref in a nest of two loops, every second a store, at random offsets from 0 to 4 on each
axis: n * n pairs, three depths, one remark each. Whole processes that write the same text: mlir-opt is told
not to print the operation again behind each remark. The last columns are mlir-opt's time by volcli's, in all
and of the processor, and how many lines only one of the two prints.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

PASS = "test-memref-dependence-check"
SAME_TEXT = "--mlir-print-op-on-diagnostic=false"
ACCESSES = (160, 320)
OFFSETS = 5
RUNS = 2


def nest(accesses: int) -> str:
    """A function with so many ACCESSES, the same for the same number."""
    chance = random.Random(accesses)
    lines: list[str] = []
    for number in range(accesses):
        element = (
            f"%m[%i + {chance.randrange(OFFSETS)}, %j + {chance.randrange(OFFSETS)}] : memref<64x64xf32>"
        )
        lines.append(f"affine.store %x, {element}" if number % 2 else f"%v{number} = affine.load {element}")
    body = "\n".join(f"      {line}" for line in lines)
    return (
        "func.func @nest(%m: memref<64x64xf32>, %x: f32) {\n  affine.for %i = 0 to 60 {\n"
        f"    affine.for %j = 0 to 60 {{\n{body}\n    }}\n  }}\n  return\n}}\n"
    )


def seconds(command: Sequence[str], said: Path) -> tuple[float, float]:
    """The least of RUNS times of COMMAND, whose diagnostics go to the file SAID: elapsed, and processor's."""
    elapsed: list[float] = []
    processor: list[float] = []
    for _ in range(RUNS):
        with said.open("w") as file:
            begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=file)
            elapsed.append(time.perf_counter() - begin)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(elapsed), min(processor)


def line_of(accesses: int, folder: Path) -> str:
    """One line of the table."""
    path = folder / f"nest{accesses}.mlir"
    path.write_text(nest(accesses))
    ours, theirs = folder / "ours.txt", folder / "theirs.txt"
    mine, busy = seconds((sys.executable, "-m", "volcli", "opt", str(path), "-p", PASS), ours)
    line = f"  {accesses:4} accesses   volcli {mine:6.2f} s ({busy:5.2f})"
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is None:
        return line
    other, worked = seconds((mlir_opt, f"-{PASS}", SAME_TEXT, str(path), "-o", "/dev/null"), theirs)
    lines = [each.read_text().splitlines() for each in (ours, theirs)]
    different = (Counter(lines[0]) - Counter(lines[1])).total() + (
        Counter(lines[1]) - Counter(lines[0])
    ).total()
    ratios = f"{other / mine:5.1f} x ({worked / busy:4.1f} x)"
    return f"{line}   mlir-opt-22 {other:6.2f} s ({worked:5.2f})   {ratios}   {different} remarks differ"


def dependences(folder: Path, accesses: Sequence[int] = ACCESSES) -> None:
    """Print the table."""
    print("\nDependence checks in one nest, whole processes: volcli and mlir-opt-22 on the same program")
    for each in accesses:
        print(line_of(each, folder))


def main() -> None:
    """The command line."""
    with tempfile.TemporaryDirectory() as folder:
        dependences(Path(folder), [int(word) for word in sys.argv[1:]] or ACCESSES)


if __name__ == "__main__":
    main()
