"""What the functions of a file need of their arguments, callees first, and whether callers fulfil it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import Operation

from volcli.facts.preconditions import Need, PreconditionFact
from volcli.language.interface import operation_name
from volcli.model.calling import functions_called_in
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.accesses import AccessAnswer, AccessChecks, AccessVerdict
from volcli.model.memory.checks.calls import CallAnswer, CallChecks, is_private, references
from volcli.model.memory.checks.preconditions import (
    Demand,
    Precondition,
    demanded,
    is_avoidable,
    precondition,
)
from volcli.model.memory.naming import site_text
from volcli.model.symbols import symbol_of
from volcli.passes.base import Unit
from volcli.presburger.budget import DEFAULT_OPERATIONS


@dataclass(frozen=True, eq=False)
class Checked:
    """The answers about the accesses and the calls of one function, and what they need together.

    Those that are out of bounds for `some` arguments need something. Nothing is `needed`, or that is more
    than the budget allows (`is_unknown`). `is_known`: of each access it is known when it is in bounds. What
    is asked of any callers holds of all callers; the accesses `in_bounds_as_called`, by position, are in
    bounds besides for what the calls in the file pass.
    """

    accesses: Sequence[AccessAnswer]
    calls: Sequence[CallAnswer]
    some: Sequence[AccessAnswer | CallAnswer]
    needed: Precondition | None
    is_unknown: bool
    is_known: bool
    in_bounds_as_called: frozenset[int]


class Functions:
    """The checked functions of a unit. A call of a function that is being checked is part of a recursion:
    nothing is known of it.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._models = {model.function: model for model in unit.of_module()}
        self._checked: dict[Operation, Checked | None] = {}
        self._demanded: dict[Operation, Demand | None] = {}

    def of(self, function: Operation) -> Checked | None:
        """What was checked in FUNCTION; None if that is not over, or it is not one of those analysed."""
        if function not in self._checked and function in self._models:
            self._checked[function] = None
            try:
                self._checked[function] = self._check(self._models[function])
            finally:
                if self._checked[function] is None:
                    del self._checked[function]
        return self._checked.get(function)

    def _check(self, model: FunctionModel) -> Checked:
        operations = self._unit.budget or DEFAULT_OPERATIONS
        accesses = AccessChecks(model.memory, operations=operations).all()
        checks = CallChecks(model.memory, self._needs, self._demands, operations=operations)
        calls = list(checks.all())
        answers: list[AccessAnswer | CallAnswer] = [*accesses, *calls]
        some = [
            each
            for each in answers
            if each.calls is not None
            and (not each.always or is_avoidable(model.memory, each.calls, operations))
        ]
        is_known = all(
            each.verdict is AccessVerdict.IN_BOUNDS or each.calls is not None for each in answers
        ) and all(map(self._is_known, functions_called_in(model.memory.function)))
        found = [each.calls for each in some if each.calls is not None]
        needed = precondition(model.memory, found, operations, known=is_known)
        is_unknown = bool(found) and needed is None
        as_called = _in_bounds_as_called(model, accesses, operations)
        return Checked(accesses, calls, some, needed, is_unknown, is_known, as_called)

    def _is_known(self, function: Operation) -> bool:
        checked = self.of(function)
        return checked is not None and checked.is_known and not checked.is_unknown

    def _needs(self, function: Operation) -> Precondition | None:
        checked = self.of(function)
        return None if checked is None else checked.needed

    def _demands(self, function: Operation) -> Demand | None:
        """What the operations of FUNCTION demand of its arguments; found once."""
        if function not in self._demanded:
            model = self._models.get(function)
            operations = self._unit.budget or DEFAULT_OPERATIONS
            self._demanded[function] = None if model is None else demanded(model.memory, operations)
        return self._demanded[function]

    # -- callers ---------------------------------------------------------------------------------------

    @cached_property
    def _references(self) -> Mapping[str, Sequence[Operation]]:
        return references(self._unit.parsed.module)

    def _callers(self, function: Operation) -> list[CallAnswer] | None:
        """The answers about all calls of FUNCTION; None if others may call it, or there are none."""
        if not is_private(function):
            return None
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
        return answers if is_all and answers else None

    def _is_fulfilled(self, function: Operation) -> bool:
        """Whether each use of FUNCTION is a call that fulfils what it needs."""
        callers = self._callers(function)
        return callers is not None and all(c.verdict is AccessVerdict.IN_BOUNDS for c in callers)

    def is_answered(self, function: Operation) -> bool:
        """Whether each use of FUNCTION is a call of which it is known when it fulfils what FUNCTION needs."""
        callers = self._callers(function)
        return callers is not None and all(c.verdict is not AccessVerdict.UNKNOWN for c in callers)

    # -- facts -----------------------------------------------------------------------------------------

    def fact(self, model: FunctionModel) -> PreconditionFact | None:
        """What MODEL's function needs, once all functions are checked; None if it needs nothing."""
        checked = self.of(model.function)
        if checked is None or checked.needed is None:
            return None
        needed = checked.needed
        return PreconditionFact(
            self._unit.where(model, model.function),
            needed.text,
            needed.is_necessary,
            needed.is_sufficient,
            needed.never,
            self._is_fulfilled(model.function),
            tuple(self._need(model, each) for each in _in_order(model, checked)),
        )

    def _need(self, model: FunctionModel, each: AccessAnswer | CallAnswer) -> Need:
        if isinstance(each, CallAnswer):
            element, condition, op = f"call of @{symbol_of(each.called)}", each.precondition.text, each.op
        else:
            op = each.site.op
            element, condition = site_text(model.memory, each.site), each.condition
        return Need(f"{operation_name(op)} {element}", self._unit.parsed.written_at(op), condition)


def _in_bounds_as_called(
    model: FunctionModel, accesses: Sequence[AccessAnswer], operations: int
) -> frozenset[int]:
    """Which of ACCESSES are in bounds for what all calls pass, and not for all arguments; by position."""
    open_ones = {
        position
        for position, each in enumerate(accesses)
        if each.verdict is not AccessVerdict.IN_BOUNDS and not each.always
    }
    if not open_ones or model.as_called is model:
        return frozenset()
    called = AccessChecks(model.as_called.memory, operations=operations).all()
    within = {p for p, each in enumerate(called) if each.verdict is AccessVerdict.IN_BOUNDS}
    return frozenset(open_ones & within) if len(called) == len(accesses) else frozenset()


def _in_order(model: FunctionModel, checked: Checked) -> list[AccessAnswer | CallAnswer]:
    """What a function needs something for, in the order of the text."""
    place = model.memory.bounds.definitions.place
    return sorted(
        checked.some, key=lambda each: place(each.op if isinstance(each, CallAnswer) else each.site.op)
    )
