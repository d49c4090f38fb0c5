"""All of volcli's answers about the memory of a program, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.memory import ask
from tests.oracles.memory.ask_access import access_judged
from tests.oracles.memory.ask_flow import flow_judged
from tests.oracles.memory.ask_races import races_judged
from tests.oracles.memory.programs import Program

MORE: dict[str, Callable[[Program], Iterator[Judgement]]] = {
    "flow": flow_judged,
    "bounds": access_judged,
    "race": races_judged,
}


def judged(program: Program) -> Iterator[Judgement]:
    """What volcli's answers about PROGRAM are worth."""
    yield from ask.judged(program)
    for kind, judge in MORE.items():
        try:
            yield from judge(program)
        except Exception as error:  # whatever it is, it belongs in the campaign's report
            yield ask.crash(kind, "all", error)
