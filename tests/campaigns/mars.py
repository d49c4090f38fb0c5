"""The long campaign for arrays that are laid out by MARS: random nests and tiles, executed before and after.

    python -m tests.campaigns.mars --programs 300 --chains 100 --counts 300 --seed 0

Chains of structured operations are compared with who reads what from whom, and polynomials of a symbolic size with
counts at numbers. Prints each program that computes something else, and what else is wrong. Exits 1 if there is something.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections import Counter

from tests.model.mars.chains import ChainCheck
from tests.model.mars.counts import differing_sizes, drawn_sized
from tests.model.mars.execution import differing
from tests.model.mars.nests import drawn_case
from tests.model.mars.operations import drawn_chain, drawn_scheme

TOGETHER = 20
"""So many programs are lowered and executed by one process."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--chains", type=int, default=30)
    parser.add_argument("--counts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    wrong = _chains(arguments.seed, arguments.chains) + _counts(arguments.seed, arguments.counts)
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
    return 1 if failed or wrong else 0


def _chains(seed: int, count: int) -> int:
    """How many of COUNT chains of operations have sets that are not those of their execution."""
    failed, found = 0, Counter[str]()
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        check = ChainCheck(drawn_chain(chance), drawn_scheme(chance))
        try:
            found.update(vars(check.run()))
        except AssertionError as error:
            failed += 1
            print(f"chain {seed}/{number}: {error}")
    print(f"{count} chains, {failed} failed: {dict(found)}")
    return failed


def _counts(seed: int, count: int) -> int:
    """How many of COUNT tilings of one symbolic size have numbers that are not those of a size."""
    failed, unknown = 0, 0
    for number in range(count):
        found = differing_sizes(drawn_sized(random.Random(f"{seed}/{number}")), range(1, 13))
        unknown += found is None
        failed += bool(found)
        for each in found or ():
            print(f"counts {seed}/{number}: {each}")
    print(f"{count} tilings of symbolic size, {unknown} unknown, {failed} failed")
    return failed


if __name__ == "__main__":
    sys.exit(main())
