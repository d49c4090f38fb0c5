"""Random programs for rewrites with operations in loops and branches, and with tensors without elements."""

from __future__ import annotations

import random

from tests.rewriting.texts import Program, filled, function, padded, tensor, zero


def in_a_region(chance: random.Random) -> Program:
    """Padded rows, each convolved in an iteration or a branch; perhaps the padding is wider from row to row."""
    kind, k, n = chance.choice(("f32", "i32")), chance.randint(1, 3), chance.randint(3, 7)
    rows, wider = chance.randint(1, 4), chance.random() < 0.5
    width = n + rows + 1
    x, row, p = tensor(rows, n, kind), tensor(n, kind), tensor(width, kind)
    weights, out = tensor(k, kind), tensor(width - k + 1, kind)
    every = tensor(rows, width - k + 1, kind)
    low, high = ("%r", "%rest") if wider else ("1", str(rows))
    body = [
        f"%rest = affine.apply affine_map<(r) -> ({rows + 1} - r)>(%r)",
        f"%row = tensor.extract_slice %x[%r, 0] [1, {n}] [1, 1] : {x} to {row}",
        *[line.replace("low[-1] high[-1]", f"low[{low}] high[{high}]")
          for line in padded("p", "row", row, [-1], [-1], p)],
        f"%z = linalg.conv_1d ins(%p, %w : {p}, {weights}) outs(%i : {out}) -> {out}",
    ]  # fmt: skip
    into = f"%z into %a[%r, 0] [1, {width - k + 1}] [1, 1] : {out} into {every}"
    before = [
        zero(kind),
        *filled("i", out),
        *filled("o", every),
        "%c0 = arith.constant 0 : index",
        "%c1 = arith.constant 1 : index",
        f"%rows = arith.constant {rows} : index",
    ]
    match chance.choice(("for", "forall", "if")):
        case "for":
            head = f"%y = scf.for %r = %c0 to %rows step %c1 iter_args(%a = %o) -> {every} {{"
            end = [f"%n = tensor.insert_slice {into}", f"scf.yield %n : {every}", "}"]
        case "forall":
            head = f"%y = scf.forall (%r) in (%rows) shared_outs(%a = %o) -> ({every}) {{"
            end = ["scf.forall.in_parallel {", f"tensor.parallel_insert_slice {into}", "}", "}"]
        case _:
            return _branch(before, body, every, out, [x, weights], into)
    return Program(function([f"%x: {x}", f"%w: {weights}"], every, [*before, head, *body, *end]))


def _branch(
    before: list[str], body: list[str], every: str, out: str, arguments: list[str], into: str
) -> Program:
    """The first row, where the truth that is given says so."""
    lines = [
        *before,
        "%r = arith.constant 0 : index",
        f"%y = scf.if %t -> {every} {{",
        *body,
        f"%n = tensor.insert_slice {into.replace('%a', '%o')}",
        f"scf.yield %n : {every}",
        "} else {",
        f"scf.yield %o : {every}",
        "}",
    ]
    x, weights = arguments
    return Program(function([f"%x: {x}", f"%w: {weights}", "%t: i1"], every, lines))


def without_elements(chance: random.Random) -> Program:
    """A product, one of whose sizes may be 0, added to a tensor."""
    kind = chance.choice(("f32", "i32"))
    m, n, k = (chance.choice((0, 1, 3)) for _ in range(3))
    a, b, c = tensor(m, k, kind), tensor(k, n, kind), tensor(m, n, kind)
    line = f"%y = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}"
    return Program(function([f"%a: {a}", f"%b: {b}", f"%c: {c}"], c, [line]))
