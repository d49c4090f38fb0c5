"""Mutants of arithmetic, each compared at the levels of `diff`: none that differs may be equal.

    python -m tests.campaigns.levels [--only TEXT] [--step 4] [--from 0] [--compare arithmetic]

Each has one error (`tests.equivalence.mutations`). Those that are equal are executed on many inputs, and a run
that tells them apart is a wrong answer; those that are not decided may be equal by arithmetic. Prints what is
equal, or not decided, and how many are refuted by a run; exits 1 if an answer is wrong, or if less than 95 % of
those that are not equal are refuted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

import volcli
from tests.equivalence.mutations import Mutated, all_mutants
from tests.equivalence.test_trials import version
from volcli.equivalence.trials.trials import tried

ENOUGH = 0.95


def verdict(mutated: Mutated, level: str = "operations") -> tuple[str, str]:
    """The verdict of `diff` on a mutant, and what it says; "WRONG" for an equal one that a run tells apart."""
    old, new = map(volcli.loads, (mutated.before, mutated.after))
    if (old.exit_code, new.exit_code) != (0, 0):
        return "not read", ""
    (found,) = old.diff(new, compare=level)
    lines = "; ".join(found.lines())
    if found.verdict == "equal":
        trial = tried(version(mutated.before), version(mutated.after))
        return ("WRONG" if trial.discrepancies else "equal"), f"{lines}; {trial}"
    if found.verdict == "unknown" and old.diff(new, compare="arithmetic")[0].verdict == "equal":
        return "equal by arithmetic", lines
    by_run = any(each.runs or each.witness for each in found.outputs) or "is undefined, for" in lines
    return (found.verdict if by_run or found.verdict == "unknown" else "different, without a run"), lines


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="mutants whose name has this text")
    parser.add_argument("--step", type=int, default=1, help="every which mutant")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the number of the first one")
    parser.add_argument("--compare", default="operations", help="the level")
    options = parser.parse_args(arguments)
    count: Counter[str] = Counter()
    begun = time.process_time()
    chosen = [each for each in all_mutants() if options.only in each.name]
    for mutated in chosen[options.start :: options.step]:
        found, lines = verdict(mutated, options.compare)
        count[found] += 1
        if found != "different":
            print(f"{found}: {mutated.name}: {lines[:300]}", flush=True)
    for word, number in sorted(count.items()):
        print(f"{number} {word}")
    decided = ("equal", "equal by arithmetic", "different", "not read")
    undecided = sum(number for word, number in count.items() if word not in decided)
    rate = count["different"] / max(count["different"] + undecided, 1)
    print(f"{rate:.1%} of those that are not equal are refuted, {time.process_time() - begun:.0f} s")
    return 1 if count["WRONG"] or rate < ENOUGH else 0


if __name__ == "__main__":
    sys.exit(main())
