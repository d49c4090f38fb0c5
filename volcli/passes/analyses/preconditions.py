"""What the functions of a file need of their arguments to stay in bounds, and whether callers fulfil it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from xdsl.ir import Operation

from volcli.facts.preconditions import Need, PreconditionFact
from volcli.language.interface import operation_name
from volcli.limits.widths import GREATEST
from volcli.model.function import FunctionModel
from volcli.model.machine import assumptions
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.calls.calls import CallAnswer
from volcli.model.memory.checks.calls.preconditions import Precondition, is_avoidable
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.dependences.naming import site_text
from volcli.model.symbols import symbol_of
from volcli.passes.analyses.function_needs import Checked, FunctionNeeds
from volcli.passes.base import Unit
from volcli.presburger.sets.build import DIM, number


class Functions(FunctionNeeds[AccessAnswer]):
    """What functions need to stay in bounds.

    What is asked of any callers holds of all callers; there may be accesses that are in bounds besides for
    what the calls in the file pass.
    """

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._as_called: dict[Operation, Mapping[int, AccessAnswer]] = {}

    def own(self, memory: Memory) -> Sequence[AccessAnswer]:
        return AccessChecks(memory, operations=self.operations).all()

    def shown(
        self,
        answer: AccessAnswer,
        position: int,
        given: Mapping[str, int],
        all_given: Sequence[AccessAnswer],
    ) -> AccessAnswer | None:
        found = all_given[position] if position < len(all_given) else answer
        if found is answer or not found.always or found.witness is None:
            return None
        witness = replace(found.witness, parameters={**given, **found.witness.parameters})
        return replace(answer, witness=witness)

    def avoided(self, answer: AccessAnswer) -> AccessAnswer:
        return replace(answer, always=False)

    def is_right(self, answer: AccessAnswer | CallAnswer) -> bool:
        return answer.verdict is AccessVerdict.IN_BOUNDS

    def is_need(self, model: FunctionModel, answer: AccessAnswer | CallAnswer) -> bool:
        """What goes out of bounds wherever it runs must not run: that may be up to the arguments."""
        if answer.calls is None:
            return False
        return not answer.always or is_avoidable(model.memory, answer.calls, self.operations)

    def in_bounds_as_called(self, model: FunctionModel) -> Mapping[int, AccessAnswer]:
        """What is in bounds for what all calls pass, and not for all arguments; by position."""
        function = model.function
        if function not in self._as_called:
            checked = self.of(function)
            accesses = () if checked is None else checked.own
            self._as_called[function] = _in_bounds_as_called(model, accesses, self.operations)
        return self._as_called[function]

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
            self.is_fulfilled(model.function),
            tuple(self._need(model, each) for each in _in_order(model, checked)),
            assumptions(model, lambda other: self._says(other, needed)),
        )

    def _says(self, model: FunctionModel, needed: Precondition) -> bool:
        """Whether the function needs just what is NEEDED in MODEL, in which arithmetic may wrap around."""
        found = self.checked(model).needed
        if found is None or found.arguments != needed.arguments:
            return False
        within = found.callable  # sizes have 64 bits, too
        for position in range(within.dim(DIM.set)):
            within = within.upper_bound_val(DIM.set, position, number(GREATEST))
        pairs = ((found.necessary, needed.necessary), (found.sufficient, needed.sufficient))
        return all(one.intersect(within).is_equal(two.intersect(within)) for one, two in pairs)

    def _need(self, model: FunctionModel, each: AccessAnswer | CallAnswer) -> Need:
        if isinstance(each, CallAnswer):
            element, condition, op = f"call of @{symbol_of(each.called)}", each.precondition.text, each.op
        else:
            op = each.site.op
            element, condition = site_text(model.memory, each.site), each.condition
        return Need(f"{operation_name(op)} {element}", self._unit.parsed.written_at(op), condition)


def _in_bounds_as_called(
    model: FunctionModel, accesses: Sequence[AccessAnswer], operations: int
) -> Mapping[int, AccessAnswer]:
    """Which of ACCESSES are in bounds for what all calls pass, and not for all arguments; by position."""
    open_ones = {
        position for position, each in enumerate(accesses) if each.verdict is not AccessVerdict.IN_BOUNDS
    }
    if not open_ones or model.as_called is model:
        return {}
    called = AccessChecks(model.as_called.memory, operations=operations).all()
    if len(called) != len(accesses):
        return {}
    return {p: called[p] for p in open_ones if called[p].verdict is AccessVerdict.IN_BOUNDS}


def _in_order(model: FunctionModel, checked: Checked[AccessAnswer]) -> list[AccessAnswer | CallAnswer]:
    """What a function needs something for, in the order of the text."""
    place = model.memory.bounds.definitions.place
    return sorted(
        checked.some, key=lambda each: place(each.op if isinstance(each, CallAnswer) else each.site.op)
    )
