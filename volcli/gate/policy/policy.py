"""What a project wants of the gate: which codes, how severe, where, within which limits.

A policy is the file `volcli.toml`, or the table `[tool.volcli]` of a `pyproject.toml`, that is found first
from a folder upwards:

    select = ["V1", "V2"]          # codes by beginnings; without it, all but V204, V215 (by name) and V3
    ignore = ["V206"]
    fail-on = "warning"            # the least severity that makes the exit code 1
    assume = ["dim(%t, 0) >= 1"]   # as --assume
    exclude = ["third_party/"]     # as in a .gitignore
    force-exclude = true           # as --force-exclude
    require-reasons = true         # as --require-reasons
    unreadable = "ignore"          # as --unreadable
    profile = "pipelines"          # as --profile
    allow-empty = true             # as --allow-empty
    baseline = "baseline.json"     # as --baseline
    via = "xdsl"                   # as --via

    [effects]                      # what operations of other dialects do, as --effects
    "foo.barrier" = "none"
    "memory space L1" = "plain"

    [severity]
    V206 = "error"

    [budget]
    operations = 100000            # as --budget
    timeout = 5                    # as --timeout
    allocation = "64 MiB"          # the largest allocation (V210)

    [per-path."tests/**"]          # for the files that this fits, as in a .gitignore; the last one decides
    profile = "tests"
    ignore = ["V2"]
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

import pathspec

from volcli.diagnostics import CODES, Severity
from volcli.diagnostics.selection import WEIGHTS
from volcli.gate.findings.finding import ALWAYS
from volcli.gate.findings.settings import UNREADABLE, Settings
from volcli.gate.policy.discovery import Excluded, Exclusion
from volcli.limits.presburger import DEFAULT_SECONDS

PROFILES: Mapping[str, tuple[str, ...]] = {
    "pipelines": (),
    "tests": ("V1", "V205", "V206", "V208", "V209", "V210", "V211"),
}
"""What is left out unless it is selected: of inputs of tests, what they have on purpose.

Such an input may be invalid, read uninitialized elements and compute unused values, and nothing calls it.
"""
UNREADABLE_AS = ("error", "warning", "ignore")
"""How much it weighs that a file cannot be read, or not all of it."""
UNASKED = ("V204", "V215", "V3")
"""What is left out unless it is selected: what functions need of callers, and what volcli does not know."""


@dataclass(frozen=True)
class CodeChoice:
    """Codes, by their beginnings, that are wanted and that are not; the longest beginning decides.

    What is UNASKED is not selected by less than its own beginning.

    >>> [CodeChoice(("V2",), ("V206",)).says(code) for code in ("V203", "V204", "V206", "V301")]
    [True, None, False, None]
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def says(self, code: str) -> bool | None:
        """Whether CODE is wanted; None if nothing is said of it."""
        least = max((len(each) for each in UNASKED if code.startswith(each)), default=0)
        chosen = max((len(e) for e in self.select if len(e) >= least and code.startswith(e)), default=-1)
        refused = max((len(each) for each in self.ignore if code.startswith(each)), default=-1)
        return None if chosen == refused == -1 else chosen > refused


@dataclass(frozen=True)
class Override:
    """What holds for the files that PATTERN fits: codes, severities and assumptions beside the policy's."""

    pattern: str
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    assume: tuple[str, ...] = ()
    profile: str | None = None
    fail_on: Severity | None = None

    @cached_property
    def _spec(self) -> pathspec.GitIgnoreSpec:
        return pathspec.GitIgnoreSpec.from_lines([self.pattern])

    def fits(self, path: str) -> bool:
        """Whether it is for the file at PATH, relative to the policy's folder."""
        return self._spec.match_file(path)


@dataclass(frozen=True)
class Policy:
    """See the module. `folder` is where its paths begin, None if it is in no file.

    `asked` is what the command line says of codes: it wins over all else, and selects only what it names.
    What cannot be read is an error, a warning, or not told, as `unreadable` says: see UNREADABLE.
    Comments that ignore findings until a day before `today` have expired. Patterns of `exclude` and the path
    `baseline` begin in `folder`, those of `excluded_here`, which the command line adds, in the current one.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    asked: CodeChoice = field(default_factory=CodeChoice)
    asked_profile: str | None = None
    asked_fail_on: Severity | None = None
    fail_on: Severity = Severity.WARNING
    severity: Mapping[str, Severity] = field(default_factory=dict[str, Severity])
    assume: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    excluded_here: tuple[str, ...] = ()
    force_exclude: bool = False
    require_reasons: bool = False
    unreadable: str = "warning"
    profile: str = "pipelines"
    today: str = field(default_factory=lambda: date.today().isoformat())
    allow_empty: bool = False
    baseline: str | None = None
    via: str = "auto"
    operations: int | None = None
    timeout: float | None = DEFAULT_SECONDS
    allocation: int | None = None
    per_path: tuple[Override, ...] = ()
    folder: str | None = None

    def baseline_file(self, named: str | None) -> str | None:
        """The file of the baseline that is NAMED, or of this policy; None if neither is, or "" is named."""
        if named is not None or self.baseline is None:
            return named or None
        return os.path.relpath(os.path.join(self.folder or ".", self.baseline))

    def for_file(self, path: str) -> FilePolicy:
        """What holds for the file at PATH, relative to the policy's folder."""
        overrides = tuple(each for each in self.per_path if each.fits(path))
        key = tuple(each.pattern for each in overrides)
        if key not in self._kept:
            self._kept[key] = FilePolicy(self, overrides)
        return self._kept[key]

    @property
    def excluded(self) -> Excluded:
        """Which files are not checked."""
        every = Exclusion(self.exclude, self.folder), Exclusion(self.excluded_here)
        return Excluded(tuple(each for each in every if each.patterns), self.force_exclude)

    @cached_property
    def _kept(self) -> dict[tuple[str, ...], FilePolicy]:
        return {}


@dataclass(frozen=True)
class FilePolicy:
    """What a POLICY with some of its OVERRIDES means for one file."""

    policy: Policy
    overrides: tuple[Override, ...]

    def wants(self, code: str) -> bool:
        """Whether findings of CODE are wanted: what is nearest to the file and says something decides."""
        if code.startswith(ALWAYS):
            return True
        if (said := self._says(code)) is not None:
            return said
        if code == "V316":  # whoever asks for proofs wants to hear of what they do not cover
            return self.wants("V314") or self.wants("V315")
        if code in UNREADABLE and self.policy.unreadable == "ignore":
            return False
        if code.startswith(PROFILES[self._profile]):
            return False
        return not self.policy.asked.select and not self.policy.select and not code.startswith(UNASKED)

    def _says(self, code: str) -> bool | None:
        """Whether what is nearest to the file and says something of CODE wants it; None if nothing does."""
        if (said := self.policy.asked.says(code)) is not None or self.policy.asked.select:
            return said
        every = (CodeChoice(each.select, each.ignore) for each in (*reversed(self.overrides), self.policy))
        return next((said for each in every if (said := each.says(code)) is not None), None)

    @cached_property
    def _profile(self) -> str:
        """That of the command line, or what is nearest to the file."""
        nearest = (each.profile for each in reversed(self.overrides))
        return self.policy.asked_profile or next(
            (one for one in nearest if one is not None), self.policy.profile
        )

    @cached_property
    def settings(self) -> Settings:
        """What the analysis of the file depends on."""
        one = self.policy
        assume = (*one.assume, *(text for each in self.overrides for text in each.assume))
        codes = frozenset(
            code for code in CODES if self.wants(code) and (code != "V212" or one.allocation is not None)
        )
        return Settings(
            codes, assume, one.operations, one.timeout, one.via, one.allocation, effects=one.effects,
            reasons=one.require_reasons, today=one.today,
        )  # fmt: skip

    def severity(self, code: str) -> Severity:
        """How much a finding of CODE weighs: as the longest beginning of it says, nearest to the file."""
        for each in (*reversed(self.overrides), self.policy):
            if said := [prefix for prefix in each.severity if code.startswith(prefix)]:
                return each.severity[max(said, key=len)]
        return (
            Severity.WARNING
            if code in UNREADABLE and self.policy.unreadable == "warning"
            else CODES[code].severity
        )

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of this SEVERITY makes the exit code 1."""
        nearest = (each.fail_on for each in reversed(self.overrides))
        least = self.policy.asked_fail_on or next(
            (one for one in nearest if one is not None), self.policy.fail_on
        )
        return WEIGHTS[severity] >= WEIGHTS[least]
