"""Random programs over sizes, and what their sizes are when they run: written and executed step by step.

A run is given up (`Undefined`) where an operation is undefined, as tensor.empty of a negative size, and ends
where an assertion fails: then only what came before it has a size.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.oracles.interpreter.arithmetic import Undefined, arith, compared
from tests.shared.enumeration import function

ARITHMETIC = ("addi", "subi", "minsi", "maxsi")
PREDICATES = ("sle", "sge", "eq", "ne")
CONSTANTS = range(6)
ARGUMENTS = ("%n", "%m", "%t", "%u")


class Ended(Exception):
    """An assertion failed."""


@dataclass
class Sized:
    """A program as lines and as steps on numbers: index values, and the sizes of vectors."""

    lines: list[str] = field(default_factory=list[str])
    steps: list[Callable[[dict[str, int]], None]] = field(
        default_factory=list[Callable[[dict[str, int]], None]]
    )
    indices: list[str] = field(default_factory=lambda: ["%n", "%m", *(f"%c{c}" for c in CONSTANTS)])
    vectors: list[str] = field(default_factory=lambda: ["%t", "%u"])

    def text(self) -> str:
        constants = [f"%c{c} = arith.constant {c} : index" for c in CONSTANTS]
        body = "\n".join([*constants, "%v = arith.constant 1.0 : f32", *self.lines])
        return function("%n: index, %m: index, %t: tensor<?xf32>, %u: tensor<?xf32>", body)

    def run(self, n: int, m: int, t: int, u: int) -> dict[str, int]:
        """The numbers of all values that are reached; raises Undefined."""
        numbers = {"%n": n, "%m": m, "%t": t, "%u": u} | {f"%c{c}": c for c in CONSTANTS}
        try:
            for step in self.steps:
                step(numbers)
        except Ended:
            pass
        return numbers

    def add(self, line: str, step: Callable[[dict[str, int]], None]) -> None:
        self.lines.append(line)
        self.steps.append(step)

    def assign(self, line: str, value: Callable[[dict[str, int]], int], *, vector: bool) -> None:
        name = f"%x{len(self.lines)}"

        def step(numbers: dict[str, int]) -> None:
            numbers[name] = value(numbers)

        self.add(f"{name} = {line}", step)
        (self.vectors if vector else self.indices).append(name)


def defined(holds: bool) -> None:
    if not holds:
        raise Undefined("a size")


def program(seed: int) -> Sized:
    """A random program."""
    draw, made = random.Random(seed), Sized()
    for _ in range(draw.randint(2, 9)):
        draw.choice(STEPS)(draw, made)
    return made


def arithmetic(draw: random.Random, made: Sized) -> None:
    name, a, b = draw.choice(ARITHMETIC), draw.choice(made.indices), draw.choice(made.indices)
    made.assign(f"arith.{name} {a}, {b} : index", lambda e: arith(name, e[a], e[b]), vector=False)


def halved(draw: random.Random, made: Sized) -> None:
    a, c = draw.choice(made.indices), draw.choice((2, 3))
    made.assign(f"arith.floordivsi {a}, %c{c} : index", lambda e: e[a] // c, vector=False)


def dim(draw: random.Random, made: Sized) -> None:
    t = draw.choice(made.vectors)
    made.assign(f"tensor.dim {t}, %c0 : tensor<?xf32>", lambda e: e[t], vector=False)


def empty(draw: random.Random, made: Sized) -> None:
    a = draw.choice(made.indices)

    def value(e: dict[str, int]) -> int:
        defined(e[a] >= 0)
        return e[a]

    made.assign(f"tensor.empty({a}) : tensor<?xf32>", value, vector=True)


def pad(draw: random.Random, made: Sized) -> None:
    t, low, high = draw.choice(made.vectors), draw.randint(0, 3), draw.randint(0, 3)
    line = f"tensor.pad {t} low[{low}] high[{high}] {{\n ^bb0(%i: index): tensor.yield %v : f32\n"
    made.assign(f"{line}}} : tensor<?xf32> to tensor<?xf32>", lambda e: e[t] + low + high, vector=True)


def concat(draw: random.Random, made: Sized) -> None:
    t, u = draw.choice(made.vectors), draw.choice(made.vectors)
    kinds = "(tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>"
    made.assign(f"tensor.concat dim(0) {t}, {u} : {kinds}", lambda e: e[t] + e[u], vector=True)


def cast(draw: random.Random, made: Sized) -> None:
    t, c = draw.choice(made.vectors), draw.randint(0, 6)
    name = f"%d{len(made.lines)}"
    made.add(f"{name} = tensor.cast {t} : tensor<?xf32> to tensor<{c}xf32>", lambda e: defined(e[t] == c))
    made.assign(f"tensor.cast {name} : tensor<{c}xf32> to tensor<?xf32>", lambda e: c, vector=True)


def added(draw: random.Random, made: Sized) -> None:
    t, u = draw.choice(made.vectors), draw.choice(made.vectors)

    def value(e: dict[str, int]) -> int:
        defined(e[t] == e[u])
        return e[t]

    made.assign(f"arith.addf {t}, {u} : tensor<?xf32>", value, vector=True)


def asserted(draw: random.Random, made: Sized) -> None:
    name, a, b = draw.choice(PREDICATES), draw.choice(made.indices), draw.choice(made.indices)
    truth = f"%k{len(made.lines)}"

    def step(e: dict[str, int]) -> None:
        if not compared(name, e[a], e[b]):
            raise Ended

    made.add(f'{truth} = arith.cmpi {name}, {a}, {b} : index\ncf.assert {truth}, "{truth}"', step)


def chosen(draw: random.Random, made: Sized) -> None:
    name, a, b = draw.choice(PREDICATES), draw.choice(made.indices), draw.choice(made.indices)
    t, u, truth = draw.choice(made.vectors), draw.choice(made.vectors), f"%k{len(made.lines)}"
    made.add(f"{truth} = arith.cmpi {name}, {a}, {b} : index", lambda e: None)
    branches = f"{{ scf.yield {t} : tensor<?xf32> }} else {{ scf.yield {u} : tensor<?xf32> }}"
    made.assign(
        f"scf.if {truth} -> (tensor<?xf32>) {branches}",
        lambda e: e[t] if compared(name, e[a], e[b]) else e[u],
        vector=True,
    )


def grown(draw: random.Random, made: Sized) -> None:
    a, t, low = draw.choice(made.indices), draw.choice(made.vectors), draw.randint(0, 2)
    name = len(made.lines)
    made.assign(
        f"""scf.for %i{name} = %c0 to {a} step %c1 iter_args(%a{name} = {t}) -> (tensor<?xf32>) {{
          %p{name} = tensor.pad %a{name} low[{low}] high[0] {{
          ^bb0(%j: index): tensor.yield %v : f32
          }} : tensor<?xf32> to tensor<?xf32>
          scf.yield %p{name} : tensor<?xf32>
        }}""",
        lambda e: e[t] + low * max(e[a], 0),
        vector=True,
    )


def asserted_in_loop(draw: random.Random, made: Sized) -> None:
    a, b, name = draw.choice(made.indices), draw.choice(made.indices), len(made.lines)

    def step(e: dict[str, int]) -> None:
        if e[a] > max(e[b], 0):
            raise Ended

    made.add(
        f"""scf.for %i{name} = %c0 to {a} step %c1 {{
          %k{name} = arith.cmpi slt, %i{name}, {b} : index
          cf.assert %k{name}, "in the loop"
        }}""",
        step,
    )


STEPS: tuple[Callable[[random.Random, Sized], None], ...] = (
    arithmetic, arithmetic, halved, dim, dim, empty, empty, pad, concat, cast, added, added, asserted, chosen,
    grown, asserted_in_loop,
)  # fmt: skip


def inputs() -> Iterator[tuple[int, int, int, int]]:
    """Some values of %n, %m, and of the sizes of %t and %u."""
    return ((n, m, t, u) for n in range(-2, 6) for m in (-1, 0, 2, 5) for t in range(7) for u in (0, 2, 3, 5))
