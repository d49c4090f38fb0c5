"""Transfers between memories that run beside the program: started with a tag, and awaited by it.

What is transferred is read at the start. Until the transfer is awaited, its elements of the destination may
be anything: they count as never written. With a stride, the slower memory, which is that of the lower memory
space, is accessed in pieces: `pieces of 4 elements, 16 apart` are the elements 0 to 3, 16 to 19, ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, NoneAttr
from xdsl.ir import Attribute, Operation

from volcli.diagnostics.counted import counted
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import AllocatedMemory, MemoryView, row_major
from volcli.execution.numbers.values import NEVER_SET
from volcli.execution.outcomes import Defect, Undefined, Unsupported


@dataclass(frozen=True)
class TransferPlace:
    """Where a transfer begins in memory, or its tag: the element `index` of `view`, of the type `kind`."""

    view: MemoryView
    index: Sequence[int]
    kind: Attribute

    def space(self, op: Operation) -> int:
        """The number of the memory space. Raises Unsupported if it has another name."""
        space = cast("Any", self.kind).memory_space
        if isinstance(space, NoneAttr):
            return 0
        if not isinstance(space, IntegerAttr):
            raise Unsupported(op, f"whether the memory space {space} is slower than another is unknown")
        return int(cast("Any", space.value).data)

    def element(self, op: Operation) -> tuple[AllocatedMemory, int]:
        """The element itself. Raises Undefined if there is none."""
        return self.view.allocation, self.view.position(op, self.index)

    def positions(self, op: Operation, count: int, stride: int, piece: int) -> list[int]:
        """Those of COUNT elements, row by row, in pieces STRIDE apart. Raises Undefined out of bounds."""
        view = self.view
        if view.strides != row_major(view.sizes):
            raise Unsupported(op, "a transfer of memory that does not lie row by row is not executed")
        first = self.element(op)[1] if count else 0
        found = [first + k // piece * stride + k % piece for k in range(count)]
        if found and not 0 <= min(found) <= max(found) < view.offset + view.count:
            place = f"from {list(self.index)} on leaves memory of {view.count}"
            text = f"a transfer of {counted(count, 'element')} {place}"
            raise Undefined(op, Defect.BOUNDS, text)
        return found


@dataclass(frozen=True)
class TransferInFlight:
    """`values` that `op` has read, for elements of `target`; `tag` is an element that stands for it."""

    op: Operation
    tag: tuple[AllocatedMemory, int]
    target: AllocatedMemory
    positions: Sequence[int]
    values: Sequence[Any]


def start(
    op: Operation,
    machine: Machine,
    source: TransferPlace,
    target: TransferPlace,
    tag: TransferPlace,
    count: int,
    pieces: Sequence[int],
) -> None:
    """Start a transfer of COUNT elements; PIECES: the stride and the size of a piece, or nothing."""
    if count < 0 or (pieces and pieces[1] <= 0):
        raise Undefined(
            op, Defect.CONTRACT, f"a transfer of {counted(count, 'element')} in pieces of {pieces[1:]}"
        )
    ways = [(1, 1), (1, 1)]
    if pieces:
        spaces = [each.space(op) for each in (source, target)]
        if spaces[0] == spaces[1]:
            raise Unsupported(op, "a transfer with a stride between memories of one space is not executed")
        ways[spaces.index(min(spaces))] = (pieces[0], pieces[1])
    reads, writes = (
        each.positions(op, count, *way) for each, way in zip((source, target), ways, strict=True)
    )
    machine.takes_steps(op, count)
    values = [_element(source.view.allocation, at).load(op, (), machine.watch) for at in reads]
    for at in writes:
        _element(target.view.allocation, at).store(op, NEVER_SET, (), machine.watch)
    machine.transfers.append(TransferInFlight(op, tag.element(op), target.view.allocation, writes, values))


def wait(op: Operation, machine: Machine, tag: TransferPlace, count: int) -> None:
    """The oldest transfer with TAG ends. Raises Undefined if there is none, or it has not COUNT elements."""
    element = tag.element(op)
    for each in machine.transfers:
        if each.tag[0] is element[0] and each.tag[1] == element[1]:
            break
    else:
        raise Undefined(op, Defect.CONTRACT, "no transfer with this tag was started")
    if len(each.positions) != count:
        text = (
            f"{counted(count, 'element is', 'elements are')} awaited of a transfer of {len(each.positions)}"
        )
        raise Undefined(op, Defect.CONTRACT, text)
    machine.transfers.remove(each)
    for at, value in zip(each.positions, each.values, strict=True):
        _element(each.target, at).store(op, value, (), machine.watch)


def _element(memory: AllocatedMemory, at: int) -> MemoryView:
    return MemoryView(memory, at, (), ())
