"""Affine maps that divide by variables, and digits of an index in a basis of variables, at their operands.

What determines them, what bounds them (`1000 mod s0` has no affine form), and what maps, sets and bases
require: divisors and sizes that are at least 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
)

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, NotAffine, constant, maximum, minimum, value_of
from volcli.language.questions import FloorQuotients, ResultCases, determined, requires, value_facts
from volcli.language.reads import Conjunction, Disjunction
from volcli.limits import dialects as limits
from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp
from volcli_dialects.affine.memory import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
from volcli_dialects.cases.sizes import mixed


def dims_and_symbols(
    map_: AffineMap | AffineSet, operands: Sequence[SSAValue]
) -> tuple[list[Expression], list[Expression]]:
    """The values of OPERANDS as the dims and the symbols of a map; raises NotAffine if there are others."""
    values = [value_of(operand) for operand in operands]
    if len(values) != map_.num_dims + map_.num_symbols:
        raise NotAffine("the map does not fit the operands")
    return values[: map_.num_dims], values[map_.num_dims :]


def applied(map_: AffineMap, operands: Sequence[SSAValue]) -> tuple[Expression, ...]:
    """The results of a map at OPERANDS."""
    at = dims_and_symbols(map_, operands)
    return tuple(evaluate(result, *at) for result in map_.results)


def basis_of(op: DelinearizeIndexOp | LinearizeIndexOp, count: int) -> list[Expression | None]:
    """The size of the basis at each of COUNT digits; None for the outermost where it has none."""
    sizes = mixed(op.static_basis, op.dynamic_basis)
    if len(sizes) not in (count, count - 1):
        raise NotAffine("the basis does not fit the digits")
    return [*[None] * (count - len(sizes)), *sizes]


def inner_basis(op: DelinearizeIndexOp | LinearizeIndexOp, count: int) -> list[Expression]:
    """The sizes of COUNT digits but the outermost."""
    return [size for size in basis_of(op, count)[1:] if size is not None]


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
def determined_by_map(op: ApplyOp | MinOp | MaxOp) -> Sequence[ResultCases]:
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


Evaluation = Callable[[AffineExpr], Expression]


@dataclass(frozen=True)
class Sides:
    """Expressions that are not above a number, and expressions that are not below it."""

    lower: tuple[Expression, ...] = ()
    upper: tuple[Expression, ...] = ()

    def plus(self, other: Sides) -> Sides:
        """The sum of both numbers."""
        lower = tuple(a + b for a in self.lower for b in other.lower)
        upper = tuple(a + b for a in self.upper for b in other.upper)
        return Sides(lower[: limits.SEMIAFFINE_SIDES], upper[: limits.SEMIAFFINE_SIDES])

    def times(self, factor: int) -> Sides:
        """A multiple of the number; a negative factor exchanges the sides."""
        lower, upper = tuple(a * factor for a in self.lower), tuple(a * factor for a in self.upper)
        return Sides(lower, upper) if factor >= 0 else Sides(upper, lower)

    @property
    def number(self) -> int | None:
        """The one number that is on both sides, if they are known to meet."""
        lows = {a.constant for a in self.lower if a.is_constant}
        highs = {a.constant for a in self.upper if a.is_constant}
        return next(iter(lows & highs), None)

    @property
    def is_never_negative(self) -> bool:
        return any(a.is_constant and a.constant >= 0 for a in self.lower)


def sides(expression: AffineExpr, evaluated: Evaluation) -> Sides:
    """`n mod m` is at least 0 and at most m - 1; if n is not negative, all divisions give 0 to n.

    That a divisor is at least 1 is what a map promises: with another one its value is undefined.
    """
    try:
        known = evaluated(expression)
        return Sides((known,), (known,))
    except NotAffine:
        pass
    if not isinstance(expression, AffineBinaryOpExpr):
        return Sides()
    left, right = sides(expression.lhs, evaluated), sides(expression.rhs, evaluated)
    match expression.kind:
        case AffineBinaryOpKind.Add:
            return left.plus(right)
        case AffineBinaryOpKind.Mul:
            factors = ((a, b.number) for a, b in ((left, right), (right, left)))
            return next((a.times(number) for a, number in factors if number is not None), Sides())
        case AffineBinaryOpKind.Mod:
            largest = left.upper if left.is_never_negative else ()
            return Sides((constant(0),), (*(m - 1 for m in right.upper), *largest))
        case AffineBinaryOpKind.FloorDiv | AffineBinaryOpKind.CeilDiv:
            return Sides((constant(0),), left.upper) if left.is_never_negative else Sides()


@value_facts.case(ApplyOp)
def apply_facts(op: ApplyOp) -> Sequence[Conjunction]:
    """The sides of the map's one result."""
    at = dims_and_symbols(op.map.data, op.operands)
    if len(op.map.data.results) != 1:
        raise NotAffine("the map has not one result")
    found = sides(op.map.data.results[0], lambda e: evaluate(e, *at))
    own = value_of(op.result)
    return [(*(own - low for low in found.lower), *(high - own for high in found.upper))]


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
