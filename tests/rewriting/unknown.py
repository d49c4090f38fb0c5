"""Random programs of operations without an initial value, or with unknown sizes, for rewrites."""

from __future__ import annotations

import random

from tests.rewriting.texts import Program, function, padded, tensor, zero


def arithmetic(chance: random.Random) -> Program:
    """Sums, products and choices of tensors, perhaps of an unknown number of rows, and padded."""
    kind = chance.choice(("f32", "i32"))
    letter = kind[0]
    m, n = chance.randint(1, 8), chance.randint(1, 9)
    rows = chance.choice((m, "?"))
    x, truth = tensor(rows, n, kind), tensor(rows, n, "i1")
    lines, values = [zero(kind)], ["%a", "%b"]
    for number in range(chance.randint(1, 4)):
        # mlir-opt folds `cmpi %x, %x` into a constant of unknown size, which it cannot lower
        (left, right), name = chance.sample(values, 2), f"%v{number}"
        what = chance.choice(("add", "sub", "mul", "select"))
        if what == "select":
            predicate = "sgt" if kind == "i32" else "ogt"
            lines.append(f"%t{number} = arith.cmp{letter} {predicate}, {left}, {right} : {x}")
            lines.append(f"{name} = arith.select %t{number}, {left}, {right} : {truth}, {x}")
        else:
            lines.append(f"{name} = arith.{what}{letter} {left}, {right} : {x}")
        values.append(name)
    last, out = values[-1], x
    if chance.random() < 0.5:
        low, high = ([chance.randint(0, 2), chance.randint(0, 2)] for _ in range(2))
        total = [size if size == "?" else int(size) + low[d] + high[d] for d, size in enumerate((rows, n))]
        out = tensor(*total, kind)
        lines += padded("p", last.removeprefix("%"), x, low, high, out)
        last = "%p"
    lines.append(f"%y = arith.add{letter} {last}, {last} : {out}")
    return Program(function([f"%a: {x}", f"%b: {x}"], out, lines), (m, m) if rows == "?" else ())


def padded_image(chance: random.Random) -> Program:
    """A padded convolution of an image of unknown sizes, as large as the image."""
    kind, k = chance.choice(("f32", "i32")), chance.choice((2, 3, 4))
    low = [chance.randint(0, k - 1) for _ in range(2)]
    high = [k - 1 - amount for amount in low]
    h, w = chance.randint(1, 9), chance.randint(1, 9)
    x, weights = tensor("?", "?", kind), tensor(k, k, kind)
    lines = [zero(kind), *padded("p", "x", x, low, high, x)]
    for d, name in enumerate("hw"):
        lines += [f"%c{d} = arith.constant {d} : index", f"%{name} = tensor.dim %x, %c{d} : {x}"]
    lines += [
        f"%e = tensor.empty(%h, %w) : {x}",
        f"%i = linalg.fill ins(%zero : {kind}) outs(%e : {x}) -> {x}",
        f"%y = linalg.conv_2d ins(%p, %k : {x}, {weights}) outs(%i : {x}) -> {x}",
    ]
    return Program(function([f"%x: {x}", f"%k: {weights}"], x, lines), (h, w))
