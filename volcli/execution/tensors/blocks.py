"""What operations on whole tensors are made of: elements moved, broadcast, folded along dimensions, summed.

Each step is a `Scalar` of the elements, so that terms, poison and elements never written take part in it.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Attribute, Operation

from volcli.execution.code.code import Body
from volcli.execution.demand.demand import DeferredTensor, first_deferred
from volcli.execution.demand.rules import Generated, Pointwise, along_lines, is_pure, kept, replaced
from volcli.execution.elements.elementwise import applied, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Array, Tensor, alike, assign
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar


def moves(op: Operation, move: Callable[[Array], Array]) -> Perform:
    """The execution of OP, which moves the elements of its first operand."""
    return lambda machine, source, *rest: source.rearranged(move)


def joined(op: Operation, parts: Sequence[Tensor], axis: int) -> Tensor:
    """PARTS one after the other in the dimension AXIS."""
    if len({part.shape[:axis] + part.shape[axis + 1 :] for part in parts}) > 1:
        raise Undefined(op, Defect.CONTRACT, f"tensors of the sizes {[part.shape for part in parts]}")
    if (one := first_deferred(*parts)) is not None:
        return _joined(one, parts, axis)
    data = np.concatenate(alike(*[part.data for part in parts]), axis)
    states = np.concatenate([part.known_states() for part in parts], axis)
    return parts[0].moved(data, states)


def generated(machine: Machine, op: Operation, body: Body, shape: Sequence[int], dtype: Any) -> Tensor:
    """The tensor of SHAPE with what BODY gives at each index; on demand if it reads and writes no memory."""

    def elements(places: Sequence[Sequence[int]]) -> Tensor:
        machine.takes_steps(op, len(places))
        return packed([later(*place)[0] for place in places], (len(places),), dtype)

    if machine.options.demands and is_pure(op.regions[0]):
        later = kept(machine, body)
        return DeferredTensor(machine, op, shape, dtype, Generated(shape, elements))
    later = body
    machine.fits(op, math.prod(shape), dtype)
    found = elements(list(itertools.product(*map(range, shape))))
    return found.rearranged(lambda data: data.reshape(tuple(shape)))


def _joined(one: DeferredTensor, parts: Sequence[Tensor], axis: int) -> Tensor:
    """PARTS one after the other, on demand; ONE of them is."""
    shape = list(one.shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    found: Tensor = Tensor(np.broadcast_to(np.zeros((), one.dtype), shape))
    first = 0
    for part in parts:
        last = first + part.shape[axis]
        spans = [slice(first, last) if d == axis else slice(None) for d in range(len(shape))]
        found, first = replaced(found, spans, part), last
    return found


def surrounded(source: Tensor, value: Tensor, shape: Sequence[int], inside: Any) -> Tensor:
    """A tensor of SHAPE: SOURCE at the indices INSIDE of it, VALUE (a tensor of one element) elsewhere."""
    if first_deferred(source, value) is not None:
        return replaced(everywhere(value, shape), inside, source)
    around, within = alike(value.data.reshape(()), source.data)
    data: Array = np.empty(tuple(shape), within.dtype)
    states = np.zeros(tuple(shape), np.uint8)
    data[...], states[...] = around, value.known_states().reshape(())
    assign(data, inside, within)
    states[inside] = source.known_states()
    return source.moved(data, states)


def everywhere(value: Tensor, shape: Sequence[int]) -> Tensor:
    """VALUE, a tensor of one element, as each element of a tensor of SHAPE."""
    return value.rearranged(lambda data: np.broadcast_to(data.reshape(()), tuple(shape)))


def spread(op: Operation, operands: Sequence[Tensor]) -> list[Tensor]:
    """OPERANDS in one shape: a dimension of size 1 is as large as that of the others.

    Raises Undefined if two sizes differ, neither of which is 1.
    """
    try:
        shape = np.broadcast_shapes(*[operand.shape for operand in operands])
    except ValueError:
        text = f"operands of the shapes {', '.join(str(operand.shape) for operand in operands)}"
        raise Undefined(op, Defect.CONTRACT, text) from None
    return [each.rearranged(lambda data: np.broadcast_to(data, shape)) for each in operands]


def broadcasting(op: Operation, scalar: Scalar) -> Perform:
    """The execution of OP, which applies SCALAR to the elements of its operands, broadcast."""
    dtype = format_of(op.results[0].type).dtype

    def perform(machine: Machine, *operands: Tensor) -> Tensor:
        return applied(machine, op, scalar, spread(op, operands), [dtype])[0]

    return perform


def dtype_of(source: Tensor) -> npt.DTypeLike:
    """The dtype of the elements of SOURCE, none of which is asked for."""
    return source.dtype if isinstance(source, DeferredTensor) else source.data.dtype


def plain_numbers(op: Operation, operands: Sequence[Tensor]) -> list[Array]:
    """The elements of OPERANDS. Raises Unsupported if one of them is no number."""
    whole = [each.whole() for each in operands]
    if any(each.data.dtype == object or each.states is not None for each in whole):
        raise Unsupported(op, f"{op.name} of values that are not numbers is not executed")
    return [each.data for each in whole]


def with_dtype(op: Operation, source: Tensor, dtype: npt.DTypeLike) -> Tensor:
    """SOURCE with its numbers as DTYPE, which holds them all. Raises Unsupported for terms."""
    if isinstance(source, DeferredTensor):
        if source.dtype == dtype:
            return source
        rule = Pointwise(lambda parts: [with_dtype(op, parts[0], dtype)], [source])
        return DeferredTensor(source.machine, op, source.shape, dtype, rule)
    if source.data.dtype == dtype:
        return source
    number = np.dtype(dtype).type
    if source.data.dtype == object and any(type(each) is not number for each in source.data.flat):
        return _terms_as(op, source, dtype)
    return Tensor(source.data.astype(dtype), source.states)


def _terms_as(op: Operation, source: Tensor, dtype: npt.DTypeLike) -> Tensor:
    if format_of(op.operands[0].type).dtype != dtype:
        raise Unsupported(op, "terms are not executed in another format than that of their elements")
    return source


def arithmetic(name: str, kind: Attribute) -> Scalar:
    """`add`, `sub`, or `mul` of numbers of the type KIND; integers wrap. Terms are those of arith.

    >>> from xdsl.dialects.builtin import i8
    >>> arithmetic("add", i8).number(100, 100)
    -56
    """
    format = format_of(kind)
    if format.kind != "integer":
        function = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}[name]
        return Scalar(function, function, term=f"{name}f")
    wrap, function = format.wrap(), integers.ALIKE[name]
    block = integers.BLOCKS[name] if format.is_native else None
    return Scalar(lambda a, b: wrap(function(a, b)), block)


def extremum(name: str, kind: Attribute, *, ignores_nan: bool = False) -> Scalar:
    """`max` or `min` of numbers of the type KIND; NaN is the result, or ignored."""
    format = format_of(kind)
    if format.kind == "integer":
        function = max if name == "max" else min
        is_plain = format.is_native or format.is_unsigned
        return Scalar(function, {"max": np.maximum, "min": np.minimum}[name] if is_plain else None)
    full_name = f"{name}num" if ignores_nan else f"{name}imum"
    made = floats.extremum(full_name)
    return Scalar(made.number, made.block, term=f"{full_name}f")


class Sums:
    """A tensor that is computed step by step: parts of it are replaced by a step of themselves and others."""

    def __init__(self, machine: Machine, op: Operation, start: Tensor) -> None:
        self._machine = machine
        self._op = op
        self._data = np.array(start.data)
        self._states = np.array(start.known_states())

    def step(self, scalar: Scalar, at: Any, *others: Tensor) -> None:
        """`part = scalar(part, *others)` for the part at the indices AT."""
        part = Tensor(self._data[at])
        part = part.moved(self._data[at], self._states[at])
        (found,) = applied(
            self._machine, self._op, scalar, spread(self._op, [part, *others]), [self._data.dtype]
        )
        if found.data.dtype == object:
            self._data, _ = alike(self._data, found.data)
        assign(self._data, at, found.data)
        self._states[at] = found.known_states()

    def product(self, add: Scalar, multiply: Scalar, at: Any, left: Tensor, right: Tensor) -> None:
        """`part = part + left * right`, both rounded."""
        dtypes = [self._data.dtype]
        (found,) = applied(self._machine, self._op, multiply, spread(self._op, [left, right]), dtypes)
        self.step(add, at, found)

    def tensor(self) -> Tensor:
        """What has been computed."""
        return Tensor(self._data).moved(self._data, self._states)


def taken(source: Tensor, at: Any) -> Tensor:
    """The part of SOURCE at the indices AT."""
    return source.rearranged(lambda data: np.asarray(data[at]))


def folded(
    machine: Machine, op: Operation, scalar: Scalar, start: Tensor | None, source: Tensor, axes: Sequence[int]
) -> Tensor:
    """START and the elements of SOURCE along AXES, in row-major order; the axes stay, of size 1.

    Without START, the first elements begin.
    """
    dims = [None if d in axes else d for d in range(len(source.shape))]
    if first_deferred(source, start) is not None:
        shape = [1 if d in axes else n for d, n in enumerate(source.shape)]
        sources = [(source, dims), *([(start, range(len(shape)))] if start is not None else [])]

        def compute(part: Tensor, begin: Tensor | None = None) -> Tensor:
            return folded(machine, op, scalar, begin, part, axes)

        return along_lines(op, shape, dtype_of(source), sources, compute)
    sizes = [source.shape[axis] for axis in axes]
    machine.takes_steps(op, int(np.prod(sizes, dtype=np.int64)))
    sums = None if start is None else Sums(machine, op, start)
    for at in itertools.product(*map(range, sizes)):
        index: list[slice] = [slice(None)] * len(source.shape)
        for axis, k in zip(axes, at, strict=True):
            index[axis] = slice(k, k + 1)
        part = taken(source, tuple(index))
        if sums is None:
            sums = Sums(machine, op, part)
        else:
            sums.step(scalar, ..., part)
    if sums is None:
        raise Undefined(op, Defect.CONTRACT, "a fold of no elements without a start")
    return sums.tensor()


def window(size: int, result: int, stride: int, first: int) -> tuple[slice, slice]:
    """Where `first + stride * r` is an index below SIZE, for r below RESULT: the r, and the indices.

    >>> window(4, 3, 2, -1)
    (slice(1, 3, None), slice(1, 4, 2))
    """
    low = max(0, -(first // stride))
    high = max(low, min(result, (size - 1 - first) // stride + 1))
    if low == high:
        return slice(0, 0), slice(0, 0)
    return slice(low, high), slice(first + stride * low, first + stride * (high - 1) + 1, stride)
