"""Affine maps and expressions of MLIR as index expressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from volcli.language.expressions import Expression, constant, loops


def evaluate(
    expression: AffineExpr, dims: Sequence[Expression], symbols: Sequence[Expression] = ()
) -> Expression:
    """EXPRESSION with its dims and symbols replaced by index expressions.

    `(d0 * 2 + s0) floordiv 4` at dims (x,) and symbols (3,) is `(2 * x + 3) floordiv 4`. Semi-affine
    products and divisions stay symbolic products, or raise NotAffine if a divisor is not constant.
    """
    match expression:
        case AffineConstantExpr():
            return constant(expression.value)
        case AffineDimExpr():
            return dims[expression.position]
        case AffineSymExpr():
            return symbols[expression.position]
        case AffineBinaryOpExpr():
            return _binary(
                expression.kind,
                evaluate(expression.lhs, dims, symbols),
                evaluate(expression.rhs, dims, symbols),
            )
        case _:
            raise TypeError(f"not an affine expression: {expression}")


def sums(expression: AffineExpr) -> Iterator[AffineExpr]:
    """The sums and products in EXPRESSION that are not part of another one: what is divided, and the result.

    Modulo 2^64 it does not matter in which order a sum is computed. `(d0 + 1 + s0) floordiv 2 + 5` has two:
    itself and `d0 + 1 + s0`.
    """
    pending = [(expression, False)]
    while pending:
        each, is_part = pending.pop()
        if isinstance(each, AffineBinaryOpExpr):
            adds = each.kind in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
            if adds and not is_part:
                yield each
            pending += [(each.lhs, adds), (each.rhs, adds)]


def _binary(kind: AffineBinaryOpKind, left: Expression, right: Expression) -> Expression:
    match kind:
        case AffineBinaryOpKind.Add:
            return left + right
        case AffineBinaryOpKind.Mul:
            return left * right
        case AffineBinaryOpKind.Mod:
            return left % right
        case AffineBinaryOpKind.FloorDiv:
            return left // right
        case AffineBinaryOpKind.CeilDiv:
            return left.ceildiv(right)


@lru_cache(maxsize=4096)
def over_loops(affine_map: AffineMap) -> tuple[Expression, ...]:
    """The results of AFFINE_MAP (without symbols) over the loops d0, d1, ..."""
    dims = loops(affine_map.num_dims)
    return tuple(evaluate(result, dims) for result in affine_map.results)
