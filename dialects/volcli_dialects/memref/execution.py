"""How the operations of memref execute."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from volcli.execution.code.code import Body
from volcli.execution.elements.access import reader, writer
from volcli.execution.elements.elementwise import beyond_numbers
from volcli.execution.elements.operands import Split, numbers
from volcli.execution.memory import dma
from volcli.execution.memory.lifetimes import free
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.memory.views import allocate
from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import format_of
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform, Scalar, executions, nothing, on_vectors_in_memory, performs
from volcli.execution.walking.walked import (
    Allocated,
    Copied,
    ElementRead,
    ElementWrite,
    EndedMemory,
    amounts,
    mapped,
    walked,
)
from volcli.language.memory import is_memref
from volcli_dialects.cases.memory.combining import combination
from volcli_dialects.memref import accesses, execution_of_views
from volcli_dialects.memref.accesses import DmaStartOp, DmaWaitOp, PrefetchOp
from volcli_dialects.syntax.properties import atomic_kind

on_vectors_in_memory.case(
    memref.LoadOp, memref.StoreOp, memref.AllocOp, memref.AllocaOp, memref.DeallocOp, accesses.CopyOp
)(lambda op: True)


@executions.case(memref.LoadOp)
def load(op: memref.LoadOp) -> Perform:
    """The element."""

    return reader(op, len(op.indices))


@executions.case(memref.StoreOp)
def store(op: memref.StoreOp) -> Perform:
    """Write the element."""
    return writer(op, len(op.indices))


@executions.case(memref.AllocOp, memref.AllocaOp)
def alloc(op: memref.AllocOp | memref.AllocaOp) -> Perform:
    """New memory; that of alloca ends with the loop's iteration or the function around it."""
    kind = cast("MemRefType[Any]", op.memref.type)
    is_heap = isinstance(op, memref.AllocOp)
    split = Split(op.dynamic_sizes, op.symbol_operands)

    def perform(machine: Machine, *operands: Any) -> MemoryView:
        sizes = numbers(op, split(operands)[0], "a size")
        view = allocate(op, machine, kind, sizes, is_heap=is_heap)
        if not is_heap:
            machine.stack.append(view.allocation)
        return view

    return perform


@performs(memref.DeallocOp)
def dealloc(op: memref.DeallocOp, machine: Machine, view: MemoryView) -> None:
    """The memory ends."""
    free(op, view)
    machine.gives_back(view.allocation.data.size, view.allocation.data.dtype)


@performs(accesses.CopyOp)
def copy(op: accesses.CopyOp, machine: Machine, source: MemoryView, target: MemoryView) -> None:
    """All elements of one memref to another one of the same sizes."""
    if source.sizes != target.sizes:
        text = f"a copy of the sizes {list(source.sizes)} to memory of {list(target.sizes)}"
        raise Undefined(op, Defect.CONTRACT, text)
    if source.may_share(target) or not target.is_injective:
        _check_order(op, machine, source, target)
    target.write(op, source.read(op, machine.watch), machine.watch)


def _check_order(op: Operation, machine: Machine, source: MemoryView, target: MemoryView) -> None:
    """Raises Undefined if the order in which elements are copied matters: one overwrites another."""
    with machine.watching(op) as watch:
        if watch is None:
            return
        for index in np.ndindex(source.sizes):
            watch.iteration = index
            watch.reads(op, source.allocation, source.position(op, index))
            watch.writes(op, target.allocation, target.position(op, index))


@executions.case(accesses.AtomicRMWOp)
def atomic_rmw(op: accesses.AtomicRMWOp) -> Perform:
    """Combine a value with the element, at once; the result is the element before."""
    scalar = combination(op, atomic_kind(op.kind.value.data), op.result.type)

    def perform(machine: Machine, value: Any, view: MemoryView, *indices: Any) -> Any:
        at = numbers(op, indices, "an index")
        old = view.load(op, at, None)
        try:
            new = scalar.number(value, old)
        except TypeError:
            new = beyond_numbers(machine, op, scalar, (value, old))
        view.store(op, new, at, None)
        if machine.watch is not None:
            machine.watch.updates(op, view.allocation, view.position(op, at))
        return old

    return perform


@performs(accesses.GenericAtomicRMWOp)
def generic_atomic_rmw(
    op: accesses.GenericAtomicRMWOp, machine: Machine, body: Body, view: MemoryView, *indices: Any
) -> Any:
    """The same with the combination of a region; the result is what that yields."""
    at = numbers(op, indices, "an index")
    (new,) = body(view.load(op, at, None))
    view.store(op, new, at, None)
    if machine.watch is not None:
        machine.watch.updates(op, view.allocation, view.position(op, at))
    return new


@performs(memref.AllocaScopeOp)
def alloca_scope(op: memref.AllocaScopeOp, machine: Machine, body: Body) -> Any:
    """The region, after which what memref.alloca made in it ends."""
    depth = len(machine.stack)
    found = body()
    machine.end_scope(op, depth)
    return found


@executions.case(DmaStartOp)
def dma_start(op: DmaStartOp) -> Perform:
    """Elements from one memory to another, until they are awaited."""
    kinds = [each.type for each in op.operands if is_memref(each)]

    def perform(machine: Machine, *operands: Any) -> None:
        rest = list(operands)
        source, target = (_end(op, rest, kind) for kind in kinds[:2])
        (count,) = numbers(op, [rest.pop(0)], "the number of elements")
        tag = _end(op, rest, kinds[2])
        dma.start(op, machine, source, target, tag, count, numbers(op, rest, "the stride"))

    return perform


@performs(DmaWaitOp)
def dma_wait(op: DmaWaitOp, machine: Machine, *operands: Any) -> None:
    """The elements of a transfer are there."""
    rest = list(operands)
    tag = _end(op, rest, op.tag.type)
    dma.wait(op, machine, tag, *numbers(op, rest, "the number of elements"))


def _end(op: Operation, rest: list[Any], kind: Attribute) -> dma.TransferPlace:
    """The memory before the REST of the operands, with as many indices as its rank; both are removed."""
    view, *following = rest
    rank = len(view.sizes)
    rest[:] = following[rank:]
    return dma.TransferPlace(view, numbers(op, following[:rank], "an index"), kind)


executions.case(PrefetchOp)(lambda op: nothing)


# -- for walks back over last writers ----------------------------------------------------------------------


@walked.case(memref.AllocOp, memref.AllocaOp)
def allocated(op: memref.AllocOp | memref.AllocaOp) -> Allocated | None:
    """New memory of the type's sizes, if its elements lie row by row."""
    kind = cast("MemRefType[Any]", op.memref.type)
    return None if op.symbol_operands else Allocated(amounts(kind.get_shape(), op.dynamic_sizes))


@walked.case(accesses.CopyOp)
def copied(op: accesses.CopyOp) -> Copied:
    """All elements."""
    return Copied(op.source, op.destination)


walked.case(memref.LoadOp)(lambda op: ElementRead(op.memref, mapped(op.indices)))  # The element.
walked.case(memref.StoreOp)(lambda op: ElementWrite(op.memref, mapped(op.indices), op.value))  # The element.
walked.case(memref.DeallocOp)(lambda op: EndedMemory(op.memref))  # The memory ends.
