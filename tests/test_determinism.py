"""The same input gives the same bytes in every process: order is by position in the program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import ROOT


def files() -> list[str]:
    found = (path for path in sorted((ROOT / "testdata").rglob("*.mlir")) if path.parent.name != "errors")
    return [str(path.relative_to(ROOT)) for path in found]


def everything(seed: int, environment: Mapping[str, str], root: Path) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.everything", str(seed), *files()],
        cwd=root, env={**environment, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_two_processes_print_the_same_bytes(environment: Mapping[str, str], root: Path) -> None:
    first, second = (everything(seed, {**os.environ, **environment}, root) for seed in (1, 2))
    differences = [(a, b) for a, b in zip(first, second, strict=False) if a != b]
    assert not differences[:5]
    assert len(first) == len(second)
