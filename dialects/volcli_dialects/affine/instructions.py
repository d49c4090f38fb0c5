"""What affine's maps cost, as they are written: `affine_map<(d0)[s0] -> (d0 * 2 + s0, 4)>` as a minimum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr

from volcli.language.instructions import Instruction, Instructions
from volcli.language.questions import instructions
from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.loops import ForOp, IfOp, ParallelOp
from volcli_dialects.affine.memory import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp

_OF_KIND = {
    AffineBinaryOpKind.Add: Instruction.ADD,
    AffineBinaryOpKind.Mul: Instruction.MUL,
    AffineBinaryOpKind.Mod: Instruction.MOD,
    AffineBinaryOpKind.FloorDiv: Instruction.DIV,
    AffineBinaryOpKind.CeilDiv: Instruction.DIV,
}


def of_expression(expression: AffineExpr) -> Instructions:
    """What EXPRESSION takes; `d0 - d1`, which is `d0 + d1 * -1`, is one subtraction."""
    if not isinstance(expression, AffineBinaryOpExpr):
        return Counter()
    left, right = expression.lhs, expression.rhs
    if (negated := _negated(expression)) is not None:
        return of_expression(negated) + Counter((Instruction.SUB,))
    if expression.kind is AffineBinaryOpKind.Add:
        for one, other in ((left, right), (right, left)):
            if (negated := _negated(other)) is not None:
                return of_expression(one) + of_expression(negated) + Counter((Instruction.SUB,))
    return of_expression(left) + of_expression(right) + Counter((_OF_KIND[expression.kind],))


def _negated(expression: AffineExpr) -> AffineExpr | None:
    """x, if EXPRESSION is written as -x."""
    match expression:
        case AffineBinaryOpExpr(AffineBinaryOpKind.Mul, inner, AffineConstantExpr(-1)):
            return inner
        case AffineConstantExpr(value) if value < 0:
            return AffineConstantExpr(-value)
        case _:
            return None


def of_results(expressions: Iterable[AffineExpr]) -> Instructions:
    """What all EXPRESSIONS take."""
    return sum(map(of_expression, expressions), Instructions())


def of_extremum(map_: AffineMapAttr) -> Instructions:
    """What the least, or the greatest, result of MAP_ takes."""
    found = of_results(map_.data.results)
    found[Instruction.COMPARE] += max(len(map_.data.results) - 1, 0)
    return found


@instructions.case(ParallelOp)
def parallel_instructions(op: ParallelOp) -> Instructions:
    """The bounds of all dimensions: in a group of k there are k - 1 comparisons."""
    found = of_results((*op.lower_bounds_map.data.results, *op.upper_bounds_map.data.results))
    groups = (*op.lower_bounds_groups.get_values(), *op.upper_bounds_groups.get_values())
    found[Instruction.COMPARE] += sum(size - 1 for size in groups)
    return found


@instructions.case(IfOp)
def if_instructions(op: IfOp) -> Instructions:
    """A comparison for each constraint, and their conjunction."""
    constraints = op.condition.data.constraints
    found = of_results(side for each in constraints for side in (each.lhs, each.rhs))
    found[Instruction.COMPARE] += len(constraints)
    found[Instruction.AND] += max(len(constraints) - 1, 0)
    return found


@instructions.case(LinearizeIndexOp)
def linear_instructions(op: LinearizeIndexOp) -> Instructions:
    """((a * m + b) * n + c): a product and a sum for each digit but the first."""
    digits = max(len(op.multi_index) - 1, 0)
    return Counter({Instruction.MUL: digits, Instruction.ADD: digits})


@instructions.case(DelinearizeIndexOp)
def digit_instructions(op: DelinearizeIndexOp) -> Instructions:
    """A quotient and a remainder for each digit but the first."""
    digits = max(len(op.results) - 1, 0)
    return Counter({Instruction.DIV: digits, Instruction.MOD: digits})


instructions.case(ApplyOp, MinOp, MaxOp)(lambda op: of_extremum(op.map))
# The subscripts.
instructions.case(LoadOp, StoreOp, VectorLoadOp, VectorStoreOp, PrefetchOp)(
    lambda op: of_results(op.map.data.results)
)
# Both bounds.
instructions.case(ForOp)(lambda op: of_extremum(op.lower_bound_map) + of_extremum(op.upper_bound_map))
