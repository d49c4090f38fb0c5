"""What volcli says of a program, against its runs."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

import islpy as isl
import numpy as np

import volcli
from tests.oracles.elements.compare import enumerate_set, points_of
from tests.oracles.tags.cells import Index, Tag, indices
from tests.oracles.tags.programs import Data, Program, Values

RUNS = 4
ERRORS = frozenset(("V103", "V104", "V110", "V201", "V202", "V900"))
Pair = tuple[Index, Tag]


def complaints(program: Program, seed: int = 0) -> list[str]:
    """What is wrong in what is said of the last values of PROGRAM."""
    loaded = volcli.loads(program.text(), via="xdsl")
    chance = random.Random(seed)
    runs = [list(_perturbed(program, chance)) for _ in range(RUNS)]
    function = loaded.function("f")
    found, tags = list[str](), program.tags()
    for name in program.steps[-4:]:
        fact = function.element_map(f"%{name}")
        if fact.map is not None:
            pairs = _pairs(fact.map, program)
            found += [
                f"%{name}: {each}" for each in _of_map(name, runs, pairs, tags[name] if fact.exact else None)
            ]
        regions = function.regions(f"%{name}").to_json()["regions"]
        found += [f"%{name}: {each}" for each in _of_regions(name, runs, regions)]
    return [*found, *(str(d.message) for d in loaded.diagnostics if d.code in ERRORS)]


Run = tuple[Tag | None, Values]
"""The element that was changed, and what the program computes then."""


def _drawn(kind: str, chance: random.Random) -> int:
    return chance.randint(0, 1) if kind == "b" else chance.choice((-3, -2, -1, 0, 1, 2, 5))


def _perturbed(program: Program, chance: random.Random) -> Iterator[Run]:
    """A run, and one for each change of an element."""
    data: Data = {
        name: {i: _drawn(kind, chance) for i in indices(shape)}
        for name, (kind, shape) in program.shapes.items()
        if name in program.arguments
    }
    yield None, program.run(data)
    for name, elements in data.items():
        for index, old in elements.items():
            for new in {_drawn(program.shapes[name][0], chance) for _ in range(3)} - {old}:
                yield (name, index), program.run({**data, name: {**elements, index: new}})


def _pairs(relation: isl.UnionMap, program: Program) -> set[Pair]:
    """The pairs of RELATION that lead to arguments."""
    found: set[Pair] = set()
    pieces = relation.get_map_list()
    for number in range(pieces.n_map()):
        piece = pieces.get_at(number)
        name, rank = piece.get_tuple_name(isl.dim_type.out), piece.dim(isl.dim_type.in_)
        if name in program.arguments:
            whole = piece.wrap().reset_tuple_id().flatten().project_out_all_params()
            found |= {(place[:rank], (name, place[rank:])) for place in enumerate_set(whole)}
    return found


def _of_map(
    name: str, runs: list[list[Run]], mapped: set[Pair], tags: Mapping[Index, Collection[Tag]] | None
) -> Iterator[str]:
    """What is wrong with the pairs MAPPED; TAGS are given if they are said to be exact."""
    for run in runs:
        (_, before), *after = run
        for tag, values in after:
            for index in map(tuple, np.argwhere(before[name] != values[name]).tolist()):
                if tag is not None and (index, tag) not in mapped:
                    yield f"{index} moves with {tag}, which is not in the map"
                    return
    if tags is not None:
        possible = {(index, tag) for index, of in tags.items() for tag in of}
        if not mapped <= possible:
            yield f"{min(mapped - possible)} is in the exact map, and impossible"


def _of_regions(name: str, runs: list[list[Run]], regions: list[Mapping[str, object]]) -> Iterator[str]:
    for region in regions:
        for index in sorted(points_of(str(region["set"]))):
            numbers = [values[name][index].item() for run in runs for _, values in run]
            if region["kind"] == "static" and any(a != b for a, b in pairwise(numbers)):
                yield f"{index} is called static, and moves"
            if region.get("zero") and set(numbers) != {0}:
                yield f"{index} is called zero, and is {numbers[0]}"
