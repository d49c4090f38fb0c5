"""Flags of operations that combine values in an order."""

from __future__ import annotations

from xdsl.dialects.utils import FastMathAttrBase, FastMathFlag
from xdsl.ir import Operation


def promise_no_order(step: Operation) -> None:
    """Take from STEP what it promises of the sums before it, which are others in another order.

    -1 + 2147483647 + 1 does not overflow from left to right; -1 + (2147483647 + 1) does.
    """
    step.properties.pop("overflowFlags", None)
    flags = step.properties.get("fastmath")
    if isinstance(flags, FastMathAttrBase):
        ordered = {FastMathFlag.NO_NANS, FastMathFlag.NO_INFS}
        step.properties["fastmath"] = type(flags)([flag for flag in flags.data if flag not in ordered])
