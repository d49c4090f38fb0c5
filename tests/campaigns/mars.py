"""The long campaign for MARS: random programs in tiles, compared with an enumeration, and executed when laid out.

    python -m tests.campaigns.mars --programs 1500 --allocated 300 --chains 100 --counts 300 --seed 0
    python -m tests.campaigns.mars --programs 100 --first 400 --chains 0 --counts 0 --allocated 0

Each answer about a program is compared with what an execution with last writers says of every tile. Random nests and
tiles whose arrays are laid out are executed before and after; chains of structured operations are compared with who
reads what from whom, and polynomials of a symbolic size with counts at numbers. Prints each program with an error as
soon as it is found, a smallest one of each kind, and what else is wrong. Exits 1 if there is something.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Mapping

from tests.model.mars.counts import differing_sizes, drawn_sized
from tests.model.mars.execution import differing
from tests.model.mars.nests import drawn_case, drawn_program
from tests.oracles.mars.chains import compared_chain
from tests.oracles.mars.claims import Comparison, compared
from tests.oracles.mars.drawn import drawn
from tests.oracles.mars.one_flow import Wrong
from tests.oracles.mars.respelled import races
from tests.oracles.mars.shrinking import Arrays, shrunk
from tests.oracles.mars.tiles import Tiled
from volcli.diagnostics import UsageError

TOGETHER = 20
"""So many programs are lowered and executed by one process."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--allocated", type=int, default=100)
    parser.add_argument("--chains", type=int, default=30)
    parser.add_argument("--counts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    seed = arguments.seed
    wrong = _programs(seed, arguments.first, arguments.programs)
    wrong += _chains(seed, arguments.chains) + _counts(seed, arguments.counts)
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is None:
        print("mlir-opt-22 is not on PATH")
        return 2
    wrong += _allocated(mlir_opt, seed, arguments.allocated)
    return 1 if wrong else 0


def _programs(seed: int, first: int, count: int) -> int:
    """How many of COUNT programs, from the FIRST one, have an answer that the enumeration contradicts."""
    names = [f"{seed}/{number}" for number in range(first, first + count)]
    return _compared(
        "programs", {name: lambda name=name: compared(*drawn(name)) for name in names}, _smallest
    )


def _chains(seed: int, count: int) -> int:
    """How many of COUNT chains of operations have sets that are not those of their execution."""
    names = [f"{seed}/{number}" for number in range(count)]
    return _compared(
        "chains",
        {name: lambda name=name: compared_chain(name) for name in names},
        lambda kind, name: f"{name}: {compared_chain(name).text}",
    )


def _compared(
    what: str, comparisons: Mapping[str, Callable[[], Comparison]], shown: Callable[[str, str], str]
) -> int:
    """How many COMPARISONS, by their names, have an answer that is wrong; one of each kind is SHOWN."""
    totals, reasons, failed = Counter[str](), Counter[str](), 0
    kinds: dict[str, list[str]] = {}
    for name, compare in comparisons.items():
        try:
            comparison = compare()
        except (
            Exception
        ) as error:  # whatever it is, it belongs in the campaign's report, and the others go on
            failed += 1
            print(f"{name}: {error!r}", flush=True)
            continue
        if comparison.wrong:
            failed += 1
            print(f"{name}: {[each.kind for each in comparison.wrong]}", flush=True)
        reasons.update(comparison.report.reasons)
        totals.update(comparison.report.numbers)
        for wrong in comparison.wrong:
            kinds.setdefault(wrong.kind, []).append(name)
    for kind, names in kinds.items():
        print(f"{len(names)} times: {kind}, {shown(kind, names[0])}")
    for reason, times in reasons.most_common(12):
        print(f"  unknown {times} times: {reason}")
    compared_sets = f"{totals['tiles']} tiles, {totals['sets']} sets, " if totals else ""
    print(f"{len(comparisons)} {what}, {compared_sets}{failed} failed: {dict(totals)}")
    return failed


def _smallest(kind: str, name: str) -> str:
    """A program with an error of this KIND, as small as it gets from that of NAME."""

    def wrong(comparison: Comparison) -> list[Wrong]:
        return [each for each in comparison.wrong if each.kind == kind]

    def fails(tiled: Tiled, arrays: Arrays) -> bool:
        try:
            return not races(tiled.program) and bool(wrong(compared(tiled, arrays)))
        except UsageError:  # fewer planes are no tiling
            return False

    found = compared(*shrunk(*drawn(name), fails, 60))
    return f"{name}, in tiles {found.tiled.text}:\n{found.text}{wrong(found)}"


def _allocated(mlir_opt: str, seed: int, count: int) -> int:
    """How many of COUNT programs compute something else when their arrays are laid out."""
    failed, changed = 0, 0
    for start in range(0, count, TOGETHER):
        numbers = range(start, min(start + TOGETHER, count))
        cases = [(drawn_program if number % 2 else drawn_case)(f"{seed}/{number}") for number in numbers]
        for case, (different, total) in zip(cases, differing(mlir_opt, cases), strict=True):
            changed += bool(total)
            if different:
                failed += 1
                print(f"{different} elements differ, in tiles {case.tile}:\n{case.before}\n{case.after}")
    print(f"{count} programs laid out, {changed} compute something, {failed} failed")
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
