"""Bodies that compute with their indices in tensor.generate and tensor.pad, of integers, floats and complex numbers.

Masks of floats are truths and small numbers as floats (`uitofp`, `sitofp`), multiplied by data. Without flags 0 * x
is NaN for an infinite x: data of these programs becomes infinite, too.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from tests.oracles.elements import numbers_of_loops
from tests.oracles.elements.numbers_of_loops import COLUMNS, ROWS, Data, Number, Term, Text

KINDS = ("i64", "f64", "complex<f64>")
PLACES = ("generate", "pad")
FLAGS = " fastmath<nnan,ninf,nsz>"


class Drawing(numbers_of_loops.Drawing):
    """Random terms whose data is of type KIND."""

    def __init__(self, seed: int, kind: str) -> None:
        super().__init__(seed)
        self.kind = kind
        self.flags = FLAGS if kind == "f64" and self.random.random() < 0.5 else ""

    def datum(self, depth: int) -> Term:
        """A number that is data."""
        if self.kind == "i64":
            return super().datum(depth)
        chance = self.random
        if depth == 0:
            return Term("element", self.kind, (), chance.choice("yx"))
        match chance.randint(0, 5):
            case 0:
                name = chance.choice("yx")
                size = Term("constant", "index", (), ROWS if name == "y" else COLUMNS)
                at = Term("remui", "index", (self.number(depth), size))
                return Term("extract", self.kind, (at,), name)
            case 1:
                op = chance.choice(("select", "if"))
                return Term(op, self.kind, (self.truth(depth), self.datum(depth - 1), self.datum(depth - 1)))
            case 2:
                return self.binary("add", self.datum(depth - 1), self.datum(depth - 1))
            case _:
                return self.binary("mul", *self.shuffled(self.datum(depth - 1), self.mask(depth)))

    def binary(self, name: str, left: Term, right: Term) -> Term:
        """The sum or the product."""
        op = f"{name}f" if self.kind == "f64" else f"complex.{name}"
        return Term(op, self.kind, (left, right), self.flags)

    def mask(self, depth: int) -> Term:
        """A truth or a small number, as a number that is no data."""
        chance = self.random
        exact = self.truth(depth - 1)
        if chance.random() < 0.4:
            five = Term("constant", "index", (), 5)
            exact = Term("index_cast", "i64", (Term("remui", "index", (self.number(depth - 1), five)),))
        if not exact.involves_loops():
            exact = Term("index_cast", "i64", (Term("loop", "index", (), 0),))
        mask = Term(chance.choice(("uitofp", "sitofp")), "f64", (exact,))
        if self.kind == "f64":
            return mask
        return Term("complex.create", self.kind, (mask, Term("constant", "f64", (), 0)))


@dataclass(frozen=True)
class Program(numbers_of_loops.Program):
    """`r[i, j] = term`, in tensor.generate, or in tensor.pad around the column r[i, 1] = y[i]."""

    place: str
    kind: str
    flags: str

    def mlir(self) -> str:
        text = Text()
        result = text.name(self.term)
        kind, of = self.kind, f"tensor<{ROWS}x{COLUMNS}x{self.kind}>"
        body = "\n".join(
            ["  ^bb0(%i0: index, %i1: index):", f"    %a = tensor.extract %y[%i0] : tensor<{ROWS}x{kind}>",
             f"    %b = tensor.extract %x[%i1] : tensor<{COLUMNS}x{kind}>", *text.lines,
             f"    tensor.yield {result} : {kind}"]
        )  # fmt: skip
        if self.place == "generate":
            return self.function(kind, f"  %r = tensor.generate {{\n{body}\n  }} : {of}\n")
        column = f"tensor<{ROWS}x1x{kind}>"
        return self.function(
            kind,
            f"  %column = tensor.expand_shape %y [[0, 1]] output_shape [{ROWS}, 1] : tensor<{ROWS}x{kind}> into {column}\n"
            f"  %r = tensor.pad %column low[0, 1] high[0, 1] {{\n{body}\n  }} : {column} to {of}\n",
        )

    def inputs(self, chance: random.Random) -> Data:
        """Numbers for the arguments: complex ones are at times infinite, as nothing is assumed of them."""

        def number() -> Number:
            exact = chance.randint(-99, 99) or 1
            if self.kind != "complex<f64>":
                return exact if self.kind == "i64" else float(exact)
            return complex(chance.choice((exact, exact, exact, math.inf)), chance.randint(-99, 99))

        return {
            "y": [number() for _ in range(ROWS)],
            "x": [number() for _ in range(COLUMNS)],
            "p": [chance.randint(0, 40)],
        }

    @property
    def specials(self) -> tuple[Number, ...]:
        """What data may become beside other numbers."""
        if self.kind == "i64" or self.flags:
            return ()
        return (math.inf, -math.inf) if self.kind == "f64" else (complex(math.inf, 1), complex(1, -math.inf))


def drawn(seed: int) -> Program:
    """The program of SEED."""
    kind, place = KINDS[seed % len(KINDS)], PLACES[seed // len(KINDS) % len(PLACES)]
    drawing = Drawing(seed, kind)
    term = drawing.datum(drawing.random.randint(1, 3))
    return Program(term, place, kind, drawing.flags)
