"""Operations of numbers where their operands are something else: tensors, terms, poison, or never written."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from volcli.execution.demand.demand import DeferredTensor, defers
from volcli.execution.demand.rules import Pointwise
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import (
    NEVER_SET,
    OF_STATE,
    POISON,
    STATE_OF,
    Array,
    NotANumber,
    PoisonValue,
    States,
    Tensor,
    Unset,
)
from volcli.execution.numbers.values import (
    scalar as scalar_of,
)
from volcli.execution.outcomes import Defect, Stopped, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar, executions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name


def beyond_numbers(
    machine: Machine, op: Operation, scalar: Scalar, values: Sequence[Any], results: int | None = None
) -> Any:
    """The result of OP of VALUES, at least one of which is not a number; so many RESULTS, or all those of OP.

    Poison makes poison, an element never written makes one, and terms make a term. Raises Undefined where an
    operand decides whether the operation is defined at all, as a divisor does; Unsupported if all are numbers
    of types that the operation is not for.
    """
    if scalar.chooses and not isinstance(values[0], NotANumber):
        return scalar.number(*values)
    count = len(op.results) if results is None else results
    for kind, made in ((PoisonValue, POISON), (Unset, NEVER_SET)):
        found = [position for position, value in enumerate(values) if isinstance(value, kind)]
        if not found:
            continue
        if any(position in found for position in scalar.determined):
            raise depends_on(op, made, "a divisor")
        if scalar.determined:  # the dividend may be any number: the divisor must fit all
            least = -(1 << (format_of(op.operands[0].type).width - 1))
            for dividend in (0, least):
                scalar.number(dividend, values[1])
        return made if count == 1 else (made,) * count
    if not any(isinstance(value, FloatTerm) for value in values):
        kinds = ", ".join(dict.fromkeys(type(value).__name__ for value in values))
        raise Unsupported(op, f"{operation_name(op)} is not executed on numbers of these types ({kinds})")
    name, operands = scalar.term or term_name(op), values[: scalar.term_operands]
    if count == 1:
        return machine.terms.of(name, *operands)
    return tuple(machine.terms.of(f"{name}#{k}", *operands) for k in range(count))


def performed(op: Operation) -> Perform | None:
    """The function that performs OP; None without a case. Raises Unsupported for a form that is not known."""
    try:
        return executions(op)
    except NotAffine as error:
        raise Unsupported(op, str(error)) from error


def with_terms(op: Operation, scalar: Scalar, results: int | None = None) -> Callable[..., Any]:
    """A function of the machine and numbers or terms, which decides at once what the operands are.

    It has so many RESULTS, or all those of OP.
    """
    number, chooses = scalar.number, scalar.chooses
    name = scalar.term or term_name(op)
    count = len(op.results) if results is None else results
    is_one = count == 1 and scalar.term_operands is None

    def perform(machine: Machine, *operands: Any) -> Any:
        terms = 0
        for operand in operands:
            if isinstance(operand, NotANumber):
                if type(operand) is not FloatTerm:
                    return beyond_numbers(machine, op, scalar, operands, count)
                terms += 1
        if not terms or (chooses and type(operands[0]) is not FloatTerm):
            return number(*operands)
        if is_one:
            return machine.terms.of(name, *operands)
        return beyond_numbers(machine, op, scalar, operands, count)

    return perform


def depends_on(op: Operation, value: PoisonValue | Unset, what: str) -> Undefined:
    """WHAT, which must be a number, is none."""
    kind = Defect.POISON if isinstance(value, PoisonValue) else Defect.UNINITIALIZED
    return Undefined(op, kind, f"{what} is {value!r}")


def number(op: Operation, value: Any, what: str) -> int:
    """VALUE, an integer that decides how OP goes on or what it accesses: WHAT.

    Raises Undefined if it is poison or was never written, Unsupported if it is a term.
    """
    if isinstance(value, NotANumber):
        raise undetermined(op, value, what)
    return int(value)


def undetermined(op: Operation, value: NotANumber, what: str) -> Stopped:
    """WHAT decides how OP goes on, and its VALUE is not a number."""
    if isinstance(value, PoisonValue | Unset):
        return depends_on(op, value, what)
    return Unsupported(op, f"{what} of {operation_name(op)} depends on the number {value!r}")


def term_name(op: Operation) -> str:
    """What OP is called in terms: its name without the dialect, and the properties that decide its result.

    `arith.mulf` is `mulf`, `arith.cmpf olt` is `cmpf.1`; of casts the type is a part of it.
    """
    parts = [op.name.partition(".")[2]]
    for key, attribute in sorted(op.properties.items()):
        if key not in ("fastmath", "overflowFlags"):
            parts.append(
                attribute.data if isinstance(attribute, StringAttr) else str(attribute).split(" ")[0]
            )
    if op.operands and op.results and op.operands[-1].type != op.results[0].type:
        parts.append(str(op.results[0].type))
    return ".".join(parts)


def on_tensors(op: Operation, scalar: Scalar) -> Callable[..., Any]:
    """OP, which computes numbers, applied to each element of tensors or vectors of one shape."""
    dtypes = [format_of(result.type).dtype for result in op.results]

    def perform(machine: Machine, *operands: Any) -> Any:
        tensors = applied(machine, op, scalar, operands, dtypes)
        return tensors[0] if len(tensors) == 1 else tensors

    return perform


def chosen_memory(op: Operation, scalar: Scalar) -> Callable[..., Any]:
    """OP, a selection of memrefs: the memory as a whole, none of its elements.

    No memref is poison: a condition that is not a number ends the execution, and defines nothing.
    """

    def perform(_: Machine, condition: Any, *memories: Any) -> Any:
        if isinstance(condition, NotANumber):
            raise Unsupported(op, f"the condition of {operation_name(op)} is {condition!r}")
        return scalar.number(condition, *memories)

    return perform


def applied(
    machine: Machine, op: Operation, scalar: Scalar, operands: Sequence[Any], dtypes: Sequence[npt.DTypeLike]
) -> list[Tensor]:
    """SCALAR, a step of OP, of each element of OPERANDS; its results have these DTYPES."""
    shapes = [operand.shape for operand in operands if isinstance(operand, Tensor)]
    if any(shape != shapes[0] for shape in shapes):
        raise Undefined(op, Defect.CONTRACT, f"operands of the shapes {', '.join(map(str, shapes))}")
    if defers(machine, op, operands):

        def compute(parts: Sequence[Any]) -> list[Tensor]:
            return _applied(machine, op, scalar, parts, dtypes)

        rules = [Pointwise(compute, operands, k) for k in range(len(dtypes))]
        pairs = zip(dtypes, rules, strict=True)
        return [DeferredTensor(machine, op, shapes[0], dtype, rule) for dtype, rule in pairs]
    return _applied(machine, op, scalar, operands, dtypes)


def _applied(
    machine: Machine, op: Operation, scalar: Scalar, operands: Sequence[Any], dtypes: Sequence[npt.DTypeLike]
) -> list[Tensor]:
    """The same at once."""
    shape = next(operand.shape for operand in operands if isinstance(operand, Tensor))
    if scalar.block is not None and all(_is_plain(operand) for operand in operands):
        found = scalar.block(*[o.data if isinstance(o, Tensor) else o for o in operands])
        found = found if isinstance(found, tuple) else (found,)
        return [Tensor(np.asarray(each, dtype)) for each, dtype in zip(found, dtypes, strict=True)]
    return _one_by_one(machine, op, scalar, operands, shape, dtypes)


def _is_plain(operand: Any) -> bool:
    """Whether it has numbers alone, of a dtype that numpy computes with."""
    if isinstance(operand, Tensor):
        return operand.states is None and operand.data.dtype != object
    return isinstance(operand, int | np.generic)


def _one_by_one(
    machine: Machine,
    op: Operation,
    scalar: Scalar,
    operands: Sequence[Any],
    shape: tuple[int, ...],
    dtypes: Sequence[npt.DTypeLike],
) -> list[Tensor]:
    """The same, an element at a time."""
    count = int(np.prod(shape, dtype=np.int64))
    columns = [flat_values(o) if isinstance(o, Tensor) else [o] * count for o in operands]
    rows: list[list[Any]] = [[] for _ in dtypes]
    results = len(rows)
    apply = scalar.number
    if machine.options.symbolic:
        machine.takes_steps(op, count)  # terms are made one by one
        apply = partial(with_terms(op, scalar, results), machine)
    for values in zip(*columns, strict=True):
        try:
            found = apply(*values)
        except TypeError:
            found = beyond_numbers(machine, op, scalar, values, results)
        for row, value in zip(rows, found if results > 1 else (found,), strict=True):
            row.append(value)
    return [packed(row, shape, dtype) for row, dtype in zip(rows, dtypes, strict=True)]


def flat_values(tensor: Tensor) -> list[Any]:
    """The elements of TENSOR as values, row by row."""
    values = [scalar_of(each) for each in tensor.data.flat]
    if tensor.states is not None:
        for at, state in enumerate(tensor.states.flat):
            if state:
                values[at] = OF_STATE[int(state)]
    return values


def packed(values: Sequence[Any], shape: tuple[int, ...], dtype: npt.DTypeLike) -> Tensor:
    """The tensor of these VALUES, row by row; of objects if there are terms among them."""
    states: States | None = None
    plain = list(values)
    for at, value in enumerate(values):
        if isinstance(value, PoisonValue | Unset):
            if states is None:
                states = np.zeros(len(plain), np.uint8)
            states[at] = STATE_OF[type(value)]
            plain[at] = 0
    if any(isinstance(value, FloatTerm) for value in plain):
        dtype = object
    data = array_of(plain, dtype).reshape(shape)
    return Tensor(data, None if states is None else states.reshape(shape))


def array_of(values: Sequence[Any], dtype: npt.DTypeLike) -> Array:
    """A flat array of VALUES."""
    data: Array = np.empty(len(values), dtype)
    for at, value in enumerate(values):
        data[at] = value
    return data
