"""Mutants of kernels, and what mlir-opt makes of these: what executions tell apart.

    python -m tests.campaigns.tries [--only KERNEL] [--pairs]

Each mutant is tried with constant, symbolic and large constant sizes (4,096 in each dimension, where elements
are drawn), and must differ. With --pairs, each large kernel is compared with what mlir-opt-22 makes of it, and
must not. A line for what is not as it must be, and counts; exits 1 if an equal pair differs, or if more than
one mutant of fifty does not.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator

import volcli
from tests.equivalence.kernels import KERNELS, LARGE
from tests.equivalence.tensor_kernels import TENSOR_KERNELS, large
from tests.equivalence.test_trials import version, version_in
from volcli.equivalence.trials.trials import tried

BUFFERS = "one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}"
PIPELINES = {
    "tile": "func.func(affine-loop-tile{tile-size=48})",
    "unroll": "func.func(affine-loop-unroll{unroll-factor=4})",
    "forward stores": "func.func(affine-scalrep)",
    "lower": "func.func(lower-affine),canonicalize,cse",
    "generalize": "func.func(linalg-generalize-named-ops)",
    "fuse": "func.func(linalg-generalize-named-ops),linalg-fuse-elementwise-ops,canonicalize,cse",
    "bufferize": BUFFERS,
    "loops": f"{BUFFERS},func.func(convert-linalg-to-affine-loops)",
}


def mutants(only: str) -> Iterator[tuple[str, str, tuple[str, str], str, str]]:
    """The setting, the kernel, the mutant, and both programs."""
    for name, kernel in KERNELS.items():
        for mutant in kernel.mutants if only in name else ():
            for setting, constant, size in (
                ("constant", True, 12),
                ("symbolic", False, 0),
                ("large", True, LARGE),
            ):
                pair = [kernel.program(constant=constant, size=size, mutant=each) for each in (None, mutant)]
                yield setting, name, mutant, pair[0], pair[1]
    for name, kernel in TENSOR_KERNELS.items():
        for mutant in kernel.mutants if only in name else ():
            yield "large tensors", name, mutant, large(kernel), large(kernel, mutant)


def refute(only: str) -> int:
    """Try all mutants: how many do not differ, and are more than one of fifty."""
    found: Counter[tuple[str, bool]] = Counter()
    for setting, name, mutant, before, after in mutants(only):
        start = time.process_time()
        trial = tried(version(before), version(after))
        found[setting, bool(trial.discrepancies)] += 1
        if not trial.discrepancies:
            print(f"{setting}: {name} {mutant}: {trial}, {time.process_time() - start:.1f} s", flush=True)
    for setting in dict.fromkeys(setting for setting, _ in found):
        print(f"{setting}: {found[setting, True]} mutants differ, {found[setting, False]} do not")
    missed = sum(count for (_, differs), count in found.items() if not differs)
    return missed if missed * 50 > found.total() else 0


def pairs(only: str) -> int:
    """Try what mlir-opt makes of each large kernel: how many differ."""
    tool = shutil.which("mlir-opt-22")
    assert tool is not None, "mlir-opt-22 is not on PATH"
    programs = {name: each.program(constant=True, size=LARGE) for name, each in KERNELS.items()}
    programs |= {name: large(each) for name, each in TENSOR_KERNELS.items()}
    wrong = compared = elements = 0
    for name, before in programs.items():
        for title, pipeline in PIPELINES.items() if only in name else ():
            command = [tool, f"--pass-pipeline=builtin.module({pipeline})"]
            ran = subprocess.run(command, input=before, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                continue
            trial = tried(version(before), version_in(volcli.loads(ran.stdout), "f"))
            compared += bool(trial.instances)
            elements += trial.elements
            wrong += bool(trial.discrepancies)
            print(f"{name}, {title}: {trial} {[each.text for each in trial.discrepancies]}", flush=True)
    print(f"{compared} pairs compared, in {elements} elements or as a whole; {wrong} differ")
    return wrong


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Mutants of kernels, tried.")
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument("--pairs", action="store_true", help="compare with what mlir-opt makes of each")
    options = parser.parse_args()
    return 1 if (pairs if options.pairs else refute)(options.only) else 0


if __name__ == "__main__":
    sys.exit(main())
