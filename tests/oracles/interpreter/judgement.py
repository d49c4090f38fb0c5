"""What answers are worth, and smaller programs of which the same is true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

P = TypeVar("P")
FAILURES = ("wrong", "overclaimed", "crash")
WORTHS = ("exact", "sound", "loose", "vacuous", "missed", "unknown", "unchecked", *FAILURES)


@dataclass(frozen=True)
class Judgement:
    """What an answer is worth.

    `exact`; `sound` and `loose`: true, but more can be said, and the answer admits it; `vacuous`: about what is never
    executed; `missed` and `unknown`: nothing is said, in the latter case with a reason; `unchecked`: the oracle
    cannot tell; `wrong`; `overclaimed`: more than the truth, and called exact; `crash`. WHY is what is wrong, or
    the reason for not saying more.
    """

    kind: str
    worth: str
    question: str
    said: str
    why: str | None = None

    @property
    def is_failure(self) -> bool:
        return self.worth in FAILURES


def crash(kind: str, question: str, error: Exception) -> Judgement:
    """The answer that an error took the place of."""
    return Judgement(kind, "crash", question, "", f"{type(error).__name__}: {error}")


def reduced(program: P, simpler: Callable[[P], Iterable[P]], fails: Callable[[P], bool]) -> P:
    """A program that still FAILS, of which no SIMPLER one does.

    >>> reduced(100, lambda n: (n // 2, n - 1), lambda n: n * n > 50)
    8
    """
    while True:
        smaller = next((each for each in simpler(program) if each != program and fails(each)), None)
        if smaller is None:
            return program
        program = smaller
