"""The long campaign: thousands of random programs, volcli's answers against brute force.

    python -m tests.campaigns.elements --programs 5000 --seed 0

Prints a progress line, and for each disagreement a program that is as small as removing operations makes it.
Exits 1 if there was any.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from tests.oracles.elements.ask import disagreements
from tests.oracles.elements.compare import Disagreement
from tests.oracles.elements.reduce import reduced
from tests.oracles.elements.strategies import seeded

SHOWN = 5  # complaints a program


def campaign(seeds: range, progress: bool = True) -> Iterator[tuple[int, list[Disagreement]]]:
    """The seeds whose programs volcli and the oracle disagree about, with what they disagree about."""
    started = time.monotonic()
    for done, seed in enumerate(seeds, start=1):
        if found := disagreements(seeded(seed)):
            yield seed, found
        if progress and (done % 20 == 0 or done == len(seeds)):
            rate = done / (time.monotonic() - started)
            print(f"\r{done}/{len(seeds)} programs, {rate:.1f}/s", end="", file=sys.stderr, flush=True)


def report(seed: int, found: list[Disagreement]) -> str:
    """One disagreement: what differs, and the smallest program that still shows some difference."""
    small = reduced(seeded(seed), lambda program: bool(disagreements(program)))
    lines = [f"\nseed {seed}:", *(f"  {each}" for each in found[:SHOWN]), "reduced:"]
    return "\n".join([*lines, *(f"  {each}" for each in disagreements(small)[:SHOWN]), small.mlir()])


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=5000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="the first program's seed; the others follow")
    parser.add_argument("--keep-going", type=int, default=5, help="stop after so many disagreements")
    options = parser.parse_args()
    failures = 0
    for seed, found in campaign(range(options.seed, options.seed + options.programs)):
        print(report(seed, found), flush=True)
        failures += 1
        if failures >= options.keep_going:
            break
    print(f"\n{failures} disagreement{'' if failures == 1 else 's'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
