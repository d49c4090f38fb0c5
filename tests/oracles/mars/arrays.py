"""Arrays for all that a program accesses: as large as that, or larger, with strides, and reached through views."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from tests.oracles.mars.enumeration import (
    SUM,
    Access,
    Affine,
    If,
    Loaded,
    Loop,
    Node,
    Program,
    Statement,
    execute,
)
from tests.oracles.mars.texts import Array
from tests.oracles.mars.views import drawn_view

ELEMENTS = ("f32", "f32", "f32", "f64", "i8", "f16", "i64")


def drawn_arrays(
    chance: random.Random | None, program: Program, element: str = "f32"
) -> tuple[Program, dict[str, Array]]:
    """PROGRAM with indices from 0, and arrays of ELEMENT for all that it accesses.

    By CHANCE with more room, and of other types."""
    trace = execute(program)
    elements: dict[str, list[tuple[int, ...]]] = {}
    indexed = {number: place for number, place in trace.places.items() if place.access.array != SUM}
    for number, place in indexed.items():
        found = [element for _, element, _ in trace.reads.get(number, ())]
        found += list(trace.writes.get(number, {}).values())
        elements.setdefault(place.access.array, []).extend(found)
    kind = element if chance is None else chance.choice(ELEMENTS)
    arrays: dict[str, Array] = {}
    least: dict[str, tuple[int, ...]] = {}
    ranks = {place.access.array: len(place.access.index) for place in indexed.values()}
    for name, each in sorted(elements.items()):
        columns = list(zip(*each, strict=True)) or [(0,)] * ranks[name]
        least[name] = tuple(map(min, columns))
        sizes = [max(column) - min(column) + 1 for column in columns]
        if chance is not None:
            sizes = [size + chance.choice((0, 0, 0, 1, 5)) for size in sizes]
        is_dynamic = bool(program.symbols) or (chance is not None and chance.random() < 0.1)
        strides = () if chance is None or is_dynamic else _strides(chance, sizes)
        shown = tuple(None if is_dynamic else size for size in sizes)
        indices = [place.access.index for place in indexed.values() if place.access.array == name]
        if chance is not None and all(index == (Affine(),) for index in indices):
            arrays[name] = Array((1,), kind, is_scalar=True)
            continue
        arrays[name] = Array(shown, "index" if name == "m" else kind, strides)

    def moved(access: Access) -> Access:
        pairs = zip(access.index, least[access.array], strict=True)
        index, array = tuple(form.plus(-low) for form, low in pairs), arrays[access.array]
        sizes = [size for size in array.sizes if size is not None]
        is_seen = (
            chance is not None and not array.strides and not array.is_scalar and len(sizes) == len(index)
        )
        if (
            chance is None
            or not is_seen
            or chance.random() < 0.85
            or any(isinstance(f, Loaded) for f in index)
        ):
            return replace(access, index=index)
        reached = [element for _, element, _ in trace.reads.get(access.number, ())]
        reached += list(trace.writes.get(access.number, {}).values())
        shifted = [
            tuple(x - low for x, low in zip(each, least[access.array], strict=True)) for each in reached
        ]
        return replace(access, index=index, view=drawn_view(chance, index, sizes, shifted))

    nests = (_with_accesses(nest, moved) for nest in program.nests)
    return replace(program, nests=tuple(nest for nest in nests if isinstance(nest, Loop))), arrays


def _strides(chance: random.Random, sizes: Sequence[int]) -> tuple[int, ...]:
    """One time of four, those of dimensions in another order, or with room behind each row."""
    if chance.random() < 0.75:
        return ()
    strides, step = [0] * len(sizes), 1
    for dimension in chance.sample(range(len(sizes)), len(sizes)):
        strides[dimension] = step
        step *= sizes[dimension] + chance.choice((0, 0, 1))
    return tuple(strides)


def _with_accesses(node: Node, changed: Callable[[Access], Access]) -> Node:
    """NODE with all accesses CHANGED."""
    if isinstance(node, Statement):
        write = None if node.write is None else changed(node.write)
        return replace(node, reads=tuple(map(changed, node.reads)), write=write)
    body = tuple(_with_accesses(child, changed) for child in node.body)
    if isinstance(node, If):
        otherwise = tuple(_with_accesses(child, changed) for child in node.otherwise)
        return replace(node, body=body, otherwise=otherwise)
    return replace(node, body=body)
