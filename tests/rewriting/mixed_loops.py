"""Random functions of several nests for rewrites of loops, with the constructs that programs have around them.

One function @f(%m, %r, %n, %a, %b) each, with code before, between and after the nests, and a private function
that it calls. Loops are scf.for (of index or i32, in steps that are numbers or values), affine.for, scf.parallel
(that may reduce), scf.forall and scf.while; they carry numbers or tensors. Statements stand under scf.if with
results, affine.if with an else region, read views, and compute by calls. Bounds are sums, minima and products.
Indices stay in the buffers for n <= 9.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import count

from tests.rewriting.stepped import MEMORY

_ROW = "memref<44xi64, strided<[1], offset: ?>>"
_SUM = """
func.func private @g(%x: i64, %y: i64) -> i64 {
  %s = arith.addi %x, %y : i64
  %c3 = arith.constant 3 : i64
  %p = arith.xori %s, %c3 : i64
  return %p : i64
}
"""
_SET = "affine_set<(d0) : (d0 - 2 >= 0)>"


def drawn_mixed(seed: str) -> str:
    """The program of SEED."""
    return _Mixed(random.Random(seed)).text()


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]


class _Mixed:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._count = count(1)
        self._nests = 0

    def text(self) -> str:
        lines = [
            *(f"%c{k} = arith.constant {k} : index" for k in (0, 1, 2, 7, 22)),
            "%init = arith.constant 5 : i64",
            "%ni = arith.index_cast %n : index to i32",
            "%ai = arith.index_cast %a : index to i32",
            "%zi = arith.constant 0 : i32",
        ]
        for _ in range(self._chance.choice((1, 1, 2, 3))):
            lines += self._nest()
            if self._chance.random() < 0.3:
                lines += self._plain()
        body = "\n".join(_indented([*lines, "return"]))
        arguments = f"%m: {MEMORY}, %r: {MEMORY}, %n: index, %a: index, %b: index"
        return f"func.func @f({arguments}) {{\n{body}\n}}\n{_SUM}"

    def _new(self, word: str = "v") -> str:
        return f"%{word}{next(self._count)}"

    def _plain(self) -> list[str]:
        """Code between nests."""
        x, y = self._new(), self._new()
        return [
            f"{x} = memref.load %m[%c7, %c22] : {MEMORY}",
            f"{y} = func.call @g({x}, %init) : (i64, i64) -> i64",
            f"memref.store {y}, %m[%c22, %c7] : {MEMORY}",
        ]

    # -- nests -----------------------------------------------------------------------------------------

    def _nest(self) -> list[str]:
        self._nests += 1
        suffix = "" if self._nests == 1 else str(self._nests)
        i, j = f"i{suffix}", f"j{suffix}"
        kinds: tuple[Callable[[str, str], list[str]], ...] = (
            self._loops, self._loops, self._loops, self._rows, self._reducing, self._products, self._affine,
            self._narrow, self._forall, self._while, self._tensors,
        )  # fmt: skip
        return self._chance.choice(kinds)(i, j)

    def _loops(self, i: str, j: str) -> list[str]:
        """Two loops, with something before and after the inner one, perhaps."""
        inner = self._for(j, self._statement(i, j), i)
        extra = self._statement(i, i) if self._chance.random() < 0.3 else []
        before = self._chance.random() < 0.5
        return self._for(i, [*(extra if before else []), *inner, *([] if before else extra)])

    def _for(self, name: str, body: Sequence[str], outer: str | None = None) -> list[str]:
        low = self._chance.choice(("%c0", "%c1", *([f"%{outer}"] if outer else [])))
        high = self._chance.choice(("%n", "%n", "%c7"))
        step = self._chance.choice(("%c1", "%c1", "%c2", "%a", "%b"))
        word = f"scf.for %{name} = {low} to {high} step {step}"
        if self._chance.random() < 0.15:
            return [f"scf.parallel (%{name}) = ({low}) to ({high}) step ({step}) {{",
                    *_indented([*body, "scf.reduce"]), "}"]  # fmt: skip
        return [f"{word} {{", *_indented(body), "}"]

    def _rows(self, i: str, j: str) -> list[str]:
        """Rows that begin again: a value for each iteration of the outer loop."""
        x, lines = self._value(i, j)
        s, u, w, init = f"%s_{j}", f"%u_{j}", self._new(), self._chance.choice(("%init", self._new()))
        kind = self._chance.choice(("addi", "maxsi", "subi"))
        first = [] if init == "%init" else [f"{init} = arith.index_cast %{i} : index to i64"]
        step = self._chance.choice(("%c1", "%c2", "%b"))
        inner = [
            *first,
            f"{s} = scf.for %{j} = %c0 to %n step {step} iter_args({u} = {init}) -> (i64) {{",
            *_indented([*lines, f"{w} = arith.{kind} {x}, {u} : i64", f"scf.yield {w} : i64"]),
            "}",
            *self._access("", f"store {s},", "m", i, i),
        ]
        return [f"scf.for %{i} = %c0 to %n step %c1 {{", *_indented(inner), "}"]

    def _reducing(self, i: str, j: str) -> list[str]:
        """A loop that reduces, or carries what loops without an order inside reduce."""
        x, lines = self._value(i, j)
        kind, s = self._chance.choice(("addi", "muli", "maxsi", "xori")), f"%s_{j}"
        init = self._chance.choice(("%init", f"%u_{i}"))
        inner = [
            f"{s} = scf.parallel (%{j}) = (%c0) to (%n) step (%c1) init ({init}) -> i64 {{",
            *_indented(lines), f"  scf.reduce({x} : i64) {{",
            f"  ^bb0(%l_{j}: i64, %r_{j}: i64):",
            f"    %o_{j} = arith.{kind} %l_{j}, %r_{j} : i64",
            f"    scf.reduce.return %o_{j} : i64",
            "  }", "}",
        ]  # fmt: skip
        if init == "%init":
            return [f"scf.for %{i} = %c0 to %n step %c1 {{",
                    *_indented([*inner, *self._access("", f"store {s},", "m", i, i)]), "}"]  # fmt: skip
        return [
            f"%t_{i} = scf.for %{i} = %c0 to %n step %c1 iter_args(%u_{i} = %init) -> (i64) {{",
            *_indented([*inner, f"scf.yield {s} : i64"]),
            "}",
            f"memref.store %t_{i}, %m[%c0, %c0] : {MEMORY}",
        ]

    def _products(self, i: str, j: str) -> list[str]:
        """A bound that is a product of a variable and a value: %i * %a, at most 9."""
        p, q, e, low = self._new("p"), self._new("p"), self._new("p"), self._chance.choice(("%c0", "lower"))
        lines = [
            f"{p} = arith.muli %{i}, %{self._chance.choice('ab')} : index",
            f"{e} = arith.addi {p}, %a : index",
            f"{q} = arith.minsi {e}, %n : index",
        ]
        begin, end = (p, q) if low == "lower" else (low, q)
        inner = [f"scf.for %{j} = {begin} to {end} step %c1 {{", *_indented(self._statement(i, j)), "}"]
        return [f"scf.for %{i} = %c0 to %n step %c1 {{", *_indented([*lines, *inner]), "}"]

    def _affine(self, i: str, j: str) -> list[str]:
        low = self._chance.choice(("0", "1", f"affine_map<(d0) -> (d0)>(%{i})"))
        x, y = self._new(), self._new()
        other = self._chance.choice((f"%{i} + 21", f"%{i} + 22"))
        body = [
            f"{x} = affine.load %m[{other}, %{j} + {self._chance.choice((21, 22))}] : {MEMORY}",
            f"{y} = arith.addi {x}, %init : i64",
            f"affine.if {_SET}(%{self._chance.choice((i, j))}) {{",
            f"  affine.store {y}, %m[%{i} + 22, %{j} + 22] : {MEMORY}",
            "} else {",
            f"  affine.store {x}, %m[%{i} + 22, %{j} + 22] : {MEMORY}",
            "}",
        ]
        inner = [f"affine.for %{j} = {low} to %n {{", *_indented(body), "}"]
        return [
            f"affine.for %{i} = 0 to %n step {self._chance.choice((1, 2))} {{",
            *_indented(inner),
            "}",
        ]

    def _narrow(self, i: str, j: str) -> list[str]:
        """A loop over i32, whose variable is cast."""
        step, raw = self._new("st"), f"{i}w"
        lines = [f"{step} = arith.constant {self._chance.choice((1, 2))} : i32"]
        step = self._chance.choice((step, "%ai"))
        inner = [f"%{i} = arith.index_cast %{raw} : i32 to index", *self._for(j, self._statement(i, j))]
        return [*lines, f"scf.for %{raw} = %zi to %ni step {step} : i32 {{", *_indented(inner), "}"]

    def _forall(self, i: str, j: str) -> list[str]:
        if self._chance.random() < 0.5:
            return [f"scf.forall (%{i}, %{j}) in (%n, %n) {{", *_indented(self._statement(i, j)), "}"]
        return [f"scf.forall (%{i}) in (%n) {{", *_indented(self._for(j, self._statement(i, j), i)), "}"]

    def _while(self, i: str, j: str) -> list[str]:
        """A while loop that counts, around or inside of a for loop."""
        at, test, following = f"%{i}w", self._new("h"), self._new("k")
        body = [*self._for(j, self._statement(i, j), i), f"{following} = arith.addi %{i}, %c1 : index"]
        return [
            f"%w_{i} = scf.while ({at} = %c0) : (index) -> index {{",
            f"  {test} = arith.cmpi slt, {at}, %n : index",
            f"  scf.condition({test}) {at} : index",
            "} do {",
            f"^bb0(%{i}: index):",
            *_indented([*body, f"scf.yield {following} : index"]),
            "}",
        ]

    def _tensors(self, i: str, j: str) -> list[str]:
        """Two loops that carry a tensor, which is stored in the end."""
        t, u, w, x = f"%t_{i}", f"%tu_{i}", f"%tw_{j}", self._new()
        return [
            f"%e_{i} = tensor.empty() : tensor<16xi64>",
            f"%f_{i} = linalg.fill ins(%init : i64) outs(%e_{i} : tensor<16xi64>) -> tensor<16xi64>",
            f"{t} = scf.for %{i} = %c0 to %n step %c1 iter_args({u} = %f_{i}) -> (tensor<16xi64>) {{",
            f"  %y_{i} = scf.for %{j} = %c0 to %n step %c1 iter_args({w} = {u}) -> (tensor<16xi64>) {{",
            f"    {x} = tensor.extract {w}[%{j}] : tensor<16xi64>",
            f"    %z_{j} = arith.addi {x}, {x} : i64",
            f"    %q_{j} = tensor.insert %z_{j} into {w}[%{i}] : tensor<16xi64>",
            f"    scf.yield %q_{j} : tensor<16xi64>",
            "  }",
            f"  scf.yield %y_{i} : tensor<16xi64>",
            "}",
            f"%o_{i} = tensor.extract {t}[%c2] : tensor<16xi64>",
            f"memref.store %o_{i}, %m[%c0, %c1] : {MEMORY}",
        ]

    # -- statements ------------------------------------------------------------------------------------

    def _statement(self, i: str, j: str) -> list[str]:
        x, lines = self._value(i, j)
        return [*lines, *self._guarded(self._access("", f"store {x},", "m", i, j), j)]

    def _value(self, i: str, j: str) -> tuple[str, list[str]]:
        """A number that is computed of what is read."""
        x, y, z, w = (self._new() for _ in range(4))
        lines = self._access(f"{x} = ", "load", self._chance.choice("mr"), i, j)
        lines.append(f"{w} = arith.index_cast %{j} : index to i64")
        match self._chance.randint(0, 4):
            case 0:
                lines.append(f"{z} = func.call @g({x}, {w}) : (i64, i64) -> i64")
            case 1:
                h = self._new("h")
                lines += [
                    f"{h} = arith.cmpi sge, %{i}, %c2 : index",
                    f"{z} = scf.if {h} -> (i64) {{",
                    f"  {y} = arith.addi {x}, {w} : i64",
                    f"  scf.yield {y} : i64",
                    "} else {",
                    f"  scf.yield {x} : i64",
                    "}",
                ]
            case 2:
                lines += [
                    f"{z} = affine.if {_SET}({self._chance.choice(('%c7', '%c1'))}) -> i64 {{",
                    f"  affine.yield {w} : i64",
                    "} else {",
                    f"  affine.yield {x} : i64",
                    "}",
                ]
            case _:
                lines += [f"{y} = arith.addi {x}, {x} : i64", f"{z} = arith.addi {y}, {w} : i64"]
        return z, lines

    def _guarded(self, inside: Sequence[str], j: str) -> list[str]:
        if self._chance.random() < 0.75:
            return list(inside)
        test, bound = self._new("h"), self._chance.choice(("%c2", "%a", "%n"))
        return [
            f"{test} = arith.cmpi sge, %{j}, {bound} : index",
            f"scf.if {test} {{",
            *_indented(inside),
            "}",
        ]

    def _access(self, result: str, what: str, buffer: str, i: str, j: str) -> list[str]:
        """An access to an element beside (i, j), directly or of a view of its row."""
        back = [0 if what.startswith("store") else self._chance.choice((0, 0, 0, 1, -1)) for _ in "ij"]
        names: list[str] = []
        lines: list[str] = []
        for name, number in zip((i, j), back, strict=True):
            offset, at = self._new("o"), self._new("u")
            lines += [
                f"{offset} = arith.constant {22 - number} : index",
                f"{at} = arith.addi {offset}, %{name} : index",
            ]
            names.append(at)
        if self._chance.random() < 0.15:
            row = self._new("row")
            return [
                *lines,
                f"{row} = memref.subview %{buffer}[{names[0]}, 0] [1, 44] [1, 1] : {MEMORY} to {_ROW}",
                f"{result}memref.{what} {row}[{names[1]}] : {_ROW}",
            ]
        return [*lines, f"{result}memref.{what} %{buffer}[{', '.join(names)}] : {MEMORY}"]
