"""V314 and V315: accesses and parallel loops that are proved to be neither right nor wrong.

Said once for each function and reason, as what makes one of them unknown mostly makes many: a loaded index,
memory that a call returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from volcli.facts.access import AccessFact
from volcli.facts.races import RaceFact
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.passes.analyses.check_accesses import did

F = TypeVar("F", AccessFact, RaceFact)


def unknown_accesses(analysed: Analysed) -> Iterator[Finding]:
    """The first access of each function that is not known to be in bounds, for each reason."""
    for first, others, reason in _by_reason(analysed, analysed.facts(AccessFact)):
        message = f"'{first.op}' op {did(first)}, not known to be in bounds{_more(others)}: {reason}"
        yield analysed.finding("V314", analysed.operation(first.where), message, subject=first.subject)


def unknown_races(analysed: Analysed) -> Iterator[Finding]:
    """The first parallel loop of each function that is not known to be free of races, for each reason."""
    for first, others, reason in _by_reason(analysed, analysed.facts(RaceFact)):
        message = f"'{first.op}' op is not known to be free of races{_more(others)}: {reason}"
        yield analysed.finding("V315", analysed.operation(first.where), message, subject=first.subject)


def _by_reason(analysed: Analysed, facts: Iterable[F]) -> Iterator[tuple[F, int, str]]:
    """Of the unknown FACTS of a function with the same reason the first, and how many others there are."""
    alike: dict[tuple[str, str], list[F]] = {}
    for fact in facts:
        if fact.verdict == "unknown":
            function = analysed.function_of(analysed.operation(fact.where))
            alike.setdefault((function, fact.certainty.reason or ""), []).append(fact)
    for (_, reason), members in alike.items():
        yield members[0], len(members) - 1, reason


def _more(others: int) -> str:
    return f" ({others} more)" if others else ""
