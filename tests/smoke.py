"""volcli as it is installed: the wheel and the sdist, in an empty environment of each Python that is there.

    python -m tests.smoke [PYTHON...]

Without PYTHON, of each of `PYTHONS` on the PATH or in pyenv. Every one of `LINES` must end as it does in this
environment, with the same bytes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LINES = (
    "volcli --version",
    "volcli examples --into examples",
    "volcli annotate examples/conv_layer.mlir -p infer-shapes,sparsity-regions",
    "volcli analyze examples/*.mlir --ask shapes,bounds,dependences,regions --format json",
    "volcli opt examples/conv_layer.mlir -p partition",
    "volcli check examples --no-cache --format json | grep -v '\"seconds\"'",
    "volcli diff examples/smoothed.mlir examples/smoothed_wrong.mlir",
    "volcli run examples/smoothed.mlir",
    "volcli explain examples/shifted_rows.mlir:9",
    "volcli report examples --no-cache --no-times -q -o -",
    'python -c \'import volcli; print(volcli.load("examples/conv_layer.mlir").function("krnl0").regions("%act0"))\'',
)


def pythons() -> Iterator[str]:
    """The interpreters of `PYTHONS` that are installed."""
    for version in PYTHONS:
        pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        found = shutil.which(f"python{version}") if not pyenv else str(pyenv[-1])
        if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
            yield found
        else:
            print(f"Python {version} is not here")


def said(binaries: Path, folder: Path) -> list[str]:
    """What `LINES` print with the programs in BINARIES, run in FOLDER."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment["PATH"] = f"{binaries}{os.pathsep}{environment['PATH']}"
    found: list[str] = []
    for line in LINES:
        ran = subprocess.run(
            ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        found.append(f"{line}\nexit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return found


def installed(python: str, package: Path, folder: Path) -> list[str]:
    """What PACKAGE says in a new environment of PYTHON, with what its metadata asks for and nothing else."""
    environment = folder / "environment"
    subprocess.run([python, "-m", "venv", str(environment)], check=True)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", str(package)], check=True)
    return said(environment / "bin", folder)


def main(chosen: list[str]) -> int:
    """How many environments differ from this one."""
    wrong = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder / "dist")]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
        (folder / "here").mkdir()
        expected = said(Path(sys.executable).parent, folder / "here")
        for python in chosen or pythons():
            for package in sorted((folder / "dist").iterdir()):
                own = Path(tempfile.mkdtemp(dir=folder))
                found = installed(python, package, own)
                differing = [
                    one.partition("\n")[0] for one, other in zip(found, expected, strict=True) if one != other
                ]
                wrong += bool(differing)
                print(f"{python} {package.name}: {', '.join(differing) or 'as here'}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
