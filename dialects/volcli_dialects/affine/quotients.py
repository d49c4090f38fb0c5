"""What determines maps that divide by variables, and digits of an index in a basis of variables."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import (
    Expression,
    NotAffine,
    maximum,
    minimum,
    value_of,
)
from volcli.language.questions import FloorQuotients, ResultCases, determined
from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.operands import dims_and_symbols, inner_basis


def _evaluated(
    quotients: FloorQuotients,
    expression: AffineExpr,
    dims: Sequence[Expression],
    symbols: Sequence[Expression],
) -> Expression:
    """EXPRESSION over QUOTIENTS."""
    if not isinstance(expression, AffineBinaryOpExpr):
        return evaluate(expression, dims, symbols)
    left, right = (_evaluated(quotients, side, dims, symbols) for side in (expression.lhs, expression.rhs))
    match expression.kind:
        case AffineBinaryOpKind.Add:
            return left + right
        case AffineBinaryOpKind.Mul:
            return left * right
        case AffineBinaryOpKind.Mod:
            return left % right if right.is_constant else left - right * quotients.down(left, right)
        case AffineBinaryOpKind.FloorDiv:
            return quotients.down(left, right)
        case AffineBinaryOpKind.CeilDiv:
            return left.ceildiv(right) if right.is_constant else quotients.up(left, right)


@determined.case(ApplyOp, MinOp, MaxOp)
def applied(op: ApplyOp | MinOp | MaxOp) -> Sequence[ResultCases]:
    """The map's result, or the extremum of them, over quotients."""
    at, quotients = dims_and_symbols(op.map.data, op.operands), FloorQuotients()
    results = [_evaluated(quotients, each, *at) for each in op.map.data.results]
    if not results:
        raise NotAffine("the map has no results")
    found = maximum(*results) if isinstance(op, MaxOp) else minimum(*results)
    return [_equal(value_of(op.result), found, quotients)]


@determined.case(DelinearizeIndexOp)
def digits(op: DelinearizeIndexOp) -> Sequence[ResultCases | None]:
    """The remainder by each size of the basis, from the innermost; the outermost digit is what is left."""
    quotients, left = FloorQuotients(), value_of(op.linear_index)
    found: list[ResultCases | None] = []
    inner = inner_basis(op, len(op.results))
    for result, size in zip(reversed(op.results[1:]), reversed(inner), strict=True):
        quotient = quotients.down(left, size)
        found.append(_equal(value_of(result), left - quotient * size, quotients))
        left = quotient
    found.append(_equal(value_of(op.results[0]), left, quotients))
    return found[::-1]


def _equal(result: Expression, found: Expression, quotients: FloorQuotients) -> ResultCases:
    """RESULT is FOUND; divisors are at least 1: with others, a map and a basis are undefined."""
    positive = tuple(b - 1 for _, b in quotients.floors.values())
    undefined = tuple((-condition - 1,) for condition in positive)
    floors = dict(quotients.floors)
    return ResultCases(((*positive, result - found, found - result),), floors, undefined=undefined)
