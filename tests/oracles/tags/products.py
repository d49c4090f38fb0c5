"""Random products and joined tensors, and the choice of a step."""

from __future__ import annotations

from tests.oracles.tags.cells import TYPES, type_of
from tests.oracles.tags.programs import Program
from tests.oracles.tags.structured import Structured


class Products(Structured):
    """Steps that contract, reduce in a body of linalg's, and put tensors together."""

    def dot(self) -> str:
        """A product of matrices; of quantised ones, of what they mean."""
        a = self.one("ffiq")
        if len(self.shape(a)) != 2:
            return self.compare()
        kind, (n, k) = self.kind(a), self.shape(a)
        b = self.one(kind, (k, self.chance.randint(1, 3)))
        shape = (n, self.shape(b)[1])
        types = f"({self.program.type(a)}, {self.program.type(b)})"
        form = f"{{r}} = stablehlo.dot_general %{a}, %{b}, contracting_dims = [1] x [0] : {types} -> {{t}}"
        if kind != "q" and self.chance.random() < 0.5:
            init = self.constant(kind, shape)
            form = f"{{r}} = linalg.matmul ins(%{a}, %{b} : {types[1:-1]}) outs(%{init} : {{t}}) -> {{t}}"
        return self.program.add(form, kind, shape)

    def sum_in_body(self) -> str:
        """linalg.reduce of `out + x * y[]` along dimension 0, with a captured y."""
        x = self.one("ffi")
        if len(self.shape(x)) != 2:
            return self.select()
        kind, (_, columns) = self.kind(x), self.shape(x)
        other, init = self.one(kind, ()), self.constant(kind, (columns,))
        number = len(self.program.steps)
        form = (
            f"%s{number} = tensor.extract %{other}[] : {self.program.type(other)}\n"
            f"{{r}} = linalg.reduce ins(%{x} : {self.program.type(x)}) outs(%{init} : {{t}}) dimensions = [0]\n"
            f"(%p: {TYPES[kind]}, %o: {TYPES[kind]}) {{\n%m = arith.mul{kind} %p, %s{number} : {TYPES[kind]}\n"
            f"%y = arith.add{kind} %m, %o : {TYPES[kind]}\nlinalg.yield %y : {TYPES[kind]}\n}}"
        )
        return self.program.add(form, kind, (columns,))

    def integer_product(self) -> str:
        """tosa.matmul of integers, each without its zero point: some are 0."""
        a = (
            self.program.argument("i", (1, 2, 2))
            if self.chance.random() < 0.5
            else self.constant("i", (1, 2, 2))
        )
        b = self.constant("i", (1, 2, 1))
        points = [self.chance.choice((0, 0, 3)) for _ in range(2)]
        names = [f"%z{len(self.program.steps)}_{k}" for k in range(2)]
        point = type_of("i", (1,))
        lines = [
            f'{name} = "tosa.const"() <{{values = dense<{p}> : {point}}}> : () -> {point}'
            for name, p in zip(names, points, strict=True)
        ]
        form = "\n".join(lines) + (
            f"\n{{r}} = tosa.matmul %{a}, %{b}, {', '.join(names)} : ({self.program.type(a)}, "
            f"{self.program.type(b)}, {point}, {point}) -> {{t}}"
        )

        return self.program.add(form, "i", (1, 2, 1))

    def join(self) -> str:
        """One tensor behind another, along dimension 0."""
        a = self.one("fibq")
        kind, shape = self.kind(a), self.shape(a)
        if not shape:
            return self.binary()
        b = self.one(kind, shape)
        to, t = (2 * shape[0], *shape[1:]), self.program.type(a)
        forms = [
            f"{{r}} = stablehlo.concatenate %{a}, %{b}, dim = 0 : ({t}, {t}) -> {{t}}",
            f"{{r}} = tosa.concat %{a}, %{b} {{axis = 0 : i32}} : ({t}, {t}) -> {{t}}",
            f"{{r}} = tensor.concat dim(0) %{a}, %{b} : ({t}, {t}) -> {{t}}",
        ]
        return self.program.add(self.chance.choice(forms), kind, to)


def draw(seed: int) -> Program:
    """A random program of two to nine steps."""
    maker = Products(seed)
    steps = (
        maker.iota, maker.compare, maker.compare, maker.select, maker.select, maker.binary, maker.binary,
        maker.convert, maker.pad, maker.pad, maker.move, maker.broadcast, maker.reduce, maker.reduce,
        maker.generic, maker.convolution, maker.convolution, maker.dot, maker.sum_in_body,
        maker.integer_product, maker.join,
    )  # fmt: skip
    for _ in range(maker.chance.randint(2, 9)):
        maker.chance.choice(steps)()
    return maker.program
