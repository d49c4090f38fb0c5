"""Random operations of the tensor dialect. Each function gives a node, or None if nothing there suits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tests.oracles.elements.bodies import Binary, Expr, Fetch, IndexTest, Literal, Outside, Select
from tests.oracles.elements.builder import EXTENT, Builder, fits
from tests.oracles.elements.nodes import Node
from tests.oracles.elements.structured import Elementwise, Generate, Unknown
from tests.oracles.elements.tensors import (
    Concat,
    Extract,
    ExtractSlice,
    FromElements,
    Insert,
    InsertSlice,
    Pad,
    Recast,
    Reshape,
    Slice,
    Splat,
)
from tests.oracles.elements.values import is_float
from tests.oracles.interpreter.affine import Affine, fixed, loop


def pad(b: Builder) -> Node | None:
    """tensor.pad: most often by little, now and then by as much as a window."""
    source = b.tensor(lambda value: len(value.shape) > 0)
    if source is None:
        return None
    low, high = (tuple(b.integer(1, 3) if b.chance(45) else 0 for _ in source.shape) for _ in range(2))
    shape = tuple(lo + n + hi for lo, n, hi in zip(low, source.shape, high, strict=True))
    return Pad(b.new("pad", shape), source, low, high, b.scalar()) if fits(shape) else None


def dropped_dims(b: Builder, sizes: Sequence[int]) -> tuple[int, ...]:
    """Some of the unit dims of SIZES."""
    return tuple(d for d, n in enumerate(sizes) if n == 1 and b.chance(40))


def extract_slice(b: Builder) -> Node | None:
    """tensor.extract_slice inside the bounds of its source."""
    source = b.tensor(lambda value: len(value.shape) > 0)
    if source is None:
        return None
    offsets: list[int] = []
    sizes: list[int] = []
    strides: list[int] = []
    for n in source.shape:
        stride = b.pick((1, 1, 1, 2, 3))
        offset = b.integer(0, min(n - 1, 3))
        most = (n - 1 - offset) // stride + 1
        sizes.append(b.integer(max(1, most - 2), most))
        offsets.append(offset)
        strides.append(stride)
    cut = Slice(tuple(offsets), tuple(sizes), tuple(strides), dropped_dims(b, sizes))
    return ExtractSlice(b.new("slice", cut.shape), source, cut)


def insert_slice(b: Builder) -> Node | None:
    """tensor.insert_slice of what is there into a larger tensor, dense or strided."""
    source = b.tensor(lambda value: len(value.shape) > 0)
    if source is None:
        return None
    sizes = list(source.shape)
    dropped: tuple[int, ...] = ()
    if len(sizes) < 4 and b.chance(25):
        at = b.integer(0, len(sizes))
        sizes.insert(at, 1)
        dropped = (at,)
    strides = [b.pick((1, 1, 2, 3)) for _ in sizes]
    offsets = [b.integer(0, 2) if b.chance(50) else 0 for _ in sizes]
    ends = [o + s * (n - 1) + 1 for o, s, n in zip(offsets, strides, sizes, strict=True)]
    shape = tuple(end + (b.integer(1, 2) if b.chance(40) else 0) for end in ends)
    if not fits(shape):
        return None
    dest = b.destination(shape)
    cut = Slice(tuple(offsets), tuple(sizes), tuple(strides), dropped)
    return InsertSlice(b.new("inserted", shape), source, dest, cut)


def concat(b: Builder) -> Node | None:
    """tensor.concat of two or three tensors that agree in the other dims."""
    first = b.tensor(lambda value: len(value.shape) > 0)
    if first is None:
        return None
    dim = b.integer(0, len(first.shape) - 1)
    rest = (first.shape[:dim], first.shape[dim + 1 :])
    sources = [first]
    for _ in range(b.integer(1, 2)):
        matching = b.tensor(lambda v: len(v.shape) > dim and (v.shape[:dim], v.shape[dim + 1 :]) == rest)
        if matching is None or b.chance(40):
            matching = b.operand((*rest[0], b.integer(1, 3), *rest[1]))
        sources.append(matching)
    ordered = tuple(b.order(sources))
    total = sum(source.shape[dim] for source in ordered)
    shape = (*first.shape[:dim], total, *first.shape[dim + 1 :])
    return Concat(b.new("joined", shape), dim, ordered) if fits(shape) else None


def expand(b: Builder) -> Node | None:
    """tensor.expand_shape: dims split into factors, unit dims added."""
    source = b.tensor()
    if source is None:
        return None
    shape: list[int] = []
    groups: list[tuple[int, ...]] = []
    for n in source.shape:
        first = b.pick([k for k in range(1, n + 1) if n % k == 0])
        group = [first, n // first] if b.chance(50) else [n]
        groups.append(tuple(range(len(shape), len(shape) + len(group))))
        shape.extend(group)
    if not source.shape:
        shape = [1] * b.integer(1, 2)
    return Reshape(b.new("expanded", shape), source, tuple(groups), expand=True) if fits(shape) else None


def collapse(b: Builder) -> Node | None:
    """tensor.collapse_shape of neighbouring dims."""
    source = b.tensor(lambda value: len(value.shape) > 1 or value.size == 1)
    if source is None:
        return None
    groups: list[list[int]] = []
    for d in range(len(source.shape)):
        if groups and b.chance(50):
            groups[-1].append(d)
        else:
            groups.append([d])
    if source.size == 1 and b.chance(30):
        groups = []
    shape = [math.prod(source.shape[d] for d in group) for group in groups]
    if max(shape, default=1) > EXTENT * 4:
        return None
    return Reshape(b.new("collapsed", shape), source, tuple(map(tuple, groups)), expand=False)


def splat(b: Builder) -> Node | None:
    """tensor.splat."""
    scalar = b.scalar()
    return Splat(b.new("splat", b.shape(b.integer(0, 3), 60)), scalar)


def from_elements(b: Builder) -> Node | None:
    """tensor.from_elements."""
    shape = b.shape(b.integer(0, 2), 6)
    scalars = tuple(b.scalar() for _ in range(math.prod(shape)))
    return FromElements(b.new("listed", shape), scalars)


def insert(b: Builder) -> Node | None:
    """tensor.insert."""
    dest = b.tensor()
    if dest is None:
        return None
    scalar = b.scalar()
    return Insert(b.new("with", dest.shape), scalar, dest, tuple(b.integer(0, n - 1) for n in dest.shape))


def extract(b: Builder) -> Node | None:
    """tensor.extract."""
    source = b.tensor()
    if source is None:
        return None
    place = tuple(b.pick((0, n - 1, b.integer(0, n - 1))) for n in source.shape)
    return Extract(b.new("element", (), tensor=False), source, place)


def recast(b: Builder) -> Node | None:
    """tensor.cast to a dynamic type and back."""
    source = b.tensor(lambda value: len(value.shape) > 0)
    if source is None:
        return None
    dynamic = tuple(d for d in range(len(source.shape)) if b.chance(50)) or (0,)
    return Recast(b.new("cast", source.shape), source, dynamic)


def arith(b: Builder) -> Node | None:
    """arith on whole tensors or on scalars."""
    kinds = ("add", "mul", "sub", "max", *(("neg",) if is_float(b.element) else ()))
    kind = b.pick(kinds)
    if b.chance(20):
        operands = tuple(b.scalar() for _ in range(1 if kind == "neg" else 2))
        return Elementwise(b.new("scalar", (), tensor=False), kind, operands)
    first = b.tensor()
    if first is None:
        return None
    operands = (first,) if kind == "neg" else (first, b.operand(first.shape))
    return Elementwise(b.new("arith", first.shape), kind, operands)


def affine_inside(b: Builder, extent: int, loops: Sequence[int]) -> Affine:
    """An affine expression of the LOOPS (extents) that stays within 0 <= e < EXTENT."""
    fitting: list[Affine] = [fixed(b.integer(0, extent - 1), len(loops))]
    for number in range(len(loops)):
        for c in (1, 2, -1):
            scaled = Affine(tuple(c * k for k in loop(number, len(loops)).coefficients))
            least, most = scaled.range_over(loops)
            if most - least < extent:
                shift = b.integer(0, extent - 1 - (most - least)) - least
                fitting.append(Affine(scaled.coefficients, shift))
    return b.pick(fitting)


def fetch(b: Builder, loops: Sequence[int]) -> Fetch | None:
    """tensor.extract of some tensor at affine indices of the LOOPS, or at one that is not affine."""
    source = b.tensor()
    if source is None:
        return None
    if source.shape and loops and b.chance(15):
        zeros = tuple(fixed(0, len(loops)) for _ in source.shape[:-1])
        return Fetch(
            source, (*zeros, loop(b.integer(0, len(loops) - 1), len(loops))), modulus=source.shape[-1]
        )
    indices = tuple(affine_inside(b, n, loops) for n in source.shape)
    return Fetch(source, indices, spelled_out=b.chance(40))


def generate(b: Builder) -> Node | None:
    """tensor.generate of constants, elements of tensors, and a selection between two of those by index."""
    shape = b.shape(b.integer(0, 3), 80)

    def part() -> Expr:
        inner = fetch(b, shape) if b.chance(60) else None
        return inner or b.pick((Literal(0), Literal(2), Outside(b.scalar())))

    body: Expr = part()
    if b.chance(30):
        body = Binary(b.pick(("add", "mul")), body, part())
    if shape and b.chance(50):
        dim = b.integer(0, len(shape) - 1)
        test = Affine(loop(dim, len(shape)).coefficients, -b.integer(0, shape[dim] - 1))
        body = Select(IndexTest(test), body, part())
    return Generate(b.new("generated", shape), body)


def unknown(b: Builder) -> Node | None:
    """An op that nobody knows."""
    operands = [value for value in (b.tensor() for _ in range(b.integer(1, 2))) if value is not None]
    if not operands or sum(value.size for value in operands) > 100:
        return None
    return Unknown(b.new("mystery", b.shape(b.integer(0, 2), 20)), tuple(operands))


Draw = Callable[[Builder], Node | None]
TENSOR_OPS: tuple[tuple[int, Draw], ...] = (
    (12, pad),
    (7, extract_slice),
    (8, insert_slice),
    (5, concat),
    (4, expand),
    (4, collapse),
    (1, splat),
    (1, from_elements),
    (2, insert),
    (2, extract),
    (2, recast),
    (4, arith),
    (3, generate),
    (1, unknown),
)
