"""Findings by their names, as `check` prints them: to ask for one of them again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from volcli import __version__
from volcli.diagnostics import CODES, Diagnostic, UsageError
from volcli.gate.findings.finding import Finding
from volcli.gate.policy.discovery import discovered
from volcli.gate.policy.policy import CodeChoice, Policy
from volcli.gate.run import found_in, work_of
from volcli.gate.work.environment import packages

_NAME = re.compile(
    r"(?P<file>.+?):(?:(?P<line>\d+):(?:(?P<column>\d+):)?)?\s*(?:(?:error|warning|remark):\s*)?"
    r"(?P<code>V\d{3})\b(?P<rest>.*)",
    re.DOTALL,
)


@dataclass(frozen=True)
class FindingName:
    """The findings of a CODE in a FILE, of one LINE (and COLUMN), or of one KEY if LINE is None."""

    file: str
    line: int | None
    column: int | None
    code: str
    key: str

    def names(self, finding: Finding) -> bool:
        """Whether FINDING is one of them."""
        if finding.code != self.code:
            return False
        if self.line is None:
            return finding.key == self.key
        return finding.line == self.line and self.column in (None, finding.column)


def named(text: str) -> FindingName | None:
    """What TEXT names: FILE:LINE:CODE, the line that `check` prints, or FILE:KEY; None if it is no name.

    >>> named("a.mlir:5:7: error: V203: reads %m[9] out of bounds")
    FindingName(file='a.mlir', line=5, column=7, code='V203', key='')
    >>> named("a.mlir: V203 @f %m[%i] #1")
    FindingName(file='a.mlir', line=None, column=None, code='V203', key='V203 @f %m[%i] #1')
    """
    found = _NAME.fullmatch(text)
    if found is None or found["code"] not in CODES:
        return None
    line, column = (None if found[each] is None else int(found[each]) for each in ("line", "column"))
    key = "" if line is not None else found["code"] + found["rest"]
    return FindingName(found["file"], line, column, found["code"], key)


def found_in_example(code: str, text: str) -> Finding | None:
    """The first finding with CODE in TEXT."""
    policy = Policy(asked=CodeChoice((code,)), asked_profile="pipelines")
    work = replace(work_of(f"{code}.mlir", policy), data=text.encode())
    (file,) = found_in([work], policy)
    return next((each for each in (*file.findings, *file.ignored) if each.code == code), None)


def findings_named(wanted: FindingName, policy: Policy) -> tuple[list[Finding], list[str]]:
    """The findings that are WANTED, with what has been read for them under POLICY, a line each.

    Raises UsageError: V100 if the file is not there, V007 if it has no such finding.
    """
    asked = replace(policy, asked=CodeChoice((wanted.code,)), asked_profile="pipelines")
    discovered([wanted.file])
    (file,) = found_in([work_of(wanted.file, asked)], asked)
    every = [*file.findings, *file.ignored]
    found = [each for each in every if wanted.names(each)]
    if not found:
        raise UsageError(Diagnostic("V007", _not_found(wanted, every), note=_NOTE))
    return found, _given(wanted.file, asked)


_NOTE = "name it as `volcli check --format concise` prints it, or FILE:LINE:CODE"


def _not_found(wanted: FindingName, every: list[Finding]) -> str:
    at = f"in line {wanted.line}" if wanted.line is not None else f"with the key '{wanted.key}'"
    others = ", ".join(f"{each.line}:{each.code}" if each.line else each.message for each in every[:5])
    return f"'{wanted.file}' has no finding {wanted.code} {at}" + (f"; there are: {others}" if others else "")


def _given(file: str, policy: Policy) -> list[str]:
    """What the findings in FILE are read from under POLICY."""
    settings = work_of(file, policy).settings
    said = [f"file: {file}"]
    said += [f"policy: of {policy.folder}"] if policy.folder is not None else ["policy: none"]
    said += [f"assumption: {each}" for each in settings.assume]
    said += [f"effects: {each}" for each in settings.effects]
    return [*said, f"versions: volcli {__version__}, {', '.join(packages())}"]
