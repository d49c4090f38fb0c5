"""What the analysis of one file depends on, beside its text."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.limits.presburger import DEFAULT_SECONDS

UNANALYSED = (
    "V100", "V102", "V103", "V104", "V105", "V107", "V108", "V110", "V301", "V302", "V305", "V306", "V309",
    "V900", "V901",
)  # fmt: skip
"""Codes of what says that something was not read or not analysed: each summary counts them."""
UNREADABLE = tuple(code for code in UNANALYSED if code.startswith("V1"))
"""Those of them that say that a file cannot be read, or not all of it."""


@dataclass(frozen=True)
class Settings:
    """What is asked of one file: plain data.

    `codes` are those that are wanted: what only others need is not analysed. `allocation` is the number of
    bytes that one allocation may have, None for any. With `record`, what is known is kept for a comparison
    with another run. With `reasons`, comments that ignore findings say why; those that do so until a day
    before `today` have expired. The others are as for `volcli.load`.
    """

    codes: frozenset[str]
    assume: tuple[str, ...] = ()
    budget: int | None = None
    timeout: float | None = DEFAULT_SECONDS
    via: str = "auto"
    allocation: int | None = None
    record: bool = False
    effects: tuple[str, ...] = ()
    reasons: bool = False
    today: str = ""
