"""V212: allocations of memory that are larger than the policy allows, or that nothing bounds.

Asked only where the policy has a budget for them. A tensor is a value, and need not be in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from volcli.diagnostics.counted import counted
from volcli.facts.allocations import AllocationFact
from volcli.facts.fact import assumed
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding


def too_large(analysed: Analysed) -> Iterator[Finding]:
    """Each allocation that may have more bytes than the policy allows."""
    limit = analysed.settings.allocation
    for fact in analysed.facts(AllocationFact):
        if limit is None or fact.lifetime is None or (said := _said(fact, limit)) is None:
            continue
        yield analysed.finding(
            "V212", analysed.operation(fact.where), f"{fact.value} {said}", subject=fact.value
        )


def _said(fact: AllocationFact, limit: int) -> str | None:
    """What is wrong with an allocation."""
    if fact.elements is None:
        return f"has no largest size: {fact.reason}"
    if fact.size is None or fact.size <= limit:
        return None
    return f"allocates up to {counted(fact.size, 'byte')}; the limit is {limit}{assumed(fact.assumptions)}"
