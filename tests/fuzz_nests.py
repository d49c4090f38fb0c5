"""The long campaign for nests: random loops, volcli's answers about them against runs in other orders.

    python -m tests.fuzz_nests --programs 400 --seed 0

Prints how many answers are exact, unknown, missed or wrong, and each failing program. Exits 1 if one fails.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.nest_oracle.ask import judged
from tests.nest_oracle.draw import drawn
from tests.nest_oracle.inserts import drawn_forall, forall_judged

SHOWN = 5


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=400, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from")
    options = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    failing = 0
    for number in range(options.programs):
        program = drawn(f"{options.seed}/{number}")
        forall = drawn_forall(f"{options.seed}/{number}")
        found = [*judged(program), *forall_judged(forall)]
        counts.update((each.kind, each.worth) for each in found)
        bad = [each for each in found if each.is_failure]
        failing += bool(bad)
        if bad and failing <= SHOWN:
            print(f"\nseed {options.seed}/{number}", *bad, program.text, forall.text, sep="\n", flush=True)
    for (kind, worth), count in sorted(counts.items()):
        print(f"{kind:16} {worth:11} {count:6}")
    print(f"programs that fail: {failing} of {options.programs}")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
