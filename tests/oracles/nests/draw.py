"""Random loops."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

from tests.oracles.interpreter.affine import Affine, at
from tests.oracles.nests.programs import (
    WIDTH,
    Access,
    Alloc,
    Buffer,
    Effect,
    Free,
    Loop,
    Node,
    Program,
)
from tests.oracles.nests.run import Binding


class Drawing:
    """What one program may use."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.accesses = 0
        self.arguments: list[Buffer] = []
        self.views: list[Buffer] = []
        self.usable: list[Buffer] = []
        self.head: list[Node] = []
        kinds = self.chance.choice([["plain"], ["plain", "plain"], ["bytes"], ["bytes", "plain"], ["strided"],
                                    ["strided", "plain"], ["alloc", "plain"]])  # fmt: skip
        for number, kind in enumerate(kinds):
            self.buffer(f"%b{number}", kind)

    def buffer(self, name: str, kind: str) -> None:
        """An argument, or a buffer of the function's own."""
        if kind == "bytes":
            base = Buffer(name, "i8", (120,))
            self.arguments.append(base)
            for number in range(self.chance.randint(2, 3)):
                element = self.chance.choice(["i8", "i16", "i32"])
                shift = self.chance.choice([0, 0, 1, 2, 4, 8])
                view = Buffer(
                    f"{name}v{number}", element, ((112 - shift) // WIDTH[element],), base=name, shift=shift
                )
                self.views.append(view)
                self.usable.append(view)
            return
        sizes = (12, 12) if kind == "strided" or self.chance.random() < 0.5 else (24,)
        strides = None
        if kind == "strided":
            strides = self.chance.choice([(12, 1), (1, 12), (0, 1), (1, 1), (2, 1), (1, 3), (3, 2), (None, 1),
                                          (None, None), (13, 1)])  # fmt: skip
        made = Buffer(name, "f32", sizes, strides)
        (self.head if kind == "alloc" else self.arguments).append(Alloc(made) if kind == "alloc" else made)  # type: ignore[arg-type]
        self.usable.append(made)

    def access(self, ranges: list[range], buffers: list[Buffer] | None = None) -> Access:
        """An access in bounds of its buffer, in all iterations of these RANGES."""
        while True:
            buffer = self.chance.choice(buffers or self.usable)
            rows = tuple(self.row(len(ranges)) for _ in buffer.sizes)
            found = Access(self.accesses, self.chance.random() < 0.55, buffer, rows)
            if all(
                0 <= k < size
                for point in product(*ranges)
                for k, size in zip(at(rows, point), buffer.sizes, strict=True)
            ):
                self.accesses += 1
                return found

    def row(self, count: int) -> Affine:
        """A subscript."""
        factors = tuple(self.chance.choice([-1, 0, 0, 1, 1, 1, 2]) for _ in range(count))
        return Affine(factors, self.chance.choice([0, 0, 1, 1, 2, 3, 4]))

    def statements(self, ranges: list[range], local: Buffer | None = None) -> list[Node]:
        """What an innermost body does."""
        found: list[Node] = [self.access(ranges) for _ in range(self.chance.randint(1, 3))]
        if local is not None:
            found += [self.access(ranges, [local]) for _ in range(2)]
        roll = self.chance.random()
        if roll < 0.1:
            found.insert(self.chance.randint(0, len(found)), Effect(self.chance.choice(["print", "call"])))
        elif roll < 0.2:
            points = range(self.chance.randint(1, 3))
            inside = [self.access([*ranges, points]) for _ in range(self.chance.randint(1, 2))]
            dialect = self.chance.choice(["scf.for", "scf.for", "affine.for"])
            loop = Loop(("%k",), tuple((p,) for p in points), tuple(inside), dialect)
            found.insert(self.chance.randint(0, len(found)), loop)
        elif roll < 0.35:
            own = Buffer(f"%own{self.accesses}", "f32", (24,))
            made: list[Node] = [Alloc(own), self.access(ranges, [own]), self.access(ranges, [own])]
            found += [*made, *([Free(own)] if self.chance.random() < 0.5 else [])]
        return found

    def range(self) -> range:
        low = self.chance.choice([0, 0, 1])
        return range(low, low + self.chance.randint(2, 4))

    def loop(self, iv: str, points: range, body: list[Node], parallel: float = 0.2) -> Loop:
        dialect = self.chance.choice(["affine.for", "affine.for", "affine.for", "scf.for"])
        if self.chance.random() < parallel:
            dialect = self.chance.choice(["affine.parallel", "scf.forall", "scf.parallel"])
        return Loop((iv,), tuple((p,) for p in points), tuple(body), dialect)


def drawn(seed: str) -> Program:
    """The program of SEED: two loops in one another, or some in a row."""
    drawing = Drawing(seed)
    chance = drawing.chance
    if chance.random() < 0.5:
        outer, inner = drawing.range(), drawing.range()
        local = Buffer("%local", "f32", (24,)) if chance.random() < 0.2 else None
        body = drawing.loop("%j", inner, drawing.statements([outer, inner], local))
        around: list[Node] = [body]
        if local is not None:
            around = [Alloc(local), body, *([Free(local)] if chance.random() < 0.5 else [])]
        elif chance.random() < 0.15:
            around.insert(chance.randint(0, 1), Effect(chance.choice(["print", "call"])))
        loops = [drawing.loop("%i", outer, around)]
    else:
        points, count = drawing.range(), chance.choice([1, 2, 2, 2, 3])
        parallel = chance.choice([0.0, 0.5, 1.0])
        loops = [drawing.loop("%i", points, drawing.statements([points]), parallel) for _ in range(count)]
    tail: list[Node] = []
    allocated = [node.buffer for node in drawing.head if isinstance(node, Alloc)]
    if allocated and chance.random() < 0.3:
        if len(loops) > 1 and chance.random() < 0.5:
            last = loops[-1]
            loops[-1] = replace(last, body=(*last.body, Effect("print")))
        tail = [Free(allocated[0])]
    return Program(tuple(drawing.arguments), tuple(drawing.views), (*drawing.head, *loops, *tail))


def bindings(program: Program) -> list[Binding]:
    """The arguments with memory of their own; each two of them in one; and layouts that overlap."""
    own = {buffer.name: (buffer.name[1:], 0) for buffer in program.arguments}
    dynamic = [b for b in program.arguments if b.strides is not None and None in b.strides]
    apart = {b.name: (40, 400) if b.strides == (None, None) else (40, 1) for b in dynamic}
    found = [Binding(own, apart)]
    names = list(own)
    for k, first in enumerate(names):
        for second in names[k + 1 :]:
            for shift in (0, 4, 1):
                shared = own | {second: (own[first][0], shift)}
                found.append(Binding(shared, apart, aliased=frozenset((frozenset((first, second)),))))
    for buffer in dynamic:
        for strides in ((0, 1), (1, 1), (2, 1)):
            overlapping = frozenset((buffer.name,))
            found.append(Binding(own, apart | {buffer.name: strides}, overlapping=overlapping))
    return found
