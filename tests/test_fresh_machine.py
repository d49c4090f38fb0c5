"""A machine without LLVM 22: what a test finds on PATH, and which tests are left out there."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def test_a_test_without_the_mark_finds_no_tool_of_llvm() -> None:
    assert shutil.which("mlir-opt-22") is None
    assert shutil.which("mlir-runner-22") is None
    assert shutil.which("sh") is not None, "everything else is still there"


def test_a_test_that_takes_mlir_opt_has_the_mark(mlir_opt: str, request: pytest.FixtureRequest) -> None:
    """This one, without being marked by hand, and every other."""
    assert request.node.get_closest_marker("mlir")
    assert shutil.which("mlir-opt-22") == mlir_opt
    takers = [item for item in request.session.items if "mlir_opt" in getattr(item, "fixturenames", ())]
    assert all(item.get_closest_marker("mlir") for item in takers)


@pytest.mark.slow
def test_without_the_tool_they_are_skipped(path_without_mlir: str, root: Path) -> None:
    """As a process of its own on such a machine: the tests above, two of which take what is not there."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", __file__]
    ran = subprocess.run(
        [*command, "-k", "has_the_mark or finds_no_tool"],
        env={"PATH": path_without_mlir},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed, 1 skipped" in ran.stdout, ran.stdout + ran.stderr
