"""Random functions as JAX writes scans and fori_loops: stablehlo.while of tensors and a counter of one integer."""

from __future__ import annotations

import random
from collections.abc import Callable

ROWS, COLUMNS = 5, 3
WHOLE, ROW, LINE = f"tensor<{ROWS}x{COLUMNS}xf32>", f"tensor<{COLUMNS}xf32>", f"tensor<1x{COLUMNS}xf32>"
SHAPES = {"%a": (ROWS, COLUMNS), "%b": (ROWS, COLUMNS), "%v": (COLUMNS,), "%w": (COLUMNS,)}


def drawn(seed: int) -> str:
    """A module with a function @f that returns the tensors that its scans carry."""
    return _Scans(random.Random(seed)).module()


class _Scans:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._lines: list[str] = []
        self._count = 0
        self._kind = f"tensor<{chance.choice(('i32', 'i32', 'i64'))}>"
        self._depth = 0

    def module(self) -> str:
        wholes, rows = ["%a", "%b"], ["%v", "%w"]
        for _ in range(self._chance.randint(1, 2)):
            self._scan(wholes, rows)
        body = "\n".join(self._lines)
        arguments = f"%a: {WHOLE}, %b: {WHOLE}, %v: {ROW}, %w: {ROW}"
        head = f"func.func @f({arguments}) -> ({ROW}, {WHOLE}) {{"
        end = f"return {rows[-1]}, {wholes[-1]} : {ROW}, {WHOLE}"
        return "\n".join([head, body, end, "}", _CALLED])

    def _new(self, text: str, prefix: str = "t") -> str:
        self._count += 1
        self._lines.append(f"%{prefix}{self._count} = {text}")
        return f"%{prefix}{self._count}"

    def _constant(self, number: int) -> str:
        return self._new(f"stablehlo.constant dense<{number}> : {self._kind}", "c")

    def _binary(self, name: str, left: str, right: str, kind: str) -> str:
        return self._new(f"stablehlo.{name} {left}, {right} : {kind}")

    def _compare(self, direction: str, left: str, right: str) -> str:
        pair = f"({self._kind}, {self._kind}) -> tensor<i1>"
        return self._new(f"stablehlo.compare {direction}, {left}, {right}, SIGNED : {pair}")

    def _scan(self, wholes: list[str], rows: list[str]) -> None:
        """A loop that carries a counter, one or two tensors and one or two rows, in any order."""
        chance = self._chance
        first, step = chance.choice((0, 0, 0, 1)), chance.choice((1, 1, 1, 2))
        last, direction = chance.randint(first, ROWS), chance.choice(("LT", "LT", "LT", "NE", "LE"))
        if direction == "NE":
            step = 1
        bound = last - 1 if direction == "LE" else last
        outer = self._constant(bound) if chance.random() < 0.3 else None
        initial = [(self._constant(first), self._kind)]
        initial += [(chance.choice(wholes), WHOLE) for _ in range(chance.randint(1, 2))]
        initial += [(chance.choice(rows), ROW) for _ in range(chance.randint(1, 2))]
        order = list(range(len(initial)))
        chance.shuffle(order)
        self._count += 1
        name = f"%r{self._count}"
        names = [f"%i{self._count}_{k}" for k in range(len(initial))]
        carried = ", ".join(f"{names[k]} = {initial[k][0]}" for k in order)
        kinds = ", ".join(initial[k][1] for k in order)
        self._lines.append(f"{name}:{len(order)} = stablehlo.while({carried}) : {kinds} cond {{")
        test = self._compare(direction, names[0], outer or self._constant(bound))
        self._lines += [f"stablehlo.return {test} : tensor<i1>", "} do {"]
        inner = {WHOLE: list(wholes), ROW: list(rows)}
        for each, (_, kind) in zip(names[1:], initial[1:], strict=True):
            inner[kind].append(each)
        self._depth += 1
        for _ in range(chance.randint(1, 3)):
            self._statement(names[0], inner[WHOLE], inner[ROW])
        self._depth -= 1
        following = [self._binary("add", names[0], self._constant(step), self._kind)]
        following += [
            each if chance.random() < 0.2 else chance.choice(inner[kind][-2:])
            for each, (_, kind) in zip(names[1:], initial[1:], strict=True)
        ]
        self._lines += [f"stablehlo.return {', '.join(following[k] for k in order)} : {kinds}", "}"]
        for place, k in enumerate(order):
            if k:
                (wholes if initial[k][1] == WHOLE else rows).append(f"{name}#{place}")

    def _statement(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        kinds: list[Callable[[str, list[str], list[str]], None]] = [
            self._read, self._read, self._write, self._write, self._sum, self._shift, self._branch,
            self._selected, self._call,
        ]  # fmt: skip
        if self._depth < 2:
            kinds.append(lambda _, wholes, rows: self._scan(wholes, rows))
        self._chance.choice(kinds)(counter, wholes, rows)

    def _index(self, counter: str) -> str:
        """A position by COUNTER: itself, from the end, or as JAX wraps what is negative."""
        chance = self._chance
        if chance.random() < 0.1:
            return self._constant(chance.randint(-1, ROWS))
        if chance.random() < 0.3:
            counter = self._binary("subtract", self._constant(ROWS - 1), counter, self._kind)
        elif chance.random() < 0.2:
            counter = self._binary("add", counter, self._constant(chance.choice((-1, 1))), self._kind)
        if chance.random() < 0.5:
            return counter
        negative = self._compare("LT", counter, self._constant(0))
        more = self._binary("add", counter, self._constant(ROWS), self._kind)
        return self._new(f"stablehlo.select {negative}, {more}, {counter} : tensor<i1>, {self._kind}")

    def _read(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        """A row of a tensor."""
        at, zero = self._index(counter), self._constant(0)
        kinds = f"({WHOLE}, {self._kind}, {self._kind}) -> {LINE}"
        source = self._chance.choice(wholes[-3:])
        line = self._new(f"stablehlo.dynamic_slice {source}, {at}, {zero}, sizes = [1, {COLUMNS}] : {kinds}")
        rows.append(self._new(f"stablehlo.reshape {line} : ({LINE}) -> {ROW}"))

    def _write(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        at, zero, row = self._index(counter), self._constant(0), self._chance.choice(rows[-3:])
        if self._chance.random() < 0.5:
            line = self._new(f"stablehlo.reshape {row} : ({ROW}) -> {LINE}")
        else:
            line = self._new(f"stablehlo.broadcast_in_dim {row}, dims = [1] : ({ROW}) -> {LINE}")
        kinds = f"({WHOLE}, {LINE}, {self._kind}, {self._kind}) -> {WHOLE}"
        target = self._chance.choice(wholes[-2:])
        wholes.append(self._new(f"stablehlo.dynamic_update_slice {target}, {line}, {at}, {zero} : {kinds}"))

    def _sum(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        values, kind = self._chance.choice(((wholes, WHOLE), (rows, ROW)))
        name = self._chance.choice(("add", "multiply"))
        values.append(self._binary(name, values[-1], self._chance.choice(values), kind))

    def _shift(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        """A row moved by one, with an element of another one before it."""
        row, other = rows[-1], self._chance.choice(rows)
        one, rest = "tensor<1xf32>", f"tensor<{COLUMNS - 1}xf32>"
        head = self._new(f"stablehlo.slice {other} [0:1] : ({ROW}) -> {one}")
        tail = self._new(f"stablehlo.slice {row} [0:{COLUMNS - 1}] : ({ROW}) -> {rest}")
        rows.append(self._new(f"stablehlo.concatenate {head}, {tail}, dim = 0 : ({one}, {rest}) -> {ROW}"))

    def _branch(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        """One of two rows, by a condition on the counter."""
        test = self._compare(self._chance.choice(("EQ", "LT", "GE")), counter, self._constant(2))
        one, other = rows[-1], self._chance.choice(rows)
        ways = (f"({{\nstablehlo.return {each} : {ROW}\n}}" for each in (one, other))
        first, second = ways
        text = f'"stablehlo.if"({test}) {first}, {second[1:]}) : (tensor<i1>) -> {ROW}'
        rows.append(self._new(text))

    def _selected(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        test = self._compare(self._chance.choice(("EQ", "LT", "GE")), counter, self._constant(1))
        values, kind = self._chance.choice(((wholes, WHOLE), (rows, ROW)))
        other = self._chance.choice(values)
        values.append(self._new(f"stablehlo.select {test}, {values[-1]}, {other} : tensor<i1>, {kind}"))

    def _call(self, counter: str, wholes: list[str], rows: list[str]) -> None:
        """A function of two rows, as JAX's closed_call."""
        pair = f"({rows[-1]}, {self._chance.choice(rows)}) : ({ROW}, {ROW}) -> {ROW}"
        rows.append(self._new(f"func.call @closed_call{pair}"))


_CALLED = f"""
func.func private @closed_call(%p: {ROW}, %q: {ROW}) -> {ROW} {{
  %r = stablehlo.reverse %q, dims = [0] : {ROW}
  %s = stablehlo.add %p, %r : {ROW}
  return %s : {ROW}
}}
"""
