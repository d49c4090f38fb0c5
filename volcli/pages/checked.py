"""What `volcli check` finds, as a page: its findings, and the functions that they are in."""

from __future__ import annotations

from volcli.diagnostics import UsageError
from volcli.frontend.text.source import read_bytes
from volcli.gate.report import FileFindings, Report
from volcli.pages.page import report_page
from volcli.pages.records import FileRecord, parts_of


def as_html(report: Report) -> str:
    """REPORT as a page. Files with findings are read again; one that is gone is shown without its text.

    There are no facts on it, since a check keeps none: `volcli report` shows these.
    """
    records = [_record(each) for each in report.files]
    return report_page(report, records, ("volcli check",), only_findings=True)


def _record(file: FileFindings) -> FileRecord:
    """The text of FILE, if it has findings and can be read."""
    if not any(each.line for each in file.findings) or file.file == "-":
        return FileRecord(file.file, "")
    try:
        text = read_bytes(file.file).decode("utf-8", "replace")
    except UsageError:
        return FileRecord(file.file, "")
    return FileRecord(file.file, text, parts_of(text))
