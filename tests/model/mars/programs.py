"""Random nests of loops, as MLIR and as Python runs them: who reads what from whom, iteration by iteration.

A program is run in the order of its text, with memory as a dictionary of last writers. Nothing of volcli is
used."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

Vector = tuple[int, ...]
Form = tuple[Vector, int]
"""Factors of the iterators, and a constant."""

Element = tuple[str, Vector]
Origin = tuple[int, Vector] | None
"""The number of a statement and its iteration; None if nothing has been written before."""


@dataclass(frozen=True)
class Access:
    array: str
    index: tuple[Form, ...]


@dataclass(frozen=True)
class Guard:
    """`form mod modulus == value`, or `form >= 0` if the modulus is 0."""

    form: Form
    modulus: int = 0
    value: int = 0


@dataclass(frozen=True)
class Statement:
    number: int
    write: Access
    reads: tuple[Access, ...]
    guard: Guard | None = None


@dataclass(frozen=True)
class Loop:
    """From `lower` to `upper` (not included) in steps; the last term is the iterator outside, for triangles."""

    lower: int
    upper: int
    step: int = 1
    triangular: bool = False


@dataclass(frozen=True)
class Nest:
    loops: tuple[Loop, ...]
    body: tuple[Statement, ...]


@dataclass
class Trace:
    """`read[statement, read]` of each iteration: the element, and which write gave it its value."""

    reads: dict[tuple[int, int], dict[Vector, tuple[Element, Origin]]] = field(
        default_factory=lambda: defaultdict(dict)
    )


def value(form: Form, point: Vector) -> int:
    return sum(a * x for a, x in zip(form[0], point, strict=True)) + form[1]


def points(loops: tuple[Loop, ...], outer: Vector = ()) -> Iterator[Vector]:
    if len(outer) == len(loops):
        yield outer
        return
    loop = loops[len(outer)]
    first = loop.lower + (outer[-1] if loop.triangular else 0)
    for x in range(first, loop.upper, loop.step):
        yield from points(loops, (*outer, x))


def runs(guard: Guard | None, point: Vector) -> bool:
    if guard is None:
        return True
    number = value(guard.form, point)
    return number % guard.modulus == guard.value if guard.modulus else number >= 0


def execute(nests: list[Nest]) -> Trace:
    trace, memory = Trace(), dict[Element, tuple[int, Vector]]()
    for nest in nests:
        for point in points(nest.loops):
            for statement in nest.body:
                if not runs(statement.guard, point):
                    continue
                for k, read in enumerate(statement.reads):
                    element = (read.array, tuple(value(f, point) for f in read.index))
                    trace.reads[statement.number, k][point] = (element, memory.get(element))
                element = (
                    statement.write.array,
                    tuple(value(f, point) for f in statement.write.index),
                )
                memory[element] = (statement.number, point)
    return trace


# -- MLIR ----------------------------------------------------------------------------------------------

NAMES = "ijk"
SHIFT, SIZE = 100, 400
"""Indices may be negative: what is read is moved into the array."""


def text_of(form: Form, names: list[str], shift: int = 0) -> str:
    terms = [f"{a} * {n}" for a, n in zip(form[0], names, strict=True) if a]
    return " + ".join([*terms, str(form[1] + shift)])


def mlir(nests: list[Nest], arrays: dict[str, int]) -> tuple[str, dict[int, tuple[int, list[int]]]]:
    """The program, and for each statement the lines of its store and of its loads."""
    arguments = ", ".join(f"%{name}: {memref(rank)}" for name, rank in arrays.items())
    lines = [f"func.func @f({arguments}) {{"]
    places: dict[int, tuple[int, list[int]]] = {}
    for nest in nests:
        names = list(NAMES[: len(nest.loops)])
        for depth, loop in enumerate(nest.loops):
            lower = str(loop.lower)
            if loop.triangular:
                lower = f"affine_map<(d0) -> (d0 + {loop.lower})>(%{names[depth - 1]})"
            lines.append(f"affine.for %{names[depth]} = {lower} to {loop.upper} step {loop.step} {{")
        for statement in nest.body:
            if statement.guard is not None:
                dims = [f"d{k}" for k in range(len(names))]
                form = text_of(statement.guard.form, dims)
                condition = (
                    f"({form}) mod {statement.guard.modulus} - {statement.guard.value} == 0"
                    if statement.guard.modulus
                    else f"{form} >= 0"
                )
                used = ", ".join(f"%{n}" for n in names)
                lines.append(f"affine.if affine_set<({', '.join(dims)}) : ({condition})>({used}) {{")
            loads: list[int] = []
            for k, read in enumerate(statement.reads):
                lines.append(f"%v{statement.number}_{k} = affine.load {place(read, names, arrays)}")
                loads.append(len(lines))
            lines.append(f"affine.store %v{statement.number}_0, {place(statement.write, names, arrays)}")
            places[statement.number] = (len(lines), loads)
            if statement.guard is not None:
                lines.append("}")
        lines += ["}"] * len(nest.loops)
    return "\n".join([*lines, "return", "}", ""]), places


def memref(rank: int) -> str:
    return f"memref<{f'{SIZE}x' * rank}f32>"


def place(access: Access, names: list[str], arrays: dict[str, int]) -> str:
    index = ", ".join(text_of(form, [f"%{n}" for n in names], SHIFT) for form in access.index)
    return f"%{access.array}[{index}] : {memref(arrays[access.array])}"


# -- random --------------------------------------------------------------------------------------------


def drawn_form(chance: random.Random, rank: int) -> Form:
    return tuple(chance.choice((0, 1, 1, -1, 2)) for _ in range(rank)), chance.randint(-2, 2)


def drawn_near(chance: random.Random, rank: int) -> tuple[Form, ...]:
    """The iteration itself, or one nearby."""
    return tuple(
        (tuple(int(k == row) for k in range(rank)), chance.choice((0, -1, -1, 1, -2, 0)))
        for row in range(rank)
    )


def drawn_guard(chance: random.Random, rank: int) -> Guard | None:
    kind = chance.random()
    if kind < 0.6:
        return None
    form = tuple(chance.choice((0, 1, -1)) for _ in range(rank)), chance.randint(-3, 3)
    if kind < 0.85:
        modulus = chance.choice((2, 2, 3))
        return Guard(form, modulus, chance.randrange(modulus))
    return Guard((form[0], chance.randint(0, 12)))


def drawn_loop(chance: random.Random, depth: int, extent: int) -> Loop:
    step = chance.choice((1, 1, 1, 1, 2, 3))
    lower = chance.choice((0, 0, 1, -2))
    is_triangular = depth > 0 and chance.random() < 0.15
    return Loop(lower, lower + extent + chance.randint(0, 3), step, is_triangular)


def drawn_program(chance: random.Random, rank: int, extent: int) -> tuple[list[Nest], dict[str, int]]:
    """One or two nests of RANK loops; arrays a, b that are written, and x that is only read."""
    arrays = {"a": rank, "b": rank, "x": chance.randint(1, rank)}
    nests: list[Nest] = []
    number = 0
    for _ in range(chance.choice((1, 1, 1, 2))):
        loops = tuple(drawn_loop(chance, d, extent) for d in range(rank))
        body: list[Statement] = []
        guard = drawn_guard(chance, rank)
        for _ in range(chance.choice((1, 1, 2))):
            reads = [drawn_read(chance, rank, arrays) for _ in range(chance.choice((1, 1, 2, 3)))]
            write = Access(chance.choice("ab"), drawn_near(chance, rank))
            own = guard if chance.random() < 0.7 else drawn_guard(chance, rank)
            body.append(Statement(number, write, tuple(reads), own))
            number += 1
        nests.append(Nest(loops, tuple(body)))
    return nests, arrays


def drawn_symbolic_program(chance: random.Random, rank: int, size: int) -> tuple[list[Nest], dict[str, int]]:
    """A program all of whose loops end at SIZE."""
    draw = chance.choice((drawn_program, drawn_twisted_program))
    nests, arrays = draw(chance, rank, size)
    loops = [tuple(replace(loop, upper=size) for loop in nest.loops) for nest in nests]
    return [replace(nest, loops=each) for nest, each in zip(nests, loops, strict=True)], arrays


def drawn_read(chance: random.Random, rank: int, arrays: dict[str, int]) -> Access:
    if chance.random() < 0.5:
        return Access("x", tuple(drawn_form(chance, rank) for _ in range(arrays["x"])))
    if chance.random() < 0.85:
        return Access(chance.choice("ab"), drawn_near(chance, rank))
    return Access(chance.choice("ab"), tuple(drawn_form(chance, rank) for _ in range(rank)))


def drawn_twisted_program(chance: random.Random, rank: int, extent: int) -> tuple[list[Nest], dict[str, int]]:
    """One nest that reads what it writes reversed, transposed, of one row, or with a factor of two."""
    loops = tuple(Loop(0, extent - chance.choice((0, 0, 1, 3))) for _ in range(rank))
    rows = drawn_near(chance, rank)
    written = tuple(chance.sample(rows, rank)) if chance.random() < 0.3 else rows
    reads = tuple(
        Access(chance.choice("aaab"), tuple(chance.sample(_twisted(chance, rank, extent), rank)))
        for _ in range(chance.choice((1, 1, 2)))
    )
    guard = drawn_guard(chance, rank) if chance.random() < 0.3 else None
    return [Nest(loops, (Statement(0, Access("a", written), reads, guard),))], {"a": rank, "b": rank}


def _twisted(chance: random.Random, rank: int, extent: int) -> list[Form]:
    """A form for each loop, each of which may run backwards, stand still or take two steps at a time."""
    found: list[Form] = []
    for row in range(rank):
        factor = chance.choice((1, 1, -1, -1, 0, 2))
        offset = {1: chance.choice((0, -1, 1)), -1: extent - 1, 0: chance.randrange(3), 2: 0}[factor]
        found.append((tuple(factor * int(k == row) for k in range(rank)), offset))
    return found
