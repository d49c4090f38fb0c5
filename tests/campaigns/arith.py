"""The sweep of integer operations on few bits: every answer against all runs.

    python -m tests.campaigns.arith --sweeps i1,i4 --minutes 3

Every operation of arith and index on i1, i4 and i8, on all pairs of operands; casts; operations of operations,
random programs with branches and loops. Prints, for each sweep, how many answers were compared and what is wrong
with which; then the answers that took most processor time. Exits 1 if an answer is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice

from tests.oracles.arith import overflows
from tests.oracles.arith.judge import Tally, complaints
from tests.oracles.arith.sweep import SWEEPS

OVERFLOWS = "overflows"
SHOWN = 5


def swept(name: str, start: int, step: int, until: float) -> tuple[Tally, list[str]]:
    """The answers about every STEP-th program of a sweep from START on, and what is wrong; UNTIL then."""
    tally, wrong, begun, count = Tally(), list[str](), time.process_time(), 0
    made = overflows.programs if name == OVERFLOWS else SWEEPS[name]
    for program in islice(made(), start, None, step):
        found = [*(overflows.complaints(program) if name == OVERFLOWS else complaints(program, tally))]
        wrong += found
        count += 1
        for each in found:
            print(f"{name}: {each}", flush=True)
        if time.monotonic() > until:
            print(f"{name} breaks off", flush=True)
            break
    taken = time.process_time() - begun
    print(f"{name}: {count} programs, {tally.answers} answers, {len(wrong)} wrong, {taken:.0f} s", flush=True)
    return tally, wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sweeps", default=",".join((*SWEEPS, OVERFLOWS)), help="which, joined by commas")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the number of the first program")
    parser.add_argument("--step", type=int, default=1, help="every which program")
    parser.add_argument("--minutes", type=float, default=1e9, help="for all of them; then it breaks off")
    options = parser.parse_args(arguments)
    until = time.monotonic() + 60 * options.minutes
    found = [swept(name, options.start, options.step, until) for name in options.sweeps.split(",")]
    slowest = sorted((each for tally, _ in found for each in tally.slowest), reverse=True)
    for taken, question, text in slowest[:SHOWN]:
        print(f"{taken:.1f} s for {question}:\n{text}")
    wrong = sum(len(each) for _, each in found)
    print(f"{sum(tally.answers for tally, _ in found)} answers, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
