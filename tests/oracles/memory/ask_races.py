"""volcli's answers about races, against all runs: every loop is taken as a parallel one."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import UnitAttr

from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.memory.ask import memory_of
from tests.oracles.memory.ask_access import is_in
from tests.oracles.memory.execute import TooLargeError
from tests.oracles.memory.judge import WITNESS_LIMIT
from tests.oracles.memory.programs import Program
from volcli.model.memory.checks.races.races import MARK, Race, RaceAnswer, Races, RaceVerdict
from volcli.model.memory.dependences.model import Memory


def races_judged(program: Program) -> Iterator[Judgement]:
    """What the answers about races are worth, one for each loop."""
    memory = memory_of(program)
    loops = [
        op for op in memory.function.walk() if op is not memory.function and memory.nests.of_operation(op)
    ]
    for op in loops:
        op.attributes[MARK] = UnitAttr()
    answers = {answer.op: answer for answer in Races(memory).all()}
    for number, op in enumerate(loops):
        worth, why = _worth(program, memory, number, answers[op])
        yield Judgement("race", worth, f"loop {number}", answers[op].verdict.value, why)


def _worth(program: Program, memory: Memory, number: int, answer: RaceAnswer) -> tuple[str, str | None]:
    if answer.verdict is RaceVerdict.UNKNOWN:
        return ("unknown", answer.because) if answer.because else ("wrong", "unknown without a reason")
    if answer.verdict is RaceVerdict.FREE:
        bad = [vector for vector, truth in program.truths.items() if number in truth.carrying]
        return ("wrong", f"a race at {bad[0]}") if bad else ("exact", None)
    if (why := _of_calls(program, memory, number, answer)) is not None:
        return "wrong", why
    for race in answer.races:
        worth, why = _witness_worth(program, number, race)
        if worth != "exact":
            return worth, why
    return "exact", None


def _of_calls(program: Program, memory: Memory, number: int, answer: RaceAnswer) -> str | None:
    """What is wrong in what is said of the calls in which the loop NUMBER has a race."""
    calls = answer.calls
    if calls is None:
        return None
    for vector, truth in program.truths.items():
        has_race = number in truth.carrying
        if is_in(program, memory, calls.surely, vector) and not has_race:
            return f"no race at {vector}"
        if has_race and answer.known and not is_in(program, memory, calls.may, vector):
            return f"a race at {vector}"
        if answer.always and not has_race and truth.is_repeated(number):
            return f"no race at {vector}, where the loops around it have two iterations"
    return None


def _witness_worth(program: Program, number: int, race: Race) -> tuple[str, str | None]:
    """Whether the run that the witness names has these two accesses, in two iterations of the loop NUMBER."""
    witness = race.witness
    if witness is None:
        return "wrong", "a race without a witness"
    vector = tuple(witness.parameters.get(name, 1) for name in program.parameters)
    try:
        truth = program.shown(vector, WITNESS_LIMIT)
    except TooLargeError:
        return "unchecked", f"the run {vector} of the witness is too large"
    places = [
        {(x.buffer, x.element) for x in truth.trace if (x.site, x.ivs) == (site.number, iteration)}
        for site, iteration in ((race.first, witness.source), (race.second, witness.sink))
    ]
    if not any(element == witness.element for _, element in places[0] & places[1]):
        return "wrong", f"{witness} does not happen"
    loops = [loop for loop, _ in program.sites[race.first.number].ivs]
    apart = [k for k, (a, b) in enumerate(zip(witness.source, witness.sink, strict=False)) if a != b]
    if not apart or loops[apart[0]] != number:
        return "wrong", f"{witness} are not two iterations of loop {number}"
    return "exact", None
