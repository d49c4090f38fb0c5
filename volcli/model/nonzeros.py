"""At which loop points may a statement compute another number than zero?

"May be nonzero" is a property that travels forward like "reads data": a product may be nonzero where all its
factors may, a sum where a term may, a select where its chosen branch may. An accumulated result may be
nonzero where some loop point's contribution may, or its initial value. (The complement, "is zero", would
need all loop points of an element, and so a subtraction in the space of the loops.)

Example: for `yield (in * w + acc)` with `in` zero at h < 1 and `acc` zero at first: the points with h >= 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice

from xdsl.ir import OpResult, SSAValue

from volcli import questions
from volcli.expressions import Index
from volcli.model.body import backward_slice
from volcli.model.parts import Part, intersection, union
from volcli.model.relations import Statement
from volcli.questions import Vanishing
from volcli.reads import Conjunction


def nonzero_points(
    statement: Statement,
    nonzero_of: Callable[[SSAValue], Part],
    scalar: SSAValue | None,
    accumulated: Part = False,
) -> Part:
    """The loop points of STATEMENT at which SCALAR, a value of its body, may be another number than 0.

    `nonzero_of` says which elements of a volume may be; `accumulated` at which loop points the accumulator
    may have become nonzero, beside those where it is at first. Without a scalar the statement copies.
    """
    evaluation = _Evaluation(statement, nonzero_of, accumulated)
    if scalar is not None:
        return evaluation.in_order(scalar)
    if len(statement.reads) != 1:
        return True
    (read,) = statement.reads
    return evaluation.access(read.operand, read.index)


_SHORT = 64
"""Bodies of at most this many operations are followed by recursion, which is cheaper."""


@dataclass
class _Evaluation:
    """The scalars of one statement's body, each evaluated once."""

    statement: Statement
    nonzero_of: Callable[[SSAValue], Part]
    accumulated: Part
    known: dict[SSAValue, Part] = field(default_factory=dict[SSAValue, Part])

    def in_order(self, value: SSAValue) -> Part:
        """`scalar(value)`, its operands first: a long body is no deep recursion."""
        block = value.op.parent if isinstance(value, OpResult) else None
        if block is not None and next(islice(block.ops, _SHORT, None), None) is not None:
            for each in backward_slice(value, block, self.statement.scalars):
                self.scalar(each)
        return self.scalar(value)

    def access(self, operand: SSAValue, index: tuple[Index, ...]) -> Part:
        nonzero = self.nonzero_of(operand)
        return nonzero if isinstance(nonzero, bool) else self.statement.points_at(operand, index, nonzero)

    def scalar(self, value: SSAValue) -> Part:
        if value not in self.known:
            self.known[value] = self._scalar(value)
        return self.known[value]

    def _scalar(self, value: SSAValue) -> Part:
        source = self.statement.source
        if value in source.accumulators:
            if value is not source.accumulator:
                return True
            return union(self.access(*self.statement.scalars[value]), self.accumulated)
        access = self.statement.scalars.get(value)
        return self._operation(value) if access is None else self.access(*access)

    def _operation(self, value: SSAValue) -> Part:
        if not isinstance(value, OpResult):
            return True
        op = value.op
        if questions.constant_fill.answers(type(op)):
            return questions.constant_fill(op) != 0
        rule, truth = questions.vanishing(op), self.statement.conditions.get(value)
        if truth is not None and rule is not Vanishing.BY_CONDITION:
            return reduce(union, map(self._where, truth.true), False)
        match rule:
            case Vanishing.IF_ANY_OPERAND:
                return reduce(intersection, map(self.scalar, op.operands), True)
            case Vanishing.IF_ALL_OPERANDS:
                return reduce(union, map(self.scalar, op.operands), False)
            case Vanishing.BY_CONDITION:
                return self._select(value, *op.operands[1:])
            case None:
                return True

    def _select(self, value: SSAValue, if_true: SSAValue, if_false: SSAValue) -> Part:
        yes, no = self.scalar(if_true), self.scalar(if_false)
        split = self.statement.conditions.get(value)
        if split is None or yes is no:
            return union(yes, no)
        cases = [(where, yes) for where in split.true] + [(where, no) for where in split.false]
        return reduce(union, (intersection(self._where(where), part) for where, part in cases), False)

    def _where(self, conjunction: Conjunction) -> Part:
        return self.statement.points_where(conjunction) if conjunction else True
