"""All of volcli's answers about the memory of a program, and what they are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.interpreter.judgement import Judgement
from tests.memory_oracle import ask
from tests.memory_oracle.ask_access import access_judged
from tests.memory_oracle.ask_flow import flow_judged
from tests.memory_oracle.ask_races import races_judged
from tests.memory_oracle.programs import Program

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
