"""At which loop points does a statement compute the number zero?

The scalar computation of a statement is evaluated over the question "is it zero here": a product is zero
where a factor is, a sum where all terms are, a select where its chosen branch is. To know whether an
accumulated result is zero, its accumulator counts as its initial value: if every point keeps zero zero, the
result is zero.

Example: for `yield (in * w + acc)` with `in` zero at h < 1 and `acc` zero everywhere: the points with h < 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

from xdsl.ir import OpResult, SSAValue

from volcli import questions
from volcli.expressions import Index
from volcli.model.body import backward_slice
from volcli.model.parts import Part, intersection, union
from volcli.model.relations import Statement
from volcli.questions import Vanishing
from volcli.reads import Conjunction


def zero_points(
    statement: Statement,
    zero_of: Callable[[SSAValue], Part],
    scalar: SSAValue | None,
    accumulated: Part | None = None,
) -> Part:
    """The loop points of STATEMENT at which SCALAR, a value of its body, is the number 0.

    `zero_of` says which elements of a volume are known to be zero; `accumulated` at which loop points the
    accumulator stays zero if it is at first, None for all. Without a scalar the statement copies.
    """
    evaluation = _Evaluation(statement, zero_of, accumulated)
    if scalar is not None:
        return evaluation.in_order(scalar)
    if len(statement.reads) != 1:
        return False
    (read,) = statement.reads
    return evaluation.access(read.operand, read.index)


@dataclass
class _Evaluation:
    """The scalars of one statement's body, each evaluated once."""

    statement: Statement
    zero_of: Callable[[SSAValue], Part]
    accumulated: Part | None
    known: dict[SSAValue, Part] = field(default_factory=dict[SSAValue, Part])

    def in_order(self, value: SSAValue) -> Part:
        """`scalar(value)`, its operands first: a long body is no deep recursion."""
        block = value.op.parent if isinstance(value, OpResult) else None
        if block is not None:
            for each in backward_slice(value, block, self.statement.scalars):
                self.scalar(each)
        return self.scalar(value)

    def access(self, operand: SSAValue, index: tuple[Index, ...]) -> Part:
        zero = self.zero_of(operand)
        return zero if isinstance(zero, bool) else self.statement.points_at(operand, index, zero)

    def scalar(self, value: SSAValue) -> Part:
        if value not in self.known:
            self.known[value] = self._scalar(value)
        return self.known[value]

    def _scalar(self, value: SSAValue) -> Part:
        source = self.statement.source
        if value in source.accumulators:
            if value is not source.accumulator:
                return False
            initially = self.access(*self.statement.scalars[value])
            return initially if self.accumulated is None else intersection(initially, self.accumulated)
        access = self.statement.scalars.get(value)
        return self._operation(value) if access is None else self.access(*access)

    def _operation(self, value: SSAValue) -> Part:
        if not isinstance(value, OpResult):
            return False
        op = value.op
        if questions.constant_fill.answers(type(op)):
            return questions.constant_fill(op) == 0
        match questions.vanishing(op):
            case Vanishing.IF_ANY_OPERAND:
                return reduce(union, map(self.scalar, op.operands), False)
            case Vanishing.IF_ALL_OPERANDS:
                return reduce(intersection, map(self.scalar, op.operands), True)
            case Vanishing.BY_CONDITION:
                return self._select(value, *op.operands[1:])
            case None:
                return False

    def _select(self, value: SSAValue, if_true: SSAValue, if_false: SSAValue) -> Part:
        yes, no = self.scalar(if_true), self.scalar(if_false)
        split = self.statement.conditions.get(value)
        if split is None or yes is no:
            return intersection(yes, no)
        cases = [(where, yes) for where in split.true] + [(where, no) for where in split.false]
        return reduce(union, (intersection(self._where(where), part) for where, part in cases), False)

    def _where(self, conjunction: Conjunction) -> Part:
        return self.statement.points_where(conjunction) if conjunction else True
