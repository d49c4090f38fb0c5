"""Element maps, regions and sizes against programs that carry tags."""

from __future__ import annotations

import subprocess

import pytest

from tests.oracles.tags.judge import complaints
from tests.oracles.tags.products import draw
from tests.shared.seeds import seeds


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(15, of=60))
def test_random_programs(seed: int) -> None:
    assert complaints(draw(seed)) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs."""
    found = {seed: said for seed in range(1000, 4000) if (said := complaints(draw(seed)))}
    assert not found


@pytest.mark.slow
def test_mlir_opt_accepts_the_programs(mlir_opt: str) -> None:
    """Those without StableHLO, which it does not have, and without tosa, which has few types."""
    texts = [
        t for t in (draw(seed).text() for seed in range(3000)) if "stablehlo" not in t and "tosa" not in t
    ]
    assert len(texts) > 10
    command = [mlir_opt, "--split-input-file"]
    found = subprocess.run(
        command, input="// -----\n".join(texts), capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
