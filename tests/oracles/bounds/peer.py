"""How mlir-opt-22 does on the same queries: whether the programs are of the kind that it was measured on.

    python -m tests.oracles.bounds.peer --programs 300 --seed 0

Prints for each side how many constant bounds are exact, sound but not tight, wrong, or failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.oracles.bounds.draw import programs
from tests.oracles.bounds.nodes import Ask, Compare
from tests.oracles.bounds.printing import reify_one
from tests.oracles.bounds.programs import Program

PIPELINE = "builtin.module(func.func(test-affine-reify-value-bounds))"
SIDES = ("LB", "UB")


@dataclass(frozen=True)
class Asked:
    """One bound of one query, and the truth."""

    program: Program
    number: int
    side: str
    truth: int

    def text(self, name: str) -> str:
        """The program with this query alone, as function NAME."""

        def carrier(query: Ask | Compare) -> Iterator[str]:
            wanted = isinstance(query, Ask) and query.number == self.number
            return reify_one(query, self.side) if wanted else iter(())

        return self.program.mlir(carrier, name)

    def judge(self, bound: int | None) -> str:
        """What the closed BOUND is worth: exact, sound, wrong or, if there is none, failed."""
        if bound is None:
            return "failed"
        if bound == self.truth:
            return "exact"
        return "sound" if (bound < self.truth) == (self.side == "LB") else "wrong"


def asked(some: Sequence[Program]) -> list[Asked]:
    """Both bounds of all queries that some execution reaches."""
    return [
        Asked(program, query.number, side, truth)
        for program in some
        for query in program.queries
        for side, truth in zip(SIDES, (query.minimum, query.maximum), strict=True)
        if truth is not None
    ]


def answers(questions: Sequence[Asked]) -> list[int | None]:
    """mlir-opt's closed bounds; None where it has none."""
    text = "// -----\n".join(question.text(f"q{number}") for number, question in enumerate(questions))
    done = subprocess.run(
        ["mlir-opt-22", "-allow-unregistered-dialect", "-split-input-file", f"-pass-pipeline={PIPELINE}"],
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = {number: value for chunk in done.stdout.split("// -----") for number, value in constants(chunk)}
    return [
        None if (bound := found.get(number)) is None else bound - (question.side == "UB")
        for number, question in enumerate(questions)
    ]


def constants(chunk: str) -> Iterator[tuple[int, int]]:
    """The number of the function in CHUNK and the constant that it uses, if it is one."""
    name = re.search(r"func\.func @q(\d+)", chunk)
    used = re.search(r'"test\.some_use"\((%[\w-]+)\) : \(index\)', chunk)
    if name and used and (value := re.search(rf"{used[1]} = arith\.constant (-?\d+) : index", chunk)):
        yield int(name[1]), int(value[1])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=300, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from")
    parser.add_argument("--modelled", action="store_true", help="only operations that it has a model of")
    parser.add_argument("--show", default="", help="print the programs of one verdict: exact, sound, ...")
    options = parser.parse_args()
    questions = asked(list(programs(options.seed, options.programs, options.modelled)))
    verdicts: Counter[str] = Counter()
    for question, bound in zip(questions, answers(questions), strict=True):
        verdict = question.judge(bound)
        verdicts[verdict] += 1
        if verdict == options.show:
            print(f"// {question.side} is {question.truth}, said {bound}\n{question.text('f')}")
    for verdict, count in verdicts.most_common():
        print(f"{verdict:8} {count:6} {100 * count / len(questions):5.1f} %")


if __name__ == "__main__":
    main()
