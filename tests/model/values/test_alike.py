"""Questions that differ in the names of loops alone: each has the answer that it has when it is asked alone."""

from __future__ import annotations

import random

import pytest

import volcli
from tests.shared.seeds import seeds
from volcli.model.values.contexts.renaming import Alike

SIZES = ("%n", "%m", "%c7", "%s")
HEADER = """
func.func @f(%n: index, %m: index, %t: memref<?xindex>, %k: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %s = memref.load %t[%c1] : memref<?xindex>
"""


class Nests:
    """Random nests of a few shapes: many of their loops are alike, some for conditions of their own are not."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self._count = 0

    def text(self) -> str:
        """A function of some nests."""
        return HEADER + "".join(self._loop([], "  ") for _ in range(5)) + "  return\n}\n"

    def _name(self) -> str:
        self._count += 1
        return f"%x{self._count}"

    def _loop(self, around: list[str], indent: str) -> str:
        draw, variable = self._draw, self._name()
        lower = draw.choice(("%c0", "%c1", *around[-1:]))
        upper, step = draw.choice((*SIZES, *around[-1:])), draw.choice(("%c1", "%c1", "%c3", "%m"))
        inner = [*around, variable]
        body = "".join(self._statement(inner, indent + "  ") for _ in range(draw.randrange(1, 4)))
        return f"{indent}scf.for {variable} = {lower} to {upper} step {step} {{\n{body}{indent}}}\n"

    def _statement(self, around: list[str], indent: str) -> str:
        draw, value = self._draw, self._name()
        one, other = draw.choice(around), draw.choice((*SIZES, *around))
        match draw.randrange(8):
            case 0 | 1 | 2 if len(around) < 3:
                return self._loop(around, indent)
            case 3:
                holds = f"{indent}{value} = arith.cmpi slt, {one}, {other} : index\n"
                return holds + f'{indent}cf.assert {value}, "less"\n'
            case 4:
                holds = f"{indent}{value} = arith.cmpi sle, {one}, {other} : index\n"
                return holds + f"{indent}scf.if {value} {{\n{self._sum(around, indent + '  ')}{indent}}}\n"
            case 5:
                return f"{indent}{value} = memref.load %t[{one}] : memref<?xindex>\n"
            case _:
                return self._sum(around, indent)

    def _sum(self, around: list[str], indent: str) -> str:
        name = self._draw.choice(("addi", "subi", "minsi", "maxsi", "muli"))
        one, other = self._draw.choice(around), self._draw.choice((*SIZES, *around))
        return f"{indent}{self._name()} = arith.{name} {one}, {other} : index\n"


def bounds(text: str) -> list[str]:
    """The bounds of all values of TEXT."""
    program = volcli.loads(text)
    program.run("value-bounds")
    return [str(fact) for fact in program.facts]


def _never(*_: object) -> bool:
    return False


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(2, 60))
def test_answers_that_are_shared_are_those_of_each(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether answers are shared or not, they are the same."""
    text = Nests(seed).text()
    shared = bounds(text)
    monkeypatch.setattr(Alike, "is_without", _never)
    assert bounds(text) == shared


def test_what_an_assertion_in_one_loop_says_is_said_in_that_loop() -> None:
    """`%i < %m` holds in later iterations of the loop that asserts it, and not in one that is written alike."""
    text = """
func.func @f(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %l = arith.cmpi slt, %i, %m : index
    cf.assert %l, "less"
    %a = arith.addi %i, %c1 : index
  }
  scf.for %j = %c0 to %m step %c1 {
    %b = arith.addi %j, %c1 : index
  }
  scf.for %j = %c0 to %m step %c1 {
    %c = arith.addi %j, %c1 : index
  }
  return
}
"""
    program = volcli.loads(text)
    bound = program.function("f").bounds
    assert str(bound("%b").upper.expression) == str(bound("%c").upper.expression) == "%m"
    assert str(bound("%a").upper.expression) == "min(%n, %m)"
