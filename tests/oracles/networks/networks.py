"""Networks of stablehlo operations, with the indices of the input that each element of each value reaches.

    net = Network((1, 4, 6))
    net.upsampled(net.input, 1, 2)      %r of 1x8x6 elements, of which [0, 5, 3] reaches {(0, 2, 3)}

All numbers are positive, and are only added and multiplied: an element changes if one that it reaches grows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

Point = tuple[int, ...]
Reached = dict[Point, frozenset[Point]]


@dataclass(frozen=True)
class Tensor:
    """A value: what its elements reach, and which of them depend on no element of a padding."""

    name: str
    shape: Point
    reached: Reached
    inner: frozenset[Point]

    @property
    def kind(self) -> str:
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}f32>"


def points(shape: Sequence[int]) -> product[Point]:
    return product(*map(range, shape))


def flat(point: Point, shape: Point) -> int:
    """The row-major position of POINT."""
    position = 0
    for index, size in zip(point, shape, strict=True):
        position = position * size + index
    return position


def unflat(position: int, shape: Point) -> Point:
    """The point at a row-major POSITION."""
    found: list[int] = []
    for size in reversed(shape):
        position, index = divmod(position, size)
        found.append(index)
    return tuple(reversed(found))


@dataclass
class Network:
    """The text of a function of one tensor, %x, and its values."""

    shape: Point
    lines: list[str] = field(default_factory=list)
    values: dict[str, Tensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = {point: frozenset((point,)) for point in points(self.shape)}
        self.input = Tensor("%x", self.shape, every, frozenset(every))

    def text(self, result: Tensor) -> str:
        """The function that returns RESULT."""
        head = f"func.func @net(%x: {self.input.kind}) -> {result.kind} {{"
        constants = "%one = stablehlo.constant dense<1.0> : tensor<f32>"
        zero = "%zero = stablehlo.constant dense<0.0> : tensor<f32>"
        return "\n".join([head, constants, zero, *self.lines, f"return {result.name} : {result.kind}", "}"])

    def _put(self, text: str, shape: Point, reads: Callable[[Point], list[tuple[Tensor, Point]]]) -> Tensor:
        """The value of `text`, whose elements read those; outside of a tensor there is padding."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        reached: Reached = {}
        inner: set[Point] = set()
        for point in points(shape):
            read = [(source, at) for source, at in reads(point)]
            inside = [(source, at) for source, at in read if at in source.reached]
            reached[point] = frozenset().union(*(source.reached[at] for source, at in inside))
            if len(inside) == len(read) and all(at in source.inner for source, at in inside):
                inner.add(point)
        found = self.values[name] = Tensor(name, shape, reached, frozenset(inner))
        return found

    def reshaped(self, x: Tensor, shape: Point) -> Tensor:
        text = f"stablehlo.reshape {x.name} : ({x.kind}) -> {kind(shape)}"
        return self._put(text, shape, lambda p: [(x, unflat(flat(p, shape), x.shape))])

    def transposed(self, x: Tensor, dims: Sequence[int]) -> Tensor:
        shape = tuple(x.shape[d] for d in dims)
        text = f"stablehlo.transpose {x.name}, dims = {list(dims)} : ({x.kind}) -> {kind(shape)}"
        inverse = [dims.index(d) for d in range(len(dims))]
        return self._put(text, shape, lambda p: [(x, tuple(p[d] for d in inverse))])

    def upsampled(self, x: Tensor, axis: int, times: int) -> Tensor:
        """Each index along AXIS so many TIMES: a broadcast and a reshape."""
        shape = (*x.shape[: axis + 1], times, *x.shape[axis + 1 :])
        dims = [d for d in range(len(shape)) if d != axis + 1]
        text = f"stablehlo.broadcast_in_dim {x.name}, dims = {dims} : ({x.kind}) -> {kind(shape)}"
        wide = self._put(text, shape, lambda p: [(x, tuple(p[d] for d in dims))])
        return self.reshaped(wide, _times(x.shape, axis, times))

    def sliced(self, x: Tensor, axis: int, begin: int, end: int, step: int) -> Tensor:
        ranges = [f"0:{size}" for size in x.shape]
        ranges[axis] = f"{begin}:{end}:{step}"
        shape = _with(x.shape, axis, -(-(end - begin) // step))
        text = f"stablehlo.slice {x.name} [{', '.join(ranges)}] : ({x.kind}) -> {kind(shape)}"
        return self._put(text, shape, lambda p: [(x, _with(p, axis, begin + step * p[axis]))])

    def reversed(self, x: Tensor, axis: int) -> Tensor:
        last = x.shape[axis] - 1
        text = f"stablehlo.reverse {x.name}, dims = [{axis}] : {x.kind}"
        return self._put(text, x.shape, lambda p: [(x, _with(p, axis, last - p[axis]))])

    def padded(self, x: Tensor, axis: int, low: int, high: int, gap: int) -> Tensor:
        size = x.shape[axis]
        shape = _with(x.shape, axis, low + size + (size - 1) * gap + high)
        lows, highs, gaps = (_with((0,) * len(shape), axis, each) for each in (low, high, gap))
        amounts = ", ".join(
            f"{name} = {list(each)}"
            for name, each in zip(("low", "high", "interior"), (lows, highs, gaps), strict=True)
        )
        text = f"stablehlo.pad {x.name}, %zero, {amounts} : ({x.kind}, tensor<f32>) -> {kind(shape)}"

        def reads(point: Point) -> list[tuple[Tensor, Point]]:
            turn, rest = divmod(point[axis] - low, gap + 1)
            return [(x, _with(point, axis, -1 if rest else turn))]

        return self._put(text, shape, reads)

    def joined(self, x: Tensor, y: Tensor, axis: int) -> Tensor:
        size = x.shape[axis]
        shape = _with(x.shape, axis, size + y.shape[axis])
        text = (
            f"stablehlo.concatenate {x.name}, {y.name}, dim = {axis} : ({x.kind}, {y.kind}) -> {kind(shape)}"
        )

        def reads(point: Point) -> list[tuple[Tensor, Point]]:
            return [(x, point) if point[axis] < size else (y, _with(point, axis, point[axis] - size))]

        return self._put(text, shape, reads)

    def added(self, x: Tensor, y: Tensor) -> Tensor:
        text = f"stablehlo.add {x.name}, {y.name} : {x.kind}"
        return self._put(text, x.shape, lambda p: [(x, p), (y, p)])

    def summed(self, x: Tensor, axis: int) -> Tensor:
        """Global pooling along AXIS."""
        shape = x.shape[:axis] + x.shape[axis + 1 :]
        text = (
            f"stablehlo.reduce({x.name} init: %zero) applies stablehlo.add across dimensions = [{axis}] "
            f": ({x.kind}, tensor<f32>) -> {kind(shape)}"
        )
        return self._put(
            text, shape, lambda p: [(x, (*p[:axis], k, *p[axis:])) for k in range(x.shape[axis])]
        )

    def pooled(self, x: Tensor, axis: int, width: int, stride: int, dilation: int, padding: int) -> Tensor:
        """Sums in windows along AXIS."""
        reach = dilation * (width - 1) + 1
        shape = _with(x.shape, axis, (x.shape[axis] + 2 * padding - reach) // stride + 1)
        ones = (1,) * len(shape)
        sizes, strides, dilations = (list(_with(ones, axis, each)) for each in (width, stride, dilation))
        pads = [[padding, padding] if d == axis else [0, 0] for d in range(len(shape))]
        text = (
            f'"stablehlo.reduce_window"({x.name}, %zero) ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n'
            "%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) "
            f"{{window_dimensions = array<i64: {_list(sizes)}>, window_strides = array<i64: {_list(strides)}>, "
            f"window_dilations = array<i64: {_list(dilations)}>, "
            f"padding = dense<{pads}> : tensor<{len(shape)}x2xi64>}} : ({x.kind}, tensor<f32>) -> {kind(shape)}"
        )

        def reads(point: Point) -> list[tuple[Tensor, Point]]:
            begin = stride * point[axis] - padding
            return [(x, _with(point, axis, begin + dilation * k)) for k in range(width)]

        return self._put(text, shape, reads)

    def dense(self, x: Tensor, axis: int, width: int) -> Tensor:
        """Sums along AXIS with weights, which is the last dimension then: of WIDTH."""
        weights = f"%w{len(self.lines)}"
        size = x.shape[axis]
        shape = (*x.shape[:axis], *x.shape[axis + 1 :], width)
        self.lines.append(f"{weights} = stablehlo.constant dense<0.5> : tensor<{size}x{width}xf32>")
        text = (
            f"stablehlo.dot_general {x.name}, {weights}, contracting_dims = [{axis}] x [0] "
            f": ({x.kind}, tensor<{size}x{width}xf32>) -> {kind(shape)}"
        )
        return self._put(text, shape, lambda p: [(x, (*p[:axis], k, *p[axis:-1])) for k in range(size)])

    def product(self, x: Tensor, y: Tensor, one: int, other: int) -> Tensor:
        """The products over dimension ONE of X and OTHER of Y, with the first dimension of both the same."""
        rest = (
            [d for d in range(1, len(x.shape)) if d != one],
            [d for d in range(1, len(y.shape)) if d != other],
        )
        shape = (x.shape[0], *(x.shape[d] for d in rest[0]), *(y.shape[d] for d in rest[1]))
        text = (
            f"stablehlo.dot_general {x.name}, {y.name}, batching_dims = [0] x [0], "
            f"contracting_dims = [{one}] x [{other}] : ({x.kind}, {y.kind}) -> {kind(shape)}"
        )

        def at(point: Point, own: Sequence[int], dims: Sequence[int], axis: int, k: int) -> Point:
            index = {0: point[0], axis: k} | dict(zip(dims, own, strict=True))
            return tuple(index[d] for d in sorted(index))

        def reads(point: Point) -> list[tuple[Tensor, Point]]:
            first, second = point[1 : 1 + len(rest[0])], point[1 + len(rest[0]) :]
            return [
                each
                for k in range(x.shape[one])
                for each in (
                    (x, at(point, first, rest[0], one, k)),
                    (y, at(point, second, rest[1], other, k)),
                )
            ]

        return self._put(text, shape, reads)


def kind(shape: Sequence[int]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _with(point: Point, axis: int, index: int) -> Point:
    return (*point[:axis], index, *point[axis + 1 :])


def _times(shape: Point, axis: int, times: int) -> Point:
    return _with(shape, axis, shape[axis] * times)


def split(net: Network, x: Tensor, axis: int, by: int) -> Tensor:
    """AXIS in two dimensions, of which the inner one has BY elements."""
    return net.reshaped(x, (*x.shape[:axis], x.shape[axis] // by, by, *x.shape[axis + 1 :]))


def merged(net: Network, x: Tensor, axis: int) -> Tensor:
    """AXIS and the next dimension as one."""
    return net.reshaped(x, (*x.shape[:axis], x.shape[axis] * x.shape[axis + 1], *x.shape[axis + 2 :]))


def swapped(net: Network, x: Tensor, one: int, other: int) -> Tensor:
    dims = list(range(len(x.shape)))
    dims[one], dims[other] = other, one
    return net.transposed(x, dims)


KINDS = (
    *("reshape", "reshape", "split", "merge", "swap", "up", "slice", "reverse", "pad"),
    *("join", "add", "pool", "pool", "sum", "dense", "dot"),
)


def drawn(seed: int, elements: int = 60) -> tuple[Network, Tensor]:
    """A random network of at most so many ELEMENTS in each value, and its last value."""
    chance = random.Random(seed)
    net = Network(chance.choice(((4, 6), (1, 12), (2, 3, 4), (3, 8), (1, 2, 9), (2, 2, 3, 2), (24,))))
    x = net.input
    for _ in range(chance.randint(2, 7)):
        others = [y for y in (net.input, *net.values.values()) if y is not x]
        for _ in range(20):
            lines, values = list(net.lines), dict(net.values)
            made = _step(chance, net, x, others)
            if made is not None and 0 < prod(made.shape) <= elements and len(made.shape) <= 5:
                x = made
                break
            net.lines, net.values = lines, values
    return net, x


def _step(chance: random.Random, net: Network, x: Tensor, others: Sequence[Tensor]) -> Tensor | None:
    """One more operation, or a few; None if the drawn one does not apply."""
    rank = len(x.shape)
    if not rank:
        return None
    axis = chance.randrange(rank)
    size = x.shape[axis]
    match chance.choice(KINDS):
        case "reshape":
            return net.reshaped(x, _factors(chance, prod(x.shape)))
        case "split":
            return split(net, x, axis, chance.choice([k for k in range(1, size + 1) if size % k == 0]))
        case "merge":
            return merged(net, x, axis) if axis < rank - 1 else None
        case "swap":
            return net.transposed(x, chance.sample(range(rank), rank))
        case "up":
            return net.upsampled(x, axis, chance.choice((2, 2, 3)))
        case "slice":
            begin = chance.randrange(size)
            return net.sliced(x, axis, begin, chance.randint(begin + 1, size), chance.choice((1, 1, 2, 3)))
        case "reverse":
            return net.reversed(x, axis)
        case "pad":
            return net.padded(
                x, axis, chance.choice((0, 1, 2)), chance.choice((0, 1)), chance.choice((0, 0, 1, 2))
            )
        case "join":
            same = [y for y in others if _with(y.shape, axis, 0)[: len(y.shape)] == _with(x.shape, axis, 0)]
            return net.joined(x, chance.choice(same), axis) if same else None
        case "add":
            same = [y for y in others if y.shape == x.shape]
            return net.added(x, chance.choice(same)) if same else None
        case "pool":
            width, dilation, padding = (
                chance.choice((2, 3)),
                chance.choice((1, 1, 2)),
                chance.choice((0, 1, 2)),
            )
            if size + 2 * padding < dilation * (width - 1) + 1:
                return None
            return net.pooled(x, axis, width, chance.choice((1, 1, 2, 3)), dilation, padding)
        case "sum":
            return net.summed(x, axis)
        case "dense":
            return net.dense(x, axis, chance.choice((1, 2, 3)))
        case _:
            return net.product(x, x, axis, axis) if axis and rank <= 3 else None


def _factors(chance: random.Random, number: int) -> Point:
    """A shape of NUMBER elements."""
    shape: list[int] = []
    while number > 1 and len(shape) < 3:
        factor = chance.choice([k for k in range(1, number + 1) if number % k == 0])
        shape.append(factor)
        number //= factor
    return (*shape, number)
