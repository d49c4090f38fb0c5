"""What affine maps, sets and bases require: divisors and sizes that are at least 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, value_of
from volcli.language.questions import requires
from volcli.language.reads import Disjunction
from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp
from volcli_dialects.affine.memory import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
from volcli_dialects.affine.quotients import dims_and_symbols
from volcli_dialects.cases.sizes import mixed

_DIVISIONS = (AffineBinaryOpKind.Mod, AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv)


def divisors(expressions: Iterable[AffineExpr]) -> Iterator[AffineExpr]:
    """What EXPRESSIONS divide by, apart from numbers."""
    left = list(expressions)
    while left:
        each = left.pop()
        if not isinstance(each, AffineBinaryOpExpr):
            continue
        left += [each.lhs, each.rhs]
        if each.kind in _DIVISIONS and not isinstance(each.rhs, AffineConstantExpr):
            yield each.rhs


@requires.case(ApplyOp, MinOp, MaxOp)
def applied_divisors(op: ApplyOp | MinOp | MaxOp) -> list[Disjunction] | None:
    """All divisors of the map. Raises NotAffine if one is a quotient itself."""
    return _are_positive(op.map.data.results, *dims_and_symbols(op.map.data, op.operands))


@requires.case(ForOp)
def divisors_of_bounds(op: ForOp) -> list[Disjunction]:
    """Those of both bounds."""
    lower, upper = op.lower_bound_map.data, op.upper_bound_map.data
    return [
        *_are_positive(lower.results, *dims_and_symbols(lower, op.lower_bound_operands)),
        *_are_positive(upper.results, *dims_and_symbols(upper, op.upper_bound_operands)),
    ]


@requires.case(IfOp)
def divisors_of_conditions(op: IfOp) -> list[Disjunction]:
    """Those of the set's constraints."""
    sides = (side for each in op.condition.data.constraints for side in (each.lhs, each.rhs))
    return _are_positive(sides, *dims_and_symbols(op.condition.data, op.arguments))


@requires.case(ParallelOp, LoadOp, StoreOp, VectorLoadOp, VectorStoreOp, PrefetchOp)
def divides_by_numbers(op: Operation) -> list[Disjunction] | None:
    """Nothing, if all divisors of its maps are numbers; else it is not decided."""
    maps = (each.data for each in op.properties.values() if isinstance(each, AffineMapAttr))
    found = (divisor for each in maps for divisor in divisors(each.results))
    return [] if next(found, None) is None else None


def _are_positive(
    expressions: Iterable[AffineExpr], dims: Sequence[Expression], symbols: Sequence[Expression]
) -> list[Disjunction]:
    found = (evaluate(each, dims, symbols) for each in divisors(expressions))
    return [((each - 1,),) for each in found]


@requires.case(LinearizeIndexOp)
def digits_are_inside(op: LinearizeIndexOp) -> list[Disjunction]:
    """`disjoint`: each digit is below its size, and only the outermost one may be negative."""
    if not op.is_disjoint:
        return []
    digits, sizes = [value_of(digit) for digit in op.multi_index], _basis(op)
    inner = [((digit,),) for digit in digits[1:]]
    pairs = zip(reversed(digits), reversed(sizes), strict=False)
    return [*inner, *(((size - 1 - digit,),) for digit, size in pairs)]


def _basis(op: DelinearizeIndexOp | LinearizeIndexOp) -> list[Expression]:
    return list(mixed(op.static_basis, op.dynamic_basis))


# No size of the basis is 0 or negative.
requires.case(DelinearizeIndexOp)(lambda op: [((size - 1,),) for size in _basis(op) if not size.is_constant])
