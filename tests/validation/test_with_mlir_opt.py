"""`volcli validate` with mlir-opt, and with one that has a wrong pass."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import volcli as library
from tests.conftest import Run
from tests.validation.tools import BEFORE, breaking

PASSES = "builtin.module(func.func(affine-loop-unroll{unroll-factor=2}),canonicalize,cse)"


def test_every_pass_is_right(mlir_opt: str, tmp_path: Path) -> None:
    (tmp_path / "p.mlir").write_text(BEFORE)
    found = library.validate(tmp_path / "p.mlir", ["-lower-affine", "-convert-func-to-llvm"], tool=mlir_opt)
    assert [(each.title, each.verdict) for each in found.steps] == [("lower-affine", "equal")]
    assert (found.broken, found.ended) == (
        False,
        "convert-func-to-llvm makes llvm.func: from there on nothing is compared",
    )


@pytest.mark.slow
def test_a_wrong_pass_has_a_small_reproducer(mlir_opt: str, tmp_path: Path, volcli: Run) -> None:
    text = BEFORE.replace("      affine.store", "      %y = arith.addf %x, %x : f32\n      affine.store", 1)
    (tmp_path / "p.mlir").write_text(text + text.replace("@f", "@h").replace("@g", "@k"))
    tool, folder = breaking(tmp_path, mlir_opt), tmp_path / "small"
    words = "--tool", tool, "--pass-pipeline", PASSES, "--no-cache", "--reproducers", str(folder), "-j1"
    ran = volcli("validate", str(tmp_path / "p.mlir"), *words)
    assert ran.returncode == 1
    (path,) = folder.iterdir()
    assert f"reproducer: {path}" in ran.stdout
    program = [line for line in path.read_text().split("\n") if line and not line.startswith("//")]
    assert len(program) <= 20
    command = path.read_text().split("\n")[1].removeprefix("//   ").partition(" | ")[0]
    after = subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout
    (tmp_path / "after.mlir").write_text(after)
    assert volcli("diff", str(path), str(tmp_path / "after.mlir")).returncode == 1
