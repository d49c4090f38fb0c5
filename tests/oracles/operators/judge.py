"""The judge: execution against arrays; maps, regions and zeros against arrays of which an element is changed.

A result element that moves has to be in the map. A pair of an exact map has to be on a path of elements, each
of which is seen moving the next one where the operation between them has any operands. The multiplications that
are not structurally zero are those of elements that are not always 0.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import islpy as isl
import numpy as np

import volcli
from tests.oracles.elements.perturbed import Pair, misjudged, pairs_at
from tests.oracles.operators.builder import DTYPES, Builder, Node
from tests.shared.running import Code
from volcli.execution.numbers.values import Tensor

SAMPLES = 8


def facts_of(text: str) -> Mapping[str, Any]:
    """volcli's answers, the last one of each question."""
    pipeline = "element-maps,sparsity-regions,structural-zeros"
    (file,) = volcli.loads(text).run(pipeline).to_json()["files"]
    wrong = [each for each in file["diagnostics"] if each["severity"] == "error"]
    assert not wrong, f"{wrong}\n{text}"
    return {fact["question"]: fact for fact in file["facts"]}


def wrong_facts(b: Builder) -> Iterator[str]:
    """What is wrong in what is said of the program."""
    chance = random.Random(1)
    count = SAMPLES * (4 if any(node.kind == "i1" for node in b.inputs) else 1)
    drawn = [b.draw(chance) for _ in range(count)]
    facts = facts_of(b.mlir())
    yield from _judged(b, facts, drawn, chance)
    if b.products and "zeros" in facts:
        yield from _zeros(b, facts["zeros"], drawn)


def facts_of_module(b: Builder) -> list[Mapping[str, Any]]:
    """The maps and regions of the program whose inputs a private function gives."""
    (file,) = volcli.loads(b.module()).run("element-maps,sparsity-regions").to_json()["files"]
    wrong = [each for each in file["diagnostics"] if each["severity"] == "error"]
    assert not wrong, f"{wrong}\n{b.module()}"
    return file["facts"]


def wrong_module(b: Builder) -> Iterator[str]:
    """What is wrong in what the program computes whose inputs a private function gives."""
    lines = [line for line in b.module().splitlines() if "custom_call" not in line]  # which only checks
    (found,), expected = Code("\n".join(lines))(function="main"), b.nodes[-1].sample
    if found.data.shape != expected.shape or not _alike(found.data, expected):
        yield f"is {found.data.tolist()}, not {expected.tolist()}"


def wrong_results(b: Builder) -> Iterator[str]:
    """What is wrong in what is executed."""
    code, chance = Code(b.mlir()), random.Random(0)
    for data in [b.draw(chance) for _ in range(3)]:
        (found,) = code(*(Tensor(data[node.name[1:]]) for node in b.inputs))
        expected = b.run(data)
        if found.data.shape != expected.shape:
            yield f"is of the shape {found.data.shape}, not {expected.shape}"
        elif not _alike(found.data, expected):
            yield f"is {found.data.tolist()}, not {expected.tolist()}, for {data}"
        else:
            continue
        return


def _alike(found: Any, expected: Any) -> bool:
    if expected.dtype.kind in "ib":
        return bool((found == expected).all())
    return bool(
        np.allclose(found.astype(np.float64), expected.astype(np.float64), 1e-3, 1e-3, equal_nan=True)
    )


def _judged(b: Builder, facts: Mapping[str, Any], drawn: list[Any], chance: random.Random) -> Iterator[str]:
    told, regions = facts["maps"], facts["regions"]
    mapped: set[Pair] = set()
    if told["map"]:
        shapes = {node.name[1:]: node.shape for node in b.inputs}
        mapped = pairs_at(isl.UnionMap(told["map"]), {}, shapes)
    moving: set[Pair] = set()
    numbers: dict[tuple[int, ...], set[Any]] = {}
    for data in drawn:
        before = b.run(data)
        for point in np.ndindex(*before.shape):
            number = before[point].item()
            numbers.setdefault(point, set()).add("NaN" if number != number else number)
        for node in b.inputs:
            name = node.name[1:]
            pairs = _moved(
                b, lambda x, data=data, name=name: b.run({**data, name: x}), node, data[name], chance
            )
            moving |= {(point, name, k) for point, k in pairs}
    if told["map"] or told["exact"]:
        if wrong := moving - mapped:
            yield f"{min(wrong)} moves, and is not in the map"
        inputs = {node.name[1:] for node in b.inputs}
        if told["exact"] and (idle := {pair for pair in mapped if pair[1] in inputs} - _reached(b, chance)):
            yield f"{min(idle)} is in the exact map, and no path leads there"
    finite = [region for region in regions["regions"] if "assumes" in region]
    yield from misjudged({**regions, "regions": finite}, numbers)
    for point, *_ in moving:
        numbers[point].add("moved")
    others = [region for region in regions["regions"] if "assumes" not in region]
    yield from misjudged({**regions, "regions": others}, numbers)


def _moved(
    b: Builder, run: Callable[[Any], Any], node: Node, data: Any, chance: random.Random
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The elements of what RUN makes of NODE that change with an element of its DATA."""
    before = run(data)
    for k in range(data.size):
        for new in _others(b, node, data.flat[k], chance):
            changed = data.copy()
            changed.flat[k] = new
            after = run(changed)
            differ = (after != before) & ((after == after) | (before == before))
            yield from ((point, k) for point in map(tuple, np.argwhere(differ).tolist()))


def _reached(b: Builder, chance: random.Random) -> set[Pair]:
    """The elements of inputs on a path to each element of the result; what no input reaches is a number."""
    paths: dict[Node, dict[tuple[int, ...], set[tuple[str, int]]]] = {}
    given = set(b.inputs)
    for node in b.inputs:
        paths[node] = {at: {(node.name[1:], k)} for k, at in enumerate(np.ndindex(*node.shape))}
    for node in b.nodes:
        own: dict[tuple[int, ...], set[tuple[str, int]]] = {at: set() for at in np.ndindex(*node.shape)}
        free = {each for each in node.operands if each in given}
        given |= {node} if free else set()
        for _ in range(4 * SAMPLES if free else 0):
            values = [b.like(each, chance) if each in free else each.sample for each in node.operands]
            for position, each in enumerate(node.operands):
                if each not in free:
                    continue

                def run(x: Any, at: int = position, values: Any = values, node: Node = node) -> Any:
                    return b.computed(node, [*values[:at], x, *values[at + 1 :]])

                places = list(np.ndindex(*each.shape))
                for point, k in _moved(b, run, each, values[position], chance):
                    own[point] |= paths[each][places[k]]
        paths[node] = own
    return {(at, *pair) for at, pairs in paths[b.nodes[-1]].items() for pair in pairs}


def _others(b: Builder, node: Node, old: Any, chance: random.Random) -> list[Any]:
    if node.kind == "i1":
        return [not old]
    number, (low, high) = DTYPES[node.kind], b.ranges.get(node.name[1:], (-6, 6))
    wide = 1000 if node.kind != "i8" else 100
    if (low, high) != (-6, 6):
        drawn = [number(chance.randint(low, high)) for _ in range(2)]
        return [old + number(1) if old < high else number(low), number(low), number(high), *drawn]
    infinite = [] if np.dtype(number).kind in "iu" else [number(np.inf)]
    return [old + number(1), number(chance.randint(-1, 1)), number(-wide), number(wide), *infinite]


def _zeros(b: Builder, fact: Mapping[str, Any], drawn: list[Any]) -> Iterator[str]:
    """A term of a product is of two elements that are not always the zero point, which are 1 more here."""
    every = [b.values(data) for data in drawn]
    ones: dict[Node, Any] = {}
    for node in b.products:
        zero = b.zero_points.get(node, 0)
        alive = np.any([values[node] != zero for values in every], 0)
        ones[node] = (alive + zero).astype(np.int8)
    last = b.nodes[-1]
    left = int(b.computed(last, [ones.get(each, each.sample * 0) for each in last.operands]).sum())
    found = fact["multiplications"] - max((row["zeros"] for row in fact["live"]), default=0)
    if found != left:
        yield f"{found} of {fact['multiplications']} multiplications are not zero, but {left} are not"


def stated(b: Builder) -> tuple[bool, bool]:
    """Whether the map and the regions of the result are exact."""
    facts = facts_of(b.mlir())
    return facts["maps"]["exact"], facts["regions"]["exact"]
