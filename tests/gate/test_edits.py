"""Warm runs against cold ones: after any edit of a repository the cache changes nothing in what is said."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.shared.seeds import seeds


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, of=40))
def test_a_warm_run_says_what_a_cold_one_says(seed: int) -> None:
    """Eight edits of one repository; `make fuzz-edits` makes more. Each run is forked from a process without threads."""
    command = [
        sys.executable,
        "-m",
        "tests.campaigns.edits",
        "--projects",
        "1",
        "--edits",
        "12",
        "--seed",
        str(seed),
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
