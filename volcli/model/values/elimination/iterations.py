"""Values of different iterations in one question: the result of a loop, and what an iteration computes.

A variable of a loop's body stands for one iteration, any of them; the loop's result is what the last one
gives. If the result is determined by what is outside of the loop, the two are related through that. If it is
not (each iteration loads something), our sets relate any iteration to any result, and no execution does:

    %r = scf.for ... iter_args(%a = %c0) { %v = memref.load; %b = maxsi %a, %v; scf.yield %b }      %a <= %r
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.language.loops import While
from volcli.language.programs.blocks import is_inside
from volcli.language.programs.known_loops import is_number_of_loop, known_loop
from volcli.language.unchanged import operations_in
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.variables import Variable, integers_of, variables_of
from volcli.presburger.sets.names import is_function


class Iterations:
    """Which of the variables that a question is about are of different iterations."""

    def __init__(self, elimination: Elimination) -> None:
        self._elimination = elimination
        self._definitions = elimination.definitions
        self._determined: dict[Variable, bool] = {}

    @cached_property
    def _has_results(self) -> bool:
        """Whether there is a loop with results."""
        operations = operations_in(self._definitions.function)
        return any(op.results and questions.loop.answers(type(op)) for op in operations)

    def mixed(self, variables: Iterable[Variable]) -> str | None:
        """Why a set of VARIABLES and what they depend on is not exact: None if it may be."""
        if not self._has_results:
            return None
        found = self._definitions.slice_of(variables)
        for result in found:
            value = result.value
            if not isinstance(value, OpResult) or self._is_determined(result):
                continue
            if any(is_inside(other.value, value.op) for other in found):
                return f"values of different iterations of {operation_name(value.op)}"
        return None

    def _is_determined(self, result: Variable) -> bool:
        """Whether RESULT, if it is that of a loop, is one number for all that its definition refers to."""
        points = self._definitions.definition(result).points
        if points is None:
            return True
        known = self._determined.get(result)
        if known is None:
            known = is_function(points.points, points.names[result])
            self._determined[result] = known
        return known

    def unnumbered(self, op: Operation, variables: Iterable[Variable]) -> Variable | None:
        """What VARIABLES depend on and goes around a loop in OP, not as a function of its iterations."""
        found = (v for v in self._definitions.slice_of(variables) if is_inside(v.value, op))
        return next((v for v in found if not (is_number_of_loop(v.value) or self._is_determined(v))), None)

    def undetermined(self, op: Operation, variables: Iterable[Variable]) -> list[Variable]:
        """What VARIABLES depend on and is determined neither by what is outside of OP, nor by iterations."""
        pending = [v for v in variables if is_inside(v.value, op) and not _goes_through(v)]
        visited = set(pending)
        found: list[Variable] = []
        while pending:
            variable = pending.pop()
            definition = self._definitions.definition(variable)
            if definition.is_leaf:
                found.append(variable)
                continue
            following = [*definition.references]
            if definition.points is not None:
                following += self._carried(variable)
            new = [v for v in following if v not in visited and is_inside(v.value, op)]
            new = [v for v in new if not _goes_through(v)]
            visited.update(new)
            pending += new
        return found

    def _carried(self, variable: Variable) -> Iterator[Variable]:
        """What decides what VARIABLE is in the next iteration of its loop."""
        value = variable.value
        op = value.op if isinstance(value, OpResult) else value.owner.parent_op()
        loop = None if op is None else known_loop(op)
        values: Sequence[SSAValue] = ()
        if isinstance(loop, While):
            values = (*loop.initial, *loop.yielded, loop.condition, *loop.forwarded)
        elif loop is not None:
            values = [v for c in loop.carried for v in (c.initial, c.yielded)]
        for each in values:
            for number in integers_of(each):
                yield from variables_of(self._definitions.resolve(number))


def _goes_through(variable: Variable) -> bool:
    """Whether VARIABLE, which no argument of a region is, goes through all iterations: linalg.index does."""
    value = variable.value
    if not isinstance(value, OpResult):
        return False
    return questions.iterates(value.op) is not None and questions.varies(value.op) is not None
