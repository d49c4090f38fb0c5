"""The long campaign for arrays that are laid out by MARS: random nests and tiles, executed before and after.

    python -m tests.fuzz_mars --programs 300 --seed 0

Prints each program that computes something else. Exits 1 if there is one.
"""

from __future__ import annotations

import argparse
import shutil
import sys

from tests.mars_execution import differing
from tests.mars_nests import drawn_case

TOGETHER = 20
"""So many programs are lowered and executed by one process."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is None:
        print("mlir-opt-22 is not on PATH")
        return 2
    failed, changed = 0, 0
    for start in range(0, arguments.programs, TOGETHER):
        numbers = range(start, min(start + TOGETHER, arguments.programs))
        cases = [drawn_case(f"{arguments.seed}/{number}") for number in numbers]
        for case, (different, total) in zip(cases, differing(mlir_opt, cases), strict=True):
            changed += bool(total)
            if different:
                failed += 1
                print(f"{different} elements differ, in tiles {case.tile}:\n{case.before}\n{case.after}")
    print(f"{arguments.programs} programs, {changed} compute something, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
