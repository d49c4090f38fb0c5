"""Zeros against IEEE 754: volcli against the oracle, and the oracle against mlir-runner-22."""

from __future__ import annotations

import pytest

from tests.oracles.zeros.draw import draw
from tests.oracles.zeros.judge import complaints
from tests.oracles.zeros.numbers import Cell, apply
from tests.oracles.zeros.peer import differences, is_determined
from tests.shared.execution import needs_runner
from tests.shared.seeds import seeds


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", seeds(40, of=80))
def test_random_programs(seed: int) -> None:
    assert complaints(draw(seed)) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs."""
    found = {seed: said for seed in range(1000, 4000) if (said := complaints(draw(seed)))}
    assert not found


@pytest.mark.slow
@needs_runner
def test_the_oracle_computes_what_mlir_runner_computes(mlir_opt: str) -> None:
    programs = [program for program in map(draw, range(120)) if is_determined(program)]
    assert differences(mlir_opt, programs, 1) == []


def test_flags_that_are_broken() -> None:
    inf, zero = Cell(float("inf")), Cell(0.0)
    assert apply("arith.mulf", ("nnan",), (zero, inf)).broken == {"nnan!", "ninf"}
    assert apply("arith.addf", (), (zero, Cell(1.0))).broken == set()
