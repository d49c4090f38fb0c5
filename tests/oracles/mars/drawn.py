"""Random programs of affine loops and their tilings: what reads, writes, bounds and conditions may be in them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.oracles.mars.enumeration import Access, Affine, If, Loop, Node, Program, Statement, execute, places
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, Tiling, broken

ELEMENTS = ("f32", "f32", "f32", "f64", "i8", "f16", "i64")


@dataclass
class Drawing:
    """One program that is drawn: its arrays with their ranks, and the number of the next access."""

    chance: random.Random
    extent: int
    ranks: dict[str, int] = field(default_factory=dict[str, int])
    number: int = 0

    def program(self, depth: int) -> Program:
        self.ranks = {"a": depth if self.chance.random() < 0.8 else self.chance.randint(1, depth)}
        self.ranks |= {"b": self.chance.randint(1, depth), "x": self.chance.randint(1, depth)}
        symbols = {"n": self.extent} if self.chance.random() < 0.2 else {}
        count = self.chance.choice((1, 1, 1, 2))
        names = [["i", "j", "k"][:depth] for _ in range(count)]
        if count > 1 and self.chance.random() < 0.5:
            names[1] = ["p", "q", "r"][: self.chance.randint(1, depth)]
        return Program(tuple(self._nest(each, symbols) for each in names), symbols)

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
        return Loop(name, lower, upper, self.chance.choice((1, 1, 1, 1, 1, 2, 3)), body)

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
        if reads and self.chance.random() < 0.1:
            return Statement(tuple(reads))
        return Statement(tuple(reads), self._access(written, names, False))

    def _access(self, array: str, names: Sequence[str], is_read: bool) -> Access:
        self.number += 1
        rank, depth = self.ranks[array], len(names)
        order = list(names) + [self.chance.choice(names) for _ in range(max(0, rank - depth))]
        rows = [Affine(((name, 1),), 0) for name in order[:rank]]
        if rank < depth and self.chance.random() < 0.5:
            rows = [Affine(((name, 1),), 0) for name in sorted(self.chance.sample(list(names), rank))]
        kind = self.chance.random()
        if kind < (0.45 if is_read else 0.75):
            shifts = (0, 0, -1, -1, 1, -2) if is_read else (0, 0, 0, 1)
            return Access(self.number, array, tuple(row.plus(self.chance.choice(shifts)) for row in rows))
        index = [self._twisted(row, names) if self.chance.random() < 0.6 else row for row in rows]
        if self.chance.random() < 0.3:
            self.chance.shuffle(index)
        return Access(self.number, array, tuple(index))

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


def drawn_arrays(chance: random.Random | None, program: Program) -> tuple[Program, dict[str, Array]]:
    """PROGRAM with indices from 0, and arrays for all that it accesses; by CHANCE with more room and other types."""
    trace = execute(program)
    elements: dict[str, list[tuple[int, ...]]] = {}
    for number, place in trace.places.items():
        found = [element for _, element, _ in trace.reads.get(number, ())]
        found += list(trace.writes.get(number, {}).values())
        elements.setdefault(place.access.array, []).extend(found)
    kind = "f32" if chance is None else chance.choice(ELEMENTS)
    arrays: dict[str, Array] = {}
    least: dict[str, tuple[int, ...]] = {}
    ranks = {place.access.array: len(place.access.index) for place in trace.places.values()}
    for name, each in sorted(elements.items()):
        columns = list(zip(*each, strict=True)) or [(0,)] * ranks[name]
        least[name] = tuple(map(min, columns))
        sizes = [max(column) - min(column) + 1 for column in columns]
        if chance is not None:
            sizes = [size + chance.choice((0, 0, 0, 1, 5)) for size in sizes]
        is_dynamic = bool(program.symbols) or (chance is not None and chance.random() < 0.1)
        strides = () if chance is None or is_dynamic else _strides(chance, sizes)
        arrays[name] = Array(tuple(None if is_dynamic else size for size in sizes), kind, strides)
    moved = (_moved(nest, least) for nest in program.nests)
    nests = tuple(nest for nest in moved if isinstance(nest, Loop))
    return replace(program, nests=nests), arrays


def _strides(chance: random.Random, sizes: Sequence[int]) -> tuple[int, ...]:
    """One time of four, those of dimensions in another order, or with room behind each row."""
    if chance.random() < 0.75:
        return ()
    strides, step = [0] * len(sizes), 1
    for dimension in chance.sample(range(len(sizes)), len(sizes)):
        strides[dimension] = step
        step *= sizes[dimension] + chance.choice((0, 0, 1))
    return tuple(strides)


def _moved(node: Node, least: Mapping[str, tuple[int, ...]]) -> Node:
    """NODE with the LEAST index of each array at 0."""
    if isinstance(node, Statement):
        write = None if node.write is None else _access_moved(node.write, least)
        return replace(node, reads=tuple(_access_moved(read, least) for read in node.reads), write=write)
    body = tuple(_moved(child, least) for child in node.body)
    if isinstance(node, If):
        return replace(node, body=body, otherwise=tuple(_moved(child, least) for child in node.otherwise))
    return replace(node, body=body)


def _access_moved(access: Access, least: Mapping[str, tuple[int, ...]]) -> Access:
    pairs = zip(access.index, least[access.array], strict=True)
    return replace(access, index=tuple(form.plus(-low) for form, low in pairs))


def drawn_tiling(chance: random.Random, names: Sequence[str]) -> Tiling:
    """Rectangular or skewed tiles, of sizes that may be 1 or divide nothing, over all loops or the outermost ones."""
    tiled = list(names[: chance.choice((len(names), len(names), len(names), chance.randint(1, len(names))))])
    planes = [{name: 1} for name in tiled]
    if len(tiled) > 1 and chance.random() < 0.35:
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
        if not broken(tiled, execute(tiled.program)) or chance.random() < 0.05:
            return tiled, arrays


def _drawn(chance: random.Random) -> tuple[Tiled, dict[str, Array]]:
    depth = chance.choice((1, 2, 2, 2, 3))
    drawing = Drawing(chance, {1: 14, 2: 8, 3: 5}[depth] + chance.randint(0, 3))
    program = drawing.program(depth)
    tilings = tuple(_tilings(chance, [place.loops for place in places(program).values()]))
    program, arrays = drawn_arrays(chance, program)
    return Tiled(program, tilings), arrays


def _tilings(chance: random.Random, around: Sequence[tuple[str, ...]]) -> Iterator[Tiling]:
    """Tilings of the loops AROUND accesses, the deepest first; what is left has none, one time of four."""
    rest = sorted(set(around), key=lambda loops: (-len(loops), loops))
    first = True
    while rest:
        if first or chance.random() < 0.75:
            found = drawn_tiling(chance, rest[0])
            yield found
            rest = [loops for loops in rest if not found.names <= set(loops)]
        else:
            rest = rest[1:]
        first = False
