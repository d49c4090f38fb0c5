"""Integers that are one number whatever their operands are.

    arith.minsi %x, %least : i32        is %least, if that is -2^31
    (%x & 1) >> 63                      is 0
    arith.trunci (%x << 32)             is 0, as i32
    arith.cmpi ult, %x, %zero           is false

The bounds of such a result, as the machine computes it and for all arguments, have one number on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.unchanged import cached_method
from volcli.limits import equivalence as limits
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.trust.minimal_assumptions import Assuming
from volcli.presburger.limits.budget import BudgetExceeded


class DecidedIntegers:
    """The results of a FUNCTION's integer arithmetic that are numbers. A question may cost OPERATIONS."""

    def __init__(self, function: Operation, operations: int) -> None:
        self._function = function
        self._operations = operations

    @cached_method
    def number(self, result: OpResult) -> int | None:
        """The number that the scalar RESULT is wherever it is computed; None if it is not known to be one."""
        if not isinstance(result.type, IntegerType) or _is_long(result):
            return None
        for store in self._stores():
            try:
                found = store.constant_bounds(result)
            except (NotAffine, BudgetExceeded):
                continue
            if found.lower is not None and found.lower == found.upper and not found.never:
                return found.lower
        return None

    def _stores(self) -> Iterator[BoundsStore]:
        """What is known of the machine's arithmetic: without what may overflow, then with its remainders."""
        arithmetic = self._assuming.arithmetic
        yield arithmetic.untrusting or self._assuming.store
        if arithmetic.untrusting is not None:
            yield arithmetic.exact

    @cached_property
    def _assuming(self) -> Assuming:
        return Assuming(self._function, lambda _: "", (), self._operations)


def _is_long(result: OpResult) -> bool:
    """Whether RESULT is computed by many products: what bounds it is a polynomial of as high a degree."""
    pending: list[SSAValue] = [result]
    seen = set[SSAValue]()
    count = 0
    while pending:
        value = pending.pop()
        if value in seen or not isinstance(value, OpResult):
            continue
        seen.add(value)
        count += questions.combines(value.op) == "muli"
        if count > limits.DECIDED_PRODUCTS:
            return True
        pending += value.op.operands
    return False
