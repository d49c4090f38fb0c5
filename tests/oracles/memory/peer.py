"""mlir-opt-22's answers, on programs of the kind that it knows.

    python -m tests.oracles.memory.peer --programs 300 --seed 0

Prints how many of its answers are exact, loose (it says boxes) and wrong (a dependence is denied, or outside of the box).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

from tests.oracles.memory.draw import programs
from tests.oracles.memory.memrefs import Index
from tests.oracles.memory.programs import Program, Question

REMARK = re.compile(r"dependence from (\d+) to (\d+) at depth (\d+) = (.*)")
SIDE = re.compile(r"\[([-+\w]+), ([-+\w]+)\]")
COMMAND = ("mlir-opt-22", "-test-memref-dependence-check", "-", "-o", "/dev/null")

Box = list[tuple[int | None, int | None]]


def answers(program: Program) -> dict[Question, Box | bool]:
    """What mlir-opt says: False, True (in an iteration, without loops around both), or a box."""
    run = subprocess.run(COMMAND, input=program.text, capture_output=True, text=True, check=True)
    found: dict[Question, Box | bool] = {}
    for source, sink, depth, said in REMARK.findall(run.stderr):
        sides = [(number(low), number(high)) for low, high in SIDE.findall(said)]
        found[Question(int(source), int(sink), int(depth))] = sides or said == "true"
    return found


def number(text: str) -> int | None:
    """A side of a box; None for -inf and +inf."""
    return None if "inf" in text else int(text)


def worth(true: set[Index], said: Box | bool) -> str:
    """exact, loose or wrong"""
    if said is False:
        return "wrong" if true else "exact"
    if said is True:
        return "exact" if true else "loose"
    if not all(inside(vector, said) for vector in true):
        return "wrong"
    hull = [(min(column), max(column)) for column in zip(*true, strict=True)]
    return "exact" if hull == said else "loose"


def inside(vector: Index, box: Box) -> bool:
    """Whether BOX contains VECTOR."""
    sides = zip(vector, box, strict=True)
    return all((low is None or low <= x) and (high is None or x <= high) for x, (low, high) in sides)


def judged(program: Program) -> Iterator[tuple[Question, str]]:
    """What mlir-opt's answers are worth."""
    said = answers(program)
    for question in program.questions():
        true = set[Index]()
        for truth in program.truths.values():
            true |= truth.distances(question.source, question.sink, question.depth)
        yield question, worth(true, said[question])


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=300, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for number_of, program in enumerate(programs(options.seed, options.programs, plain=True)):
        found = list(judged(program))
        counts.update(each for _, each in found)
        for question, each in found:
            if each == "wrong":
                print(f"{options.seed}/{number_of}: {question}\n{program.text}")
    print(dict(counts))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
