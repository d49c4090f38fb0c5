"""The sweep: each integer operation alone, on few bits, and the operations of two in one another.

All pairs of operands are judged for each operation: both arguments are free, or each is in one of the RANGES,
which make up all numbers; or one is a constant.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product

from tests.oracles.arith.execute import BINARY, EXTENDED, FLAGS
from tests.oracles.arith.nested import nests
from tests.oracles.arith.programs import Program, Writer, compositions
from tests.oracles.interpreter.arithmetic import DIVISIONS, PREDICATES

Range = tuple[int, int] | None
RANGES: Mapping[int, Sequence[Range]] = {
    1: (None,),
    4: ((-8, -8), (-7, -2), (-1, -1), (0, 0), (1, 1), (2, 4), (5, 7), (-1, 1)),
    8: ((-128, -128), (-127, -9), (-8, -2), (-1, 0), (1, 6), (7, 63), (64, 127), (-1, 1)),
}
CONSTANTS: Mapping[int, Sequence[int]] = {
    1: (0, 1),
    4: range(-8, 8),
    8: (-128, -127, -2, -1, 0, 1, 5, 8, 127),
}
SAMPLED = 8
"""Pairs of ranges of an operation, by chance; and a quarter of that of a division, whose answers take longer."""


def single_operations(width: int) -> Iterator[Program]:
    """Each operation of two operands of WIDTH bits, in all ranges, with constants, and of one value."""
    for name in BINARY:
        for flags in FLAGS.get(name, ((),)):
            yield from _with_operands(width, name, flags=flags)
    for predicate in PREDICATES:
        yield from _with_operands(width, "cmpi", target=1, predicate=predicate)
    for name in EXTENDED:
        yield from _with_operands(width, name)


def _with_operands(width: int, name: str, **others: object) -> Iterator[Program]:
    chance = random.Random(f"{width} {name} {others}")
    ranges = RANGES[width]
    for left, right in dict.fromkeys([(None, None), *_pairs(name, ranges, chance)]):
        writer = Writer(a=width, b=width)
        _restrict(writer, {"%a": left, "%b": right})
        writer.add(name, "%a", "%b", **others)
        yield writer.program()
    for number, is_left in product(CONSTANTS[width], (False, True)):
        ends = chance.choice(ranges) if chance.random() < 0.1 else None
        writer = Writer(a=width)
        _restrict(writer, {"%a": ends})
        operands = ("%a", writer.constant(number, width))
        writer.add(name, *(reversed(operands) if is_left else operands), **others)
        yield writer.program()
    for ends in dict.fromkeys((None, *chance.sample(ranges, min(3, len(ranges))))):
        writer = Writer(a=width)
        _restrict(writer, {"%a": ends})
        writer.add(name, "%a", "%a", **others)
        yield writer.program()


def _pairs(name: str, ranges: Sequence[Range], chance: random.Random) -> Iterator[tuple[Range, Range]]:
    """Ranges of two operands: of one of them, and of both."""
    if len(ranges) > 1:
        count = SAMPLED // 4 if name in DIVISIONS else SAMPLED
        yield from ((None, each) for each in chance.sample(ranges, 3))
        yield from ((each, None) for each in chance.sample(ranges, 3))
        yield from chance.sample([*product(ranges, ranges)], count)


def _restrict(writer: Writer, ranges: Mapping[str, Range]) -> None:
    for value, ends in ranges.items():
        if ends is not None:
            writer.within(value, *ends)


def casts() -> Iterator[Program]:
    """Each cast between two widths, of all numbers and of those in a range."""
    for source, target in product((1, 3, 4, 8), (1, 3, 4, 8, 33, 64, 65, 128, 0)):
        for name in _casts_between(source, target):
            for flags in FLAGS.get(name, ((),)):
                for ends in (None, (-2, 1), (0, 3)) if source > 1 else (None,):
                    writer = Writer(a=source)
                    _restrict(writer, {"%a": ends})
                    wide = writer.add(name, "%a", target=target, flags=flags)
                    if target > source and source > 1:
                        writer.add("trunci", wide, target=source - 1)
                    yield writer.program()
    for there, back in product(("index_cast", "index_castui"), repeat=2):
        for source, target in product((1, 4, 8), repeat=2):
            writer = Writer(a=source)
            writer.add(back, writer.add(there, "%a", target=0), target=target)
            yield writer.program()


def _casts_between(source: int, target: int) -> Sequence[str]:
    if target == 0:
        return ("index_cast", "index_castui")
    if target > source:
        return ("extsi", "extui")
    return ("trunci",) if target < source else ()


def index_operations(dialect: str = "index") -> Iterator[Program]:
    """Each operation of DIALECT on two indices: of four bits, one of them or both a constant, or in a range."""
    for name in (*BINARY, "cmpi"):
        for predicate in PREDICATES if name == "cmpi" else ("",):
            others = {"predicate": predicate, "target": 1} if predicate else {}
            add = partial(_of_indices, name, dialect=dialect, **others)
            for there in ("index_cast", "index_castui"):
                yield add(there, None, None)
                yield add(there, (2, 5), (-3, 1))
            for number in (-64, -7, -1, 0, 1, 3, 8, 63, 64):
                yield add("index_cast", None, None, left=number)
                if (name, number) != ("shli", 63):  # arithmetic on indices is taken not to overflow
                    yield add("index_cast", None, None, right=number)


def _of_indices(
    name: str,
    there: str,
    *ranges: Range,
    left: int | None = None,
    right: int | None = None,
    **others: object,
) -> Program:
    writer = Writer(a=4, b=4)
    _restrict(writer, dict(zip(("%a", "%b"), ranges, strict=True)))
    operands = [
        writer.add(there, value, target=0) if number is None else writer.constant(number, 0)
        for value, number in (("%a", left), ("%b", right))
    ]
    writer.add(name, *operands, **others)
    return writer.program()


def pairs_of_operations(width: int = 4) -> Iterator[Program]:
    """Operations of the results of others, every second such pair, and of an argument or a constant."""
    chance = random.Random(width)
    every = [*product(_operations(), repeat=2)]
    for inner, outer in chance.sample(every, len(every) // 2):
        writer = Writer(a=width, b=width)
        first = inner(writer, "%a", "%b")
        known = writer.widths[first]
        second = chance.choice(
            (first, *(value for value in ("%a", "%b") if writer.widths[value] == known), "")
        )
        second = second or writer.constant(chance.choice((-3, -1, 1, 2, 6)) if known > 1 else 1, known)
        operands = [first, second]
        chance.shuffle(operands)
        outer(writer, *operands)
        yield writer.program()


def _operations() -> Iterator[Callable[[Writer, str, str], str]]:
    for name in (*BINARY, *EXTENDED):
        flags = FLAGS.get(name, ((),))
        for each in (flags[0], flags[-1]) if len(flags) > 1 else flags:
            yield lambda writer, a, b, name=name, each=each: writer.add(name, a, b, flags=each)
    for predicate in ("eq", "slt", "ule"):
        yield lambda writer, a, b, predicate=predicate: writer.add(
            "select", writer.add("cmpi", a, b, target=1, predicate=predicate), b, a
        )


SWEEPS: Mapping[str, Callable[[], Iterator[Program]]] = {
    "i1": lambda: single_operations(1),
    "i4": lambda: single_operations(4),
    "i8": lambda: single_operations(8),
    "casts": casts,
    "index": index_operations,
    "arith.index": lambda: index_operations("arith"),
    "pairs": pairs_of_operations,
    "compositions": lambda: (compositions(f"{number}", 4) for number in range(400)),
    "nests": lambda: (nests(f"{number}") for number in range(150)),
}
