"""Every integer operation on few bits, for all operands: bounds, claims, conditions and findings against runs.

A few programs of each sweep; `make fuzz-arith` judges all of them.
"""

from __future__ import annotations

import random

import pytest

from tests.oracles.arith.execute import POISON, Undefined, binary
from tests.oracles.arith.judge import complaints
from tests.oracles.arith.sweep import SWEEPS

FEW = 5
"""Programs of each sweep in every run of the tests; of long ones, fewer."""
LONG = {"nests": 1, "pairs": 3, "compositions": 3}


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "pairs" else name for name in SWEEPS]
)
def test_some_programs(name: str) -> None:
    chosen = random.Random(name).sample([*SWEEPS[name]()], LONG.get(name, FEW))
    assert [each for program in chosen for each in complaints(program)] == []


def test_the_least_number_by_minus_one() -> None:
    for name in ("divsi", "ceildivsi", "floordivsi"):
        with pytest.raises(Undefined):
            binary(name, -8, -1, 4)
    assert binary("remsi", -8, -1, 4) == 0
    assert binary("addi", 7, 1, 4, ("nsw",)) is POISON
