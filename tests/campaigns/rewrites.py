"""The long campaign for rewrites: random programs, executed before and after, on the same random inputs.

    python -m tests.campaigns.rewrites --programs 3000 --seed 0
    python -m tests.campaigns.rewrites --nests --programs 3000 --seed 0

With `--nests` the programs are loop nests over memory, and the rewrites those of loops.
Without `assume-finite` among the inputs are infinities, NaN and zeros of either sign. Prints each program that
a rewrite breaks, and how many it changed. Exits 1 if some result differs or some rewrite failed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import volcli
from tests.rewriting.nests import drawn_nest
from tests.rewriting.programs import drawn
from tests.rewriting.rewritten import Pair, differences, signature
from tests.rewriting.texts import Program

PIPELINES = (
    "partition{assume-finite part-cost=100}",
    "tile{sizes=?}",
    "partition{part-cost=100}",
    "tile{sizes=? assume-finite loops=scf.forall}",
    "partition{assume-finite max-parts=5 part-cost=0}",
    "tile{sizes=? assume-finite}",
    "partition{assume-finite}",
    "tile{sizes=? fuse=none assume-finite}",
    "tile{sizes=? fuse=elementwise loops=scf.forall max-boxes=2}",
)
"""`sizes=?` are random ones, for each dimension of the result."""
NEST_PIPELINES = (
    "tile-symbolic{sizes=%a,%b}",
    "parallelize{processors=%a}",
    "tile-symbolic{sizes=%a,%b hyperplanes='i, i+j'}",
    "tile-symbolic{sizes=%a}",
    "tile-symbolic{sizes=%a,%a hyperplanes='i+j|i+k, i-j|i-k' wavefront=2}",
    "tile-symbolic{sizes=%a,%b,%b,%a levels=2}",
    "tile-symbolic{sizes=%a hyperplanes='2*i + j | 2*i + k'}",
    "parallelize{processors=%b kind=scf.for},tile-symbolic{sizes=%a,%b}",
    "tile-symbolic{sizes=%b hyperplanes=j outermost=%i}",
    "tile-symbolic{sizes=%a,%b hyperplanes='i, j|k'}",
    "tile-symbolic{sizes=%a,%b,%b hyperplanes='i, i+j, i+j+k' wavefront=2}",
    "tile-symbolic{sizes=%b,%a hyperplanes='3*i - j, k' outermost=%i}",
    "tile-symbolic{sizes=%a,%b hyperplanes='i, i+j | 2*i+k+1'}",
)
TOGETHER = 60
"""So many functions are lowered and executed by one process."""


@dataclass(frozen=True)
class Rewrite:
    """A program, the pipeline, and the program that it became; with what went wrong, if something did."""

    program: Program
    pipeline: str
    after: str
    failure: str | None = None

    @property
    def special(self) -> int:
        """How many of 100 numbers are no ordinary ones."""
        return 0 if "assume-finite" in self.pipeline else 10


def fitted(pipeline: str, program: Program, chance: random.Random) -> str:
    """PIPELINE with sizes of tiles for the result of PROGRAM."""
    rank = signature(program.text)[1][0].count("x")
    sizes = ",".join(str(chance.choice((0, 1, 2, 3, 4, 7))) for _ in range(rank))
    return pipeline.replace("sizes=?", f"sizes={sizes}")


def rewritten(program: Program, pipeline: str) -> Rewrite:
    """PROGRAM behind PIPELINE."""
    loaded = volcli.loads(program.text)
    loaded.run(pipeline)
    wrong = [d for d in loaded.diagnostics if d.code == "V900" or d.severity.value == "error"]
    failure = f"{wrong[0].code}: {wrong[0].message}" if wrong else None
    return Rewrite(program, pipeline, loaded.text(annotate="none"), failure)


def failures(mlir_opt: str, rewrites: Sequence[Rewrite], seed: int = 0) -> list[tuple[Rewrite, str]]:
    """Those of REWRITES that failed, or whose program computes something else."""
    found = [(each, each.failure) for each in rewrites if each.failure is not None]
    run = [each for each in rewrites if each.failure is None]
    pairs = [Pair(r.program.text, r.after, r.program.sizes, r.special, signless=r.special == 0) for r in run]
    for each, number in zip(run, differences(mlir_opt, pairs, seed), strict=True):
        if number:
            found.append((each, f"{number} elements differ"))
    return found


def campaign(
    mlir_opt: str,
    programs: int,
    seed: int,
    pipelines: Sequence[str] = PIPELINES,
    draw: Callable[[str], Program] = drawn,
) -> tuple[int, int]:
    """How many rewrites changed their program, and how many of them failed: these are printed."""
    changed, failed = 0, 0
    batch: list[Rewrite] = []
    for number in range(programs):
        program, chance = draw(f"{seed}/{number}"), random.Random(number)
        batch.append(rewritten(program, fitted(pipelines[number % len(pipelines)], program, chance)))
        if len(batch) == TOGETHER or number == programs - 1:
            changed += sum(
                " = " in r.after and r.after.count("\n") != r.program.text.count("\n") for r in batch
            )
            for each, reason in failures(mlir_opt, batch, seed + number):
                failed += 1
                print(f"{each.pipeline}: {reason}\n{each.program.text}\n{each.after}")
            batch = []
    return changed, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pipeline", action="append", help="instead of all of them")
    parser.add_argument("--nests", action="store_true", help="loop nests, and rewrites of loops")
    arguments = parser.parse_args()
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is None:
        print("mlir-opt-22 is not on PATH")
        return 2
    draw, pipelines = (drawn_nest, NEST_PIPELINES) if arguments.nests else (drawn, PIPELINES)
    chosen = arguments.pipeline or pipelines
    changed, failed = campaign(mlir_opt, arguments.programs, arguments.seed, chosen, draw)
    print(f"{arguments.programs} programs, {changed} changed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
