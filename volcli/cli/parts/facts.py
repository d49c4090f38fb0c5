"""Facts for programs, the same from each command that has some."""

from __future__ import annotations

from collections.abc import Sequence

from volcli.report.files import FileReport


def for_programs(reports: Sequence[FileReport], style: str) -> str:
    """REPORTS as the text of a JSON object, or as a log in the STYLE sarif."""
    if style == "sarif":
        from volcli.report.gate.sarif import facts_as_sarif

        return facts_as_sarif(reports)
    from volcli.report.json_report import as_json

    return as_json(reports)
