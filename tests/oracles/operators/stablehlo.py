"""Random programs of stablehlo: for each operation how it is written, and what it is of arrays."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.elements import (
    BINARY,
    UNARY,
    batch_norm,
    binary,
    bitcast,
    clamp,
    compare,
    convert,
    fft,
    is_finite,
    of_complex,
    quantised,
    reduce_precision,
    select,
    unary,
)
from tests.oracles.operators.masks import Draw, masked, shape_of
from tests.oracles.operators.moves import (
    MOVES,
    barrier,
    broadcast,
    concatenate,
    dimension_size,
    dynamic_broadcast,
    dynamic_iota,
    dynamic_pad,
    dynamic_reshape,
    dynamic_slice,
    dynamic_slice_by_data,
    dynamic_update_slice,
    pad,
    reshape,
    reverse,
    slice_,
    transpose,
)
from tests.oracles.operators.regions import branch, case, dynamic_gather, gather, loop, mapped, scatter, sort
from tests.oracles.operators.windows import (
    convolution,
    dot_general,
    reduce,
    reduce_window,
    select_and_scatter,
)


def mixture(b: Builder) -> Node:
    """Elements moved several times, and summed."""
    x = masked(b, b.input("x", shape_of(b.chance)))
    steps = b.chance.sample(MOVES, 3)
    for step in steps:
        if math.prod(x.shape) <= 40:
            x = step(b, x)
    return b.chance.choice([reduce, reduce_window, masked_last])(b, x)


def masked_last(b: Builder, x: Node) -> Node:
    return b.op("stablehlo.negate {0} : {t0}", np.negative, masked(b, x))


PROGRAMS: Mapping[str, Draw] = {
    **{name: unary(name) for name in UNARY},
    **{name: binary(name) for name in BINARY},
    **{f"batch_norm_{name}": batch_norm(name) for name in ("inference", "training", "grad")},
    **{draw.__name__.strip("_"): draw for draw in (
        compare, select, clamp, convert, bitcast, reduce_precision, is_finite, of_complex, reduce, reduce_window,
        select_and_scatter, dot_general, convolution, gather, dynamic_gather, scatter, dynamic_slice,
        dynamic_slice_by_data, dynamic_update_slice, dynamic_pad, dynamic_broadcast, dynamic_reshape, dynamic_iota,
        dimension_size, mapped, sort, branch, case, loop, barrier, fft, quantised, pad, transpose, reverse, reshape,
        slice_, concatenate, broadcast, mixture,
    )},
}  # fmt: skip
