"""Warm runs against cold ones: after any edit of a large file the cache changes nothing in what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaigns.edits import differences
from tests.shared.seeds import seeds


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, of=100))
def test_a_warm_run_says_what_a_cold_one_says(tmp_path: Path, seed: int) -> None:
    """Ten edits of one document: with each seed, `make fuzz` checks a thousand."""
    assert not differences(tmp_path, seed, 10, fresh=True)
