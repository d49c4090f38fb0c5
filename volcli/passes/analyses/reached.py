"""Arguments with which some execution calls a function: of a private one, what calls in the file pass.

Something goes wrong for some arguments. If it is not known who calls the function, a caller may choose them;
if it is, one of the calls must pass them, in a function that some execution calls so that it does.

    func.func private @f(%n: index) { if %n > 4 { ... wrong ... } }
    func.func @g() { call @f(%c1) }                                         nothing is wrong in any execution
    func.func @h(%k: index) { call @f(%k) }                                 it is wrong for %n = 5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation

from volcli.language.expressions import Dim, Value
from volcli.limits import passes as limits
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.callers import Call, Callers
from volcli.model.memory.checks.calls.calls import CallAnswer, CallChecks
from volcli.model.memory.checks.calls.preconditions import Argument, Precondition, precondition
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import CallArguments, without_unknown
from volcli.model.symbols import entry_of
from volcli.model.values.terms.variables import Variable
from volcli.passes.base import Unit
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets.build import DIM


class ReachedArguments:
    """Which arguments the functions of a unit are called with."""

    def __init__(self, unit: Unit) -> None:
        self._callers = Callers(unit.parsed.module, unit.parsed.original)
        self._models = {model.function: model for model in unit.of_module()}
        self._operations = unit.budget or DEFAULT_OPERATIONS

    def may_run(self, model: FunctionModel, op: Operation, depth: int = limits.CALL_DEPTH) -> bool:
        """Whether some execution may get to OP, in the function of MODEL or in its form."""
        if not model.memory.function.is_ancestor(op):
            return True
        try:
            with budget(self._operations):
                instances = model.memory.instances
                points = instances.domains.of(op).points.intersect(instances.domains.reached(op).points)
                runs = without_unknown(model.memory, points).params()
        except BudgetExceeded:
            return True
        is_known = not runs.is_empty() and self._callers.calls(model.function) is not None
        if is_known:
            return self.arguments(model, CallArguments(runs, runs, runs), depth) is not None
        return not runs.is_empty()

    def arguments(
        self, model: FunctionModel, calls: CallArguments, depth: int = limits.CALL_DEPTH
    ) -> Mapping[Variable, int] | None:
        """Arguments that are in CALLS for sure, with which some execution calls the function of MODEL.

        Nothing is said of those that have no part in it, and of none if any caller may choose them. None if
        no such call is known.
        """
        known = self._callers.calls(model.function)
        if known is None:
            return {}
        needed = precondition(model.memory, [calls], self._operations) if depth else None
        if needed is None:
            return None
        for each in (_with_all(model.memory, needed), needed):
            found = self._found(model, known, each, depth) if each.arguments else None
            if found is not None:
                return found
        if needed.arguments or not needed.necessary.is_empty():
            return None
        others = ((self._models.get(call.caller), call.op) for call in known)
        may_run = (other is None or self.may_run(other, op, depth - 1) for other, op in others)
        return {} if any(may_run) else None

    def _found(
        self, model: FunctionModel, known: Sequence[Call], needed: Precondition, depth: int
    ) -> Mapping[Variable, int] | None:
        """Arguments without what is NEEDED that one of the KNOWN calls passes; None if there is none."""
        for caller in dict.fromkeys(call.caller for call in known):
            other = self._models.get(caller)
            if other is None or other is model:
                continue
            for position, each in enumerate(self._answers(other.memory, model.function, needed)):
                values = self._values(other, position, each, (model.function, needed), depth)
                if values is not None:
                    variables = (_variable(model.memory, a) for a in needed.arguments)
                    return dict(zip(variables, values, strict=True))
        return None

    def _answers(self, memory: Memory, called: Operation, needed: Precondition) -> list[CallAnswer]:
        """Whether the calls of CALLED in the function of MEMORY pass what is NEEDED."""
        checks = CallChecks(memory, lambda f: needed if f is called else None, operations=self._operations)
        return [each for each in checks.all() if each.called is called]

    def _values(
        self,
        caller: FunctionModel,
        position: int,
        answer: CallAnswer,
        asked: tuple[Operation, Precondition],
        depth: int,
    ) -> Sequence[int] | None:
        """What the call of ANSWER passes that is wrong, in some execution of CALLER; None if not known."""
        if answer.verdict is not AccessVerdict.OUT_OF_BOUNDS or answer.calls is None:
            return None
        given = self.arguments(caller, answer.calls, depth - 1)
        if given:
            memory = caller.memory.narrowed(given)
            found = [] if memory is None else self._answers(memory, *asked)
            if position >= len(found) or not found[position].always:
                return None
            answer = found[position]
        violation = answer.violation
        return None if given is None or violation is None else [*violation.values.values()]


def _with_all(memory: Memory, needed: Precondition) -> Precondition:
    """What is NEEDED as a condition on all arguments that are numbers: an example may be of any of them."""
    args = entry_of(memory.function).args
    numbers = (Argument(arg.index) for arg in args if isinstance(arg.type, IndexType | IntegerType))
    others = [each for each in numbers if each not in needed.arguments]
    names = (memory.bounds.texts.of_variable(_variable(memory, each)) for each in others)
    necessary, sufficient = (
        each.insert_dims(DIM.set, each.dim(DIM.set), len(others))
        for each in (needed.necessary, needed.sufficient)
    )
    return replace(
        needed,
        arguments=(*needed.arguments, *others),
        names=(*needed.names, *names),
        necessary=necessary,
        sufficient=sufficient,
    )


def _variable(memory: Memory, argument: Argument) -> Variable:
    value = entry_of(memory.function).args[argument.position]
    return Value(value) if argument.dimension is None else Dim(value, argument.dimension)
