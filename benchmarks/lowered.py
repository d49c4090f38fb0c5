"""Programs as pipelines leave them: nests of loops on buffers, tiled, unrolled. For `make corpus` to measure.

    python benchmarks/lowered.py FILE... -o FOLDER

Each file is lowered by mlir-opt-22 in all of the FORMS that it can be: bufferized, linalg to affine
loops or to scf loops, these tiled, these unrolled; a file of affine loops is tiled and unrolled as it is.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

BUFFERS = "one-shot-bufferize{bufferize-function-boundaries}"
TILED = "func.func(affine-loop-tile{tile-size=8})"
UNROLLED = "func.func(affine-loop-unroll{unroll-factor=4})"
FORMS = {
    "affine": (BUFFERS, "func.func(convert-linalg-to-affine-loops)"),
    "scf": (BUFFERS, "func.func(convert-linalg-to-loops)"),
    "tiled": (BUFFERS, "func.func(convert-linalg-to-affine-loops)", TILED),
    "unrolled": (BUFFERS, "func.func(convert-linalg-to-affine-loops)", UNROLLED),
}
"""The passes of each form."""


def lower(path: Path, folder: Path, tool: str) -> list[Path]:
    """The files in FOLDER that TOOL makes of the one at PATH."""
    found: list[Path] = []
    for form, passes in FORMS.items():
        made = folder / f"{path.stem}.{form}.mlir"
        pipeline = f"--pass-pipeline=builtin.module({','.join(passes)})"
        ran = subprocess.run([tool, str(path), pipeline, "-o", str(made)], capture_output=True, check=False)
        if ran.returncode == 0:
            found.append(made)
        else:
            made.unlink(missing_ok=True)
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Lower programs with mlir-opt-22 in several forms.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder for what is made")
    options = parser.parse_args()
    tool = shutil.which("mlir-opt-22")
    if tool is None:
        parser.error("mlir-opt-22 is not on PATH")
    options.output.mkdir(parents=True, exist_ok=True)
    for path in options.files:
        made = lower(path, options.output, tool)
        print(f"{path}: {', '.join(each.name for each in made) or 'cannot be lowered'}")


if __name__ == "__main__":
    main()
