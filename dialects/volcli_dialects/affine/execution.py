"""How the operations of affine execute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir.affine import AffineConstraintKind, AffineMap

from volcli.execution.code.code import Body
from volcli.execution.code.parallel import run_loop, run_parallel
from volcli.execution.elements.access import reader, writer
from volcli.execution.elements.elementwise import beyond_numbers, number
from volcli.execution.elements.operands import Split, function_of, mixed, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.memory.transfers import load_vector, store_vector
from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import format_of
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar, executions, nothing, on_vectors_in_memory
from volcli.execution.walking.walked import (
    ChosenRegion,
    ElementRead,
    ElementWrite,
    IndexResult,
    Repeated,
    mapped,
    walked,
)
from volcli_dialects.affine import execution_of_transfers
from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp
from volcli_dialects.affine.memory import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
from volcli_dialects.cases.memory.combining import combination
from volcli_dialects.syntax.properties import ATOMIC_KINDS

on_vectors_in_memory.case(LoadOp, StoreOp, ForOp, IfOp)(lambda op: True)


@executions.case(ApplyOp, MinOp, MaxOp)
def apply(op: ApplyOp | MinOp | MaxOp) -> Perform:
    """The map's result, or the least or largest of its results."""
    function = function_of(op, op.map.data)
    choose: Callable[[list[int]], int] = min if isinstance(op, MinOp) else max

    def perform(machine: Machine, *operands: Any) -> Any:
        try:
            return choose(function(operands))
        except TypeError:
            numbers(op, operands, "an operand")
            raise

    return perform


@executions.case(ForOp)
def for_loop(op: ForOp) -> Perform:
    """One iteration after the other."""
    split = Split(op.lower_bound_operands, op.upper_bound_operands, op.inits)
    lower, upper = function_of(op, op.lower_bound_map.data), function_of(op, op.upper_bound_map.data)
    step = op.step.value.data

    def perform(machine: Machine, body: Body, *operands: Any) -> Any:
        low, high, carried = split(operands)
        points = range(
            max(lower(numbers(op, low, "a bound"))), min(upper(numbers(op, high, "a bound"))), step
        )
        return run_loop(machine, op, body, points, carried)

    return perform


@executions.case(IfOp)
def branch(op: IfOp) -> Perform:
    """One of the two regions."""
    holds = _condition(op)

    def perform(machine: Machine, one: Body, other: Body | None, *operands: Any) -> Any:
        at = numbers(op, operands, "the condition")
        body = one if holds(at) else other
        return () if body is None else body()

    return perform


_HOLDS: dict[AffineConstraintKind, Callable[[int], bool]] = {
    AffineConstraintKind.eq: lambda difference: difference == 0,
    AffineConstraintKind.ge: lambda difference: difference >= 0,
    AffineConstraintKind.le: lambda difference: difference <= 0,
}


def _condition(op: IfOp) -> Callable[[Sequence[int]], bool]:
    """Whether all constraints hold of the operands, computed in order up to the first that does not."""
    stated = op.condition.data
    of = [
        AffineMap(stated.num_dims, stated.num_symbols, (each.lhs - each.rhs,)) for each in stated.constraints
    ]
    tests = [(_HOLDS[each.kind], function_of(op, m)) for each, m in zip(stated.constraints, of, strict=True)]
    return lambda at: all(holds(difference(at)[0]) for holds, difference in tests)


@executions.case(ParallelOp)
def parallel(op: ParallelOp) -> Perform:
    """The iterations in any order; what each yields is combined."""
    lower, upper = function_of(op, op.lower_bounds_map.data), function_of(op, op.upper_bounds_map.data)
    groups = [list(cast(Any, each).get_values()) for each in (op.lower_bounds_groups, op.upper_bounds_groups)]
    dims = op.lower_bounds_map.data.num_dims + op.lower_bounds_map.data.num_symbols
    steps = [step.value.data for step in op.steps]
    scalars = [_reduction(op, k, each.value.data) for k, each in enumerate(op.reductions)]

    def perform(machine: Machine, body: Body, *operands: Any) -> Any:
        at = numbers(op, operands, "a bound")
        low = [max(each) for each in _grouped(lower(at[:dims]), groups[0])]
        high = [min(each) for each in _grouped(upper(at[dims:]), groups[1])]
        yielded = run_parallel(machine, op, body, list(map(range, low, high, steps)), ())
        found = [_neutral(op, k, each.value.data) for k, each in enumerate(op.reductions)]
        for values in yielded:
            for k, (scalar, value) in enumerate(zip(scalars, values, strict=True)):
                pair = (found[k], value)
                try:
                    found[k] = scalar.number(*pair)
                except TypeError:
                    found[k] = beyond_numbers(machine, op, scalar, pair, results=1)
        return found

    return perform


def _grouped(values: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    found: list[Sequence[int]] = []
    at = 0
    for size in sizes:
        found.append(values[at : at + size])
        at += size
    return found


_BEGINNINGS = {
    "addf": 0.0, "addi": 0, "andi": -1, "maximumf": float("-inf"), "maxnumf": float("nan"), "maxs": "least",
    "maxu": 0, "minimumf": float("inf"), "minnumf": float("nan"), "mins": "largest", "minu": -1, "mulf": 1.0,
    "muli": 1, "ori": 0, "xori": 0,
}  # fmt: skip
"""What each reduction begins with."""


def _reduction(op: ParallelOp, position: int, kind: int) -> Scalar:
    name = ATOMIC_KINDS[kind]
    if name not in _BEGINNINGS:
        raise Unsupported(op, f"a reduction by {name} is not executed")
    return combination(op, name, op.results[position].type)


def _neutral(op: ParallelOp, position: int, kind: int) -> Any:
    begin: Any = _BEGINNINGS[ATOMIC_KINDS[kind]]
    format = format_of(op.results[position].type)
    if begin in ("least", "largest"):
        half = 1 << (format.width - 1)
        begin = -half if begin == "least" else half - 1
    return format.number(begin)


@executions.case(VectorLoadOp)
def vector_load(op: VectorLoadOp) -> Perform:
    """The elements from the map's results on."""
    function, shape = function_of(op, op.map.data), cast("VectorType[Any]", op.result.type).get_shape()

    def perform(machine: Machine, view: MemoryView, *operands: Any) -> Any:
        return load_vector(op, machine, view, function(numbers(op, operands, "an index")), shape)

    return perform


@executions.case(VectorStoreOp)
def vector_store(op: VectorStoreOp) -> Perform:
    """Write the elements from the map's results on."""
    function = function_of(op, op.map.data)

    def perform(machine: Machine, value: Any, view: MemoryView, *operands: Any) -> None:
        store_vector(op, machine, value, view, function(numbers(op, operands, "an index")))

    return perform


@executions.case(DelinearizeIndexOp)
def delinearize_index(op: DelinearizeIndexOp) -> Perform:
    """The digits of an index in a basis; without the outermost entry the first digit is not bounded."""
    basis = mixed(op, op.static_basis, "the basis")

    def perform(machine: Machine, index: Any, *operands: Any) -> Any:
        rest, digits = number(op, index, "the index"), list[int]()
        sizes = basis(operands)
        if any(size <= 0 for size in sizes):
            raise Undefined(op, Defect.CONTRACT, f"the basis {sizes} is not positive")
        inner = sizes[1:] if len(sizes) == len(op.results) else sizes
        for size in reversed(inner):
            digits.append(rest % size)
            rest //= size
        found = [rest, *reversed(digits)]
        return found[0] if len(found) == 1 else found

    return perform


@executions.case(LinearizeIndexOp)
def linearize_index(op: LinearizeIndexOp) -> Perform:
    """The number with these digits in a basis."""
    basis, split = mixed(op, op.static_basis, "the basis"), Split(op.multi_index, op.dynamic_basis)
    wrap = format_of(op.results[0].type).wrap()

    def perform(machine: Machine, *operands: Any) -> Any:
        digits, dynamic = split(operands)
        at, sizes = numbers(op, digits, "an index"), basis(dynamic)
        if op.disjoint is not None:
            bounded = zip(reversed(at), reversed(sizes), strict=False)
            if any(not 0 <= digit < size for digit, size in bounded):
                raise Undefined(op, Defect.CONTRACT, f"the digits {at} are not below the basis {sizes}")
        found, inner = 0, sizes[1:] if len(sizes) == len(at) else sizes
        for digit, size in zip(at, [1, *inner], strict=True):
            found = found * size + digit
        return wrap(found)

    return perform


# The element at the map's results.
executions.case(LoadOp)(lambda op: reader(op, len(op.indices), op.map.data))
# Write the element at the map's results.
executions.case(StoreOp)(lambda op: writer(op, len(op.indices), op.map.data))
executions.case(PrefetchOp)(lambda op: nothing)


# -- for walks back over last writers ----------------------------------------------------------------------


@walked.case(ForOp)
def repeated(op: ForOp) -> Repeated:
    """From the largest lower to below the least upper bound."""
    lower = mapped(op.lower_bound_operands, op.lower_bound_map.data)
    upper = mapped(op.upper_bound_operands, op.upper_bound_map.data)
    return Repeated(lower, upper, op.step.value.data, tuple(op.inits))


@walked.case(IfOp)
def chosen(op: IfOp) -> ChosenRegion:
    """The first region where all constraints hold."""
    return ChosenRegion(_condition(op), tuple(op.operands))


@walked.case(ApplyOp, MinOp, MaxOp)
def applied(op: ApplyOp | MinOp | MaxOp) -> IndexResult:
    """The map's result, or the least or largest of its results."""
    choice = "min" if isinstance(op, MinOp) else "max" if isinstance(op, MaxOp) else ""
    return IndexResult(mapped(op.operands, op.map.data), choice)


# The element at the map's results.
walked.case(LoadOp)(lambda op: ElementRead(op.memref, mapped(op.indices, op.map.data)))
# The element at the map's results.
walked.case(StoreOp)(lambda op: ElementWrite(op.memref, mapped(op.indices, op.map.data), op.value))
