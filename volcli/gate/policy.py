"""What a project wants of the gate: which codes, how severe, where, within which limits.

A policy is the file `volcli.toml`, or the table `[tool.volcli]` of a `pyproject.toml`, that is found first
from a folder upwards:

    select = ["V1", "V2"]          # codes by their beginnings; the longest that fits decides
    ignore = ["V206"]
    fail-on = "warning"            # the least severity that makes the exit code 1
    assume = ["dim(%t, 0) >= 1"]   # as --assume
    exclude = ["third_party/"]     # as in a .gitignore
    via = "xdsl"                   # as --via

    [severity]
    V206 = "error"

    [budget]
    operations = 100000            # as --budget
    timeout = 5                    # as --timeout
    allocation = "64 MiB"          # the largest allocation (V210)

    [per-path."tests/**"]          # for files that this fits, as in a .gitignore; the last one decides
    ignore = ["V2"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import pathspec

from volcli.diagnostics import CODES, Severity
from volcli.gate.settings import Settings
from volcli.presburger.worker import DEFAULT_SECONDS
from volcli.selection import WEIGHTS, Selection

ALWAYS = ("V0", "V9")
"""That a call could not be carried out, or that volcli failed, is always said."""
OPTIONAL = tuple(f"V{digit}" for digit in range(10) if f"V{digit}" not in ALWAYS)
UNASKED = ("V204", "V3")
"""What is left out unless it is selected: what functions need of callers, and what volcli does not know."""


@dataclass(frozen=True)
class Override:
    """What holds for the files that PATTERN fits: codes and severities beside those of the policy."""

    pattern: str
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    assume: tuple[str, ...] = ()

    @cached_property
    def _spec(self) -> pathspec.GitIgnoreSpec:
        return pathspec.GitIgnoreSpec.from_lines([self.pattern])

    def fits(self, path: str) -> bool:
        """Whether it is for the file at PATH, relative to the policy's folder."""
        return self._spec.match_file(path)


@dataclass(frozen=True)
class Policy:
    """See the module. `folder` is where its paths begin, None if it is in no file."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    assume: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    via: str = "auto"
    operations: int | None = None
    timeout: float | None = DEFAULT_SECONDS
    allocation: int | None = None
    per_path: tuple[Override, ...] = ()
    folder: str | None = None

    def for_file(self, path: str) -> FilePolicy:
        """What holds for the file at PATH, relative to the policy's folder."""
        known = self._kept
        key = tuple(each for each in self.per_path if each.fits(path))
        patterns = tuple(each.pattern for each in key)
        if patterns not in known:
            known[patterns] = self._with(key)
        return known[patterns]

    @cached_property
    def _kept(self) -> dict[tuple[str, ...], FilePolicy]:
        return {}

    def _with(self, overrides: tuple[Override, ...]) -> FilePolicy:
        """What holds for a file for which there are OVERRIDES."""
        one = self
        for each in overrides:
            # What is nearer wins: a code that it selects is no longer ignored as it was, and vice versa.
            one = replace(
                one,
                select=(*(s for s in one.select if not s.startswith(each.ignore)), *each.select)
                if one.select
                else (),
                ignore=(*(i for i in one.ignore if not i.startswith(each.select)), *each.ignore),
                severity={**one.severity, **each.severity},
                assume=(*one.assume, *each.assume),
            )
        selected = tuple(code for each in overrides for code in each.select)
        return FilePolicy(one, one._selection(selected))

    def _selection(self, selected: tuple[str, ...]) -> Selection:
        """The codes that are wanted; SELECTED are those of overrides."""
        named = (*self.select, *selected)
        unasked = tuple(code for code in UNASKED if code not in named)
        return Selection(self.select, (*self.ignore, *unasked), self.fail_on, OPTIONAL)


@dataclass(frozen=True)
class FilePolicy:
    """What holds for one file."""

    policy: Policy
    selection: Selection

    @cached_property
    def settings(self) -> Settings:
        """What its analysis depends on."""
        one = self.policy
        codes = frozenset(code for code in CODES if self.selection.wants(code))
        return Settings(codes, one.assume, one.operations, one.timeout, one.via, one.allocation)

    def severity(self, code: str) -> Severity:
        """How much a finding of CODE weighs: as the longest beginning of it in the policy says."""
        said = [prefix for prefix in self.policy.severity if code.startswith(prefix)]
        return self.policy.severity[max(said, key=len)] if said else CODES[code].severity

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of this SEVERITY makes the exit code 1."""
        return WEIGHTS[severity] >= WEIGHTS[self.policy.fail_on]
