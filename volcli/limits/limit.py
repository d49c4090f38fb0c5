"""A limit: a number, and what is to be said of it."""

from __future__ import annotations

from typing import Final

OVER_APPROXIMATED: Final = "the answer is over-approximated"
UNKNOWN: Final = "the answer is unknown, or a proof is not tried"
SLOWER: Final = "the same answer, found in another way or more slowly"
TEXT: Final = "shorter output; the same answer"
REFUSED: Final = "refused with a diagnostic"
LEFT: Final = "left as it is"
CLAMPED: Final = "clamped to this number"
UNCHECKED: Final = "rewritten, and not compared with the original (V313)"
"""What becomes of an answer beyond a limit."""
CHOSEN: Final = "chosen"
"""The number was not measured."""


class Limit(int):
    """A number, and its row in the table.

    `unit` says what is counted, `beyond` what happens to an answer that needs more. `measured` is a file of
    this project, the topic of a decision that gives the number (docs/decisions: NNNN-TOPIC.md), or `CHOSEN`.
    `said` is how a reason names the number, as `{}`; `option` is the option of the command line that sets it.

    >>> pieces = Limit(48, "basic sets", OVER_APPROXIMATED, said="more than {} alternatives")
    >>> 50 > pieces, f"{pieces}"
    (True, '48')
    """

    unit: str
    beyond: str
    measured: str
    said: str
    option: str

    def __new__(
        cls, value: int, unit: str, beyond: str, *, measured: str = CHOSEN, said: str = "", option: str = ""
    ) -> Limit:
        limit = super().__new__(cls, value)
        limit.unit, limit.beyond, limit.measured = unit, beyond, measured
        limit.said, limit.option = said, option
        return limit

    @property
    def is_measured(self) -> bool:
        """Whether `measured` names where."""
        return self.measured != CHOSEN

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        """Only the number is sent to other processes, which have the table themselves."""
        return int, (int(self),)
