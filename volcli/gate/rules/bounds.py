"""V203 and V209: accesses and slices out of bounds; functions that always go out of bounds.

Both are said by check-accesses; a finding of V203 has the iteration and the index as its witness.
"""

from __future__ import annotations

from collections.abc import Iterator

from volcli.facts.access import AccessFact
from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding
from volcli.passes.analyses.check_accesses import outside_text


def out_of_bounds(analysed: Analysed) -> Iterator[Finding]:
    """Each access that is out of bounds in some iteration, whatever the arguments are for which it runs."""
    for fact in analysed.facts(AccessFact):
        if fact.always:
            yield analysed.finding(
                "V203",
                analysed.operation(fact.where),
                outside_text(fact),
                subject=fact.subject,
                witness=fact.to_json()["witness"],
                assumptions=fact.assumptions,
            )
