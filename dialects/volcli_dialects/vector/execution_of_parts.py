"""How operations of vector execute that move elements between vectors, read bits as others, or print."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute

from volcli.execution.elements.bits import bits_as, bits_of
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import POISONED, Array, NotANumber, Tensor, alike, overwritten
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, executions
from volcli.execution.tensors.blocks import moves, taken
from volcli.limits.widths import ALL_BITS
from volcli_dialects.vector.accesses import PrintOp
from volcli_dialects.vector.shapes import (
    DeinterleaveOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    InterleaveOp,
)


@executions.case(vector.ShuffleOp)
def shuffle(op: vector.ShuffleOp) -> Perform:
    """Row k is row `mask[k]` of the two operands, one behind the other; poison for -1."""
    rows = np.array([int(each) for each in op.mask.get_values()], np.int64)

    def perform(machine: Machine, first: Tensor, second: Tensor) -> Tensor:
        data = np.concatenate([np.atleast_1d(each) for each in alike(first.data, second.data)])[rows]
        states = np.concatenate([np.atleast_1d(each.known_states()) for each in (first, second)])[rows]
        states[rows < 0] = POISONED
        return first.moved(data, states)

    return perform


@executions.case(InterleaveOp)
def interleave(op: InterleaveOp) -> Perform:
    """`a[0], b[0], a[1], b[1], ...` along the last dimension."""

    def mixed(first: Array, second: Array) -> Array:
        pairs = np.stack([np.atleast_1d(first), np.atleast_1d(second)], -1)
        return pairs.reshape((*pairs.shape[:-2], -1))

    def perform(machine: Machine, first: Tensor, second: Tensor) -> Tensor:
        states = mixed(first.known_states(), second.known_states())
        return first.moved(mixed(*alike(first.data, second.data)), states)

    return perform


# The elements at even positions of the last dimension, and those at odd ones.
executions.case(DeinterleaveOp)(
    lambda op: lambda machine, source: tuple(taken(source, np.s_[..., k::2]) for k in (0, 1))
)


def _numbers(listed: ArrayAttr[Any]) -> list[int]:
    return [cast("IntegerAttr[Any]", each).value.data for each in listed]


def _every_stride(offsets: Sequence[int], sizes: Sequence[int], strides: Sequence[int]) -> tuple[slice, ...]:
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=True)
    )


@executions.case(ExtractStridedSliceOp)
def extract_strided_slice(op: ExtractStridedSliceOp) -> Perform:
    """`x[offset + r * stride]` in the first dimensions, which are named; the others are whole."""
    at = _every_stride(*map(_numbers, (op.offsets, op.sizes, op.strides)))
    return moves(op, lambda data: data[at])


@executions.case(InsertStridedSliceOp)
def insert_strided_slice(op: InsertStridedSliceOp) -> Perform:
    """The second operand, with the first one at the offsets, in the last dimensions."""
    offsets, strides = _numbers(op.offsets), _numbers(op.strides)

    def perform(machine: Machine, value: Tensor, dest: Tensor) -> Tensor:
        leading = len(offsets) - len(value.shape)
        at = *offsets[:leading], *_every_stride(offsets[leading:], value.shape, strides)
        return overwritten(dest, at, value.data, value.known_states())

    return perform


@executions.case(vector.BitcastOp)
def bitcast(op: vector.BitcastOp) -> Perform:
    """The bits of the last dimension, the first element lowest, as elements of another width.

    An element is poison where one of those that it is made of is.
    """
    source, target = format_of(op.source.type), format_of(op.result.type)
    shape = tuple(cast(Any, op.result.type).get_shape())

    def perform(machine: Machine, value: Tensor) -> Tensor:
        if source.kind == "float" and value.data.dtype == object:
            raise Unsupported(op, "the bits of terms are not executed")
        if value.states is not None and source.width != target.width:
            raise Unsupported(op, "the bits of elements that are poison, or never written, are not executed")
        lines = value.data.reshape(-1, value.shape[-1] if value.shape else 1)
        found = [each for line in lines for each in _recut(bits_of(line, source), source.width, target.width)]
        return value.moved(bits_as(found, target).reshape(shape), value.states)

    return perform


def _recut(numbers: Sequence[int], width: int, other: int) -> list[int]:
    """NUMBERS of WIDTH bits, the first lowest, as numbers of another width.

    >>> _recut([0x34, 0x12], 8, 16) == [0x1234], _recut([0x1234], 16, 4)
    (True, [4, 3, 2, 1])
    """
    whole = sum(each << k * width for k, each in enumerate(numbers))
    mask = (1 << other) - 1
    return [whole >> at & mask for at in range(0, len(numbers) * width, other)]


_PUNCTUATION = {
    "no_punctuation": "", "newline": "\n", "comma": ", ", "open": "( ", "close": " )",
}  # fmt: skip


@executions.case(PrintOp)
def print_op(op: PrintOp) -> Perform:
    """A number, the elements of a vector in parentheses, or a text, as mlir-runner prints them."""
    behind = _PUNCTUATION[op.punctuation.data]
    if op.string_literal is not None:
        literal = op.string_literal.data
        return lambda machine: machine.prints(op, literal)
    if op.source is None:
        return lambda machine: machine.prints(op, behind)
    kind = op.source.type
    return lambda machine, value: machine.prints(op, _text(value, kind) + behind)


def _text(value: Any, kind: Attribute) -> str:
    if not isinstance(value, Tensor):
        return _number_text(value, kind)
    if not value.shape:
        return f"( {_number_text(value.element(()), kind)} )"
    rows = [taken(value, k) for k in range(value.shape[0])]
    texts = (_text(row if row.shape else row.element(()), kind) for row in rows)
    return f"( {', '.join(texts)} )"


def _number_text(value: Any, kind: Attribute) -> str:
    """A float as C's %g; an index without sign."""
    if isinstance(value, NotANumber):
        return repr(value)
    if isinstance(value, int):
        is_index = isinstance(kind, IndexType)
        return str(value % ALL_BITS if is_index else value)
    if isinstance(value, complex | np.complexfloating):
        return f"( {value.real:g}, {value.imag:g} )"
    return f"{float(value):g}"
