"""Random programs of tosa and stablehlo: what they compute, as they are and as linalg, is what numpy says."""

from __future__ import annotations

import random
from typing import Any

import islpy as isl
import numpy as np
import pytest

import volcli
from tests.oracles.tensor_programs import TensorProgram, drawn
from tests.shared.seeds import seeds
from volcli.execution.runs.inputs import Inputs

SEEDS = seeds(24, of=150)
MULTIPLYING_SEEDS = range(40)


def computed(text: str, inputs: dict[str, Any]) -> Any:
    program = volcli.loads(text)
    assert program.exit_code == 0, text
    elements = {name.removeprefix("%"): value for name, value in inputs.items()}
    ran = program.function("f").run(Inputs(elements=elements))
    assert (ran.stopped, ran.undefined) == (None, None), text
    (result,) = ran.results
    return np.asarray(result)


def assert_unchanged_by(pipeline: str, seed: int) -> None:
    """What PIPELINE makes of the program of SEED computes what that does."""
    program = drawn(seed)
    changed = volcli.loads(program.text).run(pipeline).text()
    assert np.array_equal(computed(changed, program.inputs), program.value), program.text


def map_of(program: TensorProgram) -> isl.UnionMap:
    """The element map of the result, which is exact."""
    [fact] = volcli.loads(program.text).run("element-maps").to_json()["files"][0]["facts"]
    assert fact["exact"], program.text
    return isl.UnionMap(fact["map"])


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", SEEDS)
def test_numpy_says_the_same(seed: int) -> None:
    program = drawn(seed)
    assert np.array_equal(computed(program.text, program.inputs), program.value), program.text


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_as_linalg_it_is_the_same(seed: int) -> None:
    assert_unchanged_by("as-linalg", seed)


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_changes_with_an_element_is_in_its_map(seed: int) -> None:
    program, draw = drawn(seed), random.Random(seed)
    relation = map_of(program)
    for name, value in program.inputs.items():
        at = tuple(draw.randrange(n) for n in value.shape)
        changed = {**program.inputs, name: value.copy()}
        changed[name][at] += 50
        moved = np.argwhere(computed(program.text, changed) != program.value)
        element = isl.UnionSet(f"{{ {name.removeprefix('%')}[{', '.join(map(str, at))}] }}")
        reading = relation.intersect_range(element).domain()
        for place in moved:
            text = f"{{ {program.name.removeprefix('%')}[{', '.join(map(str, place))}] }}"
            assert isl.UnionSet(text).is_subset(reading), (program.text, name, at, text)


def facts(text: str, pipeline: str) -> list[dict[str, Any]]:
    return volcli.loads(text).run(pipeline).to_json()["files"][0]["facts"]


def zeros(text: str) -> list[Any]:
    return [
        (fact["multiplications"], [(live["assumes"], live["zeros"]) for live in fact["live"]])
        for fact in facts(text, "structural-zeros")
    ]


def regions(text: str) -> list[Any]:
    return [
        [(each["kind"], each["degree"], each["count"]) for each in fact["regions"]]
        for fact in facts(text, "sparsity-regions")
    ]


MULTIPLYING = [
    n for n in MULTIPLYING_SEEDS if any(w in drawn(n).lines[-1] for w in ("dot_", "matmul", "conv"))
]


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", MULTIPLYING)
def test_zeros_and_regions_are_those_of_the_linalg_form(seed: int) -> None:
    text = drawn(seed).text
    changed = volcli.loads(text).run("as-linalg").text()
    assert "linalg.generic" in changed
    assert (zeros(text), regions(text)) == (zeros(changed), regions(changed))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", MULTIPLYING)
def test_partitioned_it_is_the_same(seed: int) -> None:
    assert_unchanged_by("as-linalg,partition{assume-finite part-cost=8}", seed)
