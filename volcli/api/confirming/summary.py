"""How many facts executions confirm, and what is the matter with the others, in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from volcli.diagnostics.counted import counted
from volcli.facts.fact import Fact

COMPARED = (
    "shapes", "maps", "regions", "zeros", "volumes", "bounds", "allocations", "dependences", "flow", "access",
    "preconditions", "races", "mars", "loops", "dead", "comparisons", "slices",
)  # fmt: skip
"""The questions whose facts executions are compared with."""


def summary(facts: Sequence[Fact], executions: int) -> str:
    """`1 of 3 facts is confirmed by 2 executions; 2 are not executed`, of FACTS after EXECUTIONS."""
    confirmed = sum(fact.confirmed is not None for fact in facts)
    many = f"{confirmed} of {counted(len(facts), 'fact')} {_are(confirmed)} confirmed"
    text = f"{many} by {counted(executions, 'execution')}"
    why = Counter(_why_not(fact) for fact in facts if fact.confirmed is None)
    return "; ".join([text, *(f"{count} {_are(count)} {reason}" for reason, count in sorted(why.items()))])


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _why_not(fact: Fact) -> str:
    """Why no execution confirms FACT."""
    if fact.question not in COMPARED:
        return "of questions that are not compared"
    if fact.certainty.degree == "unknown":
        return "unknown"
    return "under assumptions" if getattr(fact, "assumptions", ()) else "not executed"
