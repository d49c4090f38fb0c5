"""Random programs."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.oracles.memory.buffers import alloc, get_global, shape, view
from tests.oracles.memory.execute import TooLargeError
from tests.oracles.memory.expressions import Expression
from tests.oracles.memory.memrefs import MemrefType
from tests.oracles.memory.nodes import Access, Block, Branch, Define, Loop
from tests.oracles.memory.programs import Program
from tests.oracles.memory.scope import Buffer, Scope, Writer
from tests.oracles.memory.subscripts import (
    condition,
    linear,
    lower_bound,
    step,
    stored_value,
    subscript,
    tile,
    upper_bound,
)

DEEPEST = 3
ACCESSES = 6
LONGEST = {0: 6, 1: 5, 2: 4}  # iterations of a loop by its depth


def drawn(seed: str, plain: bool = False) -> Program:
    """The program of SEED: the first one drawn that is small enough and accesses something twice.

    PLAIN programs are of affine.for and affine.load and store alone, without views: what mlir-opt-22 knows.
    """
    chance = random.Random(seed)
    while True:
        program = draw(chance, plain)
        if not 2 <= len(program.sites) <= ACCESSES or not any(site.access.write for site in program.sites):
            continue
        try:
            if any(truth.trace for truth in program.truths.values()):
                return program
        except TooLargeError:
            continue


def programs(seed: int, count: int, plain: bool = False) -> Iterator[Program]:
    """COUNT random programs; SEED and the number of a program alone decide what it is."""
    for number in range(count):
        yield drawn(f"{seed}/{number}", plain)


class Drawing:
    """How likely each operation is in one program: a dialect, views, conditions."""

    def __init__(self, chance: random.Random, plain: bool) -> None:
        self.affine = 1.0 if plain else chance.choice([1.0, 1.0, 0.6, 0.3, 0.0])
        self.parallel = 0.0 if plain else chance.choice([0.0, 0.2])
        self.views = 0 if plain else chance.choice([0, 0, 2, 4])
        self.branches = 0 if plain else chance.choice([0, 1, 2])
        self.defines = 0 if plain else chance.choice([0, 1])
        self.allocs = 0.0 if plain else chance.choice([0.0, 0.1, 0.4])

    def fill(self, scope: Scope, operations: int) -> None:
        """So many more operations, in blocks inside too."""
        for _ in range(operations):
            writers: list[tuple[Writer, int]] = [(self.access, 6)]
            writers += [(self.loop, 5)] if scope.depth < DEEPEST else []
            writers += [(self.branch, self.branches), (self.define, self.defines)] if scope.depth else []
            writers += [(view, self.views)]
            (writer,) = scope.chance.choices([w for w, _ in writers], [weight for _, weight in writers])
            writer(scope)

    def block(self, scope: Scope, least: int, most: int) -> Block:
        """A block inside, in which something is accessed."""
        self.fill(scope, scope.chance.randint(least, most))
        return tuple(scope.nodes)

    def access(self, scope: Scope) -> None:
        """A load or a store."""
        if scope.depth == 0 and scope.flip(0.8):
            return self.loop(scope)
        memref = scope.chance.choice(scope.memrefs)
        affine = scope.flip(self.affine) and (scope.depth == 0 or bool(scope.dims))
        subscripts = tuple(subscript(scope, affine, extent) for extent in memref.extents)
        write = scope.flip(0.55)
        value = stored_value(scope) if write else 0
        scope.write(Access(write, memref.name, memref.type, subscripts, affine, value))
        return None

    def loop(self, scope: Scope) -> None:
        """Any loop."""
        affine = scope.flip(self.affine)
        parallel = scope.flip(self.parallel)
        number = 2 if parallel and scope.depth < DEEPEST - 1 and scope.flip(0.5) else 1
        ivs = tuple(scope.fresh("i") for _ in range(number))
        longest = LONGEST[min(2, scope.depth + number - 1)] - len(scope.parameters) // 2
        lowers = tuple(lower_bound(scope, affine) for _ in ivs)
        uppers = tuple(upper_bound(scope, affine, longest) for _ in ivs)
        if scope.tiles and not affine and number == 1 and scope.flip(0.6):
            lowers, uppers = tile(scope)
        steps = tuple(step(scope, affine) for _ in ivs)
        inside = scope.inner(dims=ivs) if affine else scope.inner(indices=ivs)
        found = zip(ivs, steps, uppers, strict=True)
        inside.tiles += tuple(each for each in found if not isinstance(each[1], int))
        if scope.flip(self.allocs):
            alloc(inside)
        body = self.block(inside, 1, 3)
        scope.write(Loop(ivs, lowers, uppers, steps, body, affine, parallel))

    def branch(self, scope: Scope) -> None:
        """affine.if or scf.if."""
        affine = scope.flip(self.affine) and bool(scope.dims)
        conditions = tuple(
            condition(scope, affine) for _ in range(scope.chance.choice([1, 1, 2]) if affine else 1)
        )
        then = self.block(scope.inner(), 1, 2)
        otherwise = self.block(scope.inner(), 1, 2) if scope.flip(0.5) else None
        scope.write(Branch(conditions, then, otherwise, affine))

    def define(self, scope: Scope) -> None:
        """An index value."""
        affine = scope.flip(self.affine) and bool(scope.dims)
        expression: Expression = linear(scope, scope.usable(affine))
        by = "affine" if affine else scope.chance.choice(["arith", "cast"])
        name = scope.fresh("a")
        scope.write(Define(name, expression, by))
        if affine:
            scope.dims += (name,)
        else:
            scope.indices += (name,)


def draw(chance: random.Random, plain: bool) -> Program:
    """Any program."""
    drawing = Drawing(chance, plain)
    parameters = tuple(f"%n{number}" for number in range(chance.choice([0, 0, 1, 1, 1, 2])))
    scope = Scope(chance, parameters)
    arguments: list[tuple[str, MemrefType]] = []
    symbols: list[tuple[str, MemrefType]] = []
    for number in range(chance.choice([1, 1, 1, 2, 3])):
        origin = "argument" if plain else chance.choice(["argument", "alloc", "global", "global"])
        if origin == "alloc":
            alloc(scope)
            continue
        kind = MemrefType(shape(scope))
        if origin == "global":
            symbols.append((f"@g{number}", kind))
            for _ in range(chance.choice([1, 2])):
                get_global(scope, *symbols[-1])
        else:
            arguments.append((f"%b{number}", kind))
            scope.memrefs += (Buffer(f"%b{number}", kind, kind.dims),)
    drawing.fill(scope, chance.randint(1, 3))
    return Program(parameters, tuple(arguments), tuple(symbols), tuple(scope.nodes))
