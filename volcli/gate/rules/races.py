"""V207: iterations of a parallel loop, or points of an operation on buffers, that race."""

from __future__ import annotations

from collections.abc import Iterator

from volcli.facts.races import RaceFact
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding


def race(analysed: Analysed) -> Iterator[Finding]:
    """Each loop with a race in any case; the witness is the first two iterations, and the element.

    Of a function that has a race in one loop or another, whatever its arguments are, there is none.
    """
    facts = {fact.place: fact for fact in analysed.facts(RaceFact) if fact.always}
    for each in analysed.diagnostics("V207"):
        fact = facts.get(each.place) if each.place is not None else None
        op = analysed.at(each.place)
        if fact is None:
            yield analysed.finding("V207", op, each.message, place=each.place)
        else:
            witness = fact.pairs[0].to_json()["witness"]
            pair = fact.pairs[0]
            ends = zip((pair.first, pair.second), pair.verbs, strict=True)
            related = [(end.place, f"one iteration {verb} {end.element} here") for end, verb in ends]
            yield analysed.finding(
                "V207", op, each.message, subject=fact.subject, witness=witness, related=related,
                assumptions=fact.assumptions,
            )  # fmt: skip
