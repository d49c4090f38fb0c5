"""What a rule is: the codes that it may give, what it has to have analysed, and a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from volcli.gate.analysed import Analysed
from volcli.gate.finding import Finding


@dataclass(frozen=True)
class Rule:
    """Findings of CODES in what was analysed by PASSES; ASK is a pure function of one chunk of a file."""

    codes: tuple[str, ...]
    passes: tuple[str, ...]
    ask: Callable[[Analysed], Iterable[Finding]]


def said(*codes: str, by: tuple[str, ...] = ()) -> Rule:
    """The rule whose findings are what passes say with CODES themselves."""

    def ask(analysed: Analysed) -> Iterable[Finding]:
        for code in codes:
            for each in analysed.diagnostics(code):
                yield analysed.finding(
                    code, analysed.at(each.place), each.message, place=each.place, note=each.note,
                    trace=each.trace,
                )  # fmt: skip

    return Rule(codes, by, ask)
