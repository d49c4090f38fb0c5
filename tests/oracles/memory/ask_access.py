"""volcli's answers about accesses inside and outside of their memrefs, against all runs."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.memory.ask import memory_of, parameters, points
from tests.oracles.memory.execute import TooLargeError
from tests.oracles.memory.judge import WITNESS_LIMIT
from tests.oracles.memory.memrefs import Index
from tests.oracles.memory.programs import Program
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.dependences.model import Memory


def access_judged(program: Program) -> Iterator[Judgement]:
    """What the answers about bounds are worth, one for each access."""
    memory = memory_of(program)
    answers = [answer for answer in AccessChecks(memory).all() if not answer.slice]
    assert len(answers) == len(program.sites), f"{len(answers)} accesses"
    for answer in answers:
        worth, why = _worth(program, memory, answer)
        said = f"{answer.verdict.value} {answer.outside} {answer.witness}"
        yield Judgement("bounds", worth, str(answer.site.number), said, why)


def _worth(program: Program, memory: Memory, answer: AccessAnswer) -> tuple[str, str | None]:
    number = answer.site.number
    expected: dict[Index, set[Index]] = {
        vector: {ivs for site, ivs in truth.out_of_bounds if site == number}
        for vector, truth in program.truths.items()
    }
    if answer.verdict is AccessVerdict.UNKNOWN:
        return ("unknown", answer.because) if answer.because else ("wrong", "unknown without a reason")
    if answer.verdict is AccessVerdict.IN_BOUNDS:
        bad = [vector for vector, true in expected.items() if true]
        return ("wrong", f"{sorted(expected[bad[0]])} at {bad[0]}") if bad else ("exact", None)
    assert answer.outside is not None
    named = parameters(memory, answer.outside, program)
    for vector, true in expected.items():
        said = points(answer.outside, named, vector)
        if true - said or (answer.exact and said != true):
            return "wrong", f"{sorted(said)} for {sorted(true)} at {vector}"
        if (why := _of_calls(program, memory, answer, vector, bool(true))) is not None:
            return "wrong", why
    if not program.parameters and (answer.failing, answer.total) != _counts(program, number):
        return "wrong", f"{answer.failing} of {answer.total} for {_counts(program, number)}"
    return _witness_worth(program, answer)


def _of_calls(
    program: Program, memory: Memory, answer: AccessAnswer, vector: Index, fails: bool
) -> str | None:
    """What is wrong in what is said of a call with these arguments, in which something FAILS or nothing."""
    if answer.calls is None:
        return None
    surely, may = (is_in(program, memory, each, vector) for each in (answer.calls.surely, answer.calls.may))
    if surely and not fails:
        return f"nothing is outside at {vector}"
    return f"something is outside at {vector}" if fails and not may else None


def is_in(program: Program, memory: Memory, arguments: isl.Set, vector: Index) -> bool:
    """Whether the parameters VECTOR are among ARGUMENTS."""
    as_points = isl.Set.from_params(arguments)
    return bool(points(as_points, parameters(memory, as_points, program), vector))


def _counts(program: Program, number: int) -> tuple[int, int]:
    """How many instances of an access are outside, and how many there are."""
    ((_, truth),) = program.truths.items()
    return (
        sum(site == number for site, _ in truth.out_of_bounds),
        sum(instance.site == number for instance in truth.trace),
    )


def _witness_worth(program: Program, answer: AccessAnswer) -> tuple[str, str | None]:
    """Whether the run that the witness names has an access like this."""
    witness = answer.witness
    if witness is None:
        return "wrong", "out of bounds without a witness"
    vector = tuple(witness.parameters.get(name, 1) for name in program.parameters)
    try:
        truth = program.shown(vector, WITNESS_LIMIT)
    except TooLargeError:
        return "unchecked", f"the run {vector} of the witness is too large"
    shown = (answer.site.number, witness.iteration, witness.index, False)
    found = {(each.site, each.ivs, each.index, each.in_bounds) for each in truth.trace}
    return ("exact", None) if shown in found else ("wrong", f"{witness} does not happen")
