"""Definitions of loop-carried values, round by round: each round starts from the definitions of the last one.

A round makes progress if its ranges and sets lie within those of the last one, and one of them is smaller.
"""

from __future__ import annotations

from dataclasses import dataclass

from volcli.limits import values as limits
from volcli.model.values.definitions.cases import Cases
from volcli.model.values.definitions.variable_ranges import VariableRanges
from volcli.model.values.terms.ranges import is_within
from volcli.model.values.terms.tables import Progress
from volcli.model.values.terms.variables import Definition, Variable, unknown
from volcli.presburger.limits.budget import BudgetExceeded, budget


@dataclass(frozen=True)
class LoopStates:
    """What goes around loops, as cuts: the last round's definition of each is given in its iteration."""

    _cases: Cases
    _ranges: VariableRanges

    def nothing(self, key: Variable) -> Definition:
        return unknown(key, ((),), "it is carried by a loop")

    def define(self, key: Variable) -> Definition:
        return self._cases.define(key)

    def is_exact(self, answer: Definition) -> bool:
        return answer.exact

    def progress(self, key: Variable, before: Definition, after: Definition) -> Progress:
        if after.exact:
            return Progress.MORE
        old, new = self._ranges.by(before, key), self._ranges.by(after, key)
        if not is_within(new, old) or not _is_within(before, after):
            return Progress.LESS
        return Progress.THE_SAME if old == new else Progress.MORE


def _is_within(before: Definition, after: Definition) -> bool:
    """Whether the set of AFTER, if both have one, has no point that is not in that of BEFORE."""
    if before.points is None or after.points is None:
        return True
    try:
        with budget(limits.COMPARED_ROUNDS):
            return bool(after.points.points.is_subset(before.points.points))
    except BudgetExceeded:
        return False
