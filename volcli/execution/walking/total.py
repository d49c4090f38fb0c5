"""Operations on numbers that are defined for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineConstantExpr, AffineMap
from xdsl.traits import IsTerminator

from volcli.execution.table import scalars
from volcli.language.interface import operation_name


def divides_by_operands(affine_map: AffineMap) -> bool:
    """Whether AFFINE_MAP has a divisor that is no positive number."""
    return any(
        isinstance(each, AffineBinaryOpExpr)
        and each.kind.name in ("FloorDiv", "CeilDiv", "Mod")
        and not (isinstance(each.rhs, AffineConstantExpr) and each.rhs.value > 0)
        for result in affine_map.results
        for each in _parts(result)
    )


def _parts(expression: object) -> Iterator[object]:
    waiting = [expression]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, AffineBinaryOpExpr):
            waiting += [each.lhs, each.rhs]


def is_total(op: Operation) -> bool:
    """Whether OP, which computes numbers from numbers, is defined for all of them."""
    if op.has_trait(IsTerminator) or operation_name(op) in ("arith.constant", "linalg.index"):
        return True
    scalar = scalars(op)
    return scalar is not None and all(divides(op.operands[k]) for k in scalar.determined)


def divides(divisor: SSAValue) -> bool:
    """Whether every number of its width can be divided by DIVISOR: a constant, neither 0 nor -1."""
    if not isinstance(divisor, OpResult):
        return False
    value = divisor.op.properties.get("value")
    return isinstance(value, IntegerAttr) and value.value.data not in (0, -1)
