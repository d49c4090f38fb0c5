"""At which loop points does a statement compute the number zero?

The scalar computation of a statement is evaluated over the question "is it zero here": a product is zero
where a factor is, a sum where all terms are, a select where its chosen branch is. For an accumulation the
accumulator counts as what its initial value is: if every point keeps zero zero, the sum is zero.

Example: for `yield (in * w + acc)` with `in` zero at h < 1 and `acc` zero everywhere: the points with h < 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

from xdsl.ir import OpResult, SSAValue

from volcli import questions
from volcli.expressions import Index
from volcli.model.parts import Part, intersection, union
from volcli.model.relations import Statement
from volcli.questions import Vanishing


def zero_points(statement: Statement, zero_of: Callable[[SSAValue], Part], scalar: SSAValue | None) -> Part:
    """The loop points of STATEMENT at which SCALAR, a value of its body, is the number 0.

    `zero_of` says which elements of a volume are known to be zero. Without a scalar the statement copies.
    """
    evaluation = _Evaluation(statement, zero_of)
    if scalar is not None:
        return evaluation.scalar(scalar)
    if len(statement.reads) != 1:
        return False
    (read,) = statement.reads
    return evaluation.access(read.operand, read.index)


@dataclass
class _Evaluation:
    """The scalars of one statement's body, each evaluated once."""

    statement: Statement
    zero_of: Callable[[SSAValue], Part]
    known: dict[SSAValue, Part] = field(default_factory=dict[SSAValue, Part])

    def access(self, operand: SSAValue, index: tuple[Index, ...]) -> Part:
        zero = self.zero_of(operand)
        return zero if isinstance(zero, bool) else self.statement.points_at(operand, index, zero)

    def scalar(self, value: SSAValue) -> Part:
        if value not in self.known:
            access = self.statement.scalars.get(value)
            self.known[value] = self._operation(value) if access is None else self.access(*access)
        return self.known[value]

    def _operation(self, value: SSAValue) -> Part:
        if not isinstance(value, OpResult):
            return False
        op = value.op
        if questions.constant_fill.answers(type(op)):
            return questions.constant_fill(op) == 0
        rule = questions.vanishing(op)
        if rule is None:
            return False
        operands = op.operands[1:] if rule is Vanishing.BY_CONDITION else op.operands
        parts = [self.scalar(operand) for operand in operands]
        if rule is Vanishing.IF_ANY_OPERAND:
            return reduce(union, parts, False)
        return reduce(intersection, parts, True)
