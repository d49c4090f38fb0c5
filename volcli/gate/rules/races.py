"""V207: iterations of a parallel loop, or points of an operation on buffers, that race."""

from __future__ import annotations

from collections.abc import Iterator

from volcli.facts.races import RaceFact
from volcli.gate.analysed import Analysed
from volcli.gate.finding import Finding
from volcli.passes.analyses.check_races import race_text


def race(analysed: Analysed) -> Iterator[Finding]:
    """Each loop with a race; the witness is the first two iterations, and the element."""
    for fact in analysed.facts(RaceFact):
        if fact.verdict == "race":
            yield analysed.finding(
                "V207",
                analysed.operation(fact.where),
                race_text(fact),
                subject=fact.subject,
                witness=fact.pairs[0].to_json()["witness"],
            )
