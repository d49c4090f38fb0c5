"""What the gate says, in the formats of those who read it. FORMATS maps each name to what writes it.

Imports: `diagnostics`, `facts`, `gate`, `report.aligned`, `report.files`, `runtime`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import cast

from volcli.gate.report import Report

FORMATS: Mapping[str, str] = {
    "text": "volcli.report.gate.text:as_text",
    "statistics": "volcli.report.gate.statistics:as_statistics",
    "explained": "volcli.report.gate.explained:as_explained",
    "concise": "volcli.report.gate.text:as_lines",
    "json": "volcli.report.gate.json_report:as_json",
    "sarif": "volcli.report.gate.sarif:as_sarif",
    "junit": "volcli.report.gate.junit:as_junit",
    "github": "volcli.report.gate.github:as_annotations",
    "gitlab": "volcli.report.gate.gitlab:as_code_quality",
    "html": "volcli.pages.checked:as_html",
}


_FOR_PEOPLE = ("text", "concise", "explained", "statistics")


def rendered(report: Report, style: str, *, quiet: bool = False) -> str:
    """REPORT in the format STYLE; for people, without sums if QUIET.

    Names of files may be any bytes. Text says them as they are; what programs read is Unicode, in which
    bytes that are none are U+FFFD.
    """
    module, _, name = FORMATS[style].partition(":")
    render = cast("Callable[..., str]", getattr(importlib.import_module(module), name))
    if style in _FOR_PEOPLE:
        return render(report, quiet=quiet)
    said = render(report)
    return said.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
