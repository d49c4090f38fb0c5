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
    text: str = field(default="", repr=False)
