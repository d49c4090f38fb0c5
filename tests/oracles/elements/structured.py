"""The operations that compute: linalg.generic, named ops, arith on tensors, generate, unknown ops."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles.elements.bodies import Binary, Expr, Mixture, Operand, Unary
from tests.oracles.elements.layers import Layer, Slot, copy
from tests.oracles.elements.nodes import Node
from tests.oracles.elements.spelling import body_lines, operand_list
from tests.oracles.elements.values import Value, is_float, operation
from tests.oracles.interpreter.affine import identity, map_text


@dataclass(frozen=True)
class Structured(Node):
    """A linalg op: loops, ins and one out with their indexing maps, a body over their elements."""

    loops: tuple[int, ...]
    ins: tuple[Slot, ...]
    out: Slot
    body: Expr

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All operands in order."""
        return (*self.ins, self.out)

    def operands(self) -> str:
        """ins(...) outs(...)."""
        ins, out = [slot.value for slot in self.ins], self.out.value
        return operand_list("ins", ins, [value.type for value in ins]) + operand_list(
            "outs", [out], [out.type]
        )

    def layers(self) -> list[Layer]:
        main = Layer(self.loops, self.out.index, self.slots, self.body, accumulator=len(self.ins))
        # An element that no loop point writes keeps what outs holds.
        return [main] if main.covers(self.result.shape) else [copy(self.out.value), main]


@dataclass(frozen=True)
class LinalgGeneric(Structured):
    """linalg.generic."""

    def lines(self) -> list[str]:
        maps = ", ".join(map_text(len(self.loops), slot.index) for slot in self.slots)
        used = {expression.bare() for expression in self.out.index}
        kinds = ", ".join(f'"{"parallel" if n in used else "reduction"}"' for n in range(len(self.loops)))
        arguments = ", ".join(f"%x{n}: {slot.value.element}" for n, slot in enumerate(self.slots))
        return [
            f"{self.result} = linalg.generic {{indexing_maps = [{maps}], "
            f"iterator_types = [{kinds}]}}{self.operands()} {{",
            f"^bb0({arguments}):",
            *body_lines(self.body, len(self.loops), self.result.element, "linalg.yield"),
            f"}} -> {self.result.type}",
        ]


@dataclass(frozen=True)
class Named(Structured):
    """A named op: its HEAD (with attributes before the operands) and its TAIL (after them)."""

    head: str
    tail: str

    def lines(self) -> list[str]:
        return [f"{self.result} = linalg.{self.head}{self.operands()}{self.tail}"]


@dataclass(frozen=True)
class Elementwise(Node):
    """arith on whole tensors, or on scalars: KIND is a binary kind, or neg."""

    kind: str
    operands: tuple[Value, ...]

    def lines(self) -> list[str]:
        element = self.result.element
        op = "arith.negf" if self.kind == "neg" else operation(self.kind, element)
        assert self.kind != "neg" or is_float(element), "there is no arith.negi"
        return [f"{self.result} = {op} {', '.join(map(str, self.operands))} : {self.result.type}"]

    def layers(self) -> list[Layer]:
        index = identity(len(self.result.shape))
        slots = tuple(Slot(operand, index) for operand in self.operands)
        first, last = Operand(0), Operand(len(slots) - 1)
        body = Unary("neg", first) if self.kind == "neg" else Binary(self.kind, first, last)
        return [Layer(self.result.shape, index, slots, body)]


@dataclass(frozen=True)
class Generate(Node):
    """tensor.generate: a body over the index alone."""

    body: Expr

    def lines(self) -> list[str]:
        rank = len(self.result.shape)
        dims = ", ".join(f"%i{d}: index" for d in range(rank))
        return [
            f"{self.result} = tensor.generate {{",
            f"^bb0({dims}):",
            *body_lines(self.body, rank, self.result.element, "tensor.yield", on_loops=True),
            f"}} : {self.result.type}",
        ]

    def layers(self) -> list[Layer]:
        return [Layer(self.result.shape, identity(len(self.result.shape)), (), self.body)]


@dataclass(frozen=True)
class Unknown(Node):
    """An op of an unregistered dialect: any function of all its operands' elements."""

    operands: tuple[Value, ...]

    def lines(self) -> list[str]:
        types = ", ".join(operand.type for operand in self.operands)
        names = ", ".join(map(str, self.operands))
        return [f'{self.result} = "mystery.op"({names}) : ({types}) -> {self.result.type}']

    def layers(self) -> list[Layer]:
        return [Layer(self.result.shape, identity(len(self.result.shape)), (), Mixture(self.operands))]
