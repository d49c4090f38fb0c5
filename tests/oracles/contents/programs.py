"""Random functions on memrefs of f32, of a few operations each."""

from __future__ import annotations

import random
from collections.abc import Callable

SIZE = 6
"""Of each dimension of a buffer."""


def drawn(seed: int) -> str:
    """A module with a function @f that writes its arguments %a, %b and %m, and returns a buffer and a number."""
    return _Drawing(random.Random(seed)).module()


class _Drawing:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._lines: list[str] = []
        self._count = 0
        self._depth = 1

    def module(self) -> str:
        self._line("%z = arith.constant 0.0 : f32")
        self._line("%r = memref.alloc() : memref<6xf32>")
        self._line("linalg.fill ins(%z : f32) outs(%r : memref<6xf32>)")
        for _ in range(self._chance.randint(1, 3)):
            self._statement([])
        number = self._sum([], tensor=True)
        returned = f"  return %r, {number} : memref<6xf32>, f32"
        return "\n".join([_CALLED, _HEADER, *self._lines, returned, "}", ""])

    def _line(self, text: str) -> None:
        self._lines.append("  " * self._depth + text)

    def _new(self, prefix: str) -> str:
        self._count += 1
        return f"%{prefix}{self._count}"

    def _statement(self, loops: list[str]) -> None:
        kinds: list[Callable[[list[str]], None]] = [self._store, self._store, self._carried, self._vector]
        if len(loops) < 2:
            kinds += [self._loop, self._loop, self._loop]
        kinds += [self._branch] if loops else [self._copy, self._structured, self._call, self._reading_body]
        kinds += [self._in_turn, self._atomic] if self._chance.random() < 0.3 else []
        self._chance.choice(kinds)(loops)

    def _loop(self, loops: list[str]) -> None:
        variable = self._new("i")
        low, high = self._chance.choice([("0", "6"), ("1", "5"), ("2", "6"), ("0", "4")])
        if loops and self._chance.random() < 0.3:
            low = f"affine_map<(d0) -> (d0)>({loops[-1]})"
        step = self._chance.choice(["", "", "", " step 2"])
        self._line(f"affine.for {variable} = {low} to {high}{step} {{")
        self._inside([*loops, variable])
        self._line("}")

    def _inside(self, loops: list[str]) -> None:
        self._depth += 1
        for _ in range(self._chance.randint(1, 2)):
            self._statement(loops)
        self._depth -= 1

    def _branch(self, loops: list[str]) -> None:
        condition = self._chance.choice(["d0 - 2 >= 0", "3 - d0 >= 0", "d0 mod 2 == 0"])
        self._line(f"affine.if affine_set<(d0) : ({condition})>({loops[-1]}) {{")
        self._inside(loops)
        if self._chance.random() < 0.5:
            self._line("} else {")
            self._inside(loops)
        self._line("}")

    def _place(self, loops: list[str], *, written: bool = False) -> str:
        """`%m[%i, 3] : memref<6x6xf32>`; what is written is mostly where the loops are."""
        buffer, rank = self._chance.choice([("%a", 1), ("%b", 1), ("%m", 2), ("%r", 1)])
        index = ", ".join(self._index(loops, plain=written) for _ in range(rank))
        return f"{buffer}[{index}] : memref<{'6x' * rank}f32>"

    def _index(self, loops: list[str], *, plain: bool) -> str:
        if not loops or self._chance.random() < 0.2:
            return str(self._chance.randrange(SIZE))
        variable = self._chance.choice(loops)
        if plain and self._chance.random() < 0.7:
            return variable
        return self._chance.choice(
            [variable, f"5 - {variable}", f"({variable} + 1) mod 6", f"({variable} + 5) mod 6"]
        )

    def _value(self, loops: list[str]) -> str:
        """A scalar: an argument, a constant, an element, or what is computed from two."""
        kind = self._chance.random()
        if kind < 0.1:
            return self._chance.choice(["%x", "%z"])
        if kind < 0.7:
            name = self._new("v")
            self._line(f"{name} = affine.load {self._place(loops)}")
            return name
        left, right = self._value(loops), self._value(loops)
        if loops and kind > 0.9:
            return self._selected(loops, left, right)
        name = self._new("s")
        self._line(f"{name} = arith.addf {left}, {right} : f32")
        return name

    def _selected(self, loops: list[str], left: str, right: str) -> str:
        """LEFT or RIGHT, by a condition on a loop."""
        number, truth, name = self._new("n"), self._new("k"), self._new("s")
        self._line(f"{number} = arith.constant {self._chance.randrange(SIZE)} : index")
        operator = self._chance.choice(["slt", "sge", "eq"])
        self._line(f"{truth} = arith.cmpi {operator}, {self._chance.choice(loops)}, {number} : index")
        self._line(f"{name} = arith.select {truth}, {left}, {right} : f32")
        return name

    def _store(self, loops: list[str]) -> None:
        value = self._value(loops)
        self._line(f"affine.store {value}, {self._place(loops, written=True)}")

    def _in_turn(self, loops: list[str]) -> None:
        """Loads of one buffer and stores to another one: a loop carries two or three, and passes them in turn."""
        buffers = self._chance.sample(["%a", "%b", "%r"], self._chance.choice((2, 2, 3)))
        result, variable, kind = self._new("r"), self._new("i"), "memref<6xf32>"
        names = [self._new("w") for _ in buffers]
        carried = ", ".join(f"{name} = {buffer}" for name, buffer in zip(names, buffers, strict=True))
        kinds = ", ".join([kind] * len(buffers))
        bounds = self._chance.choice(["0 to 3", "1 to 5", "0 to 6 step 2"])
        head = f"affine.for {variable} = {bounds} iter_args({carried}) -> ({kinds}) {{"
        self._line(f"{result}:{len(buffers)} = {head}")
        inner, value = [*loops, variable], self._new("v")
        self._line(f"  {value} = affine.load {names[0]}[{self._index(inner, plain=False)}] : {kind}")
        self._line(f"  affine.store {value}, {names[1]}[{self._index(inner, plain=True)}] : {kind}")
        if self._chance.random() < 0.5:
            self._inside(inner)
        self._line(f"  affine.yield {', '.join([*names[1:], names[0]])} : {kinds}")
        self._line("}")
        if self._chance.random() < 0.5:
            self._line(f"affine.store %x, {result}#0[{self._chance.randrange(SIZE)}] : {kind}")

    def _atomic(self, loops: list[str]) -> None:
        """An element to which a number is added at once."""
        value, index, old = self._value(loops), self._new("k"), self._new("o")
        if loops:
            self._line(f"{index} = affine.apply affine_map<(d0) -> (5 - d0)>({loops[-1]})")
        else:
            self._line(f"{index} = arith.constant {self._chance.randrange(SIZE)} : index")
        buffer = self._chance.choice(["%a", "%b"])
        self._line(f"{old} = memref.atomic_rmw addf {value}, {buffer}[{index}] : (f32, memref<6xf32>) -> f32")

    def _reading_body(self, loops: list[str]) -> None:
        """A structured operation whose body loads an element of another buffer, or of a tensor."""
        source, target, other = self._chance.sample(["%a", "%b", "%r"], 3)
        index, name = self._new("k"), self._new("v")
        maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>"
        self._line(f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}')
        self._line(f"  ins({other} : memref<6xf32>) outs({target} : memref<6xf32>) {{")
        self._line("^bb0(%in: f32, %out: f32):")
        self._line(f"  %d{index[1:]} = linalg.index 0 : index")
        position = self._chance.choice(["5 - d0", "(d0 + 2) mod 6", "d0"])
        self._line(f"  {index} = affine.apply affine_map<(d0) -> ({position})>(%d{index[1:]})")
        reads = (
            f"memref.load {source}[{index}] : memref<6xf32>",
            f"tensor.extract %t[{index}] : tensor<6xf32>",
        )
        self._line(f"  {name} = {self._chance.choice(reads)}")
        self._line(f"  %s{name[1:]} = arith.addf {name}, {self._chance.choice(['%in', '%out'])} : f32")
        self._line(f"  linalg.yield %s{name[1:]} : f32")
        self._line("}")

    def _carried(self, loops: list[str]) -> None:
        """A sum that is stored."""
        result = self._sum(loops, tensor=False)
        self._line(f"affine.store {result}, {self._place(loops, written=True)}")

    def _sum(self, loops: list[str], *, tensor: bool) -> str:
        """A sum of what a loop reads, or a value of a branch in it; or of elements of a TENSOR."""
        initial = self._value(loops)
        variable, carried, result = self._new("i"), self._new("c"), self._new("r")
        self._line(f"{result} = affine.for {variable} = 1 to 5 iter_args({carried} = {initial}) -> (f32) {{")
        self._depth += 1
        inner = [*loops, variable]
        value = self._value(inner) if self._chance.random() < 0.6 else self._chosen(inner)
        if tensor and self._chance.random() < 0.5:
            value = self._new("e")
            self._line(f"{value} = tensor.extract %t[{variable}] : tensor<6xf32>")
        total = self._new("s")
        self._line(f"{total} = arith.addf {carried}, {value} : f32")
        self._line(f"affine.yield {self._chance.choice([total, total, value])} : f32")
        self._depth -= 1
        self._line("}")
        return result

    def _chosen(self, loops: list[str]) -> str:
        result = self._new("q")
        self._line(f"{result} = affine.if affine_set<(d0) : (d0 - 3 >= 0)>({loops[-1]}) -> f32 {{")
        for end in ("} else {", "}"):
            self._depth += 1
            self._line(f"affine.yield {self._value(loops)} : f32")
            self._depth -= 1
            self._line(end)
        return result

    def _vector(self, loops: list[str]) -> None:
        """Lanes that are written, as far as there are elements, or the sum of them."""
        kind = f"vector<{self._chance.choice([2, 3])}xf32>"
        lanes = self._summed(loops, kind) if self._chance.random() < 0.3 else self._lanes(loops, kind)
        if self._chance.random() < 0.3:
            number = self._new("s")
            self._line(f"{number} = vector.reduction <add>, {lanes}, %x : {kind} into f32")
            self._line(f"affine.store {number}, {self._place(loops, written=True)}")
            return
        buffer, index = self._window(loops)
        self._line(f"vector.transfer_write {lanes}, {buffer}[{index}] : {kind}, memref<6xf32>")

    def _window(self, loops: list[str]) -> tuple[str, str]:
        """A buffer, and where a window of it begins."""
        index = self._new("k")
        if not loops or self._chance.random() < 0.3:
            self._line(f"{index} = arith.constant {self._chance.randrange(SIZE)} : index")
        else:
            expression = self._chance.choice(["(d0)", "(5 - d0)"])
            self._line(f"{index} = affine.apply affine_map<(d0) -> {expression}>({loops[-1]})")
        return self._chance.choice(["%a", "%b", "%r"]), index

    def _lanes(self, loops: list[str], kind: str) -> str:
        """A vector: a window of a buffer, equal lanes, or the sum of two."""
        name, chance = self._new("v"), self._chance.random()
        if chance < 0.5:
            buffer, index = self._window(loops)
            padding = self._chance.choice(["%x", "%z"])
            read = f"vector.transfer_read {buffer}[{index}], {padding} : memref<6xf32>, {kind}"
            self._line(f"{name} = {read}")
        elif chance < 0.8:
            self._line(f"{name} = vector.broadcast {self._value(loops)} : f32 to {kind}")
        else:
            left, right = self._lanes(loops, kind), self._lanes(loops, kind)
            self._line(f"{name} = arith.addf {left}, {right} : {kind}")
        return name

    def _summed(self, loops: list[str], kind: str) -> str:
        """A vector that a loop carries."""
        initial, variable = self._lanes(loops, kind), self._new("i")
        carried, result, total = self._new("c"), self._new("r"), self._new("s")
        header = f"affine.for {variable} = 0 to 3 iter_args({carried} = {initial}) -> ({kind})"
        self._line(f"{result} = {header} {{")
        self._depth += 1
        lanes = self._lanes([*loops, variable], kind)
        self._line(f"{total} = arith.addf {carried}, {lanes} : {kind}")
        self._line(f"affine.yield {total} : {kind}")
        self._depth -= 1
        self._line("}")
        return result

    def _copy(self, loops: list[str]) -> None:
        source, target = self._chance.sample(["%a", "%b", "%r"], 2)
        if self._chance.random() < 0.5:
            self._line(f"memref.copy {source}, {target} : memref<6xf32> to memref<6xf32>")
            return
        view, kind = self._new("w"), "memref<3xf32, strided<[2], offset: 1>>"
        other, plain = self._new("w"), "memref<3xf32, strided<[1], offset: 2>>"
        self._line(f"{view} = memref.subview {source}[1] [3] [2] : memref<6xf32> to {kind}")
        self._line(f"{other} = memref.subview {target}[2] [3] [1] : memref<6xf32> to {plain}")
        self._line(f"memref.copy {view}, {other} : {kind} to {plain}")

    def _structured(self, loops: list[str]) -> None:
        source, target = self._chance.sample(["%a", "%b", "%r"], 2)
        if self._chance.random() < 0.5:
            operands = f"ins(%m, {source} : memref<6x6xf32>, memref<6xf32>) outs({target} : memref<6xf32>)"
            self._line(f"linalg.matvec {operands}")
            return
        self._line(f"linalg.add ins({source}, %b : memref<6xf32>, memref<6xf32>) outs(%r : memref<6xf32>)")

    def _call(self, loops: list[str]) -> None:
        first, second = (self._chance.choice(["%a", "%b", "%r"]) for _ in range(2))
        result = self._new("t")
        self._line(
            f"{result} = call @shift({first}, {second}, %x) : (memref<6xf32>, memref<6xf32>, f32) -> f32"
        )
        self._line(f"affine.store {result}, {second}[0] : memref<6xf32>")


_HEADER = """\
func.func @f(%a: memref<6xf32>, %b: memref<6xf32>, %m: memref<6x6xf32>, %x: f32, %t: tensor<6xf32>)
    -> (memref<6xf32>, f32) {"""
_CALLED = """
func.func private @shift(%s: memref<6xf32>, %t: memref<6xf32>, %y: f32) -> f32 {
  affine.for %i = 1 to 6 {
    %v = affine.load %s[%i - 1] : memref<6xf32>
    %w = arith.mulf %v, %y : f32
    affine.store %w, %t[%i] : memref<6xf32>
  }
  %l = affine.load %s[5] : memref<6xf32>
  return %l : f32
}
"""
