"""The campaign for `volcli run`: random programs executed by volcli's engine and by mlir-runner-22, bit by bit.

    python -m tests.campaigns.execution --programs 400 --seed 0
    python -m tests.campaigns.execution --files testdata/*/*.mlir

The programs go through every operation that both execute; with `--files` they are the functions of these files
that the engine runs to their end for some size.
Prints each program in which the two differ or that the engine calls undefined, then how often each operation
ran, and those that never did without a reason. Exits 1 if there are any of these.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.execution.programs import drawn
from tests.execution.programs.draft import Module
from tests.execution.programs.functions import of_file
from tests.execution.programs.peer import here, text_of, there
from tests.execution.programs.table import UNREACHED, executable

TOGETHER = 20
"""So many programs are lowered and executed by one process."""
ENOUGH = 2


@dataclass
class Tally:
    """What became of the programs; `counts` says in how many each operation ran."""

    equal: int = 0
    undefined: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])
    not_lowered: list[str] = field(default_factory=list[str])
    counts: Counter[str] = field(default_factory=Counter[str])

    def lists(self) -> tuple[list[str], ...]:
        """What is not as it should be."""
        return self.wrong, self.undefined, self.not_lowered


def compare(mlir_opt: str, modules: Sequence[Module], tally: Tally) -> None:
    """Execute MODULES twice."""
    before = [len(each) for each in tally.lists()]
    ours, theirs = here(modules, tally.counts), there(mlir_opt, modules)
    for module in modules:
        one, other = ours[module.name], theirs[module.name]
        if one.stop is not None:
            tally.undefined.append(f"{module.name}: volcli: {one.stop}")
        elif other.stop is not None:
            tally.not_lowered.append(f"{module.name}: mlir: {other.stop}")
        elif list(one.lines) != list(other.lines):
            at = next((k for k, (a, b) in enumerate(zip(one.lines, other.lines, strict=False)) if a != b), -1)
            pair = f"{one.lines[at]} and {other.lines[at]}"
            tally.wrong.append(f"{module.name}: line {at} is {pair}\n{text_of([module])}")
        else:
            tally.equal += 1
    for found, count in zip(tally.lists(), before, strict=True):
        for text in found[count:]:
            print(text, flush=True)


def campaign(mlir_opt: str, programs: int, seed: int, first: int = 0) -> Tally:
    """PROGRAMS of SEED, from the number FIRST on."""
    tally = Tally()
    for start in range(first, first + programs, TOGETHER):
        numbers = range(start, min(start + TOGETHER, first + programs))
        compare(mlir_opt, [drawn(number, seed) for number in numbers], tally)
    return tally


def of_files(mlir_opt: str, paths: Sequence[Path]) -> Tally:
    """The functions of the files at PATHS."""
    tally = Tally()
    for path in paths:
        modules, reasons = of_file(path)
        print("\n".join(f"{path}: not run: {reason}" for reason in reasons) or f"{path}: all run", flush=True)
        for start in range(0, len(modules), TOGETHER):
            compare(mlir_opt, modules[start : start + TOGETHER], tally)
    return tally


def rare(counts: Mapping[str, int]) -> list[str]:
    """The operations that ran in less than two programs, and are not excused."""
    return sorted(name for name in executable() - UNREACHED.keys() if counts.get(name, 0) < ENOUGH)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the number of the first program")
    parser.add_argument(
        "--files", type=Path, nargs="*", help="functions of these in the place of random programs"
    )
    options = parser.parse_args()
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is None:
        print("mlir-opt-22 is not on PATH")
        return 2
    if options.files:
        tally = of_files(mlir_opt, options.files)
    else:
        tally = campaign(mlir_opt, options.programs, options.seed, options.first)
    print(", ".join(f"{name} {count}" for name, count in sorted(tally.counts.items())))
    missing = [] if options.files else rare(tally.counts)
    print(f"in less than {ENOUGH} programs: {', '.join(missing) or 'none'}")
    wrong, undefined, lowered = map(len, tally.lists())
    print(f"{tally.equal} programs equal, {wrong} not, {undefined} undefined, {lowered} not lowered")
    if options.files:
        return 1 if wrong else 0
    return 1 if wrong or undefined or lowered or (missing and options.programs >= 400) else 0


if __name__ == "__main__":
    sys.exit(main())
