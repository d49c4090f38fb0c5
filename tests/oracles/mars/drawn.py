"""Random programs of affine loops and their tilings: what reads, writes, bounds and conditions may be in them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tests.oracles.mars.arrays import drawn_arrays
from tests.oracles.mars.enumeration import (
    Access,
    Affine,
    If,
    Loaded,
    Loop,
    Node,
    Program,
    Statement,
    execute,
    places,
)
from tests.oracles.mars.respelled import respelled
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, Tiling, broken


@dataclass
class Drawing:
    """One program that is drawn: its arrays with their ranks, and the number of the next access."""

    chance: random.Random
    extent: int
    ranks: dict[str, int] = field(default_factory=dict[str, int])
    scalar: str = ""
    """The array that has one element, and no dimensions."""
    number: int = 0

    def program(self, depth: int) -> Program:
        self.ranks = {"a": depth if self.chance.random() < 0.8 else self.chance.randint(1, depth)}
        self.ranks |= {"b": self.chance.randint(1, depth), "x": self.chance.randint(1, depth)}
        if self.chance.random() < 0.12:
            self.scalar = self.chance.choice("bx")
            self.ranks[self.scalar] = 1
        symbols = {"n": self.extent} if self.chance.random() < 0.2 else {}
        count = self.chance.choice((1, 1, 1, 2, 2, 3))
        names = [["i", "j", "k"][:depth] for _ in range(count)]
        for number in range(count if count > 1 else 0):
            if self.chance.random() < 0.4:
                names[number] = ["p", "q", "r"][: self.chance.randint(1, depth)]
        nests = [self._nest(each, symbols) for each in names]
        if self.chance.random() < 0.08:
            called = replace(self._nest(["u", "v", "w"][: self.chance.randint(1, depth)], {}), is_called=True)
            nests.insert(self.chance.randint(0, count), called)
        spelled = self.chance.choice(("affine", "affine", "affine", "scf", "while"))
        times = 0
        if (
            depth < 3
            and count > 1
            and not any(nest.is_called for nest in nests)
            and self.chance.random() < 0.3
        ):
            times = self.chance.randint(2, 4)
        return Program(tuple(nests), symbols, spelled, times)

    def _nest(self, names: Sequence[str], symbols: dict[str, int]) -> Loop:
        body: tuple[Node, ...] = tuple(
            self._conditional(self._statement(names), names)
            for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3)))
        )
        if self.chance.random() < 0.15:
            body = (self._guarded(body, names),)
        for depth in reversed(range(len(names))):
            body = (self._loop(names[: depth + 1], body, symbols),)
            if depth and self.chance.random() < 0.08:
                between = (self._statement(names[:depth]),)
                body = between + body if self.chance.random() < 0.5 else body + between
        (loop,) = body
        assert isinstance(loop, Loop)
        return loop

    def _loop(self, names: Sequence[str], body: tuple[Node, ...], symbols: dict[str, int]) -> Loop:
        *outer, name = names
        first = self.chance.choice((0, 0, 0, 1, 2))
        extent = self.extent - self.chance.choice((0, 0, 0, 1, 2, 3))
        lower, upper = (Affine((), first),), (Affine((), first + extent),)
        if symbols and self.chance.random() < 0.7:
            upper = (Affine((("n", 1),), self.chance.choice((0, 0, -1, 1))),)
        if outer and self.chance.random() < 0.25:
            other = Affine(((self.chance.choice(outer), 1),), self.chance.choice((0, 0, 1, -1)))
            if self.chance.random() < 0.5:
                lower = (other,) if self.chance.random() < 0.5 else (*lower, other)
            else:
                upper = (other.plus(1),) if self.chance.random() < 0.5 else (*upper, other.plus(1))
        inner = body[0] if len(body) == 1 and isinstance(body[0], Loop) else None
        is_chain = inner is not None and bool(inner.sum) and self.chance.random() < 0.4
        is_innermost = not any(isinstance(child, Loop) for child in body) and self.chance.random() < 0.08
        return Loop(
            name,
            lower,
            upper,
            self.chance.choice((1, 1, 1, 1, 1, 2, 3)),
            body,
            self._next() if is_chain or is_innermost else 0,
        )

    def _next(self) -> int:
        self.number += 1
        return self.number

    def _conditional(self, node: Node, names: Sequence[str]) -> Node:
        return self._guarded((node,), names) if self.chance.random() < 0.15 else node

    def _guarded(self, body: tuple[Node, ...], names: Sequence[str]) -> If:
        conditions = tuple(self._condition(names) for _ in range(self.chance.choice((1, 1, 2))))
        otherwise = (self._statement(names),) if self.chance.random() < 0.25 else ()
        return If(conditions, body, otherwise)

    def _condition(self, names: Sequence[str]) -> tuple[Affine, int]:
        chosen = self.chance.sample(list(names), self.chance.randint(1, min(2, len(names))))
        form = Affine(tuple((name, self.chance.choice((1, -1))) for name in chosen))
        if self.chance.random() < 0.35:
            return form.plus(self.chance.randint(0, 2)), self.chance.choice((2, 2, 3))
        return form.plus(self.chance.randint(0, self.extent)), 0

    def _statement(self, names: Sequence[str]) -> Statement:
        written = self.chance.choice("aab")
        reads = [self._access(written, names, True) for _ in range(self.chance.choice((0, 1, 1, 1, 2)))]
        reads += [
            self._access(self.chance.choice("abx"), names, True) for _ in range(self.chance.randint(0, 1))
        ]
        write = self._access(written, names, False)
        if self.chance.random() < 0.04:
            reads, write = self._indirect(reads, write, names)
        if reads and self.chance.random() < 0.1:
            return Statement(tuple(reads))
        return Statement(tuple(reads), write)

    def _indirect(
        self, reads: Sequence[Access], write: Access, names: Sequence[str]
    ) -> tuple[list[Access], Access]:
        """READS and WRITE, one of which has a number that is loaded for an index."""
        self.ranks["m"] = 1
        form = Affine(((self.chance.choice(names), 1),))
        index = Access(self._next(), "m", (form,))
        loaded = Loaded((), 0, form, index.number, self.extent)
        changed = self.chance.randrange(len(reads) + 1)
        accesses = [
            replace(each, index=(loaded, *each.index[1:])) if number == changed else each
            for number, each in enumerate((*reads, write))
        ]
        return [index, *accesses[:-1]], accesses[-1]

    def _access(self, array: str, names: Sequence[str], is_read: bool) -> Access:
        number = self._next()
        if array == self.scalar:
            return Access(number, array, (Affine(),))
        rank, depth = self.ranks[array], len(names)
        order = list(names) + [self.chance.choice(names) for _ in range(max(0, rank - depth))]
        rows = [Affine(((name, 1),), 0) for name in order[:rank]]
        if rank < depth and self.chance.random() < 0.5:
            rows = [Affine(((name, 1),), 0) for name in sorted(self.chance.sample(list(names), rank))]
        kind = self.chance.random()
        if kind < (0.45 if is_read else 0.75):
            shifts = (0, 0, -1, -1, 1, -2) if is_read else (0, 0, 0, 1)
            return Access(number, array, tuple(row.plus(self.chance.choice(shifts)) for row in rows))
        if array == "x" and self.chance.random() < 0.3:
            return Access(number, array, tuple(self._anything(names) for _ in rows))
        index = [self._twisted(row, names) if self.chance.random() < 0.6 else row for row in rows]
        if self.chance.random() < 0.3:
            self.chance.shuffle(index)
        return Access(number, array, tuple(index))

    def _anything(self, names: Sequence[str]) -> Affine:
        factors = tuple((name, self.chance.choice((0, 1, 1, -1, 2))) for name in names)
        return Affine(tuple(each for each in factors if each[1]), self.chance.randint(-2, 2))

    def _twisted(self, row: Affine, names: Sequence[str]) -> Affine:
        """A form that is reversed, constant, diagonal, doubled, or of another loop."""
        ((name, _),) = row.factors
        other = self.chance.choice(list(names))
        if other == name:
            return self.chance.choice(
                (
                    Affine(((name, -1),), self.extent - 1),
                    Affine(((name, -1),), self.extent),
                    Affine((), self.chance.randint(0, self.extent - 1)),
                    Affine(((name, 2),), self.chance.randint(-1, 1)),
                )
            )
        return self.chance.choice(
            (
                Affine(((name, 1), (other, 1))),
                Affine(((name, 1), (other, -1))),
                Affine(((other, 1),)),
                Affine(((other, -1),), self.extent - 1),
            )
        )


def drawn_planes(chance: random.Random, names: Sequence[str]) -> list[dict[str, int]]:
    """Linearly independent hyperplanes with small factors."""
    while True:
        rows = [[chance.choice((0, 1, 1, -1, 2)) for _ in names] for _ in names]
        planes = [{n: f for n, f in zip(names, row, strict=True) if f} for row in rows]
        if _are_independent(planes, names):
            return planes


def _are_independent(planes: Sequence[dict[str, int]], names: Sequence[str]) -> bool:
    tiling = Tiling(tuple((Affine(tuple(plane.items())), 1) for plane in planes))
    try:
        return tiling.names == {*names} and bool(tiling.translation((0,) * len(planes)) or True)
    except StopIteration:  # no pivot
        return False


def drawn_tiling(chance: random.Random, names: Sequence[str]) -> Tiling:
    """Rectangular or skewed tiles, of sizes that may be 1 or divide nothing, over all loops or the outermost ones."""
    tiled = list(names[: chance.choice((len(names), len(names), len(names), chance.randint(1, len(names))))])
    planes = [{name: 1} for name in tiled]
    if chance.random() < 0.12:
        planes = drawn_planes(chance, tiled)
    elif len(tiled) > 1 and chance.random() < 0.35:
        row, other = chance.sample(range(len(tiled)), 2)
        planes[row] = {tiled[row]: 1, tiled[other]: chance.choice((1, 1, -1, 2))}
        if chance.random() < 0.3:
            planes[other] = {tiled[other]: 1, tiled[row]: -planes[row][tiled[other]]}
    if chance.random() < 0.15:
        chance.shuffle(planes)
    return Tiling(
        tuple((Affine(tuple(plane.items())), chance.choice((1, 2, 2, 3, 4, 4, 5, 8))) for plane in planes)
    )


def drawn(seed: str) -> tuple[Tiled, dict[str, Array]]:
    """A program of one to three loops in tiles, and its arrays; nine times of ten its tiles are legal."""
    chance = random.Random(seed)
    while True:
        tiled, arrays = _drawn(chance)
        kept = 0.3 if len(tiled.tilings) > 1 or tiled.program.times else 0.05
        if not broken(tiled, execute(tiled.program)) or chance.random() < kept:
            return respelled(random.Random(f"{seed}/respelled"), tiled), arrays


def _drawn(chance: random.Random) -> tuple[Tiled, dict[str, Array]]:
    tiled = drawn_tiled(chance)
    program, arrays = drawn_arrays(chance, tiled.program)
    return replace(tiled, program=program), arrays


def drawn_tiled(chance: random.Random) -> Tiled:
    """A program whose indices may be negative, in tiles."""
    depth = chance.choice((1, 2, 2, 2, 3))
    drawing = Drawing(chance, {1: 14, 2: 8, 3: 5}[depth] + chance.randint(0, 3))
    program = drawing.program(depth)
    around = [place.loops for place in places(program).values() if not program.nests[place.nest].is_called]
    while True:
        tilings = tuple(_tilings(chance, around))
        if all(each.names - {*program.around} for each in tilings):  # of t alone, all nests are in the tiles
            return Tiled(program, tilings)


def _tilings(chance: random.Random, around: Sequence[tuple[str, ...]]) -> Iterator[Tiling]:
    """Tilings of the loops AROUND accesses, the deepest first; what is left has none, one time of four."""
    rest = sorted(set(around), key=lambda loops: (-len(loops), loops))
    if chance.random() < 0.3:
        chance.shuffle(rest)
    first = True
    while rest:
        if first or chance.random() < 0.75:
            found = drawn_tiling(chance, rest[0])
            yield found
            rest = [loops for loops in rest if not found.names <= set(loops)]
        else:
            rest = rest[1:]
        first = False
