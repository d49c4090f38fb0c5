"""What the functions of a file need of their arguments for their parallel loops to have no race."""

from __future__ import annotations

from collections.abc import Sequence

from volcli.model.function import FunctionModel
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.calls import CallAnswer
from volcli.model.memory.checks.calls.preconditions import Demand, Precondition, is_avoidable
from volcli.model.memory.checks.races.race_answers import RaceAnswer, RaceVerdict
from volcli.model.memory.checks.races.races import Races
from volcli.passes.analyses.function_needs import FunctionNeeds

NO_RACE = "to have no race, "


class RaceNeeds(FunctionNeeds[RaceAnswer]):
    """What functions need for what races for some arguments. What races in any case is no need, but wrong."""

    def own(self, model: FunctionModel) -> Sequence[RaceAnswer]:
        return Races(model.memory, operations=self.operations).all()

    def is_right(self, answer: RaceAnswer | CallAnswer) -> bool:
        if isinstance(answer, CallAnswer):
            return answer.verdict is AccessVerdict.IN_BOUNDS
        return answer.verdict is RaceVerdict.FREE

    def is_right_or_known(self, answer: RaceAnswer | CallAnswer) -> bool:
        if isinstance(answer, RaceAnswer) and not (answer.known and not answer.always):
            return False
        return super().is_right_or_known(answer)

    def is_need(self, model: FunctionModel, answer: RaceAnswer | CallAnswer) -> bool:
        if isinstance(answer, RaceAnswer) or answer.calls is None:
            return not answer.always
        return not answer.always or is_avoidable(model.memory, answer.calls, self.operations)

    def demand(self, model: FunctionModel) -> Demand | None:
        """What is undefined beside races is said by check-accesses."""
        return None


def need_text(name: str, needed: Precondition) -> str:
    """What is said of the function NAME, which has races for some arguments: what is NEEDED of them."""
    if needed.text is None:
        return f"{name} has a race for some arguments"
    if needed.is_necessary:
        doubt = "" if needed.is_sufficient else " (necessary, perhaps not sufficient)"
        return f"{NO_RACE}{name} needs {needed.text}{doubt}"
    known = "" if needed.is_sufficient else ", as far as that is known,"
    return f"{name} has no race{known} if {needed.text} (sufficient, perhaps not necessary)"
