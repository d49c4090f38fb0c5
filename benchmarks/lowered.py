"""Programs as pipelines leave them: nests of loops on buffers, tiled, unrolled. For `make corpus` to measure.

    python benchmarks/lowered.py FILE... -o FOLDER
    python benchmarks/lowered.py FILE... -o FOLDER --all

Each file is lowered by mlir-opt-22 in all of the FORMS that it can be: bufferized, linalg to affine
loops or to scf loops, these tiled, these unrolled; a file of affine loops is tiled and unrolled as it is.
With `--all` that is done with several sizes, fused before, in parallel loops, and simplified behind it: about
70 programs are made of each one.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterable, Mapping
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
_LARGEST = 200_000
"""A file of so many bytes or more is left out with `--all`: unrolled networks have millions."""


def all_forms() -> dict[str, tuple[str, ...]]:
    """The passes of all forms, by name."""
    affine = (BUFFERS, "func.func(convert-linalg-to-affine-loops)")
    tiled = {n: f"func.func(affine-loop-tile{{tile-size={n}}})" for n in (2, 4, 8, 16, 32, 64)}
    unrolled = {n: f"func.func(affine-loop-unroll{{unroll-factor={n}}})" for n in (2, 4, 8)}
    fused = "func.func(affine-loop-fusion)"
    found: dict[str, tuple[str, ...]] = {
        "buffers": (BUFFERS,),
        "affine": affine,
        "scf": FORMS["scf"],
        "parallel": (BUFFERS, "func.func(convert-linalg-to-parallel-loops)"),
        "split": (*affine, "func.func(affine-data-copy-generate{generate-dma=false fast-mem-space=0})"),
        "fused": (*affine, fused),
    }
    found |= {f"tiled{n}": (*affine, by) for n, by in tiled.items()}
    found |= {f"unrolled{n}": (*affine, by) for n, by in unrolled.items()}
    found |= {f"fused.tiled{n}": (*affine, fused, by) for n, by in tiled.items()}
    found |= {
        f"tiled{n}.unrolled{m}": (*affine, tile, unroll)
        for n, tile in tiled.items()
        for m, unroll in unrolled.items()
    }
    return found | {f"{name}.simple": (*passes, "canonicalize", "cse") for name, passes in found.items()}


def lower(
    path: Path,
    folder: Path,
    tool: str,
    forms: Mapping[str, tuple[str, ...]] = FORMS,
    largest: float = float("inf"),
) -> list[Path]:
    """The files in FOLDER that TOOL makes of the one at PATH, in FORMS, unless they have LARGEST bytes."""
    found: list[Path] = []
    for form, passes in forms.items():
        made = folder / f"{path.stem}.{form}.mlir"
        pipeline = f"--pass-pipeline=builtin.module({','.join(passes)})"
        ran = subprocess.run([tool, str(path), pipeline, "-o", str(made)], capture_output=True, check=False)
        if ran.returncode == 0 and made.stat().st_size < largest:
            found.append(made)
        else:
            made.unlink(missing_ok=True)
    return found


def lower_all(paths: Iterable[Path], folder: Path) -> None:
    """Lower the files at PATHS into FOLDER in all forms. Raises FileNotFoundError without mlir-opt-22."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        lower(path, folder, "mlir-opt-22", all_forms(), _LARGEST)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Lower programs with mlir-opt-22 in several forms.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder for what is made")
    parser.add_argument("--all", action="store_true", help="in all forms, about 70 for each file")
    options = parser.parse_args()
    tool = shutil.which("mlir-opt-22")
    if tool is None:
        parser.error("mlir-opt-22 is not on PATH")
    options.output.mkdir(parents=True, exist_ok=True)
    for path in options.files:
        forms = (all_forms(), _LARGEST) if options.all else (FORMS,)
        made = lower(path, options.output, tool, *forms)
        print(f"{path}: {', '.join(each.name for each in made) or 'cannot be lowered'}")


if __name__ == "__main__":
    main()
