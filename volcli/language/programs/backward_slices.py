"""Backward slices: the values that a value is computed from, operands first."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from xdsl.ir import Block, OpResult, SSAValue

from volcli.language.reads import (
    captured_values,
)


def backward_slice(value: SSAValue, block: Block, stop: Container[SSAValue] = ()) -> list[SSAValue]:
    """VALUE and the values that the operations of BLOCK compute it from, operands first.

    What the values in STOP are computed from is left out.
    """

    def before(current: SSAValue) -> Sequence[SSAValue]:
        if current in stop or not isinstance(current, OpResult) or current.op.parent is not block:
            return ()
        return (*current.op.operands, *captured_values(current.op))

    return operands_first(value, before)


def operands_first(value: SSAValue, before: Callable[[SSAValue], Sequence[SSAValue]]) -> list[SSAValue]:
    """VALUE and all values BEFORE it, each after those before it."""
    order: dict[SSAValue, None] = {}
    begun: set[SSAValue] = set()  # invalid IR may compute a value from itself
    stack: list[tuple[SSAValue, bool]] = [(value, False)]
    while stack:
        current, expanded = stack.pop()
        if expanded:
            order[current] = None
        elif current not in order and current not in begun:
            begun.add(current)
            stack.append((current, True))
            stack.extend((operand, False) for operand in before(current) if operand not in order)
    return list(order)
