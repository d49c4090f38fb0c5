"""What functions need of their arguments, callees first, and whether callers fulfil it: for any kind of need.

Let a function have answers that say in which of its calls something goes wrong: accesses that are out of
bounds, or loops that race. Those that go wrong in some calls are what it needs its arguments for, and calls
of functions that need something themselves are answers like these.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from xdsl.ir import Operation

from volcli.language.unchanged import cached_method
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.calls import CallAnswer, CallChecks, references
from volcli.model.memory.checks.calls.preconditions import Demand, Precondition, demanded, precondition
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import CallArguments
from volcli.model.symbols import functions_called_in, is_private, symbol_of
from volcli.model.values.terms.assumptions import stated
from volcli.model.values.terms.variables import Variable
from volcli.passes.analyses.reached import ReachedArguments
from volcli.passes.base import Unit
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS


class Answer(Protocol):
    """What goes wrong in `calls` of a function; `always` if it does wherever it runs."""

    @property
    def calls(self) -> CallArguments | None: ...
    @property
    def always(self) -> bool: ...


A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, eq=False)
class Checked(Generic[A]):
    """The answers about the operations and the calls of one function, and what they need together.

    Those that go wrong for `some` arguments need something. Nothing is `needed`, or that is more than the
    budget allows (`is_unknown`), or part of it is. `is_known`: of each answer it is known when it goes wrong.
    """

    own: Sequence[A]
    calls: Sequence[CallAnswer]
    some: Sequence[A | CallAnswer]
    needed: Precondition | None
    is_unknown: bool
    is_known: bool

    @property
    def unknown(self) -> str | None:
        """What is not known of what is needed, and why; None if all of it is."""
        if self.is_unknown:
            return "what @{} needs of its arguments"
        left_out = None if self.needed is None else self.needed.because
        return None if left_out is None else f"all that @{{}} needs of its arguments ({left_out})"


class FunctionNeeds(ABC, Generic[A]):
    """The checked functions of a unit. A call of a function that is being checked is part of a recursion:
    nothing is known of it.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._models = {model.function: model for model in unit.of_module()}
        self._checked: dict[Operation, Checked[A] | None] = {}
        self._reached = unit.shared(ReachedArguments)
        self._given: dict[tuple[tuple[Variable, int], ...], Sequence[A]] = {}

    @property
    def operations(self) -> int:
        """The budget of an answer."""
        return self._unit.budget or DEFAULT_OPERATIONS

    @abstractmethod
    def own(self, memory: Memory) -> Sequence[A]:
        """The answers about the operations of the function of MEMORY."""

    @abstractmethod
    def shown(self, answer: A, position: int, given: Mapping[str, int], all_given: Sequence[A]) -> A | None:
        """ANSWER as that of ALL_GIVEN at POSITION, for arguments as GIVEN; None if nothing is wrong there."""

    @abstractmethod
    def avoided(self, answer: A) -> A:
        """ANSWER, which goes wrong wherever it runs: for some arguments only."""

    @abstractmethod
    def is_right(self, answer: A | CallAnswer) -> bool:
        """Whether it is known that nothing goes wrong."""

    @abstractmethod
    def is_need(self, model: FunctionModel, answer: A | CallAnswer) -> bool:
        """Whether an ANSWER that has calls is what its function needs something for."""

    def demand(self, model: FunctionModel) -> Demand | None:
        """What is undefined for arguments that do not fulfil it; asked once."""
        assumed = [each.condition for each in stated(model.function, model.name_of)]
        return demanded(model.memory, assumed, self.operations)

    def of(self, function: Operation) -> Checked[A] | None:
        """What was checked in FUNCTION; None if that is not over, or it is not one of those analysed."""
        if function not in self._checked and function in self._models:
            self._checked[function] = None
            try:
                self._checked[function] = self.checked(self._models[function])
            finally:
                if self._checked[function] is None:
                    del self._checked[function]
        return self._checked.get(function)

    def checked(self, model: FunctionModel) -> Checked[A]:
        """The answers about the function of MODEL."""
        own = self.own(model.memory)
        checks = CallChecks(model.memory, self._needs, self._demands, operations=self.operations)
        calls = list(checks.all())
        answers: list[A | CallAnswer] = [*own, *calls]
        some = [each for each in answers if each.calls is not None and self.is_need(model, each)]
        is_known = all(map(self.is_right_or_known, answers)) and all(
            map(self._is_known, functions_called_in(model.memory.function))
        )
        found = list(dict.fromkeys(each.calls for each in some if each.calls is not None))
        needed = precondition(model.memory, found, self.operations, known=is_known)
        return Checked(own, calls, some, needed, bool(found) and needed is None, is_known)

    def is_right_or_known(self, answer: A | CallAnswer) -> bool:
        """Whether it is known of ANSWER in which calls it goes wrong."""
        return self.is_right(answer) or answer.calls is not None

    def _is_known(self, function: Operation) -> bool:
        checked = self.of(function)
        return checked is not None and checked.is_known and not checked.unknown

    def _needs(self, function: Operation) -> Precondition | None:
        checked = self.of(function)
        return None if checked is None else checked.needed

    @cached_method
    def _demands(self, function: Operation) -> Demand | None:
        model = self._models.get(function)
        return None if model is None else self.demand(model)

    def in_calls(self, model: FunctionModel, position: int, answer: A) -> A:
        """What is to be said of ANSWER, at POSITION, where not any caller may choose the arguments of MODEL.

        What goes wrong wherever it runs does so in an execution: for arguments that some call passes.
        """
        if not answer.always or answer.calls is None:
            return answer
        given = self._reached.arguments(model, answer.calls)
        if given == {}:
            return answer
        memory = None if given is None else model.memory.narrowed(given)
        if given is None or memory is None:
            return self.avoided(answer)
        if self._numbers(given) not in self._given:
            self._given[self._numbers(given)] = self.own(memory)
        texts = {
            model.memory.bounds.texts.of_variable(variable): number for variable, number in given.items()
        }
        shown = self.shown(answer, position, texts, self._given[self._numbers(given)])
        return self.avoided(answer) if shown is None else shown

    @staticmethod
    def _numbers(given: Mapping[Variable, int]) -> tuple[tuple[Variable, int], ...]:
        return tuple(given.items())

    def is_violated(self, model: FunctionModel, call: CallAnswer) -> bool:
        """Whether CALL, in MODEL's function, passes what is wrong wherever it runs, and does run."""
        reached = call.calls is None or self._reached.arguments(model, call.calls) is not None
        return call.always and reached

    # -- callers ---------------------------------------------------------------------------------------

    @cached_property
    def _references(self) -> Mapping[str, Sequence[Operation]]:
        return references(self._unit.parsed.module)

    def calls_of(self, function: Operation) -> list[CallAnswer] | None:
        """The answers about all calls of FUNCTION in its module; None if it has uses without an answer."""
        users = [op for op in self._references.get(symbol_of(function), ()) if op is not function]
        calling = [each for each in self._models if any(each.is_ancestor(user) for user in users)]
        answers = [
            call
            for checked in map(self.of, calling)
            if checked is not None
            for call in checked.calls
            if call.called is function
        ]
        is_all = len(users) == len(set(users)) and set(users) == {
            self._unit.parsed.original(call.op) for call in answers
        }
        return answers if is_all else None

    def _callers(self, function: Operation) -> list[CallAnswer] | None:
        """The answers about all calls of FUNCTION; None if others may call it, or there are none."""
        return (self.calls_of(function) or None) if is_private(function) else None

    def is_fulfilled(self, function: Operation) -> bool:
        """Whether each use of FUNCTION is a call that fulfils what it needs."""
        callers = self._callers(function)
        return callers is not None and all(c.verdict is AccessVerdict.IN_BOUNDS for c in callers)

    def is_answered(self, function: Operation) -> bool:
        """Whether each use of FUNCTION is a call of which it is known when it fulfils what FUNCTION needs."""
        callers = self._callers(function)
        return callers is not None and all(c.verdict is not AccessVerdict.UNKNOWN for c in callers)
