"""A program of tensor operations and its arrays, built together: each step has a text and a function.

b = Builder(random.Random(0))
x = b.input("x", (2, 3))
b.result = b.op("stablehlo.negate {0} : {t0}", np.negative, x)
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

DTYPES: Mapping[str, Any] = {
    "i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "ui8": np.uint8,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "complex<f32>": np.complex64,
}  # fmt: skip
Arrays = Mapping[str, np.ndarray[Any, Any]]
Function = Callable[..., Any]


def tensor_type(shape: Sequence[int], kind: str) -> str:
    """`tensor<2x3xf32>`."""
    return f"tensor<{''.join(f'{n}x' for n in shape)}{kind}>"


@dataclass(frozen=True, eq=False)
class Node:
    """A value: its NAME in the text, and what it is for the sample of the inputs."""

    name: str
    kind: str
    sample: np.ndarray[Any, Any]
    compute: Function | None
    operands: tuple[Node, ...] = ()
    type_of_quantised: str | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self.sample.shape

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.type_of_quantised or self.kind)


class Builder:
    """A program that grows."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.inputs: list[Node] = []
        self.ranges: dict[str, tuple[int, int]] = {}
        self.nodes: list[Node] = []
        self.lines: list[str] = []
        self.products: tuple[Node, ...] = ()
        self.zero_points: dict[Node, int] = {}
        self.names: set[str] = set()

    def input(self, name: str, shape: Sequence[int], kind: str = "i32", low: int = -6, high: int = 6) -> Node:
        """An argument, whose numbers lie between LOW and HIGH."""
        self.ranges[name] = low, high
        node = Node(f"%{name}", kind, self._drawn(self.chance, tuple(shape), kind, low, high), None)
        self.inputs.append(node)
        return node

    def _drawn(self, chance: random.Random, shape: tuple[int, ...], kind: str, low: int, high: int) -> Any:
        numbers: list[Any] = []
        for _ in range(int(np.prod(shape, dtype=np.int64))):
            number: Any = chance.randint(low, high)
            if kind == "i1":
                number = chance.random() < 0.5
            elif kind.startswith(("f", "bf")):
                number += chance.choice((0, 0.25, 0.5))
            elif kind.startswith("complex"):
                number = complex(number, chance.randint(low, high))
            numbers.append(number)
        return np.array(numbers).reshape(shape).astype(DTYPES[kind])

    def draw(self, chance: random.Random) -> dict[str, np.ndarray[Any, Any]]:
        """Other inputs."""
        return {
            node.name[1:]: self._drawn(chance, node.shape, node.kind, *self.ranges[node.name[1:]])
            for node in self.inputs
        }

    def op(
        self,
        text: str,
        compute: Function,
        *operands: Node,
        kind: str | None = None,
        quantised: str | None = None,
        **given: Any,
    ) -> Node:
        """TEXT with {0} for the first operand, {t0} for its type, {r} for that of the result."""
        kind = kind or operands[0].kind
        with np.errstate(all="ignore"):
            found = np.asarray(compute(*(each.sample for each in operands))).astype(DTYPES[kind])
        node = Node(f"%v{len(self.nodes)}", kind, found, compute, operands, quantised)
        names = {f"t{k}": each.type for k, each in enumerate(operands)}
        written = text.format(*(each.name for each in operands), r=node.type, **names, **given)
        self.names.add(written.split()[0].strip('"').split("(")[0].strip('"'))
        self.lines.append(f"{node.name} = {written}")
        self.nodes.append(node)
        return node

    def line(self, text: str) -> None:
        """A line that makes what no array is."""
        self.lines.append(text)

    def constant(self, array: Any, kind: str = "i32", dialect: str = "stablehlo") -> Node:
        """A dense constant."""
        data = np.asarray(array).astype(DTYPES[kind])
        text = constant_text(data, kind)
        if dialect == "tosa":
            value = text.removeprefix("stablehlo.constant ")
            text = f'"tosa.const"() <{{{{values = {value}}}}}> : () -> {tensor_type(data.shape, kind)}'
        return self.op(text, lambda: data, kind=kind)

    def run(self, data: Arrays) -> np.ndarray[Any, Any]:
        """The last value."""
        return self.values(data)[self.nodes[-1]]

    def values(self, data: Arrays) -> Mapping[Node, np.ndarray[Any, Any]]:
        """All values."""
        found: dict[Node, np.ndarray[Any, Any]] = {node: data[node.name[1:]] for node in self.inputs}
        with np.errstate(all="ignore"):
            for node in self.nodes:
                found[node] = self.computed(node, [found[each] for each in node.operands])
        return found

    def computed(self, node: Node, operands: Sequence[Any]) -> np.ndarray[Any, Any]:
        """The value NODE, of OPERANDS."""
        assert node.compute is not None
        with np.errstate(all="ignore"):
            return np.asarray(node.compute(*operands)).astype(DTYPES[node.kind])

    def like(self, node: Node, chance: random.Random) -> np.ndarray[Any, Any]:
        """Other numbers in the place of NODE."""
        low, high = self.ranges.get(node.name[1:], chance.choice([(-6, 6), (-1, 1)]))
        return self._drawn(chance, node.shape, node.kind, low, high)

    def mlir(self) -> str:
        """The function."""
        arguments = ", ".join(f"{node.name}: {node.type}" for node in self.inputs)
        last = self.nodes[-1]
        body = "\n".join(f"  {line}" for line in self.lines)
        head = f"func.func @f({arguments}) -> {last.type} {{"
        return f"{head}\n{body}\n  return {last.name} : {last.type}\n}}\n"

    def module(self) -> str:
        """The function as test programs have it: of what a private function gives, and compared with another."""
        last, types = self.nodes[-1], ", ".join(node.type for node in self.inputs)
        text = "\n".join(f"  {line}" for line in self.lines)
        for k, node in enumerate(self.inputs):
            text = re.sub(rf"{node.name}\b", f"%in#{k}" if len(self.inputs) > 1 else "%in", text)
        count = f":{len(self.inputs)}" if len(self.inputs) > 1 else ""
        given = [constant_text(node.sample, node.kind) for node in self.inputs]
        made = "\n".join(f"  %c{k} = {each}" for k, each in enumerate(given))
        names = ", ".join(f"%c{k}" for k in range(len(given)))
        kind, expected = last.type, constant_text(last.sample, last.kind)
        check = f"stablehlo.custom_call @check.expect_close({last.name}, %wanted) {{has_side_effect = true}}"
        return f"""module {{
func.func public @main() -> {kind} {{
  %in{count} = call @inputs() : () -> ({types})
  %wanted = call @expected() : () -> {kind}
{text}
  {check} : ({kind}, {kind}) -> ()
  return {last.name} : {kind}
}}
func.func private @inputs() -> ({types}) {{
{made}
  return {names} : {types}
}}
func.func private @expected() -> {kind} {{
  %c = {expected}
  return %c : {kind}
}}
}}
"""


def constant_text(data: np.ndarray[Any, Any], kind: str) -> str:
    """`stablehlo.constant dense<[1, 2]> : tensor<2xi32>`."""
    value = f"dense<{_literal(data.tolist())}>" if data.size else "dense<>"
    return f"stablehlo.constant {value} : {tensor_type(data.shape, kind)}"


def _literal(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, complex):
        return f"({value.real!r}, {value.imag!r})"
    if isinstance(value, float) and not math.isfinite(value):
        return {"inf": "0x7F800000", "-inf": "0xFF800000"}.get(repr(value), "0x7FC00000")
    return repr(value)
