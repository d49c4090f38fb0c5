"""What templates are given: the findings and the record of each file, cut into functions and lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename, dirname
from urllib.parse import quote

from volcli.api.notes import Note
from volcli.diagnostics import CODES, Severity
from volcli.gate.findings.finding import Finding
from volcli.gate.report import Report
from volcli.limits import printing as limits
from volcli.pages.records import AnswerCount, Drawing, FileRecord, most_first
from volcli.report.drawing.layers import LayerRow
from volcli.report.gate.text import example_of


def anchor(*parts: object) -> str:
    """The place in the page of what PARTS name, as an `id` and in links.

    >>> anchor("a b.mlir", 3)
    'a%20b.mlir:3'
    """
    return quote(":".join(map(str, parts)), safe="/:@%!$*,", errors="surrogateescape")


@dataclass(frozen=True)
class FindingView:
    """A finding, where it is shown (`id`) and what it is about (`place`)."""

    finding: Finding
    id: str
    place: str
    summary: str
    example: str


@dataclass(frozen=True)
class LineView:
    """A line of a program: its `code`, how many characters of it are left out, what is known there."""

    number: int
    code: str
    cut: int
    id: str
    notes: Sequence[Note]
    findings: Sequence[FindingView]


@dataclass(frozen=True)
class PartView:
    """A function, or what is around functions where `symbol` is ""."""

    symbol: str
    id: str
    lines: Sequence[LineView]
    findings: Sequence[FindingView]
    drawings: Sequence[Drawing]
    layers: Sequence[LayerRow]
    undrawn: int = 0
    """How many pictures there are more."""

    @property
    def facts(self) -> int:
        """How many facts are shown."""
        return sum(len(each.notes) for each in self.lines)

    @property
    def open_facts(self) -> int:
        """How many of these are not exact."""
        return sum(note.degree != "exact" for each in self.lines for note in each.notes)


@dataclass(frozen=True)
class FileView:
    """A file: its parts, of which the last ones may be left out (`cut` lines)."""

    record: FileRecord
    id: str
    parts: Sequence[PartView]
    findings: Sequence[FindingView]
    functions: int
    cut: int = 0

    def with_findings(self) -> FileView:
        """It without the functions that have no finding."""
        return replace(self, parts=[each for each in self.parts if each.findings])

    @property
    def folder(self) -> str:
        """Where it is."""
        return dirname(self.record.name) or "."

    @property
    def base(self) -> str:
        """Its name in its folder."""
        return basename(self.record.name)

    @property
    def open_answers(self) -> int:
        """How many answers are not exact."""
        return sum(each.total - each.exact for each in self.record.known)


@dataclass(frozen=True)
class Overview:
    """Sums over all files."""

    severities: Mapping[str, int]
    codes: Sequence[tuple[str, str, str, int]]
    """Code, severity, what it means, and how often it is found; the most first."""
    folders: Sequence[tuple[str, int, Mapping[str, int]]]
    """Folder, its files, and its findings by severity."""
    known: Sequence[AnswerCount]
    unanalysed: Sequence[tuple[str, str, int]]
    """Code, what it means, and how often."""
    functions: int
    seconds: float
    most_seconds: float


def file_views(report: Report, records: Sequence[FileRecord]) -> list[FileView]:
    """The files of REPORT, each with its record."""
    views: list[FileView] = []
    taken = Counter[str]()
    for file, record in zip(report.files, records, strict=True):
        found = list(_finding_views(file.findings, taken))
        views.append(_file_view(record, found, len(file.functions)))
    return views


def _finding_views(findings: Iterable[Finding], taken: Counter[str]) -> Iterator[FindingView]:
    for each in findings:
        place = anchor(each.file) if each.line is None else anchor(each.file, each.line)
        own = anchor(each.code, each.file, each.line or 0, each.column or 0)
        taken[own] += 1
        own += f":{taken[own]}" * (taken[own] > 1)
        yield FindingView(each, own, place, CODES[each.code].summary, example_of(each.witness or {}))


def _file_view(record: FileRecord, findings: Sequence[FindingView], functions: int) -> FileView:
    lines = record.lines
    shown = min(len(lines), limits.PAGE_LINES)
    begins = [(first, symbol) for first, symbol in record.parts if first <= shown]
    ends = [first - 1 for first, _ in begins[1:]] + [shown]
    notes = _by_line(record.notes)
    here: dict[int, list[FindingView]] = defaultdict(list)
    for each in findings:
        here[each.finding.line or 1].append(each)
    parts: list[PartView] = []
    for (first, symbol), last in zip(begins, ends, strict=True):
        numbers = range(first, last + 1)
        views = [_line_view(record.name, n, lines[n - 1], notes.get(n, ()), here.get(n, ())) for n in numbers]
        if not symbol and not any(each.code.strip() for each in views):
            continue
        drawings = [each for each in record.drawings if each.line in numbers]
        parts.append(
            PartView(
                symbol,
                anchor(record.name + (symbol or f":{first}-{last}")),
                views,
                [each for view in views for each in view.findings],
                drawings[: limits.PAGE_DRAWINGS],
                [each for each in record.layers if each.line in numbers],
                max(0, len(drawings) - limits.PAGE_DRAWINGS),
            )
        )
    return FileView(record, anchor(record.name), parts, findings, functions, len(lines) - shown)


def _line_view(
    file: str, number: int, code: str, notes: Sequence[Note], findings: Sequence[FindingView]
) -> LineView:
    cut = max(0, len(code) - limits.PAGE_COLUMNS)
    return LineView(
        number, code[: len(code) - cut], cut, anchor(file, number) if findings else "", notes, findings
    )


def _by_line(notes: Iterable[Note]) -> dict[int, list[Note]]:
    """NOTES by their lines, what is said twice once."""
    found: dict[int, dict[tuple[str, tuple[str, ...]], Note]] = defaultdict(dict)
    for each in notes:
        found[each.line].setdefault((each.question, each.text), each)
    return {line: list(said.values()) for line, said in found.items()}


def overview(report: Report, files: Sequence[FileView]) -> Overview:
    """The sums over FILES, those of REPORT."""
    found = report.findings
    codes = Counter(each.code for each in found)
    worst = {each.code: each.severity for each in found}
    folders = Counter(each.folder for each in files)
    by_folder: dict[str, Counter[str]] = {folder: Counter() for folder in sorted(folders)}
    for each in files:
        by_folder[each.folder].update(one.finding.severity for one in each.findings)
    seconds = [each.record.seconds for each in files]
    return Overview(
        {each.value: sum(one.severity == each.value for one in found) for each in Severity},
        [(code, worst[code], CODES[code].summary, count) for code, count in most_first(codes)],
        [(folder, folders[folder], counts) for folder, counts in by_folder.items()],
        _summed(known for each in files for known in each.record.known),
        [(code, CODES[code].summary, count) for code, count in most_first(Counter(report.unanalysed))],
        sum(each.functions for each in files),
        sum(seconds),
        max(seconds, default=0.0),
    )


def _summed(every: Iterable[AnswerCount]) -> list[AnswerCount]:
    """EVERY one, those of a question as one, with the first of their reasons."""
    by_question: dict[str, list[AnswerCount]] = defaultdict(list)
    for each in every:
        by_question[each.question].append(each)
    summed: list[AnswerCount] = []
    for question, same in sorted(by_question.items()):
        reasons: Counter[str] = Counter()
        for each in same:
            reasons.update(dict(each.reasons))
        exact, approximate, unknown = (
            sum(getattr(each, name) for each in same) for name in ("exact", "approximate", "unknown")
        )
        shown = tuple(most_first(reasons)[: limits.PAGE_REASONS])
        summed.append(AnswerCount(question, exact, approximate, unknown, shown))
    return summed
