"""How many findings there are, by code, folder and function; and how many there were in the last runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from posixpath import dirname
from typing import Any

from volcli.diagnostics import CODES, Severity
from volcli.gate.findings.finding import Finding
from volcli.gate.report import Report
from volcli.limits import gate as limits
from volcli.report.aligned import aligned
from volcli.report.gate.text import below


def as_statistics(report: Report, *, quiet: bool) -> str:
    """Tables instead of the findings of REPORT, most findings first; and unless QUIET the sums.

    Of folders and functions the first ones are shown, and how many there are more.
    """
    by_code = _counted(report, lambda one: one.code)
    lines = list(aligned([(str(n), code, CODES[code].summary) for code, n in by_code]))
    for title, key in (("folder", _folder_of), ("function", _function_of)):
        counts = _counted(report, key)
        shown = counts[: limits.STATISTICS_ROWS]
        if counts:
            lines += ["", *aligned([("findings", title), *((str(n), name) for name, n in shown)])]
        if more := len(counts) - len(shown):
            lines.append(f"and {more} more")
    if not quiet:
        lines += [*([""] if lines else ()), *below(report)]
    return "".join(line + "\n" for line in lines)


def as_trend(runs: Sequence[Mapping[str, Any]]) -> str:
    """The last of RUNS (`gate.history`), oldest first."""
    severities = [each.value for each in Severity]
    header = ("run", "commit", "files", *(f"{each}s" for each in severities), "ignored", "unanalysed")
    rows = [
        (
            run["time"][:16].replace("T", " "),
            run["revision"] or "-",
            str(run["files"]),
            *(str(run["severities"].get(each, 0)) for each in severities),
            str(run["ignored"]),
            str(run["unanalysed"]),
        )
        for run in runs[-limits.HISTORY_ROWS :]
    ]
    return "".join(line + "\n" for line in aligned([header, *rows]))


def _counted(report: Report, key: Callable[[Finding], str | None]) -> list[tuple[str, int]]:
    """How many findings of REPORT have each KEY, the most first."""
    counts = Counter(found for each in report.findings if (found := key(each)) is not None)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _folder_of(finding: Finding) -> str:
    return dirname(finding.file) or "."


def _function_of(finding: Finding) -> str | None:
    return f"@{finding.function} in {finding.file}" if finding.function else None
