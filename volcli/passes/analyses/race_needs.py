"""What the functions of a file need of their arguments for their parallel loops to have no race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from volcli.model.function import FunctionModel
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.calls import CallAnswer
from volcli.model.memory.checks.calls.preconditions import Demand, Precondition, is_avoidable
from volcli.model.memory.checks.races.race_answers import RaceAnswer, RaceVerdict
from volcli.model.memory.checks.races.races import Races
from volcli.model.memory.dependences.answers import Witness
from volcli.model.memory.dependences.model import Memory
from volcli.passes.analyses.function_needs import FunctionNeeds

NO_RACE = "to have no race, "


class RaceNeeds(FunctionNeeds[RaceAnswer]):
    """What functions need for what races for some arguments.

    What races whenever its loops have two iterations is wrong, and no need, if some execution gets there.
    """

    def own(self, memory: Memory) -> Sequence[RaceAnswer]:
        return Races(memory, operations=self.operations).all()

    def shown(
        self, answer: RaceAnswer, position: int, given: Mapping[str, int], all_given: Sequence[RaceAnswer]
    ) -> RaceAnswer | None:
        found = all_given[position] if position < len(all_given) else answer
        if found is answer or not found.always:
            return None
        races = tuple(
            each if each.witness is None else replace(each, witness=_with(each.witness, given))
            for each in found.races
        )
        return replace(answer, races=races)

    def avoided(self, answer: RaceAnswer) -> RaceAnswer:
        return replace(answer, avoided=True)

    def as_called(self, model: FunctionModel) -> Mapping[int, RaceAnswer]:
        """The loops that have no race for what all calls pass, and may have one for other arguments."""
        checked = self.of(model.function)
        own = () if checked is None else checked.own
        if model.as_called is model or all(each.verdict is RaceVerdict.FREE for each in own):
            return {}
        called = self.own(model.as_called.memory)
        if len(called) != len(own):
            return {}
        pairs = enumerate(zip(own, called, strict=True))
        return {k: b for k, (a, b) in pairs if a.verdict is not b.verdict and b.verdict is RaceVerdict.FREE}

    def is_right(self, answer: RaceAnswer | CallAnswer) -> bool:
        if isinstance(answer, CallAnswer):
            return answer.verdict is AccessVerdict.IN_BOUNDS
        return answer.verdict is RaceVerdict.FREE

    def is_right_or_known(self, answer: RaceAnswer | CallAnswer) -> bool:
        if isinstance(answer, RaceAnswer) and not (answer.known and not answer.always):
            return False
        return super().is_right_or_known(answer)

    def is_need(self, model: FunctionModel, answer: RaceAnswer | CallAnswer) -> bool:
        if answer.calls is None or not answer.always:
            return not answer.always
        if isinstance(answer, RaceAnswer) and self._reached.arguments(model, answer.calls) is not None:
            return False
        return is_avoidable(model.memory, answer.calls, self.operations)

    def demand(self, model: FunctionModel) -> Demand | None:
        """What is undefined beside races is said by check-accesses."""
        return None


def _with(witness: Witness, given: Mapping[str, int]) -> Witness:
    return replace(witness, parameters={**given, **witness.parameters})


def need_text(name: str, needed: Precondition) -> str:
    """What is said of the function NAME, which has races for some arguments: what is NEEDED of them."""
    if needed.text is None:
        return f"{name} has a race for some arguments"
    if needed.is_necessary:
        doubt = "" if needed.is_sufficient else " (necessary, perhaps not sufficient)"
        return f"{NO_RACE}{name} needs {needed.text}{doubt}"
    known = "" if needed.is_sufficient else ", as far as that is known,"
    return f"{name} has no race{known} if {needed.text} (sufficient, perhaps not necessary)"
