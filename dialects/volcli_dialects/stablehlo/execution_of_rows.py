"""How operations of stablehlo that compute with whole rows execute: Fourier transforms and batch norms.

The accuracy of both is the implementation's. A transform is computed in double precision and rounded once, a
batch norm step by step in the type of its elements, as the specification composes it of other operations.
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
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import plain_numbers
from volcli_dialects.cases.parts import attribute
from volcli_dialects.cases.parts import number as number_of
from volcli_dialects.stablehlo.execution_of_layout import listed
from volcli_dialects.stablehlo.ops import OPS
from volcli_dialects.stablehlo.rows import GRADIENT, INFERENCE, TRAINING
from volcli_dialects.stablehlo.syntax import text_of

# -- transforms ------------------------------------------------------------------------------------------


@executions.case(OPS["fft"])
def fft(op: Operation) -> Perform:
    """Sums of a row, each element times a power of a root of 1, along the last dimensions."""
    kind, length = text_of(attribute(op, "fft_type")).upper(), listed(op, "fft_length")
    dtype, axes = format_of(op.results[0].type).dtype, range(-len(length), 0)

    def perform(machine: Machine, operand: Tensor) -> Tensor:
        (data,) = plain_numbers(op, [operand])
        expected = [*length[:-1], length[-1] // 2 + 1] if kind == "IRFFT" else length
        if list(data.shape[-len(length) :]) != expected:
            text = f"rows of {list(data.shape)} are transformed by a length of {length}"
            raise Undefined(op, Defect.CONTRACT, text)
        machine.takes_steps(op, data.size * max(length))
        wide = data.astype(np.float64 if kind == "RFFT" else np.complex128)
        if kind == "RFFT":
            found = np.fft.rfftn(wide, axes=axes)
        elif kind == "IRFFT":
            found = np.fft.irfftn(wide, length, axes)
        else:
            found = (np.fft.fftn if kind == "FFT" else np.fft.ifftn)(wide, axes=axes)
        return Tensor(found.astype(dtype))

    return perform


# -- batch norms -----------------------------------------------------------------------------------------


class _Features:
    """X, whose dimension of features all sums leave."""

    def __init__(self, op: Operation, x: Array) -> None:
        along = number_of(op, "feature_index")
        self.op, self.x, self.features = op, x, x.shape[along]
        self.epsilon = x.dtype.type(cast(Any, attribute(op, "epsilon")).value.data)
        self._others = tuple(d for d in range(x.ndim) if d != along)
        self.count = x.dtype.type(x.size // self.features if self.features else 0)

    def wide(self, of_feature: Array) -> Array:
        """OF_FEATURE, at all elements of the feature."""
        if of_feature.shape != (self.features,):
            text = f"numbers of {len(of_feature)} features, of which there are {self.features}"
            raise Undefined(self.op, Defect.CONTRACT, text)
        return np.expand_dims(of_feature, self._others)

    def total(self, values: Array) -> Array:
        """The sum of VALUES of each feature."""
        return values.sum(self._others, dtype=values.dtype)

    def mean(self, values: Array) -> Array:
        """Their mean."""
        return self.total(values) / self.count

    def deviation(self, variance: Array) -> Array:
        """`sqrt(variance + epsilon)`."""
        return np.sqrt(self.wide(variance) + self.epsilon)

    def normalized(self, scale: Array, offset: Array, mean: Array, variance: Array) -> Array:
        """`scale * (x - mean) / sqrt(variance + epsilon) + offset`."""
        centered = (self.x - self.wide(mean)) / self.deviation(variance)
        return self.wide(scale) * centered + self.wide(offset)


@executions.case(INFERENCE)
def normalize(op: Operation) -> Perform:
    """Of the mean and the variance that are given."""

    def perform(machine: Machine, *operands: Tensor) -> Tensor:
        x, *others = plain_numbers(op, operands)
        return Tensor(_Features(op, x).normalized(*others))

    return perform


@executions.case(TRAINING)
def normalize_by_batch(op: Operation) -> Perform:
    """Of the mean and the variance of x, which are results, too."""

    def perform(machine: Machine, *operands: Tensor) -> Sequence[Tensor]:
        x, scale, offset = plain_numbers(op, operands)
        features = _Features(op, x)
        mean = features.mean(x)
        centered = x - features.wide(mean)
        variance = features.mean(centered * centered)
        return [Tensor(each) for each in (features.normalized(scale, offset, mean, variance), mean, variance)]

    return perform


@executions.case(GRADIENT)
def differentiate(op: Operation) -> Perform:
    """The gradients of x, of the scale and of the offset (StableHLO, Ops, batch_norm_grad, Semantics)."""

    def perform(machine: Machine, *operands: Tensor) -> Sequence[Tensor]:
        x, scale, mean, variance, gradient = plain_numbers(op, operands)
        features = _Features(op, x)
        wide, deviation = features.wide, features.deviation(variance)
        centered = x - wide(mean)
        of_offset = features.total(gradient)
        of_scale = features.total(gradient * (centered / deviation))
        sums = wide(features.total(gradient * centered)) * centered / (wide(variance) + features.epsilon)
        left = gradient * features.count - wide(of_offset) - sums
        return [Tensor(wide(scale) * left / deviation / features.count), Tensor(of_scale), Tensor(of_offset)]

    return perform
