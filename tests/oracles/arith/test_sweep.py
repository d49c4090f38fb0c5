"""Every integer operation on few bits, for all operands: bounds, claims, conditions and findings against runs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from tests.oracles.arith.execute import POISON, Undefined, binary
from tests.oracles.arith.judge import complaints
from tests.oracles.arith.programs import Program, casts, compositions, index_operations, single_operations
from tests.shared.seeds import seeds

SWEEPS: dict[str, Callable[[], Iterator[Program]]] = {
    "i1": lambda: single_operations(1),
    "i4": lambda: single_operations(4),
    "i8": lambda: single_operations(8),
    "casts": casts,
    "index": index_operations,
}
FEW = 12
"""Programs of each sweep in every run of the tests."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SWEEPS)
def test_some_operations(name: str) -> None:
    chosen = random.Random(name).sample([*SWEEPS[name]()], FEW)
    assert [each for program in chosen for each in complaints(program)] == []


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(16))
@pytest.mark.parametrize("name", SWEEPS)
def test_all_operations(name: str, part: int) -> None:
    assert [each for program in [*SWEEPS[name]()][part::16] for each in complaints(program)] == []


@pytest.mark.slow
@pytest.mark.parametrize("block", seeds(2, of=200))
def test_compositions(block: int) -> None:
    programs = (compositions(f"{block}/{number}") for number in range(10))
    assert [each for program in programs for each in complaints(program)] == []


def test_the_least_number_by_minus_one() -> None:
    for name in ("divsi", "ceildivsi", "floordivsi"):
        with pytest.raises(Undefined):
            binary(name, -8, -1, 4)
    assert binary("remsi", -8, -1, 4) == 0
    assert binary("addi", 7, 1, 4, ("nsw",)) is POISON
