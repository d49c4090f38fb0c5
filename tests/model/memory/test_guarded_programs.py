"""What is wrong for sure, where arguments decide it: some execution gets there, and that is shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import volcli
from tests.gate.test_agreement import disagreements
from tests.model.memory.guarded_programs import ALL, Guarded, programs
from volcli.facts.access import AccessFact
from volcli.facts.races import RaceFact
from volcli.passes.base import Unit

PIPELINE = "check-accesses,check-races,memory-flow,check-lifetimes,dependences{loops-only=true}"


def mistakes(program: Guarded) -> Iterator[str]:
    """What is wrong in what is said of PROGRAM."""
    loaded = volcli.load(program.text)
    loaded.run(PIPELINE)
    (unit,) = loaded.units
    yield from disagreements(unit)
    is_said = any(each.code == program.code for each in unit.diagnostics)
    passed = ALL if program.passed is None else program.passed
    happens = [each for each in passed if each in program.wrong]
    if is_said and not happens:
        yield f"{program.code}, and it happens in no execution"
    if is_said and program.passed is None and not program.runs <= program.wrong:
        yield f"{program.code}, and it does not happen for {min(program.runs - program.wrong)}"
    yield from _examples(program, unit, happens)


def _examples(program: Guarded, unit: Unit, happens: list[tuple[int, bool]]) -> Iterator[str]:
    """The witnesses of what is wrong for sure that do not happen."""
    for fact in unit.facts:
        match fact:
            case RaceFact(always=True):
                found = [pair.witness.parameters for pair in fact.pairs if pair.witness is not None]
            case AccessFact(always=True, witness=witness) if witness is not None:
                found = [witness.parameters]
            case _:
                continue
        for given in found:
            is_one = [
                each
                for each in happens
                if given.get("%n", each[0]) == each[0] and given.get("%c", each[1]) == each[1]
            ]
            if not is_one and (program.passed is not None or -2 <= given.get("%n", 0) <= 6):
                yield f"the example {given} does not happen"


@pytest.mark.sample(4)
@pytest.mark.parametrize("number", range(60))
def test_what_is_wrong_for_sure_happens(number: int) -> None:
    *_, program = programs(1, number + 1)
    assert list(mistakes(program)) == [], program.text
