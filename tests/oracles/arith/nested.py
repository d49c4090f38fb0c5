"""Random small integer programs with branches and loops: what is computed, and asked, inside of these too."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.oracles.arith.programs import Program, Writer, any_operation
from tests.oracles.interpreter.arithmetic import PREDICATES

_WIDTHS = (1, 3, 4)


def nests(seed: str) -> Program:
    """A few operations, a branch on a comparison or a loop between small bounds, and operations after it."""
    chance = random.Random(f"nest {seed}")
    width = chance.choice((3, 3, 4))
    writer = Writer(a=width, b=width)
    _operations(writer, chance, 0, 2)
    for _ in range(chance.randint(1, 2)):
        chance.choice((_branch, _loop))(writer, chance, 2)
        _operations(writer, chance, 0, 1)
    return writer.program()


def _operations(writer: Writer, chance: random.Random, least: int, most: int) -> None:
    for _ in range(chance.randint(least, most)):
        any_operation(writer, chance, _WIDTHS)


def _any_value(writer: Writer, chance: random.Random, width: int) -> str:
    values = [name for name, known in writer.widths.items() if known == width]
    if not values or chance.random() < 0.1:
        return writer.constant(chance.choice((0, 1, -1)) if width > 1 else 1, width)
    return chance.choice(values[-3:])


def _comparison(writer: Writer, chance: random.Random) -> str:
    width = chance.choice([each for each in writer.widths.values() if each > 1])
    left, right = (_any_value(writer, chance, width) for _ in range(2))
    return writer.add("cmpi", left, right, target=1, predicate=chance.choice([*PREDICATES]))


def _branch(writer: Writer, chance: random.Random, depth: int) -> None:
    """scf.if on a comparison, with operations in both branches, one more branch or a loop among them."""
    width = chance.choice([each for each in writer.widths.values() if each in _WIDTHS])
    regions = [_inside(writer, chance, depth, width) for _ in range(2)]
    writer.branch(_comparison(writer, chance), *regions, width)


def _inside(writer: Writer, chance: random.Random, depth: int, width: int) -> Callable[[], str]:
    def write() -> str:
        _operations(writer, chance, 0, 2)
        if depth > 1 and chance.random() < 0.3:
            chance.choice((_branch, _loop))(writer, chance, depth - 1)
        return _any_value(writer, chance, width)

    return write


def _loop(writer: Writer, chance: random.Random, depth: int) -> None:
    """scf.for between bounds of few bits, or between indices that come of them; a step of 1 cannot overflow."""
    values = [name for name, known in writer.widths.items() if known in (3, 4)]
    low, high = chance.choice(values), chance.choice(values)
    if chance.random() < 0.6:
        cast = chance.choice(("index_cast", "index_castui"))
        low, high = (writer.add(cast, each, target=0) for each in (low, high))
        step = writer.constant(chance.choice((1, 1, 2, 3)), 0)
    else:
        high = chance.choice([each for each in values if writer.widths[each] == writer.widths[low]])
        step = writer.constant(1, writer.widths[low])
    if chance.random() < 0.5:
        low = writer.constant(chance.choice((0, 1, -2)), writer.widths[low])
    width = chance.choice([each for each in writer.widths.values() if each in _WIDTHS])
    initial = _any_value(writer, chance, width)

    def body(counter: str, carried: str) -> str:
        if writer.widths[counter] == 0 and chance.random() < 0.5:
            writer.add(chance.choice(("index_cast", "index_castui")), counter, target=chance.choice(_WIDTHS))
        return _inside(writer, chance, depth, width)()

    writer.loop((low, high, step), initial, body)
