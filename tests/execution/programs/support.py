"""The functions that programs call: to print all bits of a value, and to make elements from their index."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i1", "i4", "i8", "i16", "i32", "i64", "index")
WIDTHS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64,
          "f16": 16, "bf16": 16, "f32": 32, "f64": 64}  # fmt: skip
NAN = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "f64": 0x7FF8000000000000}
"""The bits that are shown of every NaN: which one it is, IEEE 754 leaves open."""


def literal(element: str, chance: random.Random) -> str:
    """A number of the type, often one at a limit of it."""
    if element in FLOATS:
        if chance.random() < 0.3:
            return chance.choice(("0.0", "-0.0", "1.0", "-1.5", "2.5", "65504.0", "-1.0e-3", "0.1"))
        return repr(float(np.float32(chance.gauss(0, 8))))
    width = WIDTHS[element]
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    if element == "i1":
        return chance.choice(("true", "false"))
    if chance.random() < 0.5:
        return str(max(low, min(high, chance.choice((low, high, 0, -1, 1, 2, low + 1)))))
    return str(max(low, min(high, chance.randint(-20, 20))))


class Support:
    """Which of them are called, and their text. `below` (None: any) limits integers that are made of an index."""

    def __init__(self, below: int | None = None) -> None:
        self._below = below
        self._texts: dict[str, str] = {}

    def join(self, other: Support) -> None:
        """Those of OTHER, too."""
        self._texts |= other._texts

    def text(self) -> str:
        """All of them."""
        return "\n".join(text for _, text in sorted(self._texts.items()))

    def shown_type(self, kind: str, rank: int, element: str) -> str:
        """The type that a memref or tensor is cast to."""
        layout = f", strided<[{', '.join('?' * rank)}], offset: ?>" if kind == "memref" else ""
        return f"{kind}<{'?x' * rank}{element}{layout}>"

    def shower(self, kind: str, rank: int, element: str) -> str:
        """The function that prints a value, one number a line."""
        name = f"show_{kind}_{rank}_{element}"
        if name not in self._texts:
            self._texts[name] = ""
            lines = self._show_scalar(element) if kind == "scalar" else self._show_all(kind, rank, element)
            of = element if kind == "scalar" else self.shown_type(kind, rank, element)
            self._texts[name] = "\n".join([f"func.func private @{name}(%x: {of}) {{", *lines, "return", "}"])
        return name

    def _show_scalar(self, element: str) -> list[str]:
        if element not in FLOATS:
            return [f"vector.print %x : {element}"]
        bits = f"i{WIDTHS[element]}"
        return [
            f"%is_nan = arith.cmpf uno, %x, %x : {element}",
            f"%nan = arith.constant {NAN[element]} : {bits}",
            f"%bits = arith.bitcast %x : {element} to {bits}",
            f"%shown = arith.select %is_nan, %nan, %bits : {bits}",
            f"vector.print %shown : {bits}",
        ]

    def _show_all(self, kind: str, rank: int, element: str) -> Iterator[str]:
        of = self.shown_type(kind, rank, element)
        yield from loops(kind, rank, "%x", of)
        read = "memref.load" if kind == "memref" else "tensor.extract"
        yield f"%e = {read} %x[{subscripts(rank)}] : {of}"
        yield f"func.call @{self.shower('scalar', 0, element)}(%e) : ({element}) -> ()"
        yield "}" * rank

    def number(self, element: str) -> str:
        """The function that makes a number of an index."""
        name = f"number_{element}"
        lines = [
            "%factor = arith.constant 2654435761 : index",
            "%by = arith.constant 40503 : index",
            "%zero = arith.constant 0 : index",
            "%product = arith.muli %x, %factor : index",
            "%sum = arith.addi %product, %by : index",
            "%shift = arith.constant 13 : index",
            "%drawn = arith.shrui %sum, %shift : index",
            f"%limit = arith.constant {self._below or 1 << 60} : index",
            "%mixed = arith.remui %drawn, %limit : index",
        ]
        if element in FLOATS:
            lines += [
                "%narrow = arith.index_cast %mixed : index to i8",
                f"%float = arith.sitofp %narrow : i8 to {element}",
                f"%scale = arith.constant 1.25e-1 : {element}",
                f"%r = arith.mulf %float, %scale : {element}",
            ]
        elif element != "index":
            lines.append(f"%r = arith.index_cast %mixed : index to {element}")
        else:
            lines.append(f"%r = arith.subi %mixed, {'%by' if self._below is None else '%zero'} : index")
        head = f"func.func private @{name}(%x: index) -> {element} {{"
        self._texts[name] = "\n".join([head, *lines, f"return %r : {element}", "}"])
        return name

    def initializer(self, rank: int, element: str) -> str:
        """The function that writes all elements of memory, from a number on."""
        name = f"init_{rank}_{element}"
        if name not in self._texts:
            of = self.shown_type("memref", rank, element)
            lines = [*loops("memref", rank, "%x", of), *linear(rank)]
            lines += [
                f"%e = func.call @{self.number(element)}(%l{rank}) : (index) -> {element}",
                f"memref.store %e, %x[{subscripts(rank)}] : {of}",
                "}" * rank,
            ]
            head = f"func.func private @{name}(%x: {of}, %l0: index) {{"
            self._texts[name] = "\n".join([head, *lines, "return", "}"])
        return name


def subscripts(rank: int) -> str:
    """`%i0, %i1`"""
    return ", ".join(f"%i{d}" for d in range(rank))


def loops(kind: str, rank: int, name: str, of: str) -> Iterator[str]:
    """Loops over all elements, without their ends."""
    yield "%zero = arith.constant 0 : index"
    yield "%one = arith.constant 1 : index"
    for d in range(rank):
        yield f"%d{d} = arith.constant {d} : index"
        yield f"%n{d} = {kind}.dim {name}, %d{d} : {of}"
    for d in range(rank):
        yield f"scf.for %i{d} = %zero to %n{d} step %one {{"


def linear(rank: int) -> Iterator[str]:
    """A number for each element: `l0 * 5 + i0`, and so on."""
    yield "%five = arith.constant 5 : index"
    for d in range(rank):
        yield f"%m{d} = arith.muli %l{d}, %five : index"
        yield f"%l{d + 1} = arith.addi %m{d}, %i{d} : index"
