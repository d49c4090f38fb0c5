"""The benchmark's program is MLIR; its times are nobody's test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.mlir
def test_mlir_opt_accepts_the_generated_network(mlir_opt: str, root: Path) -> None:
    script = root / "benchmarks" / "resnet18.py"
    text = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True).stdout
    assert text.count("linalg.conv_2d_nchw_fchw") == 20
    ran = subprocess.run(
        [mlir_opt, "-", "-o", "/dev/null"], input=text, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
