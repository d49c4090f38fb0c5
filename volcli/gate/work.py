"""A unit of work: one file under its settings, and what is found in it. Both are plain data.

`checked` depends on nothing but its argument and the file, and changes nothing: it may run in any process,
and what it returns may be kept for as long as the file, the settings and volcli are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from volcli.diagnostics import Diagnostic, UsageError
from volcli.gate.finding import Finding, of_diagnostic
from volcli.gate.record import Record, counted
from volcli.gate.settings import Settings

if TYPE_CHECKING:
    from volcli.gate.analysed import Analysed


@dataclass(frozen=True)
class Work:
    """One file to be checked; `name` is what it is called in findings."""

    path: str
    name: str
    settings: Settings


@dataclass(frozen=True)
class FileResult:
    """What was found in one file, in the order of the text."""

    file: str
    findings: tuple[Finding, ...]
    functions: int = 0
    records: tuple[Record, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """It as a JSON object."""
        return {
            "file": self.file,
            "functions": self.functions,
            "records": [record.to_json() for record in self.records],
            "findings": [finding.to_json() for finding in self.findings],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FileResult:
        """What `to_json` gave DATA of."""
        return cls(
            data["file"],
            tuple(map(Finding.from_json, data["findings"])),
            data["functions"],
            tuple(map(Record.from_json, data["records"])),
        )


def checked(work: Work) -> FileResult:
    """What is found in the file of WORK; what cannot be read or fails is a finding, too."""
    from volcli.driver import load_source
    from volcli.frontend.parse.recursion import deep_recursion
    from volcli.frontend.text.source import Source, read_source
    from volcli.gate.analysed import Analysed
    from volcli.gate.recording import records
    from volcli.gate.rules.table import pipeline_for

    settings = work.settings
    try:
        source = Source(work.name, read_source(work.path).text)
        program = load_source(
            source,
            split=True,
            budget=settings.budget,
            timeout=settings.timeout,
            via=settings.via,
            assume=settings.assume,
        )
        program.run(pipeline_for(settings, source.text))
        chunks = [Analysed(unit, settings) for unit in program.units]
        with deep_recursion():
            found = [each for chunk in chunks for each in _findings(chunk) if each.code in settings.codes]
            known = [each for chunk in chunks for each in records(chunk)] if settings.record else []
        functions = sum(len(unit.models()) for unit in program.units)
    except UsageError as error:
        return FileResult(work.name, (of_diagnostic(error.diagnostic, work.name),))
    except MemoryError:
        message = "the analysis of the file needs more memory than it may have"
        return FileResult(work.name, (of_diagnostic(Diagnostic("V901", message), work.name),))
    except Exception as error:
        return FileResult(work.name, (of_diagnostic(_internal(error), work.name),))
    return FileResult(work.name, numbered(found), functions, counted(known))


def _findings(analysed: Analysed) -> Iterator[Finding]:
    """What the rules find, but for what comments ignore."""
    from volcli.gate.ignores import remaining
    from volcli.gate.rules.table import findings

    return remaining(findings(analysed), analysed)


def _internal(error: Exception) -> Diagnostic:
    import traceback

    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Diagnostic("V900", what, trace="".join(traceback.format_exception(error)))


def numbered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """FINDINGS in the order of the text, those with equal keys or equal content counted."""
    keys: Counter[str] = Counter()
    contents: Counter[tuple[str, str]] = Counter()
    found: list[Finding] = []
    for each in sorted(findings, key=lambda one: (one.line or 0, one.column or 0, one.code, one.message)):
        key, content = each.key, (each.code, each.content)
        found.append(replace(each, number=keys[key], copy=contents[content]))
        keys[key] += 1
        contents[content] += 1
    return tuple(found)
