"""`--verify-diagnostics`: what a file must say, as its comments expect (`frontend.text.expected`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from volcli.diagnostics import Diagnostic
from volcli.frontend.text.expected import expectations

if TYPE_CHECKING:
    from volcli.frontend.text.source import Source


def unmet(sources: Sequence[Source], diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What differs between DIAGNOSTICS and what the comments in SOURCES expect, as diagnostics V290.

    Each expectation matches one diagnostic, and each diagnostic matches one: nothing expected may be missing,
    and nothing said may be unexpected. Empty if all is as expected.
    """
    expected = [e for source in sources for e in expectations(source)]
    notes = [e for e in expected if e.kind == "note"]
    missing = [e for e in notes if not any(e.meets(d) for d in diagnostics)]
    waiting = [e for e in expected if e.kind != "note"]
    differences: list[Diagnostic] = []
    for said in diagnostics:
        met = next((e for e in waiting if e.meets(said)), None)
        if met is not None:
            waiting.remove(met)
        else:
            what = f"unexpected {said.severity.value}: {said.code}: {said.message}"
            differences.append(Diagnostic("V290", what, said.place))
    for e in missing + waiting:
        what = f'expected {e.kind} "{e.text}" was not produced'
        differences.append(Diagnostic("V290", what, e.place))
    return differences
