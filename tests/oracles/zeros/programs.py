"""The programs: tensors of rank 1 over f64, each node with its text and what it computes."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.oracles.zeros.numbers import Cell, apply

Row = list[Cell]
Known = Mapping[str, Row]


def literal(number: float) -> str:
    """NUMBER as MLIR reads it back, bit by bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


@dataclass(frozen=True)
class Scalar:
    """One operation of a body. An operand is a number, or the position of an input or earlier result."""

    name: str
    operands: tuple[float | str, ...]
    flags: tuple[str, ...] = ()
    below: int = 0
    """For a `select`: the first operand where the index is below this. (`smaller` is a < b ? a : c.)"""

    def run(self, index: int, known: Mapping[str, Cell]) -> Cell:
        cells = [known[o] if isinstance(o, str) else Cell(o) for o in self.operands]
        if self.name == "select":
            return cells[0] if index < self.below else cells[1]
        if self.name == "smaller":
            broken = cells[0].broken | cells[1].broken
            chosen = cells[0] if cells[0].number < cells[1].number else cells[2]
            return Cell(chosen.number, chosen.broken | broken)
        return apply(self.name, self.flags, cells)

    def text(self, result: str, with_flags: bool) -> list[str]:
        names = [o if isinstance(o, str) else f"{result}_{k}" for k, o in enumerate(self.operands)]
        lines = [
            f"%{name} = arith.constant {literal(o)} : f64"
            for name, o in zip(names, self.operands, strict=True) if not isinstance(o, str)
        ]  # fmt: skip
        if self.name == "select":
            return [*lines, f"%{result}_i = linalg.index 0 : index",
                    f"%{result}_n = arith.constant {self.below} : index",
                    f"%{result}_c = arith.cmpi slt, %{result}_i, %{result}_n : index",
                    f"%{result} = arith.select %{result}_c, %{names[0]}, %{names[1]} : f64"]  # fmt: skip
        if self.name == "smaller":
            a, b, c = names
            return [*lines, f"%{result}_c = arith.cmpf olt, %{a}, %{b} : f64",
                    f"%{result} = arith.select %{result}_c, %{a}, %{c} : f64"]  # fmt: skip
        flags = f" fastmath<{','.join(self.flags)}>" if self.flags and with_flags else ""
        return [*lines, f"%{result} = {self.name} {', '.join('%' + n for n in names)}{flags} : f64"]


@dataclass(frozen=True)
class Argument:
    result: str
    size: int


@dataclass(frozen=True)
class Numbers:
    """A constant tensor."""

    result: str
    numbers: tuple[float, ...]

    @property
    def size(self) -> int:
        return len(self.numbers)

    def run(self, known: Known) -> Row:
        return [Cell(number) for number in self.numbers]

    def text(self, sizes: Mapping[str, int], with_flags: bool) -> list[str]:
        same = len({literal(n) for n in self.numbers}) == 1
        items = literal(self.numbers[0]) if same else f"[{', '.join(map(literal, self.numbers))}]"
        return [f"%{self.result} = arith.constant dense<{items}> : tensor<{self.size}xf64>"]


@dataclass(frozen=True)
class Surrounded:
    """SOURCE with one number around it: padded, or inserted with a stride."""

    result: str
    source: str
    size: int
    low: int
    stride: int
    number: float

    def run(self, known: Known) -> Row:
        row = [Cell(self.number)] * self.size
        for position, cell in enumerate(known[self.source]):
            row[self.low + position * self.stride] = cell
        return row

    def text(self, sizes: Mapping[str, int], with_flags: bool) -> list[str]:
        inner, kind, out = sizes[self.source], f"tensor<{sizes[self.source]}xf64>", f"tensor<{self.size}xf64>"
        if self.stride > 1:
            around = Numbers(f"{self.result}_a", (self.number,) * self.size).text(sizes, with_flags)
            return [*around, f"%{self.result} = tensor.insert_slice %{self.source} into %{self.result}_a"
                             f"[{self.low}] [{inner}] [{self.stride}] : {kind} into {out}"]  # fmt: skip
        high = self.size - self.low - inner
        return [f"%{self.result}_p = arith.constant {literal(self.number)} : f64",
                f"%{self.result} = tensor.pad %{self.source} low[{self.low}] high[{high}] {{",
                f"^bb0(%i: index):\n  tensor.yield %{self.result}_p : f64\n}} : {kind} to {out}"]  # fmt: skip


@dataclass(frozen=True)
class Generic:
    """A body over the elements of INS at i, or of a window (i + k and k) with an accumulator over INIT."""

    result: str
    ins: tuple[str, ...]
    size: int
    body: tuple[Scalar, ...]
    init: str = ""
    window: int = 0

    def run(self, known: Known) -> Row:
        row = list(known[self.init]) if self.window else [Cell(math.nan)] * self.size
        for i in range(self.size):
            for k in range(self.window or 1):
                at = (i + k, k) if self.window else (i,) * len(self.ins)
                inside = {
                    f"in{n}": known[name][j] for n, (name, j) in enumerate(zip(self.ins, at, strict=True))
                }
                if self.window:
                    inside["acc"] = row[i]
                for n, scalar in enumerate(self.body):
                    inside[f"t{n}"] = scalar.run(i, inside)
                row[i] = inside[f"t{len(self.body) - 1}"]
        return row

    def text(self, sizes: Mapping[str, int], with_flags: bool) -> list[str]:
        kind, types = f"tensor<{self.size}xf64>", ", ".join(f"tensor<{sizes[n]}xf64>" for n in self.ins)
        plain = not self.window and len(self.body) == 1 and self.body[0].name not in ("select", "smaller")
        if plain and all(isinstance(o, str) for o in self.body[0].operands):
            (line,) = self.body[0].text(self.result, with_flags)
            for n, name in enumerate(self.ins):
                line = line.replace(f"%in{n}", f"%{name}")
            return [line.replace(" : f64", f" : {kind}")]
        index = ["i + k", "k", "i"] if self.window else ["i"] * (len(self.ins) + 1)
        loops = "i, k" if self.window else "i"
        maps = ", ".join(f"affine_map<({loops}) -> ({each})>" for each in index)
        kinds = '"parallel"' + (', "reduction"' if self.window else "")
        inputs = ", ".join(f"%{name}" for name in self.ins)
        blocks = ", ".join(f"%in{n}: f64" for n in range(len(self.ins)))
        init = f"%{self.init}" if self.init else f"%{self.result}_e"
        lines = [] if self.init else [f"%{self.result}_e = tensor.empty() : {kind}"]
        lines += [f"%{self.result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
                  f"ins({inputs} : {types}) outs({init} : {kind}) {{", f"^bb0({blocks}, %acc: f64):"]  # fmt: skip
        for n, scalar in enumerate(self.body):
            lines += scalar.text(f"t{n}", with_flags)
        return [*lines, f"  linalg.yield %t{len(self.body) - 1} : f64", f"}} -> {kind}"]


Node = Numbers | Surrounded | Generic


@dataclass(frozen=True)
class Program:
    """Arguments and nodes; the last node's value is returned."""

    arguments: tuple[Argument, ...]
    nodes: tuple[Node, ...]

    @property
    def sizes(self) -> dict[str, int]:
        return {node.result: node.size for node in (*self.arguments, *self.nodes)}

    def run(self, inputs: Mapping[str, Sequence[float]]) -> dict[str, Row]:
        known = {name: [Cell(number) for number in row] for name, row in inputs.items()}
        for node in self.nodes:
            known[node.result] = node.run(known)
        return known

    def mlir(self, name: str = "f", with_flags: bool = True) -> str:
        last, sizes = self.nodes[-1], self.sizes
        arguments = ", ".join(f"%{a.result}: tensor<{a.size}xf64>" for a in self.arguments)
        lines = [line for node in self.nodes for line in node.text(sizes, with_flags)]
        kind = f"tensor<{last.size}xf64>"
        body = "\n".join(f"  {line}" for line in [*lines, f"return %{last.result} : {kind}"])
        return f"func.func @{name}({arguments}) -> {kind} {{\n{body}\n}}\n"
