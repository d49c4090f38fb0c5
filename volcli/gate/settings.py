"""What the analysis of one file depends on, beside its text."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.presburger.worker import DEFAULT_SECONDS


@dataclass(frozen=True)
class Settings:
    """What is asked of one file: plain data.

    `codes` are those that are wanted: what only others need is not analysed. `allocation` is the number of
    bytes that one allocation may have, None for any. With `record`, what is known is kept for a comparison
    with another run. The others are as for `volcli.load`.
    """

    codes: frozenset[str]
    assume: tuple[str, ...] = ()
    budget: int | None = None
    timeout: float | None = DEFAULT_SECONDS
    via: str = "auto"
    allocation: int | None = None
    record: bool = False
