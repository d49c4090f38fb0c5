"""The wheel holds what it should, and runs where nothing of this tree is."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    # hatchling itself, and not `pip wheel`: that would fetch hatchling into an environment of its own.
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=root,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def test_top_level(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.partition("/")[0] for name in archive.namelist()}
        assert not [name for name in archive.namelist() if name.endswith((".pyc", "ruff.toml"))]
    version = wheel.name.split("-")[1]
    assert top == {"volcli", "volcli_dialects", f"volcli-{version}.dist-info"}


def test_runs_from_a_new_environment(wheel: Path, root: Path, tmp_path: Path) -> None:
    """Offline and in seconds: only volcli is installed anew; what it depends on is this environment's.

    A .pth file in the new environment names this one's site-packages. Python reads .pth files only in its
    own, so that an editable volcli of this environment (which is one) stays out of sight.
    """
    where = tmp_path / "env"
    venv.create(where, with_pip=False)
    scripts = where / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "--disable-pip-version-check",
         "install", "--quiet", "--no-index", "--no-deps", str(wheel)],
        check=True,
    )  # fmt: skip
    paths = sysconfig.get_paths(vars={"base": str(where), "platbase": str(where)})
    ours = sysconfig.get_paths()
    Path(paths["purelib"], "dependencies.pth").write_text(f"{ours['purelib']}\n{ours['platlib']}\n")

    def run(*command: str) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        return subprocess.run(
            [str(scripts / command[0]), *command[1:]],
            cwd=tmp_path,  # not the tree, where `import volcli` would find the sources
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    for package in ("volcli", "volcli_dialects"):
        assert run("python", "-c", f"import {package}; print({package}.__file__)").startswith(str(where))
    layer = root / "testdata" / "linalg" / "conv_layer.mlir"
    assert "// volcli:" in run("volcli", "opt", str(layer), "-p", "infer-shapes,sparsity-regions")
