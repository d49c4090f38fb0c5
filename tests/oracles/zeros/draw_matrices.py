"""Random programs over matrices, and inputs that keep to the domains of their arguments."""

from __future__ import annotations

import random

from tests.oracles.zeros.draw import FLAG_SETS, SPECIAL, stated
from tests.oracles.zeros.matrices import (
    DOMAINS,
    MASKS,
    Around,
    Given,
    Known,
    Matrices,
    Node,
    Shape,
    Structured,
    elements,
)
from tests.oracles.zeros.numbers import Cell

_SAME = ((0,), (1,))
_FORMS = ("acc + p", "acc + p", "p + acc", "acc - p", "fma")
_AROUND = (0.0, 0.0, 0.0, -0.0, 1.0)
_INITS = (0.0, 0.0, -0.0, 1.5)


def draw(seed: int) -> Matrices:
    """The program of SEED."""
    chance = random.Random(seed)
    arguments = tuple(
        Given(name, shape, chance.choice(("", *DOMAINS)))
        for name, shape in (("a", (4, 4)), ("b", (4, 4)), ("c", (3, 4)), ("w", (2, 2)))
    )
    shapes: dict[str, Shape] = {a.result: a.shape for a in arguments}
    nodes: list[Node] = []
    for number in range(chance.randint(2, 5)):
        node = _node(chance, f"v{number}", shapes)
        nodes.append(node)
        shapes[node.result] = node.shape
    return Matrices(arguments, tuple(nodes))


def _node(chance: random.Random, name: str, shapes: dict[str, Shape]) -> Node:
    kind = chance.choice(
        ("mask", "pad", "spread", "pointwise", "product", "product", "product", "window", "added")
    )
    source = chance.choice([*shapes][-5:])
    shape = rows, columns = shapes[source]
    flags = stated(chance.choice(FLAG_SETS))
    form = chance.choice(_FORMS)
    same = [other for other, s in shapes.items() if s == shape]
    if kind == "pad" and max(shape) <= 5:
        low, high = ((chance.randint(0, 1), chance.randint(0, 2)) for _ in range(2))
        outer = (rows + low[0] + high[0], columns + low[1] + high[1])
        return Around(name, source, outer, shape, low, (1, 1), chance.choice(_AROUND))
    if kind == "spread" and max(shape) <= 3:
        return Around(name, source, (2 * rows, 2 * columns), shape, (1, 0), (2, 2), chance.choice(_AROUND))
    if kind == "product" and (others := [o for o, s in shapes.items() if s[0] == columns]):
        return _product(chance, name, shapes, source, chance.choice(others), form, flags)
    if kind == "window" and min(shape) >= 2:
        weights = chance.choice([o for o, s in shapes.items() if max(s) <= 2] or ["w"])
        extents = (rows - shapes[weights][0] + 1, columns - shapes[weights][1] + 1, *shapes[weights])
        if min(extents) > 0:
            maps = (((0, 2), (1, 3)), ((2,), (3,)), _SAME)
            init = _init(chance, shapes, extents[:2])
            return Structured(name, extents[:2], (source, weights), maps, extents, form, init, flags)
    if kind == "added":
        both = (source, chance.choice(same))
        return Structured(name, shape, both, (_SAME,) * 3, shape, form, _init(chance, shapes, shape), flags)
    if kind == "pointwise":
        both = (source, chance.choice(same))
        form = chance.choice(("arith.mulf", "arith.mulf", "arith.addf", "arith.subf"))
        return Structured(name, shape, both, (_SAME,) * 3, shape, form, flags=flags)
    if kind == "mask":
        mask = chance.choice([*MASKS])
        return Structured(name, shape, (source,), (_SAME,) * 2, shape, "select", mask=mask)
    turned = (columns, rows)
    return Structured(name, turned, (source,), (((1,), (0,)), _SAME), turned, "copy")


def _product(
    chance: random.Random,
    name: str,
    shapes: dict[str, Shape],
    left: str,
    right: str,
    form: str,
    flags: tuple[str, ...],
) -> Structured:
    (rows, inner), columns = shapes[left], shapes[right][1]
    maps = (((0,), (2,)), ((2,), (1,)), _SAME)
    shape, init = (rows, columns), _init(chance, shapes, (rows, columns))
    named = "linalg.matmul" if chance.random() < 0.4 else ""
    if named:
        form, flags = "acc + p", ()
    return Structured(name, shape, (left, right), maps, (*shape, inner), form, init, flags, named)


def _init(chance: random.Random, shapes: dict[str, Shape], shape: Shape) -> float | str:
    known = [other for other, s in shapes.items() if s == shape]
    return chance.choice(known) if known and chance.random() < 0.25 else chance.choice(_INITS)


def inputs(program: Matrices, seed: int) -> Known:
    """Numbers for the arguments, which are zeros of some sign outside of their domains."""
    chance = random.Random(seed)
    special = (0.0, 0.0, 0.3, 0.8)[seed % 4]

    def number(inside: bool) -> float:
        if not inside:
            return chance.choice((0.0, -0.0))
        if chance.random() < special:
            return chance.choice(SPECIAL)
        return chance.choice((-1, 1)) * chance.randint(1, 40) / 8

    return {a.result: {e: Cell(number(a.has(e))) for e in elements(a.shape)} for a in program.arguments}
