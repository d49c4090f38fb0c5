"""Programs of tosa and stablehlo against numpy: executed, and what is said of their elements."""

from __future__ import annotations

import random

import pytest

from tests.campaigns.operators import TABLES, drawn
from tests.oracles.operators.judge import stated, wrong_facts, wrong_results
from tests.shared.seeds import seeds, spread

CASES = [(dialect, name) for dialect, programs in TABLES.items() for name in programs]


@pytest.mark.parametrize(("dialect", "name"), CASES)
def test_each_operation_gives_the_numbers_that_numpy_gives(dialect: str, name: str) -> None:
    assert list(wrong_results(drawn(dialect, name, 1))) == []


@pytest.mark.parametrize(("dialect", "name"), spread(CASES, 12))
def test_what_is_said_of_an_operation_is_what_changed_elements_show(dialect: str, name: str) -> None:
    assert list(wrong_facts(drawn(dialect, name, 0))) == []


@pytest.mark.parametrize("seed", seeds(2, of=60))
@pytest.mark.parametrize("name", ["convolution", "reduce_window", "mixture"])
def test_windows_and_moved_elements(name: str, seed: int) -> None:
    assert list(wrong_facts(drawn("stablehlo", name, seed))) == []


@pytest.mark.parametrize(
    ("dialect", "name", "seed"),
    [
        ("stablehlo", "convolution", 0),  # groups of batches, and strides over holes
        ("stablehlo", "convolution", 16),
        ("stablehlo", "dynamic_iota", 0),
        ("stablehlo", "reduce_window", 3),
        ("tosa", "resize", 0),
        ("tosa", "resize", 1),
    ],
)
def test_maps_and_regions_are_exact(dialect: str, name: str, seed: int) -> None:
    assert stated(drawn(dialect, name, seed)) == (True, True)


@pytest.mark.fuzz
@pytest.mark.parametrize(("dialect", "name"), CASES)
def test_campaign(dialect: str, name: str) -> None:
    """The long campaign of `make fuzz`."""
    chance = random.Random(name)
    for seed in (chance.randrange(10**6) for _ in range(20)):
        builder = drawn(dialect, name, seed)
        assert [*wrong_results(builder), *wrong_facts(builder)] == [], seed
