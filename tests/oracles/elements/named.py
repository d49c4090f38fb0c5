"""Named linalg ops by letters: each dim of each operand is an iterator, or an upper-case window position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.oracles.elements.bodies import Binary, Expr, Operand, Unary
from tests.oracles.elements.layers import Slot
from tests.oracles.elements.structured import Named
from tests.oracles.elements.values import Value, is_float, operation
from tests.oracles.interpreter.affine import Affine, identity, loop

# H stands for stride * h + dilation * p: the output's position and the window's.
WINDOWS: Mapping[str, tuple[str, str]] = {"D": ("d", "o"), "H": ("h", "p"), "W": ("w", "q")}

# name: the letters of the output and of the inputs.
CONVOLUTIONS: Mapping[str, tuple[str, str, str]] = {
    "conv_1d": ("w", "W", "q"),
    "conv_2d": ("hw", "HW", "pq"),
    "conv_3d": ("dhw", "DHW", "opq"),
    "conv_1d_nwc_wcf": ("nwf", "nWc", "qcf"),
    "conv_1d_ncw_fcw": ("nfw", "ncW", "fcq"),
    "conv_2d_nchw_fchw": ("nfhw", "ncHW", "fcpq"),
    "conv_2d_nhwc_hwcf": ("nhwf", "nHWc", "pqcf"),
    "conv_2d_nhwc_fhwc": ("nhwf", "nHWc", "fpqc"),
    "conv_3d_ndhwc_dhwcf": ("ndhwf", "nDHWc", "opqcf"),
    "conv_3d_ncdhw_fcdhw": ("nfdhw", "ncDHW", "fcopq"),
    "depthwise_conv_1d_nwc_wc": ("nwc", "nWc", "qc"),
    "depthwise_conv_1d_ncw_cw": ("ncw", "ncW", "cq"),
    "depthwise_conv_2d_nchw_chw": ("nchw", "ncHW", "cpq"),
    "depthwise_conv_2d_nhwc_hwc": ("nhwc", "nHWc", "pqc"),
    "depthwise_conv_2d_nhwc_hwcm": ("nhwcm", "nHWc", "pqcm"),
}
POOLINGS: Mapping[str, tuple[str, str, str]] = {
    f"pooling_{layout}_{kind}": (out, image, "q" if "h" not in out else "pq")
    for layout, out, image in (
        ("nchw", "nchw", "ncHW"),
        ("nhwc", "nhwc", "nHWc"),
        ("ncw", "ncw", "ncW"),
        ("nwc", "nwc", "nWc"),
    )
    for kind in ("sum", "max", "min")
    if (layout, kind) not in {("nchw", "min"), ("ncw", "min")}
}
PRODUCTS: Mapping[str, tuple[str, str, str]] = {
    "matmul": ("mn", "mk", "kn"),
    "batch_matmul": ("bmn", "bmk", "bkn"),
    "matvec": ("m", "mk", "k"),
    "vecmat": ("n", "k", "kn"),
    "batch_matvec": ("bm", "bmk", "bk"),
    "dot": ("", "k", "k"),
}
TABLE: Mapping[str, tuple[str, str, str]] = {**CONVOLUTIONS, **POOLINGS, **PRODUCTS}
PLAIN = {"conv_1d", "conv_2d", "conv_3d", *PRODUCTS}  # without strides and dilations


def body_of(name: str) -> Expr:
    """A multiply-accumulate, or a pooling's accumulation (which ignores its window operand)."""
    if name not in POOLINGS:
        return Binary("add", Operand(2), Binary("mul", Operand(0), Operand(1)))
    kind = {"sum": "add"}.get(name.rsplit("_", 1)[1], name.rsplit("_", 1)[1])
    return Binary(kind, Operand(2), Operand(0))


def windowed(
    name: str,
    result: str,
    ins: Sequence[Value],
    out: Value,
    strides: Sequence[int] = (),
    dilations: Sequence[int] = (),
) -> Named:
    """The op of TABLE called NAME; strides and dilations are 1 unless given."""
    letters = (*TABLE[name][1:], TABLE[name][0])
    order = list(dict.fromkeys(letter for word in reversed(letters) for letter in word if letter.islower()))
    extents: dict[str, int] = {}
    for word, value in zip(letters, (*ins, out), strict=True):
        extents |= {letter: n for letter, n in zip(word, value.shape, strict=True) if letter.islower()}
    spatial = [letter for letter in letters[0] if letter in WINDOWS]
    strides, dilations = strides or (1,) * len(spatial), dilations or (1,) * len(spatial)

    def expression(letter: str) -> Affine:
        if letter.islower():
            return loop(order.index(letter), len(order))
        outer, inner = WINDOWS[letter]
        weights = {outer: strides[spatial.index(letter)], inner: dilations[spatial.index(letter)]}
        return Affine(tuple(weights.get(iterator, 0) for iterator in order))

    maps = [tuple(expression(letter) for letter in word) for word in letters]
    slots = [Slot(value, index) for value, index in zip((*ins, out), maps, strict=True)]
    attributes = (
        "" if name in PLAIN else f" {{{_dense('dilations', dilations)}, {_dense('strides', strides)}}}"
    )
    return Named(
        Value(result, out.shape, out.element),
        tuple(extents[letter] for letter in order),
        tuple(slots[:-1]),
        slots[-1],
        body_of(name),
        head=name + attributes,
        tail=f" -> {out.type}",
    )


def _dense(name: str, numbers: Sequence[int]) -> str:
    """strides = dense<[2, 1]> : tensor<2xi64>."""
    return f"{name} = dense<{list(numbers)}> : tensor<{len(numbers)}xi64>"


def fill(result: str, scalar: Value, out: Value) -> Named:
    """linalg.fill."""
    rank = len(out.shape)
    ins = (Slot(scalar, ()),)
    value = Value(result, out.shape, out.element)
    return Named(value, out.shape, ins, Slot(out, identity(rank)), Operand(0), "fill", f" -> {out.type}")


def transpose(result: str, source: Value, out: Value, permutation: Sequence[int]) -> Named:
    """linalg.transpose: result dim d is source dim permutation[d]."""
    rank = len(out.shape)
    index = tuple(loop(list(permutation).index(d), rank) for d in range(rank))
    value = Value(result, out.shape, out.element)
    tail = f" permutation = {list(permutation)}"
    return Named(
        value, out.shape, (Slot(source, index),), Slot(out, identity(rank)), Operand(0), "transpose", tail
    )


def broadcast(result: str, source: Value, out: Value, dimensions: Sequence[int]) -> Named:
    """linalg.broadcast: DIMENSIONS are the result's new dims."""
    rank = len(out.shape)
    index = tuple(loop(d, rank) for d in range(rank) if d not in dimensions)
    value = Value(result, out.shape, out.element)
    tail = f" dimensions = {list(dimensions)}"
    return Named(
        value, out.shape, (Slot(source, index),), Slot(out, identity(rank)), Operand(0), "broadcast", tail
    )


def reduce(result: str, kind: str, source: Value, out: Value, dimensions: Sequence[int]) -> Named:
    """linalg.reduce over DIMENSIONS of the source."""
    rank = len(source.shape)
    index = tuple(loop(d, rank) for d in range(rank) if d not in dimensions)
    head = f"reduce {{ {operation(kind, source.element)} }}"
    value = Value(result, out.shape, out.element)
    body = Binary(kind, Operand(0), Operand(1))
    tail = f" dimensions = {list(dimensions)}"
    return Named(value, source.shape, (Slot(source, identity(rank)),), Slot(out, index), body, head, tail)


def elementwise(result: str, kind: str, ins: Sequence[Value], out: Value) -> Named:
    """linalg.add, sub, mul, max, min, negf and copy."""
    index = identity(len(out.shape))
    slots = tuple(Slot(value, index) for value in ins)
    binary = Binary(kind, Operand(0), Operand(len(ins) - 1))
    body: Expr = {"copy": Operand(0), "negf": Unary("neg", Operand(0))}.get(kind, binary)
    assert kind != "negf" or is_float(out.element), "linalg.negf is of floats"
    value = Value(result, out.shape, out.element)
    return Named(value, out.shape, slots, Slot(out, index), body, kind, f" -> {out.type}")
