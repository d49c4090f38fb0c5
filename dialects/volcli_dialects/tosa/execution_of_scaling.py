"""How tosa.rescale, table and resize execute: by the pseudo-code of the TOSA specification.

RESCALE (section "Type conversion operators") and its functions apply_scale_32 and apply_scale_16 (section
"Quantization"): `(x - zp_in) * multiplier + 2^(shift - 1) >> shift` with `2 <= shift <= 62`, so half a unit
is rounded up; DOUBLE_ROUND adds 2^30 more, or takes it away where the value is negative, for a shift beyond
31. What the specification does not allow to overflow wraps at 32 bits. RESIZE (section "Image operators")
divides positions rounding down, and weights the four elements around each. (mlir-opt 22 rounds positions of
integers in front of the beginning toward zero.)
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.ir import Operation

from volcli.execution.elements.elementwise import applied
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import Format, format_of, signed
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar, executions, performs
from volcli.execution.tensors.blocks import arithmetic, spread, taken, with_dtype
from volcli_dialects.tosa.ops import OPS
from volcli_dialects.tosa.scalars import mode


def apply_scale(value: int, multiplier: int, shift: int, *, double_round: bool) -> int:
    """`value * multiplier * 2^-shift`, rounded, at 32 bits.

    >>> apply_scale(-3, 1 << 30, 31, double_round=False), apply_scale(3, 1 << 30, 31, double_round=False)
    (-1, 2)
    """
    half = 1 << (shift - 1)
    if double_round and shift > 31:
        half += (1 << 30) if value >= 0 else -(1 << 30)
    return signed((value * multiplier + half) >> shift, 32)


def _flag(op: Operation, name: str) -> bool:
    return bool(cast(Any, op.properties[name]).value.data)


def _reading(format: Format, *, is_unsigned: bool) -> Callable[[int], int]:
    bits, width = format.unsigned(), format.width
    return bits if is_unsigned or format.is_unsigned else lambda number: signed(number, width)


@executions.case(OPS["rescale"])
def rescale(op: Operation) -> Perform:
    """`zp_out + (x - zp_in) * multiplier[c] / 2^shift[c]`, clipped to the type; c is the last index, or 0."""
    rounding = mode(op, "rounding_mode")
    source, target = format_of(op.operands[0].type), format_of(op.results[0].type)
    if rounding == "INEXACT_ROUND":
        raise Unsupported(op, "a rounding that the implementation chooses is not executed")
    read = _reading(source, is_unsigned=_flag(op, "input_unsigned"))
    is_unsigned = _flag(op, "output_unsigned") or target.is_unsigned
    read_zero = _reading(target, is_unsigned=is_unsigned)
    most = (1 << target.width) - 1 if is_unsigned else (1 << (target.width - 1)) - 1
    least, wrap = 0 if is_unsigned else -(1 << (target.width - 1)), target.wrap()

    def number(x: int, multiplier: int, shift: int, zero_in: int, zero_out: int) -> int:
        if not 2 <= shift <= 62 or multiplier < 0:
            text = f"a multiplier of {multiplier} and a shift by {shift}, which is not from 2 to 62"
            raise Undefined(op, Defect.CONTRACT, text)
        value = read(x) - read(zero_in)
        scaled = apply_scale(value, multiplier, shift, double_round=rounding == "DOUBLE_ROUND")
        return wrap(min(max(scaled + read_zero(zero_out), least), most))

    scalar = Scalar(number)

    def perform(machine: Machine, *operands: Tensor) -> Tensor:
        shaped = [operands[0], *[_as_scalars(each) for each in operands[1:]]]
        (found,) = applied(machine, op, scalar, spread(op, shaped), [target.dtype])
        return found

    return perform


def _as_scalars(source: Tensor) -> Tensor:
    """A list of one element for all, or of one for each channel."""
    return taken(source, 0) if source.data.size == 1 else source


@performs(OPS["table"])
def table(op: Operation, machine: Machine, source: Tensor, entries: Tensor) -> Tensor:
    """`table[x + 128]` of 8 bits; of 16, between two entries, by the 7 lowest bits."""
    width = format_of(op.operands[0].type).width
    dtype = format_of(op.results[0].type).dtype
    if source.states is not None or entries.states is not None:
        raise Unsupported(op, "a table of what is poison, or was never written, is not executed")
    place = source.data.astype(np.int64)
    values = entries.data.astype(np.int64)
    if values.size != (256 if width == 8 else 513):
        raise Undefined(op, Defect.CONTRACT, f"a table of {values.size} entries")
    if width == 8:
        return Tensor(values[place + 128].astype(dtype))
    low = (place >> 7) + 256
    found = (values[low] << 7) + (values[low + 1] - values[low]) * (place & 127)
    return Tensor(found.astype(dtype))


# -- resize ------------------------------------------------------------------------------------------------


class _Axis(NamedTuple):
    """Of each index of the result in one dimension: the input on both sides, and how far between."""

    low: Array
    high: Array
    distance: Array
    """Over `unit`."""
    unit: int


def _axis(op: Operation, size: int, scale: Sequence[int], offset: int, border: int) -> _Axis:
    """`o * denominator + offset` is a position in units of 1 / numerator."""
    unit, step = scale
    if unit < 1 or step < 1:
        raise Undefined(op, Defect.CONTRACT, f"a scale of {unit} / {step}")
    room = (size - 1) * unit - offset + border
    if room < 0 or room % step:
        raise Undefined(op, Defect.CONTRACT, f"{room} over {step} is not a number of steps")
    position = np.arange(room // step + 1) * step + offset
    index = position // unit
    low, high = np.clip(index, 0, size - 1), np.clip(index + 1, 0, size - 1)
    return _Axis(low, high, position - index * unit, unit)


@executions.case(OPS["resize"])
def resize(op: Operation) -> Perform:
    """The element at, or the weighted four around, the position `(o * d + offset) / n` in two dimensions."""
    is_nearest = mode(op, "mode") == "NEAREST_NEIGHBOR"

    def perform(
        machine: Machine, source: Tensor, scale: list[int], offset: list[int], border: list[int]
    ) -> Tensor:
        rows = _axis(op, source.shape[1], scale[:2], offset[0], border[0])
        columns = _axis(op, source.shape[2], scale[2:], offset[1], border[1])
        if is_nearest:
            y, x = (np.where(2 * a.distance >= a.unit, a.high, a.low) for a in (rows, columns))
            return source.rearranged(lambda data: data[:, y][:, :, x])
        return _weighted(machine, op, source, rows, columns)

    return perform


def _weighted(machine: Machine, op: Operation, source: Tensor, rows: _Axis, columns: _Axis) -> Tensor:
    """The sum of four elements by the distances to the opposite ones; of integers in units, not divided."""
    kind = op.results[0].type
    format = format_of(kind)
    add, multiply = arithmetic("add", kind), arithmetic("mul", kind)
    source = with_dtype(op, source, format.dtype)

    def weights(axis: _Axis, shape: Sequence[int]) -> list[tuple[Array, Tensor]]:
        is_float = format.kind == "float"
        near, whole = (axis.distance / axis.unit, 1.0) if is_float else (axis.distance, axis.unit)
        far = np.asarray(whole, format.dtype) - np.asarray(near, format.dtype)
        return [
            (axis.low, Tensor(far.reshape(shape))),
            (axis.high, Tensor(np.asarray(near, format.dtype).reshape(shape))),
        ]

    def step(scalar: Scalar, left: Tensor, right: Tensor) -> Tensor:
        return applied(machine, op, scalar, spread(op, [left, right]), [format.dtype])[0]

    total: Tensor | None = None
    for y, by_row in weights(rows, (1, -1, 1, 1)):
        for x, by_column in weights(columns, (1, 1, -1, 1)):
            part = taken(taken(source, np.s_[:, y]), np.s_[:, :, x])
            term = step(multiply, step(multiply, part, by_row), by_column)
            total = term if total is None else step(add, total, term)
    assert total is not None
    return total
