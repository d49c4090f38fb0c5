"""Which facts and findings `volcli analyze` shows: by answer, function and line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

import click

from volcli.diagnostics import Diagnostic, UsageError
from volcli.gate.findings.settings import UNREADABLE

if TYPE_CHECKING:
    from volcli.api.program import Program
    from volcli.facts.fact import Fact
    from volcli.report.files import FileReport

_LINES = re.compile(r"([1-9]\d*)(?:-([1-9]\d*))?")
_DEGREES = frozenset(("exact", "approximate", "unknown"))


class LineRange(click.ParamType[range]):
    """`12`, or `12-20`."""

    name = "LINE[-LINE]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> range:
        found = _LINES.fullmatch(str(value).strip())
        lines = range(0) if found is None else range(int(found[1]), int(found[2] or found[1]) + 1)
        if not lines:
            self.fail(f"'{value}' is not a line such as 12, nor lines such as 12-20", param, ctx)
        return lines


@dataclass(frozen=True)
class Filters:
    """The answers, functions and lines that are wanted; without any of a kind, all are."""

    answers: frozenset[str]
    functions: frozenset[str]
    lines: range | None

    def choose(self, reports: Sequence[FileReport]) -> None:
        """Leave in REPORTS what is wanted. Raises UsageError for what there cannot be (V005, V007)."""
        facts = [fact for report in reports for fact in report.facts]
        known = _DEGREES.union(*(fact.answers for fact in facts))
        if facts and (strange := self.answers - known):
            note = f"answers to this question: {', '.join(sorted(known))}"
            raise UsageError(Diagnostic("V007", f"--only: no answer is '{min(strange)}'", note=note))
        functions = sorted({name for report in reports for name in report.functions})
        if functions and (strange := self.functions.difference(functions)):
            note = f"there are {', '.join(f'@{name}' for name in functions)}"
            raise UsageError(Diagnostic("V005", f"no function @{min(strange)}", note=note))
        for report in reports:
            report.facts = [fact for fact in report.facts if self._wants(fact)]

    def told(self, program: Program) -> list[Diagnostic]:
        """What is said of PROGRAM: of what is wanted, and of what could not be read, wherever it is."""
        functions = sorted(
            (unit.parsed.written_at(model.function).line, model.name)
            for unit in program.units
            for model in unit.models()
        )
        return [each for each in program.diagnostics if self._wants_said(each, functions)]

    def _wants_said(self, said: Diagnostic, functions: Sequence[tuple[int, str]]) -> bool:
        """Whether what is SAID is wanted, in a file where FUNCTIONS begin in their lines."""
        if said.place is None or said.code in UNREADABLE:
            return True
        line = said.place.line
        at = bisect_right(functions, line, key=itemgetter(0)) - 1
        is_elsewhere = self.functions and at >= 0 and functions[at][1] not in self.functions
        return not is_elsewhere and (self.lines is None or line in self.lines)

    def _wants(self, fact: Fact) -> bool:
        return (
            (not self.answers or fact.answer in self.answers)
            and (not self.functions or fact.function in self.functions)
            and (self.lines is None or fact.place.line in self.lines)
        )
