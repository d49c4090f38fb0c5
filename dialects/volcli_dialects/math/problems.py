"""What is wrong with operations of math, in the words of mlir-opt 22: only generic form can say two types."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import math
from xdsl.dialects.builtin import IndexType, IntegerType, UnrankedTensorType
from xdsl.ir import Operation

from volcli_dialects.math.ops import MATH_OPS, ClampFOp, ErfcOp
from volcli_dialects.syntax.op_types import truth_of
from volcli_dialects.verification.problems import (
    are_compatible,
    element_of,
    elementwise_problem,
    messages,
    sizes_of,
)


def same_type_problems(op: Operation) -> Iterator[str | None]:
    """All operands and the result have one element type, and shapes that can be equal."""
    kind = op.results[0].type
    for operand in op.operands:
        other = operand.type
        if other is kind or other == kind:
            continue
        left, right = sizes_of(kind), sizes_of(other)
        is_unranked = any(isinstance(each, UnrankedTensorType) for each in (kind, other))
        is_compatible = left is not None and right is not None and are_compatible(left, right)
        if element_of(other) != element_of(kind) or not (is_unranked or is_compatible):
            yield "requires the same type for all operands and results"


def truth_problems(op: Operation) -> Iterator[str | None]:
    """A truth value for each element."""
    if op.results[0].type != truth_of(op.operands[0].type):
        yield "failed to verify that result type has i1 element type and same shape as operands"


for _class in (*math.Math.operations, ErfcOp, ClampFOp):
    if _class is not math.FPowIOp:
        messages(_class)(same_type_problems)
for _class in MATH_OPS:
    if _class.name.startswith("math.is"):
        messages(_class)(truth_problems)


@messages(math.FPowIOp)
def integer_power_problems(op: math.FPowIOp) -> Iterator[str | None]:
    """An exponent for each base."""
    base, exponent = op.lhs.type, op.rhs.type
    if not isinstance(element_of(exponent), IntegerType | IndexType):
        yield f"operand #1 must be signless-integer-like, but got '{exponent}'"
    left, right = sizes_of(base), sizes_of(exponent)
    if (left is None) != (right is None) and not isinstance(base, UnrankedTensorType):
        yield "requires the same shape for all operands and results"
    if left is not None and right is not None and not are_compatible(left, right):
        yield "requires the same shape for all operands and results"
    yield elementwise_problem(op)
