"""What a rule is: the codes that it may give, what it has to have analysed, and a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from volcli.gate.findings.analysed import Analysed
from volcli.gate.findings.finding import Finding


@dataclass(frozen=True)
class Rule:
    """Findings of CODES in what was analysed by PASSES; ASK is a pure function of one chunk of a file.

    There are none in a file whose text does not have one of the words in IF_MENTIONED, if these are some;
    with OR_FOREIGN, operations that volcli does not define itself may be the reason, too.
    """

    codes: tuple[str, ...]
    passes: tuple[str, ...]
    ask: Callable[[Analysed], Iterable[Finding]]
    if_mentioned: tuple[str, ...] = ()
    or_foreign: bool = False

    def concerns(self, text: str, foreign: Sequence[str]) -> bool:
        """Whether there may be findings in a file that is TEXT; with FOREIGN begin foreign operations."""
        words = (*self.if_mentioned, *(foreign if self.or_foreign else ()))
        return not self.if_mentioned or any(word in text for word in words)


def said(
    *codes: str, by: tuple[str, ...] = (), if_mentioned: tuple[str, ...] = (), or_foreign: bool = False
) -> Rule:
    """The rule whose findings are what passes say with CODES themselves."""

    def ask(analysed: Analysed) -> Iterable[Finding]:
        for code in codes:
            for each in analysed.diagnostics(code):
                yield analysed.finding(
                    code, analysed.at(each.place), each.message, place=each.place, note=each.note,
                    trace=each.trace, related=each.related,
                    assumptions=each.assumptions,
                )  # fmt: skip

    return Rule(codes, by, ask, if_mentioned, or_foreign)
