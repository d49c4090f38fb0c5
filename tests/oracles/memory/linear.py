"""Random nests whose subscripts are products of values: rows behind each other, `%m[%i * %b + %j]`.

Some of them are the digits of a number, and others overlap: a column too many, a negative one, another width.
"""

from __future__ import annotations

import random
from functools import reduce

from tests.oracles.memory.execute import TooLargeError
from tests.oracles.memory.expressions import Binary, Expression, plus, times
from tests.oracles.memory.memrefs import Alloc, MemrefType
from tests.oracles.memory.nodes import Access, Block, Branch, Condition, Define, Loop, Node
from tests.oracles.memory.programs import Program

BUFFER = MemrefType((None,))


def drawn(seed: str) -> Program:
    """The program of SEED: the first one drawn that is small enough, and writes."""
    chance = random.Random(seed)
    while True:
        program = Drawing(chance).program()
        if not any(site.access.write for site in program.sites):
            continue
        try:
            if any(truth.trace for truth in program.truths.values()):
                return program
        except TooLargeError:
            continue


def product(left: Expression, right: Expression) -> Expression:
    """left * right"""
    return left if right == 1 else right if left == 1 else Binary("*", left, right)


class Drawing:
    """One program: its sizes, and the loops that its nest has so far."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.parameters = tuple(f"%n{k}" for k in range(chance.choice([1, 2, 2, 2, 3])))
        self.loops: list[tuple[str, Expression]] = []
        self.names = 0
        self.affine = chance.random() < 0.5
        self.wide = chance.random() < 0.2
        self.memref = "%b0"

    def flip(self, probability: float) -> bool:
        """True so often."""
        return self.chance.random() < probability

    def fresh(self, letter: str) -> str:
        """A new name."""
        self.names += 1
        return f"%{letter}{self.names}"

    def program(self) -> Program:
        """A nest or two, and perhaps an access before or behind them."""
        body: list[Node] = []
        buffers: tuple[tuple[str, MemrefType], ...] = ((self.memref, BUFFER),)
        if self.flip(0.2):
            buffers, self.memref = (), "%a0"
            size = plus(product(self.parameters[0], self.parameters[-1]), self.chance.randint(0, 3))
            body.append(Define("%s0", size, "arith"))
            body.append(Alloc(self.memref, BUFFER, "%s0"))
        for _ in range(self.chance.choice([1, 1, 1, 2])):
            body += self.nest(self.chance.choice([1, 2, 2, 2, 3]))
        if self.flip(0.15):
            body += self.access()
        return Program(self.parameters, buffers, (), tuple(body))

    def nest(self, depth: int) -> Block:
        """So many loops in each other, and accesses inside."""
        if depth == 0:
            return self.inside()
        iv = self.fresh("i")
        size: Expression = (
            self.chance.choice(self.parameters) if self.flip(0.85) else self.chance.randint(1, 3)
        )
        low = self.chance.choice([0, 0, 0, 0, 0, 0, 1, -1])
        end = plus(size, self.chance.choice([0, 0, 0, 0, 0, 0, 1, -1]))
        parallel = self.flip(0.15)
        if not self.affine and self.flip(0.12):
            return self.tiles(iv, size, end, depth)
        self.loops.append((iv, size))
        body = self.nest(depth - 1)
        if depth > 1 and self.flip(0.15):
            self.loops = [each for each in self.loops if each[0] != iv] + [(iv, size)]
            body = (*body, *self.access())
        self.loops = [each for each in self.loops if each[0] != iv]
        return (Loop((iv,), ((low,),), ((end,),), (1,), body, self.affine, parallel),)

    def tiles(self, iv: str, size: Expression, end: Expression, depth: int) -> Block:
        """A loop in tiles of a size that is a value."""
        by = self.chance.choice(self.parameters)
        point = self.fresh("i")
        self.loops.append((point, size))
        inner = self.nest(depth - 1)
        self.loops.pop()
        points = Loop((point,), ((iv,),), ((plus_value(iv, by), end),), (1,), inner, False)
        return (Loop((iv,), ((0,),), ((end,),), (by,), (points,), False),)

    def inside(self) -> Block:
        """One to three accesses, some of them in a branch."""
        found = tuple(node for _ in range(self.chance.choice([1, 2, 2, 3])) for node in self.access())
        if self.loops and self.flip(0.15):
            iv, _ = self.chance.choice(self.loops)
            relation = self.chance.choice(["<", "<=", ">", "!="])
            bound: Expression = self.chance.choice([*self.parameters, 1])
            return (Branch((Condition(iv, relation, bound),), found, None, False),)
        return found

    def access(self) -> Block:
        """A load or a store, of an element that arith or affine.apply computes."""
        element = self.element()
        write = self.flip(0.6)
        ivs = [iv for iv, _ in self.loops]
        value: Expression = self.chance.choice([0, *ivs]) if write and self.flip(0.5) else 0
        if write and value == 0 and self.flip(0.5):
            value = reduce(plus, ivs, 1)
        if self.flip(0.5) or not isinstance(element, Binary):
            return (Access(write, self.memref, BUFFER, (element,), False, value),)
        name = self.fresh("e")
        by = "affine" if self.affine and self.flip(0.6) else self.chance.choice(["arith", "arith", "cast"])
        return Define(name, element, by), Access(write, self.memref, BUFFER, (name,), False, value)

    def element(self) -> Expression:
        """The loops as digits, most often each with its own size; and a constant, or a row more."""
        loops = [each for each in self.loops if self.flip(0.92)]
        if self.flip(0.1):
            self.chance.shuffle(loops)
        found: Expression = 0
        for position, (iv, size) in enumerate(loops):
            width = size if self.flip(0.9) else self.chance.choice([*self.parameters, 2])
            digit: Expression = iv
            if self.flip(0.12):
                digit = plus(iv, self.chance.choice([1, -1]))
            elif self.flip(0.08):
                digit = plus(plus_value(times(iv, -1), size), -1)
            found = digit if position == 0 else plus_value(product(found, width), digit)
        if self.flip(0.1):
            found = plus_value(found, self.chance.choice(self.parameters))
        if self.flip(0.1):
            found = plus_value(found, product(self.chance.choice(self.parameters), self.parameters[-1]))
        return plus(found, self.chance.choice([0, 0, 0, 0, 1, -1, 2]))


def plus_value(left: Expression, right: Expression) -> Expression:
    """left + right, of which the right one may be a value."""
    return right if left == 0 else left if right == 0 else Binary("+", left, right)
