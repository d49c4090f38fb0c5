"""Programs and what mlir-opt-22 makes of them, by `volcli diff`: how many are equal, and in what time.

    python benchmarks/comparing.py FILE...

A file of linalg is generalized, fused, bufferized and lowered to affine loops; one of affine loops is tiled,
unrolled, fused, and its stores are forwarded. A line for each pair: the functions, by verdict, and the
seconds of the comparison; at the end a table by rewrite.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path

import volcli

BUFFERS = (
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map}"
)
OF_LINALG = {
    "generalize": "func.func(linalg-generalize-named-ops)",
    "fuse elementwise": "func.func(linalg-generalize-named-ops),linalg-fuse-elementwise-ops,canonicalize,cse",
    "bufferize": BUFFERS,
    "affine loops": f"{BUFFERS},func.func(convert-linalg-to-affine-loops)",
}
OF_LOOPS = {
    "tile": "func.func(affine-loop-tile{tile-size=8})",
    "unroll": "func.func(affine-loop-unroll{unroll-factor=4})",
    "fuse loops": "func.func(affine-loop-fusion)",
    "forward stores": "func.func(affine-scalrep)",
    "lower": "func.func(lower-affine),canonicalize,cse",
}


def compare(path: Path, pipeline: str, tool: str, budget: int | None) -> tuple[Counter[str], float] | None:
    """The verdicts of the file at PATH, and the seconds; None if TOOL cannot run PIPELINE."""
    command = [tool, str(path), f"--pass-pipeline=builtin.module({pipeline})"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        return None
    before, after = volcli.load(path, budget=budget), volcli.loads(ran.stdout)
    start = time.process_time()
    found = before.diff(after)
    return Counter(each.verdict for each in found), time.process_time() - start


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare programs with what mlir-opt-22 makes of them.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--budget", type=int, help="integer set operations for an output")
    options = parser.parse_args()
    tool = shutil.which("mlir-opt-22")
    if tool is None:
        parser.error("mlir-opt-22 is not on PATH")
    totals: dict[str, Counter[str]] = {}
    for path in options.files:
        rewrites = OF_LINALG if "linalg." in path.read_text() else OF_LOOPS
        for name, pipeline in rewrites.items():
            done = compare(path, pipeline, tool, options.budget)
            if done is None:
                print(f"{path.stem:24} {name:18} mlir-opt refuses it", flush=True)
                continue
            verdicts, seconds = done
            totals.setdefault(name, Counter()).update(verdicts)
            print(f"{path.stem:24} {name:18} {dict(verdicts)} {seconds:.1f} s", flush=True)
    for name, counts in totals.items():
        print(f"{name:18} {', '.join(f'{counts[verdict]} {verdict}' for verdict in sorted(counts))}")


if __name__ == "__main__":
    main()
