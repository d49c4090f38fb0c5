"""What the gate finds: plain data, that can be sent to another process, kept, and compared."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from volcli.diagnostics import CODES, Diagnostic, Place, Severity
from volcli.gate.findings.fix import Fix
from volcli.gate.findings.grounds import ASSUMED, CALLED, Ground, reason

ALWAYS = ("V0", "V9")
"""That a call could not be carried out, or that volcli failed, is always said."""
AGAIN = "found first in the dump of line"
"""Why a finding in a later dump of the same program is not told."""
_IS_UNUSABLE = ("V0", "V1", "V9")
"""Codes that say that a call or an input could not be used, and so that not all has been checked."""


@dataclass(frozen=True)
class Finding:
    """One finding, at a place of a file; the place is None where a file could not be opened at all.

    `subject` is what it is about, as the program writes it, and `rests_on` are its grounds, the operation
    that it is about first. `number` counts, in one file, those of the same code,
    function and subject, and `copy` those of the same code and content. `witness` is an example, as JSON.
    `confirmed` is the command of an execution that shows it, "" if none is known.
    `ignored` is the reason for which a comment of the file ignores it, or an earlier dump has it, None where
    none does. `fix` is what `--fix` would edit, if it is proved, and `unfixed` why it was not made.
    `source` is the line of the program, cut if it is long, and `characters` are the column in characters, and
    that after the whole line. `state` is "new" or "changed" since a baseline, "" without one, and
    `before` what was known of a changed one.
    """

    code: str
    severity: str
    file: str
    line: int | None
    column: int | None
    function: str
    subject: str
    message: str
    next_step: str
    rests_on: tuple[Ground, ...] = ()
    number: int = 0
    copy: int = 0
    witness: Mapping[str, Any] | None = None
    source: str | None = None
    characters: tuple[int, int] | None = None
    state: str = ""
    before: str = ""
    confirmed: str = ""
    ignored: str | None = None
    fix: Fix | None = None
    unfixed: str = ""
    trace: str | None = field(default=None, compare=False, repr=False)

    @property
    def key(self) -> str:
        """What it is about, without its line: `V203 @f %m[%i]`, and `V203 @f %m[%i] #1` for the second."""
        function = f"@{self.function} " if self.function else ""
        return f"{self.code} {function}{self.subject}" + f" #{self.number}" * bool(self.number)

    @property
    def content(self) -> str:
        """A number made of the operation and what it is computed from, without names and lines."""
        return self.rests_on[0].content if self.rests_on else ""

    @property
    def reason(self) -> str:
        """A number made of its evidence, in the same way."""
        return reason(self.rests_on)

    @property
    def concerns(self) -> tuple[str, ...]:
        """Private functions that the operation calls, directly or not."""
        return tuple(each.function for each in self.rests_on if each.said == CALLED)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What it holds under."""
        return tuple(each.content for each in self.rests_on if each.said == ASSUMED)

    @property
    def shown(self) -> tuple[Ground, ...]:
        """Its grounds at other places, each once."""
        here = self.line, self.column
        others = (each for each in self.rests_on if each.is_shown and (each.line, each.column) != here)
        return tuple(dict.fromkeys(others))

    @property
    def place(self) -> Place | None:
        """Where it is, if the file could be opened."""
        if self.line is None or self.column is None:
            return None
        return Place(self.file, self.line, self.column)

    @property
    def character(self) -> int | None:
        """The column in characters, which programs count; `column` counts bytes, as mlir-opt's do."""
        return self.column if self.characters is None else self.characters[0]

    @property
    def is_error(self) -> bool:
        """Whether it is of the severity 'error'."""
        return self.severity == Severity.ERROR.value

    @property
    def is_always_told(self) -> bool:
        """Whether it says that a call could not be carried out or volcli failed: no baseline knows that."""
        return self.code.startswith(ALWAYS)

    @property
    def is_repeated(self) -> bool:
        """Whether an earlier dump of the program has it, too."""
        return self.ignored is not None and self.ignored.startswith(AGAIN)

    @property
    def is_unusable(self) -> bool:
        """Whether it says, as an error, that something could not be checked."""
        return self.is_error and self.code.startswith(_IS_UNUSABLE)

    def moved(self, lines: int, file: str | None = None) -> Finding:
        """The same finding as many LINES further down, and in FILE if that is given."""
        fix = None if self.fix is None else self.fix.moved(lines)
        grounds = tuple(each.moved(lines) for each in self.rests_on)
        file = self.file if file is None else file
        return replace(self, line=(self.line or 0) + lines, file=file, fix=fix, rests_on=grounds)

    def to_json(self) -> dict[str, Any]:
        """It as a JSON object."""
        fields = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        del fields["trace"]
        fields["fix"] = None if self.fix is None else self.fix.to_json()
        fields["rests_on"] = [each.to_json() for each in self.rests_on]
        read = {"key": self.key, "content": self.content, "reason": self.reason, "concerns": self.concerns}
        return {**read, **fields}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Finding:
        """What `to_json` gave DATA of."""
        known = {each.name for each in dataclasses.fields(cls)}
        fields: dict[str, Any] = {name: value for name, value in data.items() if name in known}
        fields["rests_on"] = tuple(map(Ground.from_json, data.get("rests_on", ())))
        fields["fix"] = None if data.get("fix") is None else Fix.from_json(data["fix"])
        fields["characters"] = None if (found := data.get("characters")) is None else (found[0], found[1])
        return cls(**fields)


def character_at(line: str, column: int) -> int:
    """The column in characters of a COLUMN of LINE in bytes.

    >>> character_at("\u00fc = x", 6)
    5
    """
    return len(line.encode()[: column - 1].decode(errors="ignore")) + 1


def of_diagnostic(diagnostic: Diagnostic, file: str) -> Finding:
    """A DIAGNOSTIC about FILE as a finding: of no function, and about the file itself."""
    place = diagnostic.place if diagnostic.place is not None and diagnostic.place.file == file else None
    return Finding(
        diagnostic.code,
        CODES[diagnostic.code].severity.value,
        file,
        place.line if place else None,
        place.column if place else None,
        "",
        "file",
        diagnostic.message,
        diagnostic.next_step,
        trace=diagnostic.trace,
    )
