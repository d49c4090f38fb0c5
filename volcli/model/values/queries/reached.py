"""Whether an execution reaches a place: proved, refuted, or unknown with a reason."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.model.values.contexts.factors import Factor
from volcli.model.values.terms.answers import Verdict


@dataclass(frozen=True)
class Reached:
    """Whether some execution gets to a place: proved or refuted, or unknown BECAUSE of something.

    `conflict` are the factors that exclude each other where none does.
    """

    verdict: Verdict
    because: str | None = None
    conflict: tuple[Factor, ...] = ()

    @property
    def never(self) -> bool:
        """Whether the place is unreachable; facts about it then hold vacuously."""
        return self.verdict is Verdict.REFUTED
