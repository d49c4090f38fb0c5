"""Loops over memory, run in Python: what each element of a buffer is computed from, in which order.

A value that is stored is a term over what was loaded, so that two programs leave the same terms behind only if
they compute alike, whatever is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from volcli.language.interface import operation_name

Number = int | bool
Term = object
_NUMBERS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.floordivsi": lambda a, b: a // b,
}
_PREDICATES: Sequence[Callable[[int, int], bool]] = (
    lambda a, b: a == b, lambda a, b: a != b, lambda a, b: a < b,
    lambda a, b: a <= b, lambda a, b: a > b, lambda a, b: a >= b,
)  # fmt: skip
_MOST = 20_000


class NoMeaning(Exception):
    """A run that is undefined: a step that is not positive, a division by zero, or too many iterations."""


class Run:
    """One call of FUNCTION, with NUMBERS for its indices by their positions; `memory` is what it leaves."""

    def __init__(self, function: Operation, numbers: Sequence[int]) -> None:
        self.memory: dict[tuple[int, tuple[int, ...]], Term] = {}
        self._known: dict[SSAValue, Term] = {}
        self._steps = 0
        block = function.regions[0].block
        indices = iter(numbers)
        for position, argument in enumerate(block.args):
            is_index = str(argument.type) == "index"
            self._known[argument] = next(indices) if is_index else ("buffer", position)
        self._block(block)

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._run(op)

    def _number(self, value: SSAValue) -> int:
        found = self._known[value]
        assert isinstance(found, int)
        return found

    def _run(self, op: Operation) -> None:
        self._steps += 1
        if self._steps > _MOST:
            raise NoMeaning("too long")
        name = operation_name(op)
        if name in _NUMBERS:
            a, b = map(self._number, op.operands)
            if "div" in name and b == 0:
                raise NoMeaning("a division by zero")
            self._known[op.results[0]] = _NUMBERS[name](a, b)
        elif name == "arith.constant":
            value = op.properties["value"]
            is_number = isinstance(value, IntegerAttr)
            self._known[op.results[0]] = value.value.data if is_number else ("number", str(value))
        elif name == "arith.cmpi":
            predicate = op.properties["predicate"]
            assert isinstance(predicate, IntegerAttr)
            self._known[op.results[0]] = _PREDICATES[predicate.value.data](*map(self._number, op.operands))
        elif name in ("scf.for", "scf.parallel"):
            low, high, step = map(self._number, op.operands[:3])
            self._loop(op, low, high, step)
        elif name == "affine.for":
            self._affine_loop(op)
        elif name == "scf.if":
            region = op.regions[0 if self._known[op.operands[0]] else 1]
            if region.blocks:
                self._block(region.block)
        elif name in ("memref.load", "affine.load"):
            self._known[op.results[0]] = self.memory.get(at := self._at(op, 0), at)
        elif name in ("memref.store", "affine.store"):
            self.memory[self._at(op, 1)] = self._known[op.operands[0]]
        elif op.results:
            self._known[op.results[0]] = (name, *(self._known[operand] for operand in op.operands))

    def _at(self, op: Operation, position: int) -> tuple[int, tuple[int, ...]]:
        buffer = self._known[op.operands[position]]
        assert isinstance(buffer, tuple)
        indices = tuple(self._number(each) for each in op.operands[position + 1 :])
        affine = op.properties.get("map")
        if isinstance(affine, AffineMapAttr):
            indices = affine.data.eval(list(indices), [])
        return buffer[1], indices

    def _affine_loop(self, op: Operation) -> None:
        ends: list[list[int]] = []
        operands = list(map(self._number, op.operands))
        for name in ("lowerBoundMap", "upperBoundMap"):
            bound = op.properties[name]
            assert isinstance(bound, AffineMapAttr)
            dims, symbols = bound.data.num_dims, bound.data.num_symbols
            mine, operands = operands[: dims + symbols], operands[dims + symbols :]
            ends.append(list(bound.data.eval(mine[:dims], mine[dims:])))
        step = op.properties["step"]
        assert isinstance(step, IntegerAttr)
        self._loop(op, max(ends[0]), min(ends[1]), step.value.data)

    def _loop(self, op: Operation, low: int, high: int, step: int) -> None:
        if step <= 0:
            raise NoMeaning("a step that is not positive")
        block = op.regions[0].block
        for number in range(low, high, step):
            self._known[block.args[0]] = number
            self._block(block)


def left_by(function: Operation, numbers: Sequence[int]) -> Mapping[tuple[int, tuple[int, ...]], Term] | None:
    """What a call of FUNCTION leaves in memory; None if it is undefined."""
    try:
        return Run(function, numbers).memory
    except NoMeaning:
        return None
