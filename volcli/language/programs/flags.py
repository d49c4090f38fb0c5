"""Flags of operations that combine values in an order."""

from __future__ import annotations

from xdsl.dialects.utils import FastMathAttrBase, FastMathFlag
from xdsl.ir import Operation

_OF_OPERANDS = frozenset((FastMathFlag.NO_NANS, FastMathFlag.NO_INFS))


def promise_no_order(step: Operation) -> None:
    """Take from STEP what it promises of the sums before it, which are others in another order.

    -1 + 2147483647 + 1 does not overflow from left to right; -1 + (2147483647 + 1) does.
    """
    step.properties.pop("overflowFlags", None)
    flags = step.properties.get("fastmath")
    if isinstance(flags, FastMathAttrBase):
        step.properties["fastmath"] = type(flags)([flag for flag in flags.data if flag not in _OF_OPERANDS])


def promises_order(step: Operation) -> bool:
    """Whether STEP promises something of the sums before it."""
    from xdsl.dialects.arith import IntegerOverflowAttr  # takes 15 ms: only where loops lose their tiles

    flags, math = step.properties.get("overflowFlags"), step.properties.get("fastmath")
    has_flags = isinstance(flags, IntegerOverflowAttr) and bool(flags.data)
    return has_flags or (isinstance(math, FastMathAttrBase) and not _OF_OPERANDS.isdisjoint(math.data))
