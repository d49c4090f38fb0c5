"""Element maps and regions against execution with perturbed inputs: bodies of numbers, loaded subscripts."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.oracles.elements import (
    loaded_subscripts,
    numbers_elsewhere,
    numbers_from_tensors,
    numbers_of_loops,
)
from tests.oracles.elements.perturbed import Data, judged
from tests.shared.seeds import seeds


def wide(chance: random.Random) -> Data:
    """Numbers of all magnitudes for the bodies."""

    def number() -> int:
        return chance.randint(-(10 ** chance.choice((1, 6, 18))), 10 ** chance.choice((1, 6, 18)))

    rows, columns = numbers_of_loops.ROWS, numbers_of_loops.COLUMNS
    return {
        "y": [number() for _ in range(rows)],
        "x": [number() for _ in range(columns)],
        "p": [chance.randint(0, 40)],
    }


def complaints_about_body(seed: int) -> list[str]:
    return list(judged(numbers_of_loops.drawn(seed).mlir(), wide))


def complaints_about_masks(seed: int) -> list[str]:
    return list(judged(numbers_from_tensors.drawn(seed).mlir(), wide))


def complaints_about_subscript(seed: int) -> list[str]:
    return list(judged(loaded_subscripts.drawn(seed), loaded_subscripts.inputs))


def complaints_elsewhere(seed: int) -> list[str]:
    program = numbers_elsewhere.drawn(seed)
    return list(judged(program.mlir(), program.inputs, program.specials))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(4, of=40))
def test_bodies_that_compute_with_their_loops(seed: int) -> None:
    assert complaints_about_body(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(4, of=60))
def test_numbers_that_operations_before_compute(seed: int) -> None:
    assert complaints_about_masks(seed) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", seeds(4, of=48))
def test_indices_of_generate_and_pad_with_integers_floats_and_complex_numbers(seed: int) -> None:
    assert complaints_elsewhere(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(4, of=40))
def test_subscripts_from_data(seed: int) -> None:
    assert complaints_about_subscript(seed) == []


@pytest.mark.fuzz
@pytest.mark.parametrize(
    "complaints",
    [complaints_about_body, complaints_about_masks, complaints_about_subscript, complaints_elsewhere],
)
def test_campaign(complaints: Callable[[int], list[str]]) -> None:
    """The long campaign of `make fuzz`."""
    found = {seed: wrong for seed in range(1000) if (wrong := complaints(seed))}
    assert found == {}
