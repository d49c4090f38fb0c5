"""Which codes are wanted, by their beginnings, and what they make of an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from volcli.diagnostics import CODES, Diagnostic, Severity, UsageError

OPTIONAL = ("V2", "V3")
"""Findings and limits can be left out; that a file could not be read, or volcli failed, is always said."""
WEIGHTS = {Severity.REMARK: 0, Severity.WARNING: 1, Severity.ERROR: 2}


@dataclass(frozen=True)
class Selection:
    """The codes that are wanted: prefixes such as V204 or V3; the longest prefix that fits a code decides.

    `fail_on` is the least severity of a finding or limit that makes the exit code 1.

    >>> some = Selection(select=("V2",), ignore=("V204",))
    >>> [code for code in ("V203", "V204", "V303", "V103") if some.wants(code)]
    ['V203', 'V103']
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity = Severity.ERROR

    def wants(self, code: str) -> bool:
        """Whether a diagnostic of CODE is printed and counts."""
        if not code.startswith(OPTIONAL):
            return True
        chosen = max((len(each) for each in self.select if code.startswith(each)), default=-1)
        refused = max((len(each) for each in self.ignore if code.startswith(each)), default=-1)
        return chosen > refused if self.select else refused < 0

    def exit_code(self, diagnostic: Diagnostic) -> int:
        """The exit code of a run whose worst diagnostic is this one."""
        if diagnostic.code.startswith(OPTIONAL) and self.fail_on is not Severity.ERROR:
            return int(WEIGHTS[diagnostic.severity] >= WEIGHTS[self.fail_on])
        return diagnostic.exit_code

    def of(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Those of DIAGNOSTICS that are wanted."""
        found = list(diagnostics)
        unwanted = {code for code in {each.code for each in found} if not self.wants(code)}
        return [each for each in found if each.code not in unwanted] if unwanted else found


ALL = Selection()


def codes_of(prefix: str, where: str = "") -> list[str]:
    """The codes that begin with PREFIX, in any case; raises UsageError (V007) if none does."""
    named = [name for name in CODES if prefix and name.startswith(prefix.upper())]
    if named:
        return named
    import difflib

    near = difflib.get_close_matches(prefix.upper(), CODES, n=len(CODES))
    # Of those that are as close as the closest, the first of the table.
    ratios = {
        code: difflib.SequenceMatcher(None, code, prefix.upper()).ratio() for code in CODES if code in near
    }
    hint = (
        f"did you mean {max(ratios, key=ratios.__getitem__)}?" if near else "`volcli codes` lists the codes"
    )
    raise UsageError(Diagnostic("V007", f"{where}no code begins with '{prefix}'", note=hint))
