"""The long campaign for bounds: random programs, volcli's constant bounds and comparisons against enumeration.

    python -m tests.fuzz_bounds --programs 400 --seed 0

Prints how many answers are exact, sound, wrong, or called exact without being it; why the inexact ones are; and
each failing program as small as it gets. Exits 1 if an answer was wrong, called exact wrongly, or a crash.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

from tests.bounds_oracle.ask import Judgement, judged
from tests.bounds_oracle.draw import drawn
from tests.bounds_oracle.programs import Program
from tests.bounds_oracle.reduce import reduced

SHOWN = 3  # complaints a program


def failures(program: Program) -> list[Judgement]:
    """What is wrong with volcli's answers about PROGRAM."""
    return [judgement for judgement in judged(program) if judgement.is_failure]


def report(seed: str, program: Program, found: Sequence[Judgement]) -> str:
    """The failures of one program, and a small program that fails in the same way as the first of them."""
    same = (found[0].kind, found[0].worth)
    small = reduced(program, lambda each: any((f.kind, f.worth) == same for f in failures(each)))
    lines = [f"\nseed {seed}:"]
    for complaint in failures(small)[:SHOWN]:
        lines += [f"  {complaint.worth}: {complaint.question}", f"    said {complaint.said}"]
    return "\n".join([*lines, small.mlir(lambda query: iter([f"// here: {query.number}"]))])


def table(judgements: Counter[tuple[str, str]]) -> str:
    """The counts by kind of question and by worth, with percentages."""
    lines: list[str] = []
    for kind in sorted({kind for kind, _ in judgements}):
        total = sum(count for (of, _), count in judgements.items() if of == kind)
        lines.append(f"{kind}s: {total}")
        for worth in ("exact", "sound", "unknown", "vacuous", "wrong", "overclaimed", "crash"):
            count = judgements[kind, worth]
            lines.append(f"  {worth:11} {count:6} {100 * count / total:6.2f} %")
    return "\n".join(lines)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=400, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn from")
    parser.add_argument("--keep-going", type=int, default=5, help="reduce and show so many failing programs")
    parser.add_argument("--inexact", action="store_true", help="show inexact answers too, unreduced")
    parser.add_argument("--while", action="store_true", dest="unbounded", help="with scf.while")
    parser.add_argument("--bits", action="store_true", help="with unsigned and bitwise operations")
    options = parser.parse_args()
    judgements: Counter[tuple[str, str]] = Counter()
    reasons: Counter[str] = Counter()
    failing = 0
    spent = 0.0
    for number in range(options.programs):
        seed = f"{options.seed}/{number}"
        program = drawn(seed, unbounded=options.unbounded, with_bits=options.bits)
        started = time.perf_counter()
        found = list(judged(program))
        spent += time.perf_counter() - started
        for each in found:
            judgements[each.kind, each.worth] += 1
            if each.worth in ("sound", "unknown"):
                reasons[f"{each.kind}: {each.because}"] += 1
                if options.inexact:
                    print(f"\nseed {seed}: {each}\n{program.with_places()}", flush=True)
        bad = [each for each in found if each.is_failure]
        failing += bool(bad)
        if bad and failing <= options.keep_going:
            print(report(seed, program, bad), flush=True)
    print(table(judgements))
    print(f"programs that fail: {failing} of {options.programs}; {spent:.1f} s in volcli")
    for reason, count in reasons.most_common():
        print(f"  {count:5} {reason}")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
