"""The judge of element maps by perturbation: change an input element, and see which results move.

A result that moves has to be in the map (soundness). In a map that calls itself exact, each pair has to be
seen moving, for some inputs; in exact regions each element that is not static. The functions compared are
generic: no program subtracts a number from itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import islpy as isl
import numpy as np

import volcli
from tests.oracles.elements.compare import enumerate_set, points_of
from tests.shared.recorded import Recorded
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.runs.inputs import Inputs

Data = Mapping[str, Sequence[Any]]
Point = tuple[int, ...]
Pair = tuple[Point, str, int]
Run = Callable[[Data], Mapping[Point, Any]]
Draw = Callable[[random.Random], Data]

SAMPLES = 40
PIPELINE = "element-maps,sparsity-regions"


def facts_of(text: str) -> Mapping[str, Any]:
    """volcli's answers about the result, by question."""
    (file,) = volcli.load(text).run(PIPELINE).to_json()["files"]
    assert not [d for d in file["diagnostics"] if d["severity"] == "error"], text
    return {fact["question"]: fact for fact in file["facts"]}


class Executed:
    """The function in TEXT of tensors to one tensor, executed: integers are taken modulo their width."""

    def __init__(self, text: str) -> None:
        self._recorded = Recorded(text)
        block = self._recorded.functions["f"].body.block
        self._formats = [format_of(argument.type) for argument in block.args]
        self._names = [argument.name_hint or "" for argument in block.args]

    def _tensors(self, data: Data) -> list[Tensor]:
        return [
            Tensor(np.array([format.number(each) for each in data[name]], format.dtype))
            for name, format in zip(self._names, self._formats, strict=True)
        ]

    def numbers(self, data: Data) -> Mapping[Point, Any]:
        """The elements of the result."""
        (result,) = self._recorded(*self._tensors(data))
        return dict(zip(np.ndindex(*result.data.shape), result.data.ravel().tolist(), strict=True))

    def value(self, name: str, data: Data) -> int:
        """What the scalar value NAME is."""
        arrays = dict(zip(self._names, (each.data for each in self._tensors(data)), strict=True))
        seen = self._recorded.run(Inputs(elements=arrays)).seen
        (found,) = (each for value, each in seen.items() if self._recorded.parsed.names.of(value) == name)
        return found[0]


def judged(text: str, draw: Draw, specials: Sequence[Any] = ()) -> Iterator[str]:
    """What is wrong in what is said of maps and regions of the function in TEXT, for inputs that DRAW gives.

    SPECIALS are numbers that data may become beside those that are drawn, as infinities.
    """
    chance = random.Random(0)
    facts, executed = facts_of(text), Executed(text)
    run: Run = executed.numbers
    told, regions = facts["maps"], facts["regions"]
    relation = isl.UnionMap(told["map"]) if told["map"] else None
    numbers: dict[Point, set[Any]] = {}
    moving: set[Pair] = set()
    mapped: set[Pair] = set()
    cached: dict[tuple[int, ...], set[Pair]] = {}
    for _ in range(SAMPLES):
        data = draw(chance)
        before = run(data)
        for point, number in before.items():
            numbers.setdefault(point, set()).add("NaN" if number != number else number)
        if relation is None:
            continue
        values = {p["name"]: executed.value(p["value"], data) for p in told["parameters"]}
        key = tuple(values.values())
        if key not in cached:
            cached[key] = pairs_at(relation, values)
        mapped |= cached[key]
        for pair in moved(run, data, before, chance, specials):
            moving.add(pair)
            if pair not in cached[key]:
                yield f"{pair} moves, and is not in the map (parameters {values})"
                return
    inputs = set(draw(chance))
    if told["exact"] and (idle := {p for p in mapped if p[1] in inputs} - moving):
        yield f"{min(idle)} is in the exact map, and never moves"
    yield from misjudged(regions, numbers)


def moved(
    run: Run, data: Data, before: Mapping[Point, Any], chance: random.Random, specials: Sequence[Any] = ()
) -> Iterator[Pair]:
    """The pairs (result element, input, input element) where a change of the second changes the first."""
    others = [number for elements in data.values() for number in elements]
    for name, elements in data.items():
        for k, old in enumerate(elements):
            near = chance.choice(others_of(old, others)) + chance.randint(-1, 1)
            for new in (
                old + 1,
                old + chance.choice((-1, 2, 64, -(10**6), 2**40)),
                near,
                *others_of(old, specials),
            ):
                changed = [*elements[:k], new, *elements[k + 1 :]]
                after = run({**data, name: changed})
                yield from ((p, name, k) for p, number in before.items() if differ(after[p], number))


def others_of(number: Any, others: Sequence[Any]) -> list[Any]:
    """Those of OTHERS that are of the type of NUMBER."""
    return [other for other in others if type(other) is type(number)]


def differ(a: Any, b: Any) -> bool:
    """Whether two numbers are not the same; NaN is."""
    return a != b and (a == a or b == b)


def pairs_at(
    relation: isl.UnionMap, values: Mapping[str, int], shapes: Mapping[str, tuple[int, ...]] | None = None
) -> set[Pair]:
    """The pairs of RELATION where its parameters have these VALUES; inputs of SHAPES are flattened."""
    fixed = isl.Set(
        f"[{', '.join(values)}] -> {{ : {' and '.join(f'{n} = {v}' for n, v in values.items()) or 'true'} }}"
    )
    found: set[Pair] = set()
    pieces = relation.intersect_params(fixed).get_map_list()
    for number in range(pieces.n_map()):
        piece = pieces.get_at(number)
        name, rank = piece.get_tuple_name(isl.dim_type.out), piece.dim(isl.dim_type.in_)
        within = piece.wrap().reset_tuple_id().flatten().project_out_all_params()
        shape = (shapes or {}).get(name)
        for place in enumerate_set(within):
            at = place[rank:]
            number = int(np.ravel_multi_index(at, shape)) if at and shape else sum(at[:1])
            found.add((place[:rank], name, number))
    return found


def misjudged(regions: Mapping[str, Any], numbers: Mapping[Point, set[Any]]) -> Iterator[str]:
    """Static elements that differ between runs, zeros that are none; in exact regions, the converse."""
    for region in regions["regions"]:
        for point in sorted(points_of(region["set"])):
            if region["kind"] == "static" and len(numbers[point]) > 1:
                yield f"{point} is called static, and differs"
            if region.get("zero") and numbers[point] != {0}:
                yield f"{point} is called zero, and is {numbers[point]}"
            if region["kind"] == "dense" and regions["exact"] and len(numbers[point]) == 1:
                yield f"{point} is exactly dense, and is always the same"
