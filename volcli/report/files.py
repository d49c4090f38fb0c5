"""What was found in one file: what every report is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from volcli.diagnostics import Diagnostic

if TYPE_CHECKING:
    from volcli.facts.fact import Fact


@dataclass
class FileReport:
    """The diagnostics and facts of one file, and its text; an unreadable file has the one that says so."""

    file: str
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    facts: list[Fact] = field(default_factory=list["Fact"])
    functions: list[str] = field(default_factory=list[str])
    text: str = field(default="", repr=False)

    @property
    def why_nothing(self) -> str:
        """What is said of a file without facts, so that silence is never an answer."""
        unread = next((each for each in self.diagnostics if each.exit_code > 1), None)
        return "no facts" if unread is None else f"not analysed: {unread.code}"
