"""Random programs of tosa and stablehlo, each with what numpy says that they compute.

A program takes its inputs as arguments, of small integers as floats, so that sums are exact. It puts one to
three operations one after the other: what masks, pads, slices or permutes, then a product, a convolution, a
window or a reduction.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = Any


def kind(shape: Sequence[int], element: str = "f32") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


@dataclass
class TensorProgram:
    """The lines of a function, its arguments, and what its last value is."""

    draw: random.Random
    lines: list[str] = field(default_factory=list[str])
    inputs: dict[str, Array] = field(default_factory=dict[str, Array])
    name: str = ""
    value: Array = None

    def input(self, *shape: int) -> str:
        """A new argument of SHAPE."""
        name = f"%i{len(self.inputs)}"
        numbers = [self.draw.randint(-3, 3) for _ in range(int(np.prod(shape)))]
        self.inputs[name] = np.array(numbers, np.float32).reshape(shape)
        return name

    def put(self, text: str) -> str:
        """A line, in front of which stands the name of its result."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def becomes(self, text: str, value: Array) -> None:
        """The last value is that of TEXT."""
        self.name, self.value = self.put(text), np.asarray(value, np.float32)

    def begin(self, *shape: int) -> None:
        """The last value is a new argument."""
        self.name = self.input(*shape)
        self.value = self.inputs[self.name]

    @property
    def kind(self) -> str:
        return kind(self.value.shape)

    @property
    def text(self) -> str:
        """The program."""
        arguments = ", ".join(f"{name}: {kind(x.shape)}" for name, x in self.inputs.items())
        body = "\n".join([*self.lines, f"  return {self.name} : {self.kind}"])
        return f"func.func @f({arguments}) -> {self.kind} {{\n{body}\n}}\n"


Step = Callable[[TensorProgram], None]


def _mask(p: TensorProgram) -> None:
    """The elements at and below a diagonal, 0 elsewhere."""
    shape, d = p.value.shape, p.draw.sample(range(p.value.ndim), 2)
    i, j = (p.put(f"stablehlo.iota dim = {k} : {kind(shape, 'i32')}") for k in d)
    truth = p.put(
        f"stablehlo.compare GE, {i}, {j} : ({kind(shape, 'i32')}, {kind(shape, 'i32')}) -> {kind(shape, 'i1')}"
    )
    zero = p.put(f"stablehlo.constant dense<0.0> : {p.kind}")
    at: Array = np.indices(shape)
    text = f"stablehlo.select {truth}, {p.name}, {zero} : {kind(shape, 'i1')}, {p.kind}"
    p.becomes(text, np.where(at[d[0]] >= at[d[1]], p.value, 0))


def _pad(p: TensorProgram) -> None:
    low, high, inner = ([p.draw.randint(0, 2) for _ in p.value.shape] for _ in range(3))
    zero = p.put("stablehlo.constant dense<0.0> : tensor<f32>")
    shape = [a + n + (n - 1) * k + b for a, n, k, b in zip(low, p.value.shape, inner, high, strict=True)]
    found = np.zeros(shape, np.float32)
    found[
        tuple(slice(a, a + n + (n - 1) * k, k + 1) for a, n, k in zip(low, p.value.shape, inner, strict=True))
    ] = p.value
    text = f"stablehlo.pad {p.name}, {zero}, low = {low}, high = {high}, interior = {inner}"
    p.becomes(f"{text} : ({p.kind}, tensor<f32>) -> {kind(shape)}", found)


def _transpose(p: TensorProgram) -> None:
    order = p.draw.sample(range(p.value.ndim), p.value.ndim)
    found = p.value.transpose(order)
    p.becomes(f"stablehlo.transpose {p.name}, dims = {order} : ({p.kind}) -> {kind(found.shape)}", found)


def _slice(p: TensorProgram) -> None:
    parts = [(p.draw.randint(0, n - 1), n, p.draw.randint(1, 2)) for n in p.value.shape]
    found = p.value[tuple(slice(*part) for part in parts)]
    text = ", ".join(f"{a}:{b}:{c}" for a, b, c in parts)
    p.becomes(f"stablehlo.slice {p.name} [{text}] : ({p.kind}) -> {kind(found.shape)}", found)


def _moving_slice(p: TensorProgram) -> None:
    sizes = [p.draw.randint(1, n) for n in p.value.shape]
    starts = [p.draw.randint(-1, n) for n in p.value.shape]
    names = [p.put(f"stablehlo.constant dense<{start}> : tensor<i32>") for start in starts]
    firsts = [max(0, min(a, n - k)) for a, n, k in zip(starts, p.value.shape, sizes, strict=True)]
    at = tuple(slice(a, a + k) for a, k in zip(firsts, sizes, strict=True))
    kinds = ", ".join([p.kind, *["tensor<i32>"] * len(names)])
    if p.draw.random() < 0.5:
        text = f"stablehlo.dynamic_slice {', '.join([p.name, *names])}, sizes = {sizes}"
        p.becomes(f"{text} : ({kinds}) -> {kind(sizes)}", p.value[at])
        return
    update = p.input(*sizes)
    found = p.value.copy()
    found[at] = p.inputs[update]
    kinds = ", ".join([p.kind, kind(sizes), *["tensor<i32>"] * len(names)])
    text = f"stablehlo.dynamic_update_slice {', '.join([p.name, update, *names])}"
    p.becomes(f"{text} : ({kinds}) -> {p.kind}", found)


def _concatenate(p: TensorProgram) -> None:
    axis = p.draw.randrange(p.value.ndim)
    other = p.input(*p.value.shape)
    found = np.concatenate([p.value, p.inputs[other]], axis)
    text = (
        f"stablehlo.concatenate {p.name}, {other}, dim = {axis} : ({p.kind}, {p.kind}) -> {kind(found.shape)}"
    )
    p.becomes(text, found)


def _product(p: TensorProgram) -> None:
    rank = p.value.ndim
    dims = p.draw.sample(range(rank), p.draw.randint(1, rank))
    count = p.draw.randint(0, len(dims) - 1)
    batch, summed = dims[:count], dims[count:]
    shape = [p.value.shape[d] for d in dims] + [p.draw.randint(1, 3)]
    other = p.input(*shape)
    letters = "abcdefgh"[:rank]
    left = [d for d in range(rank) if d not in dims]
    out = "".join(letters[d] for d in (*batch, *left)) + "z"
    found = np.einsum(f"{letters},{''.join(letters[d] for d in dims)}z->{out}", p.value, p.inputs[other])
    text = f"stablehlo.dot_general {p.name}, {other}"
    if batch:
        text += f", batching_dims = {batch} x {list(range(count))}"
    text += f", contracting_dims = {summed} x {list(range(count, len(dims)))}"
    p.becomes(f"{text} : ({p.kind}, {kind(shape)}) -> {kind(found.shape)}", found)


_BODY = """({{
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.{name} %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }})"""
_FOLDS: dict[str, tuple[float, Any]] = {
    "add": (0.0, np.sum),
    "maximum": (-100.0, np.max),
    "minimum": (100.0, np.min),
}


def _window(p: TensorProgram) -> None:
    name = p.draw.choice(list(_FOLDS))
    start, fold = _FOLDS[name]
    init = p.put(f"stablehlo.constant dense<{start}> : tensor<f32>")
    rank = p.value.ndim
    size, stride, base, dilation = ([p.draw.randint(1, 2) for _ in range(rank)] for _ in range(4))
    pads = [[p.draw.randint(0, 2), p.draw.randint(0, 2)] for _ in range(rank)]
    spread = [(n - 1) * b + 1 for n, b in zip(p.value.shape, base, strict=True)]
    padded = np.full([a + n + b for (a, b), n in zip(pads, spread, strict=True)], start, np.float32)
    at = zip(pads, spread, base, strict=True)
    padded[tuple(slice(a, a + n, b) for (a, _), n, b in at)] = p.value
    reach = [(k - 1) * e + 1 for k, e in zip(size, dilation, strict=True)]
    shape = [max(0, (n - r) // s + 1) for n, r, s in zip(padded.shape, reach, stride, strict=True)]
    found = np.zeros(shape, np.float32)
    for place in np.ndindex(*shape):
        window = tuple(
            slice(o * s, o * s + r, e) for o, s, r, e in zip(place, stride, reach, dilation, strict=True)
        )
        found[place] = fold(np.append(padded[window].ravel(), start))
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    lists = ", ".join(
        f"{n} = array<i64: {', '.join(map(str, x))}>"
        for n, x in zip(names, (size, stride, base, dilation), strict=True)
    )
    text = f'"stablehlo.reduce_window"({p.name}, {init}) <{{{lists}, padding = dense<{pads}> : tensor<{rank}x2xi64>}}> '
    p.becomes(f"{text}{_BODY.format(name=name)} : ({p.kind}, tensor<f32>) -> {kind(shape)}", found)


def _reduction(p: TensorProgram) -> None:
    name = p.draw.choice(list(_FOLDS))
    start, fold = _FOLDS[name]
    init = p.put(f"stablehlo.constant dense<{start}> : tensor<f32>")
    gone = sorted(p.draw.sample(range(p.value.ndim), p.draw.randint(1, p.value.ndim)))
    found = fold(p.value, axis=tuple(gone))
    text = f"stablehlo.reduce({p.name} init: {init}) applies stablehlo.{name} across dimensions = {gone}"
    p.becomes(f"{text} : ({p.kind}, tensor<f32>) -> {kind(found.shape)}", found)


def _matmul(p: TensorProgram) -> None:
    n, _, k = p.value.shape
    other = p.input(n, k, p.draw.randint(1, 3))
    zero = p.put('"tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>')
    found = p.value @ p.inputs[other]
    kinds = f"({p.kind}, {kind(p.inputs[other].shape)}, tensor<1xf32>, tensor<1xf32>)"
    p.becomes(f"tosa.matmul {p.name}, {other}, {zero}, {zero} : {kinds} -> {kind(found.shape)}", found)


def _convolution(p: TensorProgram) -> None:
    """tosa.conv2d, or depthwise_conv2d."""
    _, _, _, channels = p.value.shape
    is_deep = p.draw.random() < 0.4
    taps, filters = [p.draw.randint(1, 2) for _ in range(2)], p.draw.randint(1, 3)
    stride, dilation = [p.draw.randint(1, 2) for _ in range(2)], [p.draw.randint(1, 2) for _ in range(2)]
    pad = [p.draw.randint(0, 2) for _ in range(4)]
    for d in range(2):  # the specification wants windows that fit without a rest
        room = p.value.shape[1 + d] - 1 + pad[2 * d] + pad[2 * d + 1] - (taps[d] - 1) * dilation[d]
        pad[2 * d + 1] += -room % stride[d] if room >= 0 else -room
    w = p.input(*taps, channels, filters) if is_deep else p.input(filters, *taps, channels)
    b = p.input(channels * filters if is_deep else filters)
    x = np.pad(p.value, [(0, 0), (pad[0], pad[1]), (pad[2], pad[3]), (0, 0)])
    sizes = [(x.shape[1 + d] - 1 - (taps[d] - 1) * dilation[d]) // stride[d] + 1 for d in range(2)]
    weights, bias = p.inputs[w], p.inputs[b]
    found = np.zeros([x.shape[0], *sizes, bias.size], np.float32) + bias
    for i, j, u, v in itertools.product(*map(range, (*sizes, *taps))):
        there = x[:, i * stride[0] + u * dilation[0], j * stride[1] + v * dilation[1], :]
        if is_deep:
            found[:, i, j] += (there[:, :, None] * weights[u, v]).reshape(x.shape[0], -1)
        else:
            found[:, i, j] += there @ weights[:, u, v].T
    zero = p.put('"tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>')
    lists = {"dilation": dilation, "pad": pad, "stride": stride}
    shown = ", ".join(f"{n} = array<i64: {', '.join(map(str, x))}>" for n, x in lists.items())
    name = "depthwise_conv2d" if is_deep else "conv2d"
    kinds = f"({p.kind}, {kind(weights.shape)}, {kind(bias.shape)}, tensor<1xf32>, tensor<1xf32>)"
    text = f"tosa.{name} {p.name}, {w}, {b}, {zero}, {zero} {{acc_type = f32, {shown}}}"
    p.becomes(f"{text} : {kinds} -> {kind(found.shape)}", found)


_MOVING: tuple[Step, ...] = (_mask, _pad, _transpose, _slice, _moving_slice, _concatenate)
_COMPUTING: dict[int, tuple[Step, ...]] = {
    2: (_product, _window, _reduction),
    3: (_product, _window, _reduction, _matmul),
    4: (_product, _reduction, _convolution, _convolution),
}


def drawn(seed: int) -> TensorProgram:
    """The program of SEED."""
    program = TensorProgram(random.Random(seed))
    rank = program.draw.randint(2, 4)
    program.begin(*[program.draw.randint(2, 4) for _ in range(rank)])
    for _ in range(program.draw.randint(0, 2)):
        program.draw.choice(_MOVING)(program)
    program.draw.choice(_COMPUTING[rank])(program)
    return program
