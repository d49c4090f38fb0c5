"""Domains, masks and contractions: volcli against enumeration and IEEE 754, and that against mlir-runner-22."""

from __future__ import annotations

import pytest

from tests.oracles.zeros.draw_matrices import draw
from tests.oracles.zeros.judge_matrices import complaints
from tests.oracles.zeros.peer import differences_of_matrices
from tests.shared.execution import needs_runner
from tests.shared.seeds import seeds


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(10, of=40))
def test_random_programs(seed: int) -> None:
    assert complaints(draw(seed)) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs."""
    found = {seed: said for seed in range(1000, 3000) if (said := complaints(draw(seed)))}
    assert not found


@pytest.mark.slow
@needs_runner
def test_the_oracle_computes_what_mlir_runner_computes(mlir_opt: str) -> None:
    assert differences_of_matrices(mlir_opt, [draw(seed) for seed in range(60)], 1) == []
