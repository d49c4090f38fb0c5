"""The form of blocks as loops and branches: it does what the blocks do, operation by operation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

import volcli
from tests.shared.seeds import seeds
from volcli.language.interface import operation_name
from volcli.model.structured.structure import structured
from volcli.model.symbols import functions

LONGEST = 40


def drawn(random: Random) -> str:
    """A function of blocks that branch anywhere, by bits: each has one argument, and says that it runs."""
    count = random.randint(2, 8)
    lines = ['%one = "t.one"() : () -> index']
    for number in range(count):
        lines += [f"^b{number}(%x{number}: index):"] if number else []
        argument = f"%x{number}" if number else "%one"
        lines.append(f'"t.runs"({argument}) {{block = {number} : index}} : (index) -> ()')
        lines.append(f"%y{number} = arith.addi {argument}, %one : index")
        lines += _end(random, number, count, [argument, f"%y{number}", "%one"])
    return "\n".join(["func.func @f() -> index {", *lines, "}"])


def _end(random: Random, number: int, count: int, values: list[str]) -> list[str]:
    def to() -> str:
        return f"^b{random.randrange(1, count)}({random.choice(values)} : index)"

    match random.choices(["return", "br", "cond_br", "switch"], [1 if number else 0, 2, 4, 1])[0]:
        case "return":
            return [f"return {random.choice(values)} : index"]
        case "br":
            return [f"cf.br {to()}"]
        case "cond_br":
            return [f'%c{number} = "t.bit"() : () -> i1', f"cf.cond_br %c{number}, {to()}, {to()}"]
        case _:
            bits = [f'%d{number} = "t.bits"() : () -> i32']
            return [*bits, f"cf.switch %d{number} : i32, [default: {to()}, 1: {to()}, 2: {to()}]"]


class Ended(Exception):
    """The bits are used up, or enough blocks ran."""


class Machine:
    """Runs blocks, and what they become, by the same BITS."""

    def __init__(self, bits: list[int]) -> None:
        self.bits = iter(bits)
        self.values: dict[SSAValue, Any] = {}
        self.ran: list[tuple[int, int]] = []

    def run(self, function: Operation) -> list[tuple[int, int]]:
        """The blocks that run, with what was passed to them; at the end what is returned."""
        with suppress(Ended):
            self.block(function.regions[0].blocks[0])
        return self.ran

    def block(self, block: Block) -> list[Any]:
        """Run BLOCK and those after it: what the last one yields."""
        while True:
            for op in block.ops:
                values = [self.values[value] for value in op.operands]
                if op is block.last_op:
                    break
                for result, value in zip(op.results, self.results(op, values), strict=True):
                    self.values[result] = value
            else:
                return []
            if not op.successors:
                self.ran += [(-1, value) for value in values] if operation_name(op) == "func.return" else []
                return values
            block, passed = self.jump(op, values)
            self.values.update(zip(block.args, passed, strict=True))

    def jump(self, op: Operation, values: list[Any]) -> tuple[Block, list[Any]]:
        """The next block, and what is passed to it: one value to each."""
        successors: tuple[Block, ...] = tuple(op.successors)
        if len(successors) == 1:
            return successors[0], values
        first, *rest = values
        number = 1 - first if operation_name(op) == "cf.cond_br" else first
        return successors[number], [rest[number]]

    def results(self, op: Operation, values: list[Any]) -> list[Any]:
        """What OP gives."""
        match operation_name(op):
            case "t.one":
                return [1]
            case "t.runs":
                number = op.attributes["block"]
                assert isinstance(number, IntegerAttr)
                self.ran.append((number.value.data, values[0]))
                if len(self.ran) == LONGEST:
                    raise Ended
                return []
            case "t.bit":
                return [self.bit()]
            case "t.bits":
                return [self.bit() + self.bit()]
            case "arith.addi":
                return [sum(values)]
            case "arith.ori":
                return [max(values)]
            case "arith.xori":
                return [(values[0] + values[1]) % 2]
            case "arith.cmpi":
                return [int(values[0] == values[1])]
            case "volcli.nothing":
                return [None]
            case "scf.if":
                return self.block(op.regions[1 - values[0]].blocks[0])
            case "scf.while":
                return self.loop(op, values)
            case _:
                assert isinstance(op, ConstantOp)
                assert isinstance(op.value, IntegerAttr)
                return [abs(op.value.value.data)]

    def loop(self, op: Operation, values: list[Any]) -> list[Any]:
        """The results of an scf.while."""
        before, after = op.regions[0].blocks[0], op.regions[1].blocks[0]
        while True:
            self.values.update(zip(before.args, values, strict=True))
            goes_on, *values = self.block(before)
            if not goes_on:
                return values
            self.values.update(zip(after.args, values, strict=True))
            values = self.block(after)

    def bit(self) -> int:
        found = next(self.bits, None)
        if found is None:
            raise Ended
        return found


def both(text: str) -> Iterator[tuple[Operation, Operation]]:
    """The functions of TEXT and their forms."""
    for unit in volcli.loads(text).units:
        for function in functions(unit.parsed.module):
            made = structured(function, unit.parsed.context.get_op)
            assert made is not None
            yield function, made.function


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", seeds(12, of=60))
def test_each_graph_runs_as_its_form_does(seed: int) -> None:
    random = Random(f"forms {seed}")
    for _ in range(4):
        text = drawn(random)
        for function, form in both(text):
            assert not any(len(region.blocks) > 1 for op in form.walk() for region in op.regions)
            for _ in range(25):
                bits = [random.randint(0, 1) for _ in range(LONGEST)]
                assert Machine(bits).run(function) == Machine(bits).run(form), text
