"""Regions relative to chosen values, against brute force: these alone are data, in random programs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

import volcli
from tests.oracles.elements.compare import affine_values, is_asked, judge_regions
from tests.oracles.elements.facts import evaluate
from tests.oracles.elements.nodes import Constant
from tests.oracles.elements.programs import Program
from tests.oracles.elements.strategies import seeded
from tests.oracles.elements.values import Value
from tests.shared.seeds import seeds


def complaints(program: Program, data: Sequence[Value]) -> Iterator[str]:
    """Where the answers about PROGRAM and the enumeration differ, if the elements of DATA alone are data."""
    names = ",".join(map(str, data))
    answer = volcli.loads(program.mlir()).run(f"sparsity-regions{{of=all relative-to={names}}}").to_json()
    told = {str(fact["value"]).removeprefix("%"): fact for file in answer["files"] for fact in file["facts"]}
    evaluation, exact = evaluate(program, data), affine_values(program)
    for value in program.values:
        fact = told.get(value.name)
        if fact is None:
            if is_asked(program, value):
                yield f"{value}: no answer"
            continue
        assert fact["relative_to"] == [str(each) for each in data]
        for complaint in judge_regions(program, evaluation, value, fact):
            yield f"{value} relative to {names}: {complaint}"
        if value in exact and not fact["exact"]:
            yield f"{value} relative to {names}: inexact without need: {fact['reason']}"


def chosen(program: Program, chance: random.Random) -> list[Value]:
    """One or two values that are data: mostly arguments, for else it is mostly all or nothing."""
    computed = [node.result for node in program.nodes if not isinstance(node, Constant)]
    values = [*program.arguments] * 3 + [value for value in computed if value.tensor]
    return list(dict.fromkeys(chance.choices(values, k=chance.choice((1, 1, 2)))))


@pytest.mark.slow
@pytest.mark.parametrize("ten", seeds(3, of=10))
def test_random_programs(ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        program = seeded(seed)
        found = list(complaints(program, chosen(program, random.Random(seed))))
        assert not found, f"seed {seed}: {found[0]}\n{program.mlir()}"
