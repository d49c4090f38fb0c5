"""Small programs of loops over memory, as text and as what they do, one element at a time.

Each buffer holds, for each element, how often each element of an input has gone into it: a bag. A store puts
there the sum of the bags of what it loads. That is all that `volcli.model.sources` claims to know.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Bag = Counter[tuple[int, tuple[int, ...]]]
SIZE = 16


@dataclass(frozen=True)
class Index:
    """`sum of factors[k] * i_k + constant`, below SIZE."""

    factors: tuple[int, ...]
    constant: int

    def at(self, point: Sequence[int]) -> int:
        return sum(f * i for f, i in zip(self.factors, point, strict=False)) + self.constant

    def text(self) -> str:
        terms = [f"%i{k} * {f}" for k, f in enumerate(self.factors) if f]
        return " + ".join([*terms, str(self.constant)])


@dataclass(frozen=True)
class Access:
    buffer: int
    index: tuple[Index, ...]


@dataclass(frozen=True)
class Store:
    """`target = sum of sources`."""

    target: Access
    sources: tuple[Access, ...]


@dataclass(frozen=True)
class If:
    """The body where `i_k >= least`."""

    level: int
    least: int
    body: tuple[Node, ...]


@dataclass(frozen=True)
class Loop:
    lower: int
    upper: int
    step: int
    body: tuple[Node, ...]


Node = Store | If | Loop


def executed(ranks: Sequence[int], program: Sequence[Node]) -> list[dict[tuple[int, ...], Bag]]:
    """What is in each buffer in the end."""
    memory: list[dict[tuple[int, ...], Bag]] = [
        {e: Counter({(b, e): 1}) for e in _elements(rank)} for b, rank in enumerate(ranks)
    ]

    def run(nodes: Sequence[Node], point: tuple[int, ...]) -> None:
        for node in nodes:
            match node:
                case Loop():
                    for i in range(node.lower, node.upper, node.step):
                        run(node.body, (*point, i))
                case If():
                    if point[node.level] >= node.least:
                        run(node.body, point)
                case Store():
                    bag: Bag = Counter()
                    for source in node.sources:
                        bag.update(memory[source.buffer][tuple(e.at(point) for e in source.index)])
                    memory[node.target.buffer][tuple(e.at(point) for e in node.target.index)] = bag

    run(program, ())
    return memory


def _elements(rank: int) -> Iterator[tuple[int, ...]]:
    if rank == 0:
        yield ()
        return
    for first in range(SIZE):
        for rest in _elements(rank - 1):
            yield (first, *rest)


def text(ranks: Sequence[int], program: Sequence[Node]) -> str:
    """The program as MLIR."""
    kinds = [f"memref<{'x'.join([str(SIZE)] * rank)}{'x' * bool(rank)}f32>" for rank in ranks]
    lines: list[str] = []
    counter = iter(range(10_000))

    def element(access: Access) -> str:
        return f"%b{access.buffer}[{', '.join(e.text() for e in access.index)}] : {kinds[access.buffer]}"

    def write(nodes: Sequence[Node], depth: int) -> None:
        for node in nodes:
            match node:
                case Loop():
                    lines.append(f"affine.for %i{depth} = {node.lower} to {node.upper} step {node.step} {{")
                    write(node.body, depth + 1)
                    lines.append("}")
                case If():
                    lines.append(f"affine.if affine_set<(d0) : (d0 - {node.least} >= 0)>(%i{node.level}) {{")
                    write(node.body, depth)
                    lines.append("}")
                case Store():
                    total = "%zero"
                    for source in node.sources:
                        loaded, sum_ = f"%x{next(counter)}", f"%x{next(counter)}"
                        lines.append(f"{loaded} = affine.load {element(source)}")
                        lines.append(f"{sum_} = arith.addf {total}, {loaded} : f32")
                        total = sum_
                    lines.append(f"affine.store {total}, {element(node.target)}")

    write(program, 0)
    arguments = ", ".join(f"%b{b}: {kind}" for b, kind in enumerate(kinds))
    body = "\n".join(["%zero = arith.constant 0.0 : f32", *lines, "return"])
    return f"func.func @f({arguments}) {{\n{body}\n}}\n"


def drawn(seed: int) -> tuple[list[int], list[Node]]:
    """A random program, and the ranks of its buffers."""
    chance = random.Random(seed)
    ranks = [chance.choice((0, 1, 1, 2)) for _ in range(chance.choice((2, 3)))]

    def index(depth: int) -> Index:
        factors = [0] * depth
        for _ in range(chance.choice((0, 1, 1, 1, 2)) if depth else 0):
            factors[chance.randrange(depth)] = chance.choice((1, 1, 1, 2))
        return Index(tuple(factors), chance.choice((0, 0, 0, 1, 2)))

    def access(depth: int) -> Access:
        buffer = chance.randrange(len(ranks))
        return Access(buffer, tuple(index(depth) for _ in range(ranks[buffer])))

    def store(depth: int) -> Store:
        target = access(depth)
        sources = [access(depth) for _ in range(chance.choice((0, 1, 1, 2)))]
        if chance.random() < 0.5:
            sources.append(target)
        return Store(target, tuple(sources))

    def nodes(depth: int) -> tuple[Node, ...]:
        found: list[Node] = []
        for _ in range(chance.choice((1, 1, 2))):
            kind = chance.random()
            if depth < 3 and kind < 0.55:
                lower = chance.choice((0, 0, 1))
                upper, step = lower + chance.choice((0, 1, 3, 3)), chance.choice((1, 1, 2))
                found.append(Loop(lower, upper, step, nodes(depth + 1)))
            elif depth and kind < 0.65:
                found.append(If(chance.randrange(depth), chance.randrange(4), nodes(depth)))
            else:
                found.append(store(depth))
        return tuple(found)

    return ranks, list(nodes(0))
