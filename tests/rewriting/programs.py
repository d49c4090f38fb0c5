"""Random small programs with structural zeros, for rewrites: one function @f each.

Paddings, transposed convolutions, masks, bands, poolings, concatenations, in floats and integers, with static
sizes and with unknown ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.rewriting.matrices import contraction, elementwise, generic, joined, product
from tests.rewriting.regions import in_a_region, without_elements
from tests.rewriting.texts import Program, filled, function, padded, tensor, zero
from tests.rewriting.unknown import arithmetic, padded_image


def drawn(seed: str) -> Program:
    """The program of SEED."""
    chance = random.Random(seed)
    return chance.choice(FAMILIES)(chance)


def convolution(chance: random.Random) -> Program:
    """A padded convolution with stride and dilation, perhaps of an unknown number of images."""
    kind = chance.choice(("f32", "f32", "i32"))
    c, f, k = chance.randint(1, 3), chance.randint(1, 3), chance.randint(1, 4)
    stride, dilation = chance.choice((1, 1, 2, 3)), chance.choice((1, 1, 2))
    low, high = chance.randint(0, 3), chance.randint(0, 3)
    h, w = (max(chance.randint(4, 9), (k - 1) * dilation + 1) for _ in range(2))
    batch = chance.choice((1, 2, "?"))
    oh, ow = ((n + low + high - (k - 1) * dilation - 1) // stride + 1 for n in (h, w))
    x, p = tensor(batch, c, h, w, kind), tensor(batch, c, h + low + high, w + low + high, kind)
    weights, out = tensor(f, c, k, k, kind), tensor(batch, f, oh, ow, kind)
    lines = [zero(kind), *padded("p", "x", x, [0, 0, low, low], [0, 0, high, high], p)]
    lines += _initial(x, kind, out) if batch == "?" else filled("i", out)
    lines += [
        f"%y = linalg.conv_2d_nchw_fchw {{strides = dense<{stride}> : tensor<2xi64>, "
        f"dilations = dense<{dilation}> : tensor<2xi64>}} ins(%p, %w : {p}, {weights}) outs(%i : {out}) -> {out}"
    ]
    return Program(function([f"%x: {x}", f"%w: {weights}"], out, lines), (2,) if batch == "?" else ())


def _initial(source: str, kind: str, out: str) -> list[str]:
    """%i, all zero, with as many images as %x of type SOURCE."""
    return [
        "%c0 = arith.constant 0 : index",
        f"%images = tensor.dim %x, %c0 : {source}",
        f"%i_e = tensor.empty(%images) : {out}",
        f"%i = linalg.fill ins(%zero : {kind}) outs(%i_e : {out}) -> {out}",
    ]


def transposed(chance: random.Random) -> Program:
    """A transposed convolution: zeros between the elements, a convolution of stride 1, perhaps an activation."""
    kind = chance.choice(("f32", "f32", "i32"))
    c, f, k, s = chance.randint(1, 2), chance.randint(1, 3), chance.randint(2, 5), chance.choice((2, 2, 3))
    n, offset, behind = chance.randint(2, 5), chance.randint(0, k - 1), chance.randint(0, k)
    spread = max((n - 1) * s + 1 + offset + behind, k)
    out_size = spread - k + 1
    x, z = tensor(1, c, n, n, kind), tensor(1, c, spread, spread, kind)
    weights, out = tensor(f, c, k, k, kind), tensor(1, f, out_size, out_size, kind)
    bias = tensor(f, kind)
    lines = [zero(kind), *filled("z", z)]
    lines += [
        f"%u = tensor.insert_slice %x into %z[0, 0, {offset}, {offset}] [1, {c}, {n}, {n}] "
        f"[1, 1, {s}, {s}] : {x} into {z}",
        f"%i_e = tensor.empty() : {out}",
        f"%i = linalg.broadcast ins(%b : {bias}) outs(%i_e : {out}) dimensions = [0, 2, 3]",
        f"%y = linalg.conv_2d_nchw_fchw ins(%u, %w : {z}, {weights}) outs(%i : {out}) -> {out}",
    ]
    return Program(function([f"%x: {x}", f"%w: {weights}", f"%b: {bias}"], out, lines))


def unknown_sizes(chance: random.Random) -> Program:
    """A padded or a transposed convolution in one dimension, of an unknown number of elements."""
    kind = chance.choice(("f32", "i32"))
    c, f, k, s = chance.randint(3, 5), chance.randint(3, 5), chance.randint(2, 4), chance.choice((1, 2, 3))
    low, high, n = chance.randint(0, k - 1), chance.randint(0, k), chance.randint(1, 7)
    n, behind = max(n, k), high + k
    x, z, out = (tensor(1, channels, "?", kind) for channels in (c, c, f))
    weights = tensor(f, c, k, kind)
    sizes = [
        f"%spread = affine.apply affine_map<()[n] -> (n * {s} - {s - 1} + {low + behind})>()[%n]",
        f"%wide = affine.apply affine_map<()[n] -> (n * {s} - {s - 1} + {low + behind - k + 1})>()[%n]",
    ]
    lines = [
        zero(kind),
        "%c2 = arith.constant 2 : index",
        f"%n = tensor.dim %x, %c2 : {x}",
        *sizes,
        f"%z_e = tensor.empty(%spread) : {z}",
        f"%z = linalg.fill ins(%zero : {kind}) outs(%z_e : {z}) -> {z}",
        f"%u = tensor.insert_slice %x into %z[0, 0, {low}] [1, {c}, %n] [1, 1, {s}] : {x} into {z}",
        f"%i_e = tensor.empty(%wide) : {out}",
        f"%i = linalg.fill ins(%zero : {kind}) outs(%i_e : {out}) -> {out}",
        f"%y = linalg.conv_1d_ncw_fcw ins(%u, %w : {z}, {weights}) outs(%i : {out}) -> {out}",
    ]
    return Program(function([f"%x: {x}", f"%w: {weights}"], out, lines), (n,))


def depthwise(chance: random.Random) -> Program:
    """A padded depthwise convolution, channels last."""
    c, k, stride = chance.randint(1, 3), chance.randint(1, 3), chance.choice((1, 2))
    low, high, h = chance.randint(0, 2), chance.randint(0, 2), chance.randint(3, 8)
    out_size = (h + low + high - k) // stride + 1
    x, p = tensor(1, h, h, c, "f32"), tensor(1, h + low + high, h + low + high, c, "f32")
    weights, out = tensor(k, k, c, "f32"), tensor(1, out_size, out_size, c, "f32")
    lines = [zero("f32"), *padded("p", "x", x, [0, low, low, 0], [0, high, high, 0], p)]
    lines += [
        *filled("i", out),
        f"%y = linalg.depthwise_conv_2d_nhwc_hwc {{strides = dense<{stride}> : tensor<2xi64>}} "
        f"ins(%p, %w : {p}, {weights}) outs(%i : {out}) -> {out}",
    ]
    return Program(function([f"%x: {x}", f"%w: {weights}"], out, lines))


def pooling(chance: random.Random) -> Program:
    """A pooling, sum or maximum, of a padded image."""
    kind, what = chance.choice((("f32", "sum"), ("i32", "sum"), ("f32", "max"), ("i32", "max")))
    c, k, stride = chance.randint(1, 3), chance.randint(1, 3), chance.choice((1, 2))
    low, high, h = chance.randint(0, 2), chance.randint(0, 2), chance.randint(3, 8)
    out_size = (h + low + high - k) // stride + 1
    x, p = tensor(1, c, h, h, kind), tensor(1, c, h + low + high, h + low + high, kind)
    window, out = tensor(k, k, kind), tensor(1, c, out_size, out_size, kind)
    lines = [zero(kind), *padded("p", "x", x, [0, 0, low, low], [0, 0, high, high], p)]
    lines += [
        f"%window = tensor.empty() : {window}",
        *filled("i", out),
        f"%y = linalg.pooling_nchw_{what} {{strides = dense<{stride}> : tensor<2xi64>}} "
        f"ins(%p, %window : {p}, {window}) outs(%i : {out}) -> {out}",
    ]
    return Program(function([f"%x: {x}"], out, lines))


FAMILIES: tuple[Callable[[random.Random], Program], ...] = (
    convolution,
    transposed,
    transposed,
    unknown_sizes,
    depthwise,
    pooling,
    product,
    product,
    elementwise,
    joined,
    generic,
    contraction,
    arithmetic,
    padded_image,
    in_a_region,
    without_elements,
)
