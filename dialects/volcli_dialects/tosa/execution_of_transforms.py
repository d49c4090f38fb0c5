"""How the Fourier transforms of tosa execute: by the pseudo-code of the TOSA specification (FFT2D, RFFT2D).

    real[o] = sum of x[i] * cos(a) + y[i] * sin(a)     imag[o] = sum of y[i] * cos(a) - x[i] * sin(a)

with `a = 2 pi (i_h o_h / H + i_w o_w / W)`, negative for the inverse, which is not divided by the number of
elements. Sums are computed in double precision and rounded once: their accuracy is the implementation's.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import plain_numbers
from volcli_dialects.tosa.ops import OPS, named


@executions.case(*named("fft2d", "rfft2d"))
def transform(op: Operation) -> Perform:
    """Both parts of the sums; of real numbers, the first half of the columns, and the middle one."""
    dtypes = [format_of(result.type).dtype for result in op.results]
    is_real = isinstance(op, OPS["rfft2d"])
    is_inverse = not is_real and bool(cast(Any, op.properties["inverse"]).value.data)

    def perform(machine: Machine, *operands: Tensor) -> Sequence[Tensor]:
        x, *others = [each.astype(np.float64) for each in plain_numbers(op, operands)]
        rows, columns = x.shape[1:]
        kept = columns // 2 + 1 if is_real else columns
        machine.takes_steps(op, x.size * rows * kept)
        angle = -_angles(rows, columns, kept) if is_inverse else _angles(rows, columns, kept)
        real, imaginary = _sum(x, np.cos(angle)), -_sum(x, np.sin(angle))
        for y in others:
            real, imaginary = real + _sum(y, np.sin(angle)), imaginary + _sum(y, np.cos(angle))
        return [Tensor(each.astype(dtype)) for each, dtype in zip((real, imaginary), dtypes, strict=True)]

    return perform


def _angles(rows: int, columns: int, kept: int) -> Array:
    """Of each element of the result and each element of the operand, the angle."""
    along = np.outer(np.arange(rows), np.arange(rows)) / max(rows, 1)
    across = np.outer(np.arange(kept), np.arange(columns)) / max(columns, 1)
    return 2 * np.pi * (along[:, None, :, None] + across[None, :, None, :])


def _sum(plane: Array, weights: Array) -> Array:
    return np.einsum("nij,hwij->nhw", plane, weights)
