"""What volcli says of a program, against its runs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise

import islpy as isl

import volcli
from tests.oracles.elements.compare import enumerate_set, points_of
from tests.oracles.tags.cells import Index, Tag, Tensor, indices
from tests.oracles.tags.programs import Data, Program

RUNS = 4
ERRORS = frozenset(("V103", "V104", "V110", "V201", "V202", "V900"))
Pair = tuple[Index, Tag]


def complaints(program: Program, seed: int = 0) -> list[str]:
    """What is wrong in what is said of the last values of PROGRAM."""
    loaded = volcli.loads(program.text(), via="xdsl")
    chance = random.Random(seed)
    runs = [list(_perturbed(program, chance)) for _ in range(RUNS)]
    function = loaded.function("f")
    found: list[str] = []
    for name, _ in program.steps[-4:]:
        fact = function.element_map(f"%{name}")
        if fact.map is not None:
            pairs = _pairs(fact.map, program)
            found += [f"%{name}: {each}" for each in _of_map(name, runs, pairs, fact.exact)]
        regions = function.regions(f"%{name}").to_json()["regions"]
        found += [f"%{name}: {each}" for each in _of_regions(name, runs, regions)]
    return [*found, *(str(d.message) for d in loaded.diagnostics if d.code in ERRORS)]


Run = tuple[Tag | None, Mapping[str, Tensor]]
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


def _of_map(name: str, runs: list[list[Run]], mapped: set[Pair], exact: bool) -> Iterator[str]:
    possible: set[Pair] = set()
    for run in runs:
        (_, before), *after = run
        for index, cell in before[name].cells.items():
            possible |= {(index, tag) for tag in cell.tags}
            for tag, values in after:
                if (
                    tag is not None
                    and values[name].cells[index].number != cell.number
                    and (index, tag) not in mapped
                ):
                    yield f"{index} moves with {tag}, which is not in the map"
                    return
    if exact and not mapped <= possible:
        yield f"{min(mapped - possible)} is in the exact map, and impossible"


def _of_regions(name: str, runs: list[list[Run]], regions: list[Mapping[str, object]]) -> Iterator[str]:
    for region in regions:
        for index in sorted(points_of(str(region["set"]))):
            numbers = [values[name].cells[index].number for run in runs for _, values in run]
            if region["kind"] == "static" and any(a != b for a, b in pairwise(numbers)):
                yield f"{index} is called static, and moves"
            if region.get("zero") and set(numbers) != {0}:
                yield f"{index} is called zero, and is {numbers[0]}"
