"""How long each question takes of random functions of few operations: the worst twenty.

    python -m tests.campaigns.small --programs 2000 --seed 0

Of each --kind of functions of at most 20 operations: all `operations` of arith and index on all widths, `nests`
of branches and loops, `shapes` of accesses, affine maps, scf.while and chains; and `mixtures` of 30 lines of these
with unknown operations and their regions, assertions, blocks, calls, memory, views and masked tensors; and
`everything`, with numbers of 1 to 128 bits, divisors and steps that are values, affine code, views of views,
joined tensors, structured operations, nested calls and unrolled code, too. Each is asked all questions of
`volcli analyze`. Prints a table of the questions that took most processor time, with the seeds of their programs,
and where most of it was spent, and how many took more than a second; exits 1 if one did.
"""

from __future__ import annotations

import argparse
import heapq
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import FrameType

import volcli
from tests.campaigns.everything import everything
from tests.campaigns.mixtures import mixtures
from tests.campaigns.shapes import shapes
from tests.oracles.arith.execute import Step
from tests.oracles.arith.nested import nests
from tests.oracles.arith.programs import Program, of_all_widths
from volcli.passes.table import UNASKED, find_question

LIMIT = 1.0
SHOWN = 20
SAMPLED = 0.005
"""Seconds of the processor between two looks at what is done."""
HERE = os.path.join("volcli", "")


def with_access(program: Program, seed: int) -> str:
    """The text of PROGRAM, which stores at its last index, if it has one, in every second program."""
    indices = [
        r for step in program.steps for r in step.results[:1] if isinstance(step, Step) and step.target == 0
    ]
    if seed % 2 or not indices:
        return program.text
    ending = (
        "  %zero = arith.constant 0 : i8",
        "  %memory = memref.alloc() : memref<16xi8>",
        f"  memref.store %zero, %memory[{indices[-1]}] : memref<16xi8>",
    )
    return program.ends(*ending).text


KINDS: Mapping[str, Callable[[int], str]] = {
    "operations": lambda seed: with_access(of_all_widths(str(seed)), seed),
    "nests": lambda seed: nests(str(seed)).text,
    "shapes": lambda seed: shapes(str(seed)),
    "mixtures": lambda seed: mixtures(str(seed)),
    "everything": lambda seed: everything(str(seed)),
}
"""The text of the program of a seed."""


def seconds() -> float:
    """Processor time of this process and of those it has ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def durations(text: str) -> Iterator[tuple[float, str]]:
    """What each question takes of the program TEXT, read anew for each."""
    for question in UNASKED:
        program = volcli.load(text)
        start = seconds()
        program.run(find_question(question))
        yield seconds() - start, question


def cause(text: str, question: str) -> str:
    """The function of volcli in which most time is spent with QUESTION of the program TEXT, and its share."""
    seen: Counter[str] = Counter()

    def look(_: int, frame: FrameType | None) -> None:
        while frame is not None and HERE not in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is not None:
            file = frame.f_code.co_filename.rpartition(HERE)[2]
            seen[f"{file}: {frame.f_code.co_qualname}"] += 1

    program, before = volcli.load(text), signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, SAMPLED, SAMPLED)
    try:
        program.run(find_question(question))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return ", ".join(f"{100 * n // seen.total()} % {place}" for place, n in seen.most_common(1))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=2000, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first; the others follow")
    parser.add_argument("--kind", choices=KINDS, default="operations", help="what they are made of")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop after so many")
    options = parser.parse_args()
    found: list[tuple[float, int, str]] = []
    slow, done, started = 0, 0, time.monotonic()
    all(durations(KINDS[options.kind](options.seed)))  # imports what answers need
    for seed in range(options.seed, options.seed + options.programs):
        for taken, question in durations(KINDS[options.kind](seed)):
            slow += taken > LIMIT
            found = heapq.nlargest(SHOWN, [*found, (taken, seed, question)])
        done += 1
        if time.monotonic() - started > 60 * options.minutes:
            break
    print(f"{done} programs, {slow} answers took more than {LIMIT} s; the worst:")
    for taken, seed, question in found:
        why = cause(KINDS[options.kind](seed), question)
        print(f"  {taken:6.2f} s  {question:12}  seed {seed:<6} {why}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
