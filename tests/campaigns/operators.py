"""Random programs of tosa and stablehlo against numpy: executed, and what is said of maps, regions and zeros.

    python -m tests.campaigns.operators --programs 4 --seed 0

Runs so many programs of each operation, prints what is wrong of each program and the program, and how many maps
and regions are exact. With --broken N, N programs of which one operation is made invalid (or another one), each
of which is to be answered or refused with a place. Exits 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from tests.oracles.operators import judge, stablehlo, tosa
from tests.oracles.operators.broken import broken, failures
from tests.oracles.operators.builder import Builder

TABLES = {"stablehlo": stablehlo.PROGRAMS, "tosa": tosa.PROGRAMS}


def drawn(dialect: str, name: str, seed: int) -> Builder:
    """The program of an operation that SEED draws."""
    builder = Builder(random.Random(seed))
    TABLES[dialect][name](builder)
    return builder


def mutant(seed: int) -> str:
    """The text that SEED draws: a program of some operation, in which one operation is changed."""
    chance = random.Random(seed)
    every = [(dialect, name) for dialect, names in TABLES.items() for name in names]
    return broken(chance, drawn(*chance.choice(every), chance.randrange(1000)).mlir())


def _break(seeds: range) -> int:
    """How many of the mutants of SEEDS show an error of volcli; each is printed."""
    wrong = 0
    for seed in seeds:
        text = mutant(seed)
        if found := list(failures(text)):
            wrong += 1
            print(f"seed {seed}:", *found, text, sep="\n", flush=True)
    print(f"{len(seeds):5} mutants\n{wrong:5} wrong")
    return wrong


def private(seed: int) -> Builder:
    """The program of stablehlo that SEED draws: every operation in turn."""
    names = list(stablehlo.PROGRAMS)
    return drawn("stablehlo", names[seed % len(names)], seed)


def _private(seeds: range) -> int:
    """How many of the programs of SEEDS compute something else with private inputs; what is exact is printed."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        builder = private(seed)
        counts["programs"] += 1
        if wrong := list(judge.wrong_module(builder)):
            counts["wrong"] += 1
            print(f"seed {seed}:", *wrong, builder.module(), sep="\n", flush=True)
        for fact in judge.facts_of_module(builder):
            question = fact["question"]
            counts.update(
                [question, f"exact {question}" if fact["exact"] else f"{question}: {fact['reason']}"]
            )
    print(*(f"{count:5} {what}" for what, count in sorted(counts.items())), sep="\n")
    return counts["wrong"]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=4, help="how many of each operation")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow")
    parser.add_argument("--only", help="one operation")
    parser.add_argument("--broken", type=int, help="so many mutants, and no others")
    parser.add_argument("--private", type=int, help="so many programs with private inputs, and no others")
    options = parser.parse_args()
    if options.private is not None:
        return 1 if _private(range(options.seed, options.seed + options.private)) else 0
    if options.broken is not None:
        return 1 if _break(range(options.seed, options.seed + options.broken)) else 0
    counts: Counter[str] = Counter()
    for dialect, name in ((d, n) for d, names in TABLES.items() for n in names):
        for seed in (
            range(options.seed, options.seed + options.programs) if options.only in (None, name) else ()
        ):
            builder = drawn(dialect, name, seed)
            if wrong := [*judge.wrong_results(builder), *judge.wrong_facts(builder)]:
                print(f"{dialect}.{name}, seed {seed}:", *wrong, builder.mlir(), sep="\n", flush=True)
            maps, regions = judge.stated(builder)
            counts.update(programs=1, wrong=bool(wrong), maps=maps, regions=regions)
            if not (maps and regions):
                counts[f"inexact {dialect}.{name}"] += 1
    print(*(f"{count:5} {what}" for what, count in counts.items()), sep="\n")
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
