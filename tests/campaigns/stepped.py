"""The long campaign for rewrites of loops in steps that are values: executed before and after, on the same numbers.

    python -m tests.campaigns.stepped --programs 200 --seed 0
    python -m tests.campaigns.stepped --mixed --programs 200 --seed 0

With `--mixed` the functions are larger: several nests of loops of all kinds, with code around them.
Prints each program that a rewrite breaks, each rewrite of which nothing is said at all, and how many rewrites were
not compared (V313). Exits 1 if one is wrong or silent.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import volcli
from tests.rewriting.mixed_loops import drawn_mixed
from tests.rewriting.stepped import MEMORY, TENSOR, drawn_stepped
from volcli.execution.runs.inputs import Inputs

PIPELINES = (
    "tile-symbolic{sizes=%a,%b assume-noalias-args}",
    "parallelize{processors=%a assume-noalias-args}",
    "tile-symbolic{sizes=%a assume-noalias-args}",
    "tile-symbolic{sizes=%a,%b,%b,%a levels=2 assume-noalias-args}",
    "parallelize{processors=%b kind=scf.for assume-noalias-args},tile-symbolic{sizes=%a,%b assume-noalias-args}",
    "parallelize{processors=%b kind=scf.for assume-noalias-args}",
    "tile-symbolic{sizes=%b outermost=%i hyperplanes=j assume-noalias-args}",
    "tile-symbolic{sizes=%a,%b hyperplanes='i, i+j' assume-noalias-args}",
    "tile-symbolic{sizes=%b,%b assume-noalias-args}",
    "tile-symbolic{sizes=%c1,%b hyperplanes='i,j' assume-noalias-args}",
)
POINTS = ((6, 2, 3), (7, 3, 2), (9, 1, 2), (3, 4, 1), (0, 2, 2), (-2, 1, 1), (9, 2, 2), (5, 5, 3))
"""Values of %n, %a and %b."""
_MAIN = f"""
func.func @main(%n: index, %a: index, %b: index) -> {TENSOR} {{
  %m = memref.alloc() : {MEMORY}
  %r = memref.alloc() : {MEMORY}
  %seven = arith.constant 7 : i64
  linalg.fill ins(%seven : i64) outs(%m : {MEMORY})
  linalg.fill ins(%seven : i64) outs(%r : {MEMORY})
  func.call @f(%m, %r, %n, %a, %b) : ({MEMORY}, {MEMORY}, index, index, index) -> ()
  %y = bufferization.to_tensor %m restrict : {MEMORY} to {TENSOR}
  return %y : {TENSOR}
}}
"""


def left_behind(text: str, point: tuple[int, int, int]) -> object:
    """The elements of %m after @f of TEXT at POINT; None if that is undefined."""
    run = (
        volcli.loads(text + _MAIN).function("main").run(Inputs(numbers=dict(zip("nab", point, strict=True))))
    )
    if run.undefined is not None or run.stopped is not None:
        return None
    return [each.tolist() for each in run.results]


def judged(text: str, pipeline: str) -> str:
    """What becomes of TEXT behind PIPELINE."""
    program = volcli.loads(text)
    program.run(pipeline)
    codes = {each.code for each in program.diagnostics}
    after = program.text(annotate="none")
    if "V900" in codes:
        return "wrong"
    if after.count("\n") == text.count("\n"):
        located = all(each.place is not None for each in program.diagnostics)
        return "refused" if codes and located else "silent"
    for point in POINTS:
        expected = left_behind(text, point)
        if expected is not None and left_behind(after, point) != expected:
            return "wrong"
    return "not compared" if "V313" in codes else "compared"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mixed", action="store_true", help="larger functions, of loops of all kinds")
    arguments = parser.parse_args()
    draw = drawn_mixed if arguments.mixed else drawn_stepped
    counts: Counter[str] = Counter()
    for number in range(arguments.programs):
        text, pipeline = draw(f"{arguments.seed}/{number}"), PIPELINES[number % len(PIPELINES)]
        found = judged(text, pipeline)
        counts[found] += 1
        if found in ("wrong", "silent"):
            print(f"{found}: {pipeline}\n{text}")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if counts["wrong"] or counts["silent"] else 0


if __name__ == "__main__":
    sys.exit(main())
