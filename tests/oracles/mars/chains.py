"""Random chains of structured operations: as MLIR, and as the programs of loops that they are.

An operation runs through its points in lexicographic order. On tensors each result is an array of its own, whose
old elements are those of the initial one where no point has computed others."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.oracles.mars.claims import Comparison, compared
from tests.oracles.mars.enumeration import Access, Affine, If, Loop, Node, Point, Program, Statement
from tests.oracles.mars.kernels import tilings
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, Tiling

Row = tuple[int, ...]
"""The loops whose sum is an index: (0,) for d0, (0, 1) for d0 + d1."""


@dataclass(frozen=True)
class Operand:
    array: str
    rows: tuple[Row, ...]

    def access(self, number: int) -> Access:
        index = (Affine(tuple((f"d{loop}", 1) for loop in row)) for row in self.rows)
        return Access(number, self.array, tuple(index))


@dataclass(frozen=True)
class Computation:
    """`result[out(l)] = sum of inputs (and of the old element, if it `accumulates`)`, at first `initial`."""

    extents: Point
    inputs: tuple[Operand, ...]
    initial: str
    result: Operand
    accumulates: bool

    def accesses(self, first: int) -> tuple[Access, ...]:
        """The inputs, the element before any point has computed it, the one after that, and the store."""
        operands = (*self.inputs, Operand(self.initial, self.result.rows), self.result, self.result)
        return tuple(operand.access(first + k) for k, operand in enumerate(operands))

    def nest(self, first: int) -> Loop:
        """Its loops; accesses are numbered from FIRST."""
        *inputs, initial, old, write = self.accesses(first)
        used = {k for row in self.result.rows for k in row}
        is_first = Affine(tuple((f"d{k}", -1) for k in range(len(self.extents)) if k not in used))
        body: Node = Statement(tuple(inputs), write)
        if self.accumulates:
            body = Statement((*inputs, old), write)
            if self.initial != self.result.array:
                body = If(((is_first, 0),), (Statement((*inputs, initial), write),), (body,))
        for depth in reversed(range(len(self.extents))):
            body = Loop(f"d{depth}", (Affine(),), (Affine((), self.extents[depth]),), 1, (body,))
        assert isinstance(body, Loop)
        return body


@dataclass(frozen=True)
class Chain:
    shapes: dict[str, Point]
    computations: tuple[Computation, ...]
    on_memory: bool

    def tiled(self, scheme: Sequence[Tiling]) -> Tiled:
        nests = (each.nest(first) for first, each in self._numbered())
        return Tiled(Program(tuple(nests)), tuple(scheme))

    @property
    def arrays(self) -> dict[str, Array]:
        return {name: Array(shape) for name, shape in self.shapes.items()}

    def line_of(self, places: Sequence[int]) -> dict[int, int]:
        """The lines of all accesses; PLACES are those of the operations."""
        pairs = zip(self._numbered(), places, strict=True)
        return {access.number: line for (first, each), line in pairs for access in each.accesses(first)}

    def _numbered(self) -> Iterator[tuple[int, Computation]]:
        first = 1
        for each in self.computations:
            yield first, each
            first += len(each.accesses(first))


def mlir(chain: Chain) -> tuple[str, dict[int, int]]:
    """CHAIN as a function, and the line of each access by its number."""
    kind = "memref" if chain.on_memory else "tensor"
    made: set[str] = set() if chain.on_memory else {each.result.array for each in chain.computations}

    def of(array: str) -> str:
        return f"{kind}<{'x'.join(map(str, chain.shapes[array]))}xf32>"

    arguments = ", ".join(f"%{name}: {of(name)}" for name in chain.shapes if name not in made)
    lines, places = [f"func.func @f({arguments}) {{"], list[int]()
    for each in chain.computations:
        loops = ", ".join(f"d{k}" for k in range(len(each.extents)))
        maps = ", ".join(
            f"affine_map<({loops}) -> ({', '.join(' + '.join(f'd{k}' for k in row) for row in o.rows)})>"
            for o in (*each.inputs, each.result)
        )
        used = {k for row in each.result.rows for k in row}
        kinds = ", ".join('"parallel"' if k in used else '"reduction"' for k in range(len(each.extents)))
        inputs = ", ".join(f"%{o.array}" for o in each.inputs)
        types = ", ".join(of(o.array) for o in each.inputs)
        names = [f"%x{k}" for k in range(len(each.inputs))]
        block = ", ".join(f"{name}: f32" for name in (*names, "%old"))
        terms = [*names, *(["%old"] if each.accumulates else [])]
        sums = [
            f"%s{k} = arith.addf {terms[0] if k == 1 else f'%s{k - 1}'}, {terms[k]} : f32"
            for k in range(1, len(terms))
        ]
        last = f"%s{len(terms) - 1}" if len(terms) > 1 else terms[0]
        result = "" if chain.on_memory else f"%{each.result.array} = "
        behind = "" if chain.on_memory else f" -> {of(each.result.array)}"
        lines.append(
            f"{result}linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({inputs} : {types}) outs(%{each.initial} : {of(each.initial)}) {{"
        )
        places.append(len(lines))
        lines += [f"^bb0({block}):", *sums, f"linalg.yield {last} : f32", f"}}{behind}"]
    return "\n".join([*lines, "return", "}", ""]), chain.line_of(places)


def drawn_chain(chance: random.Random) -> Chain:
    """Two or three operations, each of which reads what the one before it computed."""
    on_memory = chance.random() < 0.3
    shapes: dict[str, Point] = {"x": tuple(chance.randint(4, 8) for _ in range(chance.choice((1, 2, 2))))}
    found: list[Computation] = []
    value = "x"
    for number in range(chance.choice((2, 2, 3))):
        extents, first = _over(chance, shapes[value])
        inputs = [Operand(value, first)]
        alone = tuple((k,) for k in range(len(extents)) if (k,) not in first)
        if alone or chance.random() < 0.5:
            rows = alone or _some(chance, len(extents))
            shapes[f"w{number}"] = tuple(extents[row[0]] for row in rows)
            inputs.append(Operand(f"w{number}", rows))
        rows = _some(chance, len(extents))
        shape, result = tuple(extents[row[0]] for row in rows), f"r{number}"
        alike = [name for name, other in shapes.items() if other == shape and name != value]
        initial = chance.choice(alike) if alike and chance.random() < 0.5 else f"i{number}"
        if initial in {o.array for o in inputs}:
            initial = f"i{number}"
        shapes.setdefault(initial, shape)
        result = initial if on_memory else result
        shapes[result] = shape
        is_reduction = len(rows) < len(extents)
        accumulates = is_reduction or chance.random() < 0.3
        found.append(Computation(extents, tuple(inputs), initial, Operand(result, rows), accumulates))
        value = result
    return Chain(shapes, tuple(found), on_memory)


def _over(chance: random.Random, shape: Point) -> tuple[Point, tuple[Row, ...]]:
    """The extents of loops, and where they read an array of SHAPE: all of it."""
    if len(shape) == 1 and shape[0] > 3 and chance.random() < 0.4:
        window = chance.choice((2, 3))
        return (shape[0] - window + 1, window), ((0, 1),)
    extents, rows = list(shape), [(k,) for k in range(len(shape))]
    if len(extents) < 3 and chance.random() < 0.5:
        extents.append(chance.randint(2, 5))
    order = chance.sample(range(len(extents)), len(extents))
    return tuple(extents[k] for k in order), tuple((order.index(row[0]),) for row in rows)


def _some(chance: random.Random, loops: int) -> tuple[Row, ...]:
    chosen = chance.sample(range(loops), chance.randint(1, min(loops, 2)))
    return tuple((k,) for k in chosen)


def drawn_scheme(chance: random.Random) -> tuple[Tiling, ...]:
    """A tiling for three loops, one for two, and one for one."""
    sizes: Sequence[int] = (1, 2, 3, 4)
    three = ", ".join(f"d{k}:{chance.choice(sizes)}" for k in range(3))
    planes = chance.choice((("d0", "d1"), ("d0", "d1"), ("d0", "d0+d1"), ("d1", "d0")))
    two = ", ".join(f"{plane}:{chance.choice(sizes)}" for plane in planes)
    return tilings(f"{three}; {two}; d0:{chance.choice(sizes)}")


def compared_chain(seed: str) -> Comparison:
    """What volcli answers about the chain and the scheme of SEED, compared with its enumeration."""
    chance = random.Random(seed)
    chain = drawn_chain(chance)
    return compared(chain.tiled(drawn_scheme(chance)), chain.arrays, mlir(chain))
