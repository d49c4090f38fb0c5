"""Dead stores to arguments that may overlap: random programs, executed with every placement of the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

import pytest

import volcli
from tests.shared.seeds import seeds

BYTES = {"i8": 1, "i16": 2}
ELEMENTS = 4
FAR = 100


@dataclass(frozen=True)
class Step:
    """The access of one line to an element: a number, and the variable of a loop if there is one."""

    line: int
    is_store: bool
    argument: int
    variable: str | None
    number: int


@dataclass(frozen=True)
class Repeated:
    variable: str
    trips: int
    body: Sequence[Step | Repeated]


class Overlapping:
    """A program that stores to two or three arguments, and loads from them in some programs."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._loads = self._random.choice((0, 0, 0.2))
        self._types = self._random.choices(("i8", "i8", "i16"), k=self._random.choice((2, 3)))
        arguments = (f"%a{k}: memref<{ELEMENTS}x{kind}>" for k, kind in enumerate(self._types))
        self._lines = [f"func.func @f({', '.join(arguments)}, %i8: i8, %i16: i16) {{"]
        self._body = self._block(())
        self.text = "\n".join([*self._lines, "return", "}"])

    def dead(self) -> set[int]:
        """The lines of stores of which no byte is read or left behind, wherever the arguments lie."""
        near = (*range(-ELEMENTS * 2, ELEMENTS * 2 + 1), FAR)
        placements = product(near, repeat=len(self._types) - 1)
        used = [self._used((0, *(base * (k + 1) if base == FAR else base for k, base in enumerate(rest))))
                for rest in placements]  # fmt: skip
        return self._stores(self._body) - set().union(*used)

    def _block(self, variables: tuple[str, ...]) -> list[Step | Repeated]:
        found: list[Step | Repeated] = []
        for _ in range(self._random.randint(1, 5)):
            if self._random.random() < 0.2 and len(variables) < 2:
                variable, trips = f"%n{len(self._lines)}", self._random.randint(1, 3)
                self._lines.append(f"affine.for {variable} = 0 to {trips} {{")
                found.append(Repeated(variable, trips, self._block((*variables, variable))))
                self._lines.append("}")
            else:
                found.append(self._step(variables))
        return found

    def _step(self, variables: tuple[str, ...]) -> Step:
        variable = self._random.choice((None, *variables))
        step = Step(
            len(self._lines) + 1,
            self._random.random() >= self._loads,
            self._random.randrange(len(self._types)),
            variable,
            self._random.randint(0, 2 if variable is None else 1),
        )
        kind = self._types[step.argument]
        index = str(step.number) if variable is None else f"{variable} + {step.number}"
        place = f"%a{step.argument}[{index}] : memref<{ELEMENTS}x{kind}>"
        access = f"affine.store %{kind}, {place}" if step.is_store else f"%v{step.line} = affine.load {place}"
        self._lines.append(access)
        return step

    def _used(self, bases: Sequence[int]) -> set[int]:
        """The lines of stores of which a byte is read, or left behind, if the arguments begin at BASES."""
        memory, used = dict[int, int](), set[int]()

        def run(body: Sequence[Step | Repeated], at: Mapping[str, int]) -> None:
            for each in body:
                if isinstance(each, Repeated):
                    for number in range(each.trips):
                        run(each.body, {**at, each.variable: number})
                    continue
                size = BYTES[self._types[each.argument]]
                index = each.number + (0 if each.variable is None else at[each.variable])
                first = bases[each.argument] + index * size
                for byte in range(first, first + size):
                    if each.is_store:
                        memory[byte] = each.line
                    elif byte in memory:
                        used.add(memory[byte])

        run(self._body, {})
        return used | set(memory.values())

    def _stores(self, body: Sequence[Step | Repeated]) -> set[int]:
        return {
            line
            for each in body
            for line in (
                self._stores(each.body) if isinstance(each, Repeated) else [each.line] * each.is_store
            )
        }


def told(text: str, options: str = "") -> set[int]:
    """The lines of dead stores."""
    found = volcli.loads(text).run(f"memory-flow{options}").diagnostics
    return {each.place.line for each in found if each.code == "V206" and each.place is not None}


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", seeds(30, 5000))
def test_dead_stores_are_dead_wherever_the_arguments_lie(seed: int) -> None:
    program = Overlapping(seed)
    found, dead = told(program.text), program.dead()
    assert found == told(program.text, "{findings-only}"), program.text
    assert found <= dead, program.text
    if "load" not in program.text:
        assert found == dead, program.text


BETWEEN = """func.func private @unknown(memref<7xf32>)
func.func @f(%x: f32, %b: memref<7xf32>, %o: memref<7xf32>, %p: memref<7xi32>, %n: i32, %i: index) {{
  affine.store %x, %b[6] : memref<7xf32>
  {between}
  affine.store %x, %b[6] : memref<7xf32>
  return
}}
"""


@pytest.mark.parametrize(
    "between",
    ["affine.store %x, %o[6] : memref<7xf32>", "affine.store %n, %p[0] : memref<7xi32>"],
)
def test_stores_to_another_argument_read_nothing(between: str) -> None:
    assert told(BETWEEN.format(between=between)) == {3}


@pytest.mark.parametrize(
    "between",
    [
        "%v = affine.load %o[6] : memref<7xf32>",
        "%v = affine.load %p[0] : memref<7xi32>",
        "%v = memref.atomic_rmw addf %x, %o[%i] : (f32, memref<7xf32>) -> f32",
        "func.call @unknown(%o) : (memref<7xf32>) -> ()",
    ],
)
def test_what_reads_another_argument_may_read_the_store(between: str) -> None:
    assert told(BETWEEN.format(between=between)) == set()
    assert told(BETWEEN.format(between=between), "{assume-noalias-args}") == (
        set() if "@unknown" in between else {3}
    )
