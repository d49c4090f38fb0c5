"""Random linalg operations, named and generic."""

from __future__ import annotations

import math

from tests.oracles.elements import named
from tests.oracles.elements.bodies import (
    Binary,
    DataTest,
    Expr,
    IndexTest,
    Literal,
    Operand,
    Outside,
    Select,
    Unary,
)
from tests.oracles.elements.builder import EXTENT, WORK, Builder, fits
from tests.oracles.elements.draw_tensors import Draw, fetch
from tests.oracles.elements.layers import Slot
from tests.oracles.elements.nodes import Node
from tests.oracles.elements.structured import LinalgGeneric
from tests.oracles.elements.values import Value, is_float
from tests.oracles.interpreter.affine import Affine, fixed, loop


def window(b: Builder) -> Node | None:
    """A convolution or a pooling over a tensor that is there."""
    image = b.tensor(lambda value: 1 <= len(value.shape) <= 5)
    if image is None:
        return None
    table = {**named.CONVOLUTIONS, **named.POOLINGS}
    name = b.pick([n for n, letters in table.items() if len(letters[1]) == len(image.shape)])
    out, letters, kernel = table[name]
    extents = {"f": b.integer(1, 3), "m": b.integer(1, 2)}
    strides: list[int] = []
    dilations: list[int] = []
    for letter, n in zip(letters, image.shape, strict=True):
        if letter.islower():
            extents[letter] = n
            continue
        position, offset = named.WINDOWS[letter]
        plain = name in named.PLAIN
        dilation, stride = (1, 1) if plain else (b.pick((1, 1, 1, 2, 3)), b.pick((1, 1, 2, 2, 3)))
        extents[offset] = min(b.pick((1, 2, 3, 3, 4, 5)), (n - 1) // dilation + 1)
        extents[position] = (n - 1 - dilation * (extents[offset] - 1)) // stride + 1
        strides.append(stride)
        dilations.append(dilation)
    shape = [extents[letter] for letter in out]
    if not fits(shape) or math.prod(extents[letter] for letter in {*out, *kernel}) > WORK:
        return None
    weights = b.operand([extents[letter] for letter in kernel])
    dest = b.destination(shape)
    return named.windowed(name, b.new("conv", ()).name, [image, weights], dest, strides, dilations)


def product(b: Builder) -> Node | None:
    """matmul and its family."""
    left = b.tensor(lambda value: 1 <= len(value.shape) <= 3)
    if left is None:
        return None
    name = b.pick([n for n, letters in named.PRODUCTS.items() if len(letters[1]) == len(left.shape)])
    out, first, second = named.PRODUCTS[name]
    extents = {letter: b.integer(1, 5) for letter in second} | dict(zip(first, left.shape, strict=True))
    shape = [extents[letter] for letter in out]
    if not fits(shape):
        return None
    right = b.operand([extents[letter] for letter in second])
    return named.windowed(name, b.new("product", ()).name, [left, right], b.destination(shape))


def fill(b: Builder) -> Node | None:
    """linalg.fill."""
    scalar = b.scalar()
    return named.fill(b.new("filled", ()).name, scalar, b.destination(b.shape(b.integer(0, 3), 100)))


def transpose(b: Builder) -> Node | None:
    """linalg.transpose."""
    source = b.tensor(lambda value: len(value.shape) > 0)
    if source is None:
        return None
    permutation = b.order(range(len(source.shape)))
    dest = b.destination([source.shape[d] for d in permutation])
    return named.transpose(b.new("transposed", ()).name, source, dest, permutation)


def broadcast(b: Builder) -> Node | None:
    """linalg.broadcast."""
    source = b.tensor(lambda value: len(value.shape) < 4 and value.size < 100)
    if source is None:
        return None
    shape = list(source.shape)
    at = b.integer(0, len(shape))
    shape.insert(at, b.integer(1, 4))
    return named.broadcast(b.new("spread", ()).name, source, b.destination(shape), [at])


def reduce(b: Builder) -> Node | None:
    """linalg.reduce over one or several dims."""
    source = b.tensor(lambda value: len(value.shape) > 0)
    if source is None:
        return None
    dims = [d for d in range(len(source.shape)) if b.chance(50)] or [b.integer(0, len(source.shape) - 1)]
    dest = b.destination([n for d, n in enumerate(source.shape) if d not in dims])
    return named.reduce(b.new("reduced", ()).name, b.pick(("add", "max", "mul")), source, dest, dims)


def elementwise(b: Builder) -> Node | None:
    """linalg.add, sub, mul, max, min, negf, copy."""
    first = b.tensor()
    if first is None:
        return None
    kind = b.pick(("add", "mul", "sub", "max", "min", "copy", *(("negf",) if is_float(b.element) else ())))
    ins = [first] if kind in ("copy", "negf") else b.order([first, b.operand(first.shape)])
    return named.elementwise(b.new("named", ()).name, kind, ins, b.destination(first.shape))


def factor(b: Builder, ins: int, loops: tuple[int, ...]) -> Expr:
    """An operand, now and then under a cast or a negation; or something captured."""
    match b.integer(0, 7):
        case 0:
            return fetch(b, loops) or Literal(2)
        case 1:
            return Outside(b.scalar())
        case 2:
            return Unary(
                b.pick(("wide", "neg")) if is_float(b.element) else "wide", Operand(b.integer(0, ins - 1))
            )
        case _:
            return Operand(b.integer(0, ins - 1))


def body(b: Builder, ins: int, loops: tuple[int, ...], reduces: bool) -> Expr:
    """What a generic op of INS inputs computes; Operand(INS) is the accumulator."""
    first = factor(b, ins, loops)
    match b.integer(0, 7):
        case 0 | 1 | 2:
            inner: Expr = Binary("mul", first, factor(b, ins, loops))
        case 3:
            inner = Binary(b.pick(("add", "sub", "max", "min")), first, factor(b, ins, loops))
        case 4:  # a leaky ReLU
            inner = Binary(
                "add", first, Binary("mul", Binary("max", first, Outside(b.constant(0))), Literal(3))
            )
        case 5 if loops:
            number = b.integer(0, len(loops) - 1)
            test = Affine(loop(number, len(loops)).coefficients, -b.integer(0, loops[number] - 1))
            inner = Select(IndexTest(test), first, factor(b, ins, loops))
        case 6:
            inner = Select(DataTest(first, factor(b, ins, loops)), first, Literal(0))
        case _:
            inner = first
    if reduces and b.chance(8):  # Horner's scheme: the accumulator is a factor and does not stay zero
        return Binary("add", Binary("mul", Operand(ins), inner), factor(b, ins, loops))
    accumulates = b.chance(90) if reduces else b.chance(20)
    if not accumulates:
        return inner
    more = Binary(b.pick(("add", "add", "max", "mul")), Operand(ins), inner)
    if not (loops and b.chance(15)):
        return more
    # Some loop points keep what is there, or begin anew.
    number = b.integer(0, len(loops) - 1)
    test = IndexTest(Affine(loop(number, len(loops)).coefficients, -b.integer(0, loops[number] - 1)))
    yes, no = b.pick(((more, inner), (inner, more), (inner, Operand(ins)), (Operand(ins), inner)))
    return Select(test, yes, no)


def index_of(b: Builder, source: Value, loops: list[int]) -> tuple[Affine, ...]:
    """Index expressions for SOURCE over LOOPS, to which new loops are appended as needed.

    Mostly the bare loop; else a constant, a loop seen before, or a window: stride * loop + offset loop.
    """
    terms: list[tuple[dict[int, int], int]] = []
    for n in source.shape:
        choice = b.integer(0, 9)
        same = [number for number, extent in enumerate(loops) if extent == n]
        if choice == 9:
            terms.append(({}, b.integer(0, n - 1)))
        elif choice == 8 and same:
            terms.append(({b.pick(same): 1}, 0))
        elif choice in (6, 7) and n > 1:
            stride, size = b.pick((1, 2)), b.integer(1, min(n, 3))
            flipped = b.chance(20)
            loops += [(n - size) // stride + 1, size]
            last = (loops[-2] - 1) * stride
            terms.append(
                ({len(loops) - 2: -stride if flipped else stride, len(loops) - 1: 1}, last * flipped)
            )
        else:
            loops.append(n)
            terms.append(({len(loops) - 1: 1}, 0))
    total = len(loops)
    return tuple(Affine(tuple(c.get(number, 0) for number in range(total)), k) for c, k in terms)


def widened(index: tuple[Affine, ...], loops: int) -> tuple[Affine, ...]:
    """INDEX over LOOPS loops, of which the new ones do not occur."""
    return tuple(Affine((*e.coefficients, *(0,) * (loops - len(e.coefficients))), e.constant) for e in index)


def generic(b: Builder) -> Node | None:
    """linalg.generic over a tensor that is there, often with a second operand over the other loops."""
    source = b.tensor(lambda value: value.size <= 200)
    if source is None:
        return None
    loops: list[int] = []
    index = index_of(b, source, loops)
    if b.chance(20):
        loops.append(b.integer(1, 4))
    total = len(loops)
    if math.prod(loops) > WORK or max(loops, default=1) > EXTENT * 4:
        return None
    slots = [Slot(source, widened(index, total))]
    kept = [number for number in range(total) if b.chance(70)]
    bare = {expression.bare() for expression in slots[0].index}
    missing = [number for number in range(total) if number not in bare and number not in kept]
    if missing or b.chance(50):
        extra = b.order([number for number in range(total) if number in missing or b.chance(50)])
        shape = [loops[number] for number in extra]
        if not fits(shape):
            return None
        slots.append(Slot(b.operand(shape), tuple(loop(number, total) for number in extra)))
    result: list[Affine] = [loop(number, total) for number in b.order(kept)]
    shape = [loops[b_] for b_ in (e.bare() for e in result) if b_ is not None]
    if b.chance(10):
        result.append(fixed(0, total))
        shape.append(1)
    if not fits(shape):
        return None
    reduces = len(kept) < total
    expr = body(b, len(slots), tuple(loops), reduces)
    out = Slot(b.destination(shape), tuple(result))
    return LinalgGeneric(b.new("generic", shape), tuple(loops), tuple(slots), out, expr)


LINALG_OPS: tuple[tuple[int, Draw], ...] = (
    (14, window),
    (4, product),
    (2, fill),
    (3, transpose),
    (2, broadcast),
    (3, reduce),
    (5, elementwise),
    (14, generic),
)
