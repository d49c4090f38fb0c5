"""The tests of tests/cli/filecheck, which are written as users of MLIR write theirs, run by lit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest


@pytest.mark.slow
def test_lit(root: Path, environment: Mapping[str, str], tmp_path: Path) -> None:
    ran = subprocess.run(
        [
            sys.executable,
            "-c",
            "from lit.main import main; main()",
            "-v",
            "--order=lexical",
            "tests/cli/filecheck",
        ],
        capture_output=True,
        text=True,
        cwd=root,
        env={**environment, "VOLCLI_LIT_OUTPUT": os.fspath(tmp_path)},
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Passed" in ran.stdout
