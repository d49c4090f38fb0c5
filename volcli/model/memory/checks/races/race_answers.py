"""What is answered of a parallel loop: race-free, a race with an example, or unknown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Operation

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.checks.races.racing import happens_always, united
from volcli.model.memory.dependences.answers import Witness
from volcli.model.memory.occurrence.certainty import CallArguments


class RaceVerdict(Enum):
    """Three values."""

    FREE = "race-free"
    RACE = "race"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Race:
    """Two accesses to one element in iterations without an order: an example, or why that is unknown.

    There is one in these `calls` of the function; None if it is not known in which.
    """

    first: Site
    second: Site
    witness: Witness | None = None
    because: str | None = None
    calls: CallArguments | None = None


@dataclass(frozen=True, eq=False)
class RaceAnswer:
    """Whether the iterations of OP, or the points of its own loops, race; with what is assumed for that.

    It is `known` if it is known of all pairs of accesses in which calls they race, and `avoided` if no call
    in the file is known in which they do.
    """

    op: Operation
    verdict: RaceVerdict
    races: tuple[Race, ...] = ()
    because: str | None = None
    assumptions: tuple[str, ...] = ()
    known: bool = True
    avoided: bool = False

    @property
    def calls(self) -> CallArguments | None:
        """The calls of the function in which there is a race, as far as they are known; None if none is."""
        found = [race.calls for race in self.races if race.calls is not None]
        return united(found) if found and self.verdict is RaceVerdict.RACE else None

    @property
    def always(self) -> bool:
        """Whether there is a race in all calls in which the loops around it have two iterations each."""
        if self.verdict is not RaceVerdict.RACE or self.avoided:
            return False
        alone = (each.calls for each in self.races if each.calls is not None)
        return any(happens_always(calls) for calls in (*alone, *([self.calls] if self.calls else [])))
