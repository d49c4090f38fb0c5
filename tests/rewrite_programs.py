"""Random small programs with structural zeros, for rewrites: one function @f each.

Paddings, transposed convolutions, masks, bands, poolings, concatenations, in floats and integers, with static
sizes and with unknown ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

IDENTITY = "affine_map<(i, j) -> (i, j)>"


@dataclass(frozen=True)
class Program:
    """The text of @f, and the sizes of the `?` of its arguments in their order."""

    text: str
    sizes: tuple[int, ...] = ()


def drawn(seed: str) -> Program:
    """The program of SEED."""
    chance = random.Random(seed)
    return chance.choice(FAMILIES)(chance)


def _zero(kind: str) -> str:
    return f"%zero = arith.constant {'0.0' if kind.startswith('f') else '0'} : {kind}"


def _function(arguments: list[str], result: str, lines: list[str]) -> str:
    """@f, which returns %y of type RESULT."""
    body = "\n".join(f"  {line}" for line in [*lines, f"return %y : {result}"])
    return f"func.func @f({', '.join(arguments)}) -> {result} {{\n{body}\n}}\n"


def _filled(name: str, kind: str) -> list[str]:
    element = kind.removesuffix(">").rpartition("x")[2]
    return [
        f"%{name}_e = tensor.empty() : {kind}",
        f"%{name} = linalg.fill ins(%zero : {element}) outs(%{name}_e : {kind}) -> {kind}",
    ]


def _padded(name: str, source: str, kind: str, low: list[int], high: list[int], result: str) -> list[str]:
    indices = ", ".join(f"%p{d}: index" for d in range(len(low)))
    element = kind.removesuffix(">").rpartition("x")[2]
    return [
        f"%{name} = tensor.pad %{source} low{low} high{high} {{",
        f"^bb0({indices}):",
        f"tensor.yield %zero : {element}",
        f"}} : {kind} to {result}",
    ]


def _tensor(*sizes: object) -> str:
    return f"tensor<{'x'.join(map(str, sizes))}>"


# -- convolutions --------------------------------------------------------------------------------------


def convolution(chance: random.Random) -> Program:
    """A padded convolution with stride and dilation, perhaps of an unknown number of images."""
    kind = chance.choice(("f32", "f32", "i32"))
    c, f, k = chance.randint(1, 3), chance.randint(1, 3), chance.randint(1, 4)
    stride, dilation = chance.choice((1, 1, 2, 3)), chance.choice((1, 1, 2))
    low, high = chance.randint(0, 3), chance.randint(0, 3)
    h, w = (max(chance.randint(4, 9), (k - 1) * dilation + 1) for _ in range(2))
    batch = chance.choice((1, 2, "?"))
    oh, ow = ((n + low + high - (k - 1) * dilation - 1) // stride + 1 for n in (h, w))
    x, p = _tensor(batch, c, h, w, kind), _tensor(batch, c, h + low + high, w + low + high, kind)
    weights, out = _tensor(f, c, k, k, kind), _tensor(batch, f, oh, ow, kind)
    lines = [_zero(kind), *_padded("p", "x", x, [0, 0, low, low], [0, 0, high, high], p)]
    lines += _initial(x, kind, out) if batch == "?" else _filled("i", out)
    lines += [
        f"%y = linalg.conv_2d_nchw_fchw {{strides = dense<{stride}> : tensor<2xi64>, "
        f"dilations = dense<{dilation}> : tensor<2xi64>}} ins(%p, %w : {p}, {weights}) outs(%i : {out}) -> {out}"
    ]
    return Program(_function([f"%x: {x}", f"%w: {weights}"], out, lines), (2,) if batch == "?" else ())


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
    x, z = _tensor(1, c, n, n, kind), _tensor(1, c, spread, spread, kind)
    weights, out = _tensor(f, c, k, k, kind), _tensor(1, f, out_size, out_size, kind)
    bias = _tensor(f, kind)
    lines = [_zero(kind), *_filled("z", z)]
    lines += [
        f"%u = tensor.insert_slice %x into %z[0, 0, {offset}, {offset}] [1, {c}, {n}, {n}] "
        f"[1, 1, {s}, {s}] : {x} into {z}",
        f"%i_e = tensor.empty() : {out}",
        f"%i = linalg.broadcast ins(%b : {bias}) outs(%i_e : {out}) dimensions = [0, 2, 3]",
        f"%y = linalg.conv_2d_nchw_fchw ins(%u, %w : {z}, {weights}) outs(%i : {out}) -> {out}",
    ]
    return Program(_function([f"%x: {x}", f"%w: {weights}", f"%b: {bias}"], out, lines))


def unknown_sizes(chance: random.Random) -> Program:
    """A padded or a transposed convolution in one dimension, of an unknown number of elements."""
    kind = chance.choice(("f32", "i32"))
    c, f, k, s = chance.randint(3, 5), chance.randint(3, 5), chance.randint(2, 4), chance.choice((1, 2, 3))
    low, high, n = chance.randint(0, k - 1), chance.randint(0, k), chance.randint(1, 7)
    n, behind = max(n, k), high + k
    x, z, out = (_tensor(1, channels, "?", kind) for channels in (c, c, f))
    weights = _tensor(f, c, k, kind)
    sizes = [
        f"%spread = affine.apply affine_map<()[n] -> (n * {s} - {s - 1} + {low + behind})>()[%n]",
        f"%wide = affine.apply affine_map<()[n] -> (n * {s} - {s - 1} + {low + behind - k + 1})>()[%n]",
    ]
    lines = [
        _zero(kind),
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
    return Program(_function([f"%x: {x}", f"%w: {weights}"], out, lines), (n,))


def depthwise(chance: random.Random) -> Program:
    """A padded depthwise convolution, channels last."""
    c, k, stride = chance.randint(1, 3), chance.randint(1, 3), chance.choice((1, 2))
    low, high, h = chance.randint(0, 2), chance.randint(0, 2), chance.randint(3, 8)
    out_size = (h + low + high - k) // stride + 1
    x, p = _tensor(1, h, h, c, "f32"), _tensor(1, h + low + high, h + low + high, c, "f32")
    weights, out = _tensor(k, k, c, "f32"), _tensor(1, out_size, out_size, c, "f32")
    lines = [_zero("f32"), *_padded("p", "x", x, [0, low, low, 0], [0, high, high, 0], p)]
    lines += [
        *_filled("i", out),
        f"%y = linalg.depthwise_conv_2d_nhwc_hwc {{strides = dense<{stride}> : tensor<2xi64>}} "
        f"ins(%p, %w : {p}, {weights}) outs(%i : {out}) -> {out}",
    ]
    return Program(_function([f"%x: {x}", f"%w: {weights}"], out, lines))


def pooling(chance: random.Random) -> Program:
    """A pooling, sum or maximum, of a padded image."""
    kind, what = chance.choice((("f32", "sum"), ("i32", "sum"), ("f32", "max"), ("i32", "max")))
    c, k, stride = chance.randint(1, 3), chance.randint(1, 3), chance.choice((1, 2))
    low, high, h = chance.randint(0, 2), chance.randint(0, 2), chance.randint(3, 8)
    out_size = (h + low + high - k) // stride + 1
    x, p = _tensor(1, c, h, h, kind), _tensor(1, c, h + low + high, h + low + high, kind)
    window, out = _tensor(k, k, kind), _tensor(1, c, out_size, out_size, kind)
    lines = [_zero(kind), *_padded("p", "x", x, [0, 0, low, low], [0, 0, high, high], p)]
    lines += [
        f"%window = tensor.empty() : {window}",
        *_filled("i", out),
        f"%y = linalg.pooling_nchw_{what} {{strides = dense<{stride}> : tensor<2xi64>}} "
        f"ins(%p, %window : {p}, {window}) outs(%i : {out}) -> {out}",
    ]
    return Program(_function([f"%x: {x}"], out, lines))


# -- matrices ------------------------------------------------------------------------------------------

_BANDS = (
    "arith.cmpi sge, %row, %col : index",
    "arith.cmpi sle, %row, %col : index",
    "arith.cmpi slt, %row, %col : index",
)


def _masked(name: str, kind: str, element: str, chance: random.Random) -> list[str]:
    """%NAME_m: %NAME where a triangle, a band or some columns are, and 0 elsewhere."""
    form = chance.choice(("triangle", "band", "columns"))
    if form == "triangle":
        conditions = [f"%in = {chance.choice(_BANDS)}"]
    elif form == "band":
        below, above = chance.randint(-1, 2), chance.randint(0, 2)
        conditions = [
            f"%lo = arith.constant {-below} : index",
            f"%hi = arith.constant {above} : index",
            "%d = arith.subi %col, %row : index",
            "%c1 = arith.cmpi sge, %d, %lo : index",
            "%c2 = arith.cmpi sle, %d, %hi : index",
            "%in = arith.andi %c1, %c2 : i1",
        ]
    else:
        conditions = [
            f"%lo = arith.constant {chance.randint(0, 3)} : index",
            f"%in = arith.cmpi {chance.choice(('sge', 'slt'))}, %{chance.choice(('row', 'col'))}, %lo : index",
        ]
    return [
        f"%{name}_e = tensor.empty() : {kind}",
        f"%{name}_m = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}], "
        f'iterator_types = ["parallel", "parallel"]}} ins(%{name} : {kind}) outs(%{name}_e : {kind}) {{',
        f"^bb0(%v: {element}, %o: {element}):",
        "%row = linalg.index 0 : index",
        "%col = linalg.index 1 : index",
        *conditions,
        f"%r = arith.select %in, %v, %zero : {element}",
        f"linalg.yield %r : {element}",
        f"}} -> {kind}",
    ]


def product(chance: random.Random) -> Program:
    """A product of two matrices, of which one or both are masked, perhaps transposed, added to a third one."""
    element = chance.choice(("f32", "f32", "i32"))
    m, n, k = (chance.randint(2, 9) for _ in range(3))
    a, b, out = _tensor(m, k, element), _tensor(k, n, element), _tensor(m, n, element)
    lines = [_zero(element)]
    left, right = "a", "b"
    which = chance.choice(("left", "right", "both"))
    if which != "right":
        lines += _masked("a", a, element, chance)
        left = "a_m"
    if which != "left":
        lines += _masked("b", b, element, chance)
        right = "b_m"
    initial = "c"
    if chance.random() < 0.5:
        lines += _filled("i", out)
        initial = "i"
    lines.append(f"%y = linalg.matmul ins(%{left}, %{right} : {a}, {b}) outs(%{initial} : {out}) -> {out}")
    return Program(_function([f"%a: {a}", f"%b: {b}", f"%c: {out}"], out, lines))


def elementwise(chance: random.Random) -> Program:
    """The product of a masked matrix and another one, element by element."""
    element = chance.choice(("f32", "i32"))
    m, n = chance.randint(2, 40), chance.randint(2, 40)
    kind = _tensor(m, n, element)
    lines = [_zero(element), *_masked("a", kind, element, chance)]
    lines += [
        f"%y_e = tensor.empty() : {kind}",
        f"%y = linalg.mul ins(%a_m, %b : {kind}, {kind}) outs(%y_e : {kind}) -> {kind}",
    ]
    return Program(_function([f"%a: {kind}", f"%b: {kind}"], kind, lines))


def joined(chance: random.Random) -> Program:
    """A product with a matrix that is joined with zeros, or has a block inserted into zeros."""
    element = chance.choice(("f32", "i32"))
    m, k, extra, n = chance.randint(1, 5), chance.randint(1, 5), chance.randint(1, 5), chance.randint(1, 5)
    a, zeros, whole = _tensor(m, k, element), _tensor(m, extra, element), _tensor(m, k + extra, element)
    b, out = _tensor(k + extra, n, element), _tensor(m, n, element)
    lines = [_zero(element)]
    if chance.random() < 0.5:
        lines += _filled("z", zeros)
        order = ("%a, %z", f"{a}, {zeros}") if chance.random() < 0.5 else ("%z, %a", f"{zeros}, {a}")
        lines.append(f"%j = tensor.concat dim(1) {order[0]} : ({order[1]}) -> {whole}")
    else:
        lines += _filled("z", whole)
        at = chance.randint(0, extra)
        lines.append(f"%j = tensor.insert_slice %a into %z[0, {at}] [{m}, {k}] [1, 1] : {a} into {whole}")
    lines += [*_filled("i", out), f"%y = linalg.matmul ins(%j, %b : {whole}, {b}) outs(%i : {out}) -> {out}"]
    return Program(_function([f"%a: {a}", f"%b: {b}"], out, lines))


def generic(chance: random.Random) -> Program:
    """Two results of one operation over a masked matrix, one of which adds up coordinates, too; one reversed access."""
    element = chance.choice(("f32", "i32"))
    m, k = chance.randint(3, 12), chance.randint(3, 12)
    a, b, row = _tensor(m, k, element), _tensor(k, element), _tensor(m, element)
    index = chance.choice(("k", f"{k - 1} - k"))
    add, mul = ("arith.addf", "arith.mulf") if element == "f32" else ("arith.addi", "arith.muli")
    cast = "arith.sitofp %c : i32 to f32" if element == "f32" else "arith.addi %c, %c : i32"
    lines = [_zero(element), *_masked("a", a, element, chance), *_filled("s", row), *_filled("t", row)]
    lines += [
        "%z, %y = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, "
        f"affine_map<(m, k) -> ({index})>, affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m)>], "
        f'iterator_types = ["parallel", "reduction"]}} ins(%a_m, %b : {a}, {b}) outs(%s, %t : {row}, {row}) {{',
        f"^bb0(%u: {element}, %v: {element}, %p: {element}, %q: {element}):",
        "%i = linalg.index 0 : index",
        "%j = linalg.index 1 : index",
        "%w = arith.addi %i, %j : index",
        "%c = arith.index_cast %w : index to i32",
        f"%f = {cast}",
        f"%x = {mul} %u, %v : {element}",
        f"%x2 = {mul} %x, %f : {element}",
        f"%p2 = {add} %p, %x : {element}",
        f"%q2 = {add} %q, %x2 : {element}",
        f"linalg.yield %p2, %q2 : {element}, {element}",
        f"}} -> ({row}, {row})",
        f"%r = tensor.concat dim(0) %z, %y : ({row}, {row}) -> {_tensor(2 * m, element)}",
    ]
    text = _function([f"%a: {a}", f"%b: {b}"], _tensor(2 * m, element), lines)
    return Program(text.replace("return %y", "return %r"))


def contraction(chance: random.Random) -> Program:
    """A contraction with operands in any order of dimensions, of which one is masked, of an unknown batch."""
    element = chance.choice(("f32", "i32"))
    m, n, k = (chance.randint(2, 9) for _ in range(3))
    batch = chance.choice((2, "?"))
    sizes = {"i": m, "j": n, "k": k, "b": batch}
    first, second = chance.choice(("ik", "ki")), chance.choice(("bkj", "kbj", "jkb"))
    left, right = (_tensor(*(sizes[d] for d in dims), element) for dims in (first, second))
    out = _tensor(batch, m, n, element)
    add, mul = ("arith.addf", "arith.mulf") if element == "f32" else ("arith.addi", "arith.muli")

    def map_of(dims: str) -> str:
        return f"affine_map<(b, i, j, k) -> ({', '.join(dims)})>"

    position = second.index("b")
    lines = [_zero(element), *_masked("a", left, element, chance)]
    lines += [
        f"%at = arith.constant {position} : index",
        f"%size = tensor.dim %x, %at : {right}",
        f"%i_e = tensor.empty({'%size' if batch == '?' else ''}) : {out}",
        f"%i = linalg.fill ins(%zero : {element}) outs(%i_e : {out}) -> {out}",
        f"%y = linalg.generic {{indexing_maps = [{map_of(first)}, {map_of(second)}, {map_of('bij')}], "
        'iterator_types = ["parallel", "parallel", "parallel", "reduction"]} '
        f"ins(%a_m, %x : {left}, {right}) outs(%i : {out}) {{",
        f"^bb0(%u: {element}, %v: {element}, %s: {element}):",
        f"%p = {mul} %v, %u : {element}",
        f"%t = {add} %s, %p : {element}",
        f"linalg.yield %t : {element}",
        f"}} -> {out}",
    ]
    return Program(_function([f"%a: {left}", f"%x: {right}"], out, lines), (2,) if batch == "?" else ())


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
)
