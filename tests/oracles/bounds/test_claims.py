"""volcli's verdicts about claims at several places, against every run of random programs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import pytest

import volcli
from tests.oracles.bounds.claims import DOMAIN, Claim, Drawing, Iteration, Log, Program, holds
from tests.shared.seeds import seeds
from volcli.model.values.terms.answers import Comparison, Verdict

BUDGETS = (None, None, 2000, 200, 30)


def complaints(seed: str, budget: int | None = None) -> Iterator[str]:
    """What is wrong with the verdicts about the program of SEED."""
    program = Drawing(seed).program()
    runs = list(program.runs())
    for claim in program.claims:
        loaded = volcli.load(program.text, assume=program.assumptions, budget=budget)
        found = loaded.compare(claim.text)
        wrong = wrong_with(program, claim, found, [(v, list(claim.outcomes(log))) for v, log in runs])
        if wrong:
            yield f"{seed} {claim.text} {program.assumptions}: {wrong}: {found}\n{program.text}"


Outcomes = list[tuple[Iteration, bool]]


def wrong_with(
    program: Program, claim: Claim, found: Comparison, runs: list[tuple[dict[str, int], Outcomes]]
) -> str | None:
    truths = {truth for _, outcomes in runs for _, truth in outcomes}
    if found.verdict is Verdict.PROVED:
        if False in truths or (found.never and truths):
            return "it fails, or is reached"
    elif found.verdict is Verdict.REFUTED:
        if found.never and True in truths:
            return "it holds at times"
        if found.witness is not None:
            return None if is_witness(program, claim, found.witness) else "the witness is none"
        if False not in truths:
            return "it does not fail"
    elif not found.because:
        return "no reason"
    return wrong_precondition(found, runs, program)


def wrong_precondition(
    found: Comparison, runs: list[tuple[dict[str, int], Outcomes]], program: Program
) -> str | None:
    """Whether the precondition is not sufficient, or not necessary although it says so."""
    if found.precondition is None:
        return None
    for values, outcomes in runs:
        if not program.is_assumed(values):
            continue
        fails = any(not truth for _, truth in outcomes)
        try:
            stated = holds(found.precondition, values)
        except SyntaxError:
            return None
        if stated and fails:
            return f"the precondition does not suffice: {values}"
        if found.weakest and not stated and not fails:
            return f"the precondition is not the weakest: {values}"
    return None


def is_witness(program: Program, claim: Claim, witness: Mapping[str, int]) -> bool:
    """Whether the claim fails in each run of the WITNESS, where induction variables are what it says.

    The arguments that it does not name may be anything that is assumed.
    """
    named = {name.removeprefix("%"): number for name, number in witness.items()}
    free = [name for name in program.arguments if name not in named]
    arguments = {name: named[name] for name in program.arguments if name in named}
    inductions = {name: number for name, number in named.items() if name not in arguments}
    runs = [
        program.run({**arguments, **dict(zip(free, numbers, strict=True))})
        for numbers in itertools.product(DOMAIN, repeat=len(free))
    ]
    return any(runs) and all(fails(claim, log, inductions) for log in runs if log)


def fails(claim: Claim, log: Log, inductions: Mapping[str, int]) -> bool:
    """Whether CLAIM fails in one run where INDUCTIONS have these values, as far as the run has them."""
    for at, truth in claim.outcomes(log):
        where = dict(at)
        if not truth and all(
            any(
                number == n and all(where.get(loop, count) == count for loop, count in other)
                for other, number in log.get(name, [])
            )
            for name, n in inductions.items()
        ):
            return True
    return False


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", seeds(6, of=60))
def test_verdicts_witnesses_and_preconditions(number: int) -> None:
    budget = BUDGETS[number % len(BUDGETS)]
    assert "\n".join(complaints(f"3/{number}", budget)) == ""


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs."""
    for number in range(3000):
        assert "\n".join(complaints(f"4/{number}", BUDGETS[number % len(BUDGETS)])) == ""
