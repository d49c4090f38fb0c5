"""Random operations that move elements, capture values, add up, and take windows."""

from __future__ import annotations

from tests.oracles.tags.cells import TYPES, parallel
from tests.oracles.tags.draw import Draw


class Structured(Draw):
    """Steps that look at elements of other indices."""

    def pad(self) -> str:
        """Elements with a value around and between them."""
        x = self.one("ffiq")
        kind, shape = self.kind(x), self.shape(x)
        fill = self.one(kind, ())
        low = [self.chance.randint(-1 if n else 0, 1) for n in shape]
        high = [self.chance.randint(0, 1) for _ in shape]
        between = [self.chance.randint(0, 1) for _ in shape]
        is_tensor = kind != "q" and self.chance.random() < 0.4
        if is_tensor:
            low, between = [max(n, 0) for n in low], [0] * len(shape)
        after = [a + n + max(n - 1, 0) * c + b for a, n, c, b in zip(low, shape, between, high, strict=True)]

        form = (
            f"{{r}} = stablehlo.pad %{x}, %{fill}, low = {low}, high = {high}, interior = {between} : "
            f"({self.program.type(x)}, {self.program.type(fill)}) -> {{t}}"
        )
        if is_tensor:
            arguments = ", ".join(f"%k{k}: index" for k in range(len(shape)))
            form = (
                f"{{r}} = tensor.pad %{x} low{low} high{high} {{\n^bb0({arguments}):\n"
                f"%p = tensor.extract %{fill}[] : {self.program.type(fill)}\n"
                f"tensor.yield %p : {TYPES[kind]}\n}} : {self.program.type(x)} to {{t}}"
            )
        return self.program.add(form, kind, after)

    def move(self) -> str:
        """Reversed, or transposed."""
        x = self.one("fibq")
        kind, shape = self.kind(x), self.shape(x)
        if len(shape) == 2 and self.chance.random() < 0.5:
            form = f"{{r}} = stablehlo.transpose %{x}, dims = [1, 0] : ({self.program.type(x)}) -> {{t}}"
            turned = (shape[1], shape[0])
            return self.program.add(form, kind, turned)
        form = f"{{r}} = stablehlo.reverse %{x}, dims = [0] : {{t}}"
        if not shape:
            return x
        return self.program.add(form, kind, shape)

    def broadcast(self) -> str:
        """One element, or a row, for all."""
        fitting = self.names("fib", lambda rank: rank < 2)
        if not fitting:
            return self.iota()
        x = self.chance.choice(fitting)
        kind, shape = self.kind(x), self.shape(x)
        to = (2, *shape) if shape else (3,)
        dims = [1] if shape else []
        form = f"{{r}} = stablehlo.broadcast_in_dim %{x}, dims = {dims} : ({self.program.type(x)}) -> {{t}}"
        return self.program.add(form, kind, to)

    def reduce(self) -> str:
        """The sum along a dimension of elements, each perhaps times a captured one."""
        x = self.one("ffi")
        kind, shape = self.kind(x), self.shape(x)
        if not shape:
            return self.iota()
        captured = self.one(kind, ()) if self.chance.random() < 0.6 else None
        d = self.chance.randrange(len(shape))
        kept = tuple(n for k, n in enumerate(shape) if k != d)
        init, scalar = self.constant(kind, ()), f"tensor<{TYPES[kind]}>"
        body = f"%t = stablehlo.multiply %q, %{captured} : {scalar}\n" if captured else ""
        form = (
            f"{{r}} = stablehlo.reduce(%{x} init: %{init}) across dimensions = [{d}] : "
            f"({self.program.type(x)}, {scalar}) -> {{t}}\n reducer(%p: {scalar}, %q: {scalar}) {{\n{body}"
            f"%s = stablehlo.add %p, %{'t' if captured else 'q'} : {scalar}\n"
            f"stablehlo.return %s : {scalar}\n}}"
        )
        return self.program.add(form, kind, kept)

    def generic(self) -> str:
        """A body that takes an element of another tensor, where coordinates say so."""
        x = self.one("ffi")
        kind, shape = self.kind(x), self.shape(x)
        other = self.one(kind)
        if not shape or 0 in self.shape(other):
            return self.iota()
        at = tuple(self.chance.randrange(n) for n in self.shape(other))
        edge, number, rank = self.chance.randint(0, 2), len(self.program.steps), len(shape)
        index = ", ".join(f"d{k}" for k in range(rank))
        constants = "\n".join(f"%c{k} = arith.constant {i} : index" for k, i in enumerate(at))
        form = (
            f"%e{number} = tensor.empty() : {{t}}\n"
            f"{{r}} = linalg.generic {{indexing_maps = [affine_map<({index}) -> ({index})>, "
            f"affine_map<({index}) -> ({index})>], iterator_types = "
            f"[{parallel(rank)}]}} ins(%{x} : {{t}}) outs(%e{number} : {{t}}) {{\n"
            f"^bb0(%p: {TYPES[kind]}, %o: {TYPES[kind]}):\n{constants}\n"
            f"%q = tensor.extract %{other}[{', '.join(f'%c{k}' for k in range(len(at)))}] : "
            f"{self.program.type(other)}\n%j = linalg.index 0 : index\n%n = arith.constant {edge} : index\n"
            f"%w = arith.cmpi slt, %j, %n : index\n%s = arith.add{kind} %p, %q : {TYPES[kind]}\n"
            f"%y = arith.select %w, %s, %p : {TYPES[kind]}\nlinalg.yield %y : {TYPES[kind]}\n}} -> {{t}}"
        )
        return self.program.add(form, kind, shape)

    def convolution(self) -> str:
        """Windows along one dimension, dilated, of none or more elements."""
        n, taps = max(self.chance.randint(-1, 3), 0), self.chance.randint(1, 3)
        x = self.program.argument("f", (1, n, 1)) if n else self.constant("f", (1, 0, 1))
        w = self.program.argument("f", (taps, 1, 1)) if self.chance.random() < 0.5 else None
        w = w or self.constant("f", (taps, 1, 1))
        stride, low, high = self.chance.randint(1, 2), self.chance.randint(0, 2), self.chance.randint(0, 2)
        inner = self.chance.randint(1, 3) if stride == 1 else 1
        outer = self.chance.randint(1, 2)
        length = 0 if n == 0 else (n - 1) * inner + 1
        window = (taps - 1) * outer + 1
        count = max((length + low + high - window) // stride + 1, 0)
        shape = (1, count, 1)
        form = (
            f"{{r}} = stablehlo.convolution(%{x}, %{w}) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], "
            f"window = {{stride = [{stride}], pad = [[{low}, {high}]], lhs_dilate = [{inner}], "
            f"rhs_dilate = [{outer}]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : "
            f"({self.program.type(x)}, {self.program.type(w)}) -> {{t}}"
        )
        return self.program.add(form, "f", shape)
