"""What check finds and what the questions of analyze answer go together, in the testdata about memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.ir import Operation

from tests.conftest import ROOT
from volcli.diagnostics import Place
from volcli.facts.access import AccessFact
from volcli.facts.dead import DeadFact
from volcli.facts.fact import Fact
from volcli.facts.flow import ReadFact, WriteFact
from volcli.facts.loops import LoopFact
from volcli.facts.preconditions import PreconditionFact
from volcli.facts.races import RaceFact
from volcli.loading.driver import load
from volcli.passes.base import Unit

FILES = [ROOT / "testdata" / name for name in ("check/V203.mlir", "memory/shifted_rows.mlir")]
"""Of all others, tests/facts/test_facts.py has the facts at hand."""
PIPELINE = "check-accesses,check-races,dependences{loops-only=true},memory-flow,dead-code"
ERRORS = ("V203", "V205", "V207", "V208")


def disagreements(unit: Unit) -> Iterator[str]:
    """Two answers about one operation of UNIT that cannot both be true."""
    said: dict[str, set[Place | None]] = {}
    for each in unit.diagnostics:
        said.setdefault(each.code, set()).add(each.place)
    facts: dict[Operation | None, list[Fact]] = {}
    for fact in unit.facts:
        facts.setdefault(unit.operation(fact.where), []).append(fact)
    for op, found in facts.items():
        if op is None:
            continue
        loops = [each for each in found if isinstance(each, LoopFact)]
        for fact in found:
            here = fact.place
            match fact:
                case DeadFact(kind="loop" | "branch"):
                    for inner in op.regions[fact.region].walk():
                        place = unit.parsed.written_at(inner)
                        if codes := [code for code in ERRORS if place in said.get(code, ())]:
                            yield f"{place}: never runs, and has {codes}"
                case RaceFact(verdict="race") if any(each.kind == "parallel" for each in loops):
                    yield f"{here}: a race in a parallel loop"
                case RaceFact(always=True) if here not in said.get("V207", ()):
                    yield f"{here}: a race in any case, and no finding"
                case RaceFact(verdict="race-free" | "unknown") if here in said.get("V207", ()):
                    yield f"{here}: a finding, and {fact.verdict}"
                case AccessFact(always=True) if here not in said.get("V203", ()):
                    yield f"{here}: out of bounds, and no finding"
                case PreconditionFact(never=False, fulfilled=True) if here in said.get("V204", ()):
                    yield f"{here}: callers fulfil what they are asked for"
                case _:
                    pass
        codes = {code for code, places in said.items() if unit.parsed.written_at(op) in places}
        kinds = {type(each) for each in found}
        if "V206" in codes and not any(isinstance(each, WriteFact) and each.dead for each in found):
            yield f"{unit.parsed.written_at(op)}: a dead store of which something is read"
        if "V205" in codes and not any(isinstance(each, ReadFact) and each.unwritten for each in found):
            yield f"{unit.parsed.written_at(op)}: a read of nothing, of which all is written"
        if (
            "V203" in codes
            and AccessFact in kinds
            and all(each.verdict == "in-bounds" for each in found if isinstance(each, AccessFact))
        ):
            yield f"{unit.parsed.written_at(op)}: a finding, and in bounds"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_finding_contradicts_an_answer(path: Path) -> None:
    program = load(str(path), split=True)
    program.run(PIPELINE)
    assert [each for unit in program.units for each in disagreements(unit)] == []
