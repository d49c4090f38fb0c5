"""Random programs: each step is an operation that fits some of the values so far."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.oracles.tags.cells import TYPES, ZERO_POINT, Index, indices, parallel, type_of
from tests.oracles.tags.programs import Program

SHAPES = ((2,), (3,), (2, 3), (3, 3), (1, 2))


class Draw:
    """A program under construction."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.program = Program()
        for kind in self.chance.choice(("f", "i", "", "")):
            self.program.argument(kind, ())
        for _ in range(self.chance.randint(1, 2)):
            self.program.argument(self.chance.choice("fffiiq"), self.chance.choice(SHAPES))

    def names(self, kinds: str, rank: Callable[[int], bool] = lambda rank: True) -> list[str]:
        """The values of one of KINDS, and of a rank that fits."""
        of = self.program.shapes.items()
        return [name for name, (kind, shape) in of if kind in kinds and rank(len(shape))]

    def one(self, kinds: str, shape: Sequence[int] | None = None) -> str:
        """A value of one of KINDS; of SHAPE, if that is given: a constant, if there is none."""
        fitting = [
            n
            for n in self.names(kinds)
            if (not shape and shape is None) or self.program.shapes[n][1] == tuple(shape or ())
        ]
        if fitting and self.chance.random() < 0.9:
            return self.chance.choice(fitting[-6:])
        wanted = self.chance.choice(SHAPES) if shape is None else shape
        return self.constant(self.chance.choice(kinds), wanted)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a value."""
        return self.program.shapes[name][1]

    def kind(self, name: str) -> str:
        """The kind of a value."""
        return self.program.shapes[name][0]

    def constant(self, kind: str, shape: Sequence[int]) -> str:
        """Numbers in the text: some of them, or all, 0."""
        pool = {"b": (0, 1), "q": (0, -ZERO_POINT, -ZERO_POINT, 1)}.get(kind, (0, 0, 1, -2, 3))
        is_splat = not shape or (0 not in shape and self.chance.random() < 0.3)
        first = self.chance.choice(pool)
        numbers = {i: first if is_splat else self.chance.choice(pool) for i in indices(shape)}

        def word(number: int) -> str:
            stored = number + ZERO_POINT if kind == "q" else number
            return f"{stored}.0" if kind == "f" else ("false", "true")[stored] if kind == "b" else str(stored)

        def nested(before: Index) -> str:
            if len(before) == len(shape):
                return word(numbers[before])
            return f"[{', '.join(nested((*before, k)) for k in range(shape[len(before)]))}]"

        elements = word(first) if is_splat else "" if 0 in shape else nested(())
        written = type_of(kind, shape) if kind != "q" else type_of("i", shape).replace("i32", "i8")
        dense = f"dense<{elements}> : {written}"
        forms = [
            f'{{r}} = "tosa.const"() <{{values = {dense}}}> : () -> {{t}}',
            f'{{r}} = "stablehlo.constant"() <{{value = {dense}}}> : () -> {{t}}',
        ]
        forms += [] if kind == "q" else [f"{{r}} = arith.constant {dense}"]
        form = self.chance.choice(forms)
        if not is_splat:
            name = self.program.add(form, kind, shape, executed="")
            self.program.constants[name] = numbers
            return name
        meant = f"{float(first) or -0.0}" if kind == "f" else word(first) if kind == "b" else str(first)
        return self.program.add(form, kind, shape, executed=f"{{r}} = arith.constant dense<{meant}> : {{t}}")

    def iota(self) -> str:
        """Each element is one of its coordinates."""
        shape = self.chance.choice(SHAPES)
        d, kind = self.chance.randrange(len(shape)), self.chance.choice("iif")
        rank = len(shape)
        index = ", ".join(f"d{k}" for k in range(rank))
        cast = (
            ("%w = arith.index_cast %j : index to i32", "w")
            if kind == "i"
            else ("%u = arith.index_cast %j : index to i32\n%w = arith.sitofp %u : i32 to f32", "w")
        )
        number = len(self.program.steps)
        generic = (
            f"%e{number} = tensor.empty() : {{t}}\n"
            f"{{r}} = linalg.generic {{indexing_maps = [affine_map<({index}) -> ({index})>], "
            f"iterator_types = [{parallel(rank)}]}} outs(%e{number} : {{t}}) {{\n"
            f"^bb0(%o: {TYPES[kind]}):\n%j = linalg.index {d} : index\n{cast[0]}\n"
            f"linalg.yield %{cast[1]} : {TYPES[kind]}\n}} -> {{t}}"
        )
        arguments = ", ".join(f"%k{k}: index" for k in range(rank))
        generate = (
            f"{{r}} = tensor.generate {{\n^bb0({arguments}):\n"
            f"{cast[0].replace('%j', f'%k{d}')}\ntensor.yield %{cast[1]} : {TYPES[kind]}\n}} : {{t}}"
        )
        form = self.chance.choice([f"{{r}} = stablehlo.iota dim = {d} : {{t}}", generic, generate])
        return self.program.add(form, kind, shape)

    def compare(self) -> str:
        """A truth for each pair of numbers."""
        a = self.one("if")
        b = self.one(self.kind(a), self.shape(a))
        t, truth = self.program.type(a), type_of("b", self.shape(a))
        names = f"%{a}, %{b}"
        word = self.chance.choice(["ge", "gt", "eq"])
        sign = {"ge": "sge", "gt": "sgt", "eq": "eq"}[word]
        own = f"{{r}} = arith.cmpi {sign}, {names} : {t}"
        if self.kind(a) == "f":
            own = f"{{r}} = arith.cmpf o{word}, {names} : {t}"
        tosa = {"ge": "greater_equal", "gt": "greater", "eq": "equal"}[word]
        forms = [
            own,
            f"{{r}} = stablehlo.compare {word.upper()}, {names} : ({t}, {t}) -> {truth}",
            f"{{r}} = tosa.{tosa} {names} : ({t}, {t}) -> {truth}",
        ]
        return self.program.add(self.chance.choice(forms), "b", self.shape(a))

    def select(self) -> str:
        """One of two tensors, element by element."""
        truth = self.one("b")
        kind = self.chance.choice("fffiq")
        a, b = (self.one(kind, self.shape(truth)) for _ in range(2))
        t, c = self.program.type(a), self.program.type(truth)
        names = f"%{truth}, %{a}, %{b}"
        forms = [
            f"{{r}} = stablehlo.select {names} : {c}, {t}",
            f"{{r}} = tosa.select {names} : ({c}, {t}, {t}) -> {t}",
        ]
        forms += [] if kind == "q" else [f"{{r}} = arith.select {names} : {c}, {t}"]
        return self.program.add(self.chance.choice(forms), kind, self.shape(truth))

    def binary(self) -> str:
        """Sums, products and extrema; `and`, `or` of truths."""
        a = self.one("fffiibq")
        kind = self.kind(a)
        b = self.one(kind, self.shape(a))
        t, names = self.program.type(a), f"%{a}, %{b}"
        if kind == "b":
            word = self.chance.choice(["and", "or"])
            forms = [f"arith.{word}i {names} : {t}", f"stablehlo.{word} {names} : {t}",
                     f"tosa.logical_{word} {names} : ({t}, {t}) -> {t}"]  # fmt: skip
        else:
            word = self.chance.choice(["add", "sub", "mul"])
            long = {"add": "add", "sub": "subtract", "mul": "multiply"}[word]
            forms = [f"stablehlo.{long} {names} : {t}"]
            forms += [] if kind == "q" else [f"arith.{word}{kind} {names} : {t}"]
            forms += [] if word == "mul" or kind == "q" else [f"tosa.{word} {names} : ({t}, {t}) -> {t}"]
        return self.program.add(f"{{r}} = {self.chance.choice(forms)}", kind, self.shape(a))

    def convert(self) -> str:
        """Truths and integers as numbers of another kind."""
        a = self.one("bbi")
        kind = "f" if self.kind(a) == "i" else self.chance.choice("fi")
        s, t = self.program.type(a), type_of(kind, self.shape(a))
        word = "sitofp" if self.kind(a) == "i" else "uitofp" if kind == "f" else "extui"
        forms = [
            f"{{r}} = arith.{word} %{a} : {s} to {t}",
            f"{{r}} = stablehlo.convert %{a} : ({s}) -> {t}",
            f"{{r}} = tosa.cast %{a} : ({s}) -> {t}",
        ]
        return self.program.add(self.chance.choice(forms), kind, self.shape(a))
