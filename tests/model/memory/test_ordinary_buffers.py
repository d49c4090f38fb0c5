"""What `check` asks of memory flow: the findings, without the flow of what has none."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import count

import pytest

import volcli
from tests.oracles.memory.draw import programs
from tests.shared.seeds import seeds
from volcli.model.memory.flow.flows import MemoryFlow

Sum = tuple[tuple[tuple[str, int], ...], int]
"""Coefficients of variables, and a constant."""
SIZES = 8, 8


def text_of(total: Sum) -> str:
    terms = [f"{c} * %{name}" for name, c in total[0]] + [str(total[1])]
    return " + ".join(terms)


def value_of(total: Sum, at: dict[str, int]) -> int:
    return total[1] + sum(c * at[name] for name, c in total[0])


@dataclass
class Loop:
    variable: str
    lower: Sum
    uppers: tuple[Sum, ...]
    step: int
    body: list[Loop | Access | str]


@dataclass
class Access:
    """A load or a store of %m, or of the view %v of all its elements in a row; `line` is where it is printed."""

    is_write: bool
    index: tuple[Sum, ...]
    line: int = 0


class Drawn:
    """A random program on one buffer in loops with constant ends; tiled, unrolled, of which some run never."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.count = 0
        self.returned = self.chance.random() < 0.3
        fill = [self.fill()] if self.chance.random() < 0.6 else []
        nests = [self.nest((), self.chance.randint(1, 3)) for _ in range(self.chance.randint(1, 4))]
        self.inside = not self.returned and self.chance.random() < 0.3
        body: list[Loop | Access | str] = ["alloc", *fill, *nests]
        self.body = [Loop("z", ((), 0), (((), 2),), 1, body)] if self.inside else body

    def fill(self) -> Loop:
        """Every element is written: in tiles, or by a loop that is unrolled."""
        unrolled, tile = self.chance.choice([1, 2, 4]), self.chance.choice([2, 3, 8])
        writes = [Access(True, (((("a", 1),), 0), ((("b", 1),), k))) for k in range(unrolled)]
        row = Loop("b", ((), 0), (((), SIZES[1]),), unrolled, [*writes])
        ends: tuple[Sum, ...] = (((("t", 1),), tile), ((), SIZES[0]))
        return Loop("t", ((), 0), (((), SIZES[0]),), tile, [Loop("a", ((("t", 1),), 0), ends, 1, [row])])

    def nest(self, around: tuple[str, ...], depth: int) -> Loop | Access:
        if not depth:
            return self.access(around)
        self.count += 1
        name, length, step = (
            f"i{self.count}",
            self.chance.choice([0, 1, 3, 4, 4, 6]),
            self.chance.choice([1, 1, 1, 2]),
        )
        lower, uppers = ((), 0), (((), length),)
        if around and self.chance.random() < 0.3:  # a tile, or a triangle
            outer = self.chance.choice(around)
            lower = (((outer, 1),), 0)
            uppers = ((((outer, 1),), 2), ((), length)) if self.chance.random() < 0.7 else uppers
        inner = (*around, name)
        body = [self.nest(inner, self.chance.randint(0, depth - 1)) for _ in range(self.chance.randint(1, 3))]
        if self.chance.random() < 0.3:
            body += [self.shifted(each) for each in body if isinstance(each, Access)]
        return Loop(name, lower, uppers, step, [*body])

    def access(self, around: tuple[str, ...]) -> Access:
        def index() -> Sum:
            if not around or self.chance.random() < 0.2:
                return (), self.chance.randint(0, 3)
            return ((self.chance.choice(around), self.chance.choice([1, 1, 1, 2])),), self.chance.choice(
                [0, 0, 0, 1]
            )

        if self.chance.random() < 0.2 and len(around) > 1:
            first, second = self.chance.sample(around, 2)
            return Access(self.chance.random() < 0.5, ((((first, SIZES[1]), (second, 1)), 0),))
        return Access(self.chance.random() < 0.5, (index(), index()))

    def shifted(self, access: Access) -> Access:
        """The same one element further, as an unrolled loop has it."""
        *others, (terms, constant) = access.index
        return Access(access.is_write, (*others, (terms, constant + 1)))

    def text(self) -> str:
        result = " -> memref<8x8xf32>" if self.returned else ""
        lines = [f"func.func @f(%x: f32){result} {{"]

        def write(nodes: list[Loop | Access | str]) -> None:
            for node in nodes:
                if isinstance(node, str):
                    lines.append("%m = memref.alloc() : memref<8x8xf32>")
                    lines.append(
                        "%v = memref.collapse_shape %m [[0, 1]] : memref<8x8xf32> into memref<64xf32>"
                    )
                elif isinstance(node, Loop):
                    names = names_in(node.uppers)
                    sums = ", ".join(over(each, names) for each in node.uppers)
                    dims = ", ".join(f"d{k}" for k in range(len(names)))
                    given = ", ".join(f"%{name}" for name in names)
                    ends = f"min affine_map<({dims}) -> ({sums})>({given})"
                    begin = f"affine_map<(d0) -> (d0)>(%{node.lower[0][0][0]})" if node.lower[0] else "0"
                    lines.append(f"affine.for %{node.variable} = {begin} to {ends} step {node.step} {{")
                    write(node.body)
                    lines.append("}")
                else:
                    memref, kind = ("%m", "8x8") if len(node.index) == 2 else ("%v", "64")
                    where = f"{memref}[{', '.join(map(text_of, node.index))}] : memref<{kind}xf32>"
                    lines.append(
                        f"affine.store %x, {where}"
                        if node.is_write
                        else f"%l{len(lines)} = affine.load {where}"
                    )
                    node.line = len(lines)

        write(self.body)
        return "\n".join([*lines, "return %m : memref<8x8xf32>" if self.returned else "return", "}", ""])

    def findings(self) -> set[tuple[str, int]] | None:
        """The findings, by running it; None if it leaves its buffer."""
        written: dict[int, Access] = {}
        ran: dict[int, Access] = {}
        used: set[int] = set()
        unwritten: set[int] = set()

        def run(nodes: list[Loop | Access | str], at: dict[str, int]) -> bool:
            for node in nodes:
                if isinstance(node, str):
                    written.clear()
                elif isinstance(node, Loop):
                    end = min(value_of(each, at) for each in node.uppers)
                    for number in range(value_of(node.lower, at), end, node.step):
                        if not run(node.body, {**at, node.variable: number}):
                            return False
                else:
                    index = [value_of(each, at) for each in node.index]
                    inside = (
                        all(0 <= i < size for i, size in zip(index, SIZES, strict=False)) or len(index) == 1
                    )
                    element = index[0] * SIZES[1] + index[1] if len(index) == 2 else index[0]
                    if not inside or not 0 <= element < SIZES[0] * SIZES[1]:
                        return False
                    if node.is_write:
                        written[element] = ran[node.line] = node
                    elif element in written:
                        used.add(written[element].line)
                    else:
                        unwritten.add(node.line)
            return True

        if not run(self.body, {}):
            return None
        if self.returned:
            used |= {access.line for access in written.values()}
        return {("V205", line) for line in unwritten} | {("V206", line) for line in ran if line not in used}


def names_in(sums: tuple[Sum, ...]) -> list[str]:
    return list(dict.fromkeys(name for terms, _ in sums for name, _ in terms))


def over(total: Sum, names: list[str]) -> str:
    return " + ".join([*(f"{c} * d{names.index(name)}" for name, c in total[0]), str(total[1])])


def said(text: str, options: str) -> set[tuple[str, int]]:
    found = volcli.loads(text).run(f"memory-flow{options}").diagnostics
    return {(each.code, each.place.line) for each in found if each.place is not None}


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", seeds(75, 5000))
def test_what_is_found_is_what_happens(seed: int) -> None:
    drawn = (Drawn(seed + 10_000 * attempt) for attempt in count())
    program = next(each for each in drawn if each.findings() is not None)  # None: it goes out of bounds
    text = program.text()
    assert said(text, "{findings-only}") == program.findings(), text


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 100))
def test_findings_are_those_of_the_whole_flow(seed: int) -> None:
    for program in programs(seed, 20):
        assert said(program.text, "{findings-only}") == said(program.text, ""), program.text


@pytest.mark.slow
def test_most_buffers_are_decided_without_their_flow() -> None:
    followed = every = 0
    for seed in range(150):
        program = Drawn(seed)
        text = program.text()
        if program.findings() == set():
            (model,) = volcli.loads(text).units[0].models()
            every += 1
            followed += len(MemoryFlow(model.memory).doubtful())
    assert every > 20
    assert followed < every / 2


UNROLLED = """func.func @f(%x: f32, %out: memref<9xf32>) {
  %m = memref.alloc() : memref<9xf32>
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to affine_map<(d0) -> ((d0 floordiv 4) * 4)>(%i) step 4 {
      affine.store %x, %m[%j] : memref<9xf32>
      %0 = affine.load %m[%j] : memref<9xf32>
      affine.store %0, %m[%j + 1] : memref<9xf32>
      %1 = affine.load %m[%j + 1] : memref<9xf32>
      affine.store %1, %out[%j] : memref<9xf32>
      affine.store %x, %m[%j + 2] : memref<9xf32>
    }
  }
  return
}
"""


def test_bounds_with_divisions_have_boxes() -> None:
    assert said(UNROLLED, "{findings-only}") == said(UNROLLED, "") == {("V206", 10)}
