"""How the transforms of a Winograd convolution execute: F(m, r), m results of a filter of r elements at once.

The filter and a tile of the input are polynomials of the degrees r - 1 and m + r - 2; both are evaluated at
the same m + r - 1 points, the last of which is infinity. The product of the values at a point belongs to
that point, and the results are found from all of them:

    filter_p = w_p (sum_k p^k g_k) / prod_q (p - q)            q: the other points
    input_p  = v_p sum_k c_k d_k                               c: the coefficients of prod_q (x - q)
    output_j = sum_p p^j filter_p input_p / (v_p w_p)          at infinity, the leading coefficients alone

The weights v and w make most factors short. F(2, 3) has the points 0, -1, 1: the input at 0 is `d2 - d0`,
since `(x + 1) (x - 1) = x^2 - 1`. In two dimensions, rows and columns are transformed one after the other;
a dimension of size 1 stays. Points and weights are those with which mlir-opt computes.

Source: S. Winograd, Arithmetic Complexity of Computations, 1980; A. Lavin, S. Gray, Fast Algorithms for
Convolutional Neural Networks, 2016, equation 5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from volcli.execution.elements.elementwise import applied, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import Format, format_of
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import Sums, arithmetic, spread, taken
from volcli_dialects.linalg.held import given, held
from volcli_dialects.linalg.relayout.ops import (
    WinogradFilterTransformOp,
    WinogradInputTransformOp,
    WinogradOp,
    WinogradOutputTransformOp,
)

Matrix = Sequence[Sequence[Fraction]]
_HALF, _QUARTER, _8TH, _16TH = (Fraction(1, n) for n in (2, 4, 8, 16))


@dataclass(frozen=True)
class Algorithm:
    """F(m, r), of one dimension: the `points` but infinity, and weights of all, infinity last.

    The results are `scale` times what the weighted matrix of the output gives.
    """

    m: int
    r: int
    points: tuple[Fraction | int, ...]
    filter_weights: tuple[Fraction | int, ...]
    input_weights: tuple[Fraction | int, ...]
    scale: int

    @property
    def size(self) -> int:
        """How many points there are: the size of a tile of the input."""
        return self.m + self.r - 1

    def of_filter(self) -> Matrix:
        """A row for each point, of r elements."""
        rows = [
            [Fraction(p) ** k / math.prod(p - q for q in self.points if q != p) for k in range(self.r)]
            for p in self.points
        ]
        return _weighted([*rows, _last(self.r)], self.filter_weights)

    def of_input(self) -> Matrix:
        """A row for each point, of as many elements as there are points."""
        rows = [_coefficients([q for q in self.points if q != p], self.size) for p in self.points]
        return _weighted([*rows, _coefficients(self.points, self.size)], self.input_weights)

    def of_output(self) -> Matrix:
        """A row for each result, of as many elements as there are points."""
        columns = [*([Fraction(p) ** j for j in range(self.m)] for p in self.points), _last(self.m)]
        weights = [
            1 / (Fraction(self.scale) * v * w)
            for v, w in zip(self.input_weights, self.filter_weights, strict=True)
        ]
        return list(zip(*_weighted(columns, weights), strict=True))


ALGORITHMS = (
    Algorithm(2, 3, (0, -1, 1), (1,) * 4, (1,) * 4, 1),
    Algorithm(4, 3, (0, -1, 1, -2, 2), (4, 2, 2, 2, 2, 1), (_16TH, _16TH, _16TH, _8TH, _8TH, _16TH), 32),
    Algorithm(
        2, 5, (0, -1, 1, -_HALF, 2), (1, _HALF, _HALF, _QUARTER, _QUARTER, 1),
        (_8TH, _8TH, _8TH, _8TH, _QUARTER, _8TH), 16,
    ),
)  # fmt: skip
"""By the number of the property `fmr`."""


def _last(count: int) -> list[Fraction]:
    return [Fraction(k == count - 1) for k in range(count)]


def _weighted(rows: Matrix, weights: Sequence[Fraction | int]) -> Matrix:
    return [[weight * each for each in row] for row, weight in zip(rows, weights, strict=True)]


def _coefficients(roots: Sequence[Fraction | int], count: int) -> list[Fraction]:
    """Those of `prod (x - root)`, the constant first, COUNT of them."""
    found = [Fraction(1)]
    for root in roots:
        found = [a - root * b for a, b in zip([Fraction(0), *found], [*found, Fraction(0)], strict=True)]
    return [*found, *[Fraction(0)] * (count - len(found))]


class _Transform:
    """OP on the first two dimensions of a tensor: those of size 1 stay."""

    def __init__(self, op: WinogradOp, matrix: Matrix) -> None:
        kind = cast("Any", op.output.type).element_type
        format: Format = format_of(kind)
        if format.kind != "float":
            raise Unsupported(op, f"a Winograd convolution of {kind} is not executed")
        self.op = op
        self.add, self.multiply = arithmetic("add", kind), arithmetic("mul", kind)
        self.format = format
        # Numbers are rounded to f32 first, in which mlir-opt states them.
        rows = [[format.number(float(np.float32(each))) for each in row] for row in matrix]
        self.matrix: Array = np.array(rows, format.dtype)

    def both(self, machine: Machine, source: Tensor, start: Tensor | None = None) -> Tensor:
        """`M S M^T` of the two dimensions, plus START."""
        axes = [axis for axis in (0, 1) if source.shape[axis] != 1]
        for axis in axes:
            source = self._along(machine, source, axis, start if axis == axes[-1] else None)
        return source

    def _along(self, machine: Machine, source: Tensor, axis: int, start: Tensor | None) -> Tensor:
        rows, count = self.matrix.shape
        if source.shape[axis] != count:
            text = f"a tile of the size {source.shape[axis]} in place of {count}"
            raise Undefined(self.op, Defect.CONTRACT, text)
        shape = [rows if d == axis else n for d, n in enumerate(source.shape)]
        machine.takes_steps(self.op, count)
        sums = Sums(machine, self.op, Tensor(np.zeros(shape, self.format.dtype)) if start is None else start)
        for k in range(count):
            column = Tensor(self.matrix[:, k].reshape([rows if d == axis else 1 for d in range(len(shape))]))
            part = taken(source, (slice(None),) * axis + (slice(k, k + 1),))
            pair = (column, part) if axis == 0 else (part, column)
            sums.product(self.add, self.multiply, ..., *pair)
        return sums.tensor()


def _algorithm(op: WinogradOp) -> Algorithm:
    return ALGORITHMS[int(cast("Any", op.fmr.value).data)]


@executions.case(WinogradFilterTransformOp)
def transform_filter(op: WinogradFilterTransformOp) -> Perform:
    """Filters (f, h, w, c), each transformed, as (h', w', c, f)."""
    transform = _Transform(op, _algorithm(op).of_filter())

    def perform(machine: Machine, filters: Any, target: Any) -> Tensor | None:
        source = held(op, machine, filters).rearranged(lambda data: data.transpose(1, 2, 3, 0))
        return given(op, machine, target, transform.both(machine, source))

    return perform


@executions.case(WinogradInputTransformOp)
def transform_input(op: WinogradInputTransformOp) -> Perform:
    """Tiles of images (n, h, w, c), m apart, each transformed: (h', w', row of tiles, column, n, c)."""
    algorithm = _algorithm(op)
    transform = _Transform(op, algorithm.of_input())

    def rows(size: int) -> Array:
        if size == 1:
            return np.zeros((1, 1), np.int64)
        tiles, rest = divmod(size - algorithm.r + 1, algorithm.m)
        if rest or tiles < 0:
            raise Undefined(op, Defect.CONTRACT, f"images of the size {size} are not whole tiles")
        return np.arange(tiles)[:, None] * algorithm.m + np.arange(algorithm.size)

    def perform(machine: Machine, images: Any, target: Any) -> Tensor | None:
        source = held(op, machine, images)
        ys, xs = rows(source.shape[1]), rows(source.shape[2])
        tiles = source.rearranged(lambda data: data[:, ys][:, :, :, xs].transpose(2, 4, 1, 3, 0, 5))
        return given(op, machine, target, transform.both(machine, tiles))

    return perform


@executions.case(WinogradOutputTransformOp)
def transform_output(op: WinogradOutputTransformOp) -> Perform:
    """Products (h', w', row of tiles, column, n, f) added to tiles of images (n, h, w, f)."""
    algorithm = _algorithm(op)
    transform = _Transform(op, algorithm.of_output())

    def perform(machine: Machine, products: Any, target: Any) -> Tensor | None:
        source, old = held(op, machine, products), held(op, machine, target)
        sizes = [1 if n == 1 else algorithm.m for n in source.shape[:2]]
        high, wide, rows, columns, count, channels = (*sizes, *source.shape[2:])
        if old.shape != (count, rows * high, columns * wide, channels):
            text = f"tiles of the sizes {list(source.shape)} in images of {list(old.shape)}"
            raise Undefined(op, Defect.CONTRACT, text)
        split = (count, rows, high, columns, wide, channels)
        tiles = old.rearranged(lambda data: data.reshape(split).transpose(2, 4, 1, 3, 0, 5))
        scale = algorithm.scale ** sum(n != 1 for n in sizes)
        found = transform.both(machine, source, tiles if scale == 1 else None)
        if scale != 1:
            found = _scaled(machine, transform, scale, found, tiles)
        images = found.rearranged(lambda data: data.transpose(4, 2, 0, 3, 1, 5).reshape(old.shape))
        return given(op, machine, target, images)

    return perform


def _scaled(machine: Machine, transform: _Transform, scale: int, found: Tensor, old: Tensor) -> Tensor:
    """`scale * found + old`."""
    op, dtypes = transform.op, [transform.format.dtype]
    factor = packed([transform.format.number(float(scale))], (), transform.format.dtype)
    (product,) = applied(machine, op, transform.multiply, spread(op, [factor, found]), dtypes)
    return applied(machine, op, transform.add, [product, old], dtypes)[0]
