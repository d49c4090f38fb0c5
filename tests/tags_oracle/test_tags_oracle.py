"""Element maps, regions and sizes against programs that carry tags."""

from __future__ import annotations

import subprocess

import pytest

from tests.tags_oracle.judge import complaints
from tests.tags_oracle.products import draw


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int) -> None:
    assert complaints(draw(seed)) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs."""
    found = {seed: said for seed in range(1000, 3000) if (said := complaints(draw(seed)))}
    assert not found


@pytest.mark.mlir
def test_mlir_opt_accepts_the_programs(mlir_opt: str) -> None:
    """Those without StableHLO's own syntax, which it does not have, and without dialects that it has read."""
    texts = [text for text in (draw(seed).text() for seed in range(120)) if "stablehlo" not in text]
    assert len(texts) > 3
    for text in texts:
        command = [mlir_opt, "--verify-each=0"]
        found = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert found.returncode == 0, (text, found.stderr)
