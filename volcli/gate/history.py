"""What runs have found, one line of JSON for each: `volcli check --history FILE` appends one."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from volcli import __version__
from volcli.diagnostics import Diagnostic, UsageError
from volcli.gate.report import Report


def appended(path: str, report: Report) -> list[Mapping[str, Any]]:
    """All runs in the file at PATH, to which that of REPORT is added.

    Raises UsageError (V006) if it cannot be written, V014 if it has another line.
    """
    runs = _read(path)
    run = _run(report)
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(run, sort_keys=True) + "\n")
    except OSError as error:
        raise UsageError(Diagnostic("V006", f"cannot write '{path}': {error.strerror}")) from None
    return [*runs, run]


def _run(report: Report) -> Mapping[str, Any]:
    """What is kept of REPORT."""
    findings = report.findings
    return {
        "time": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "volcli": __version__,
        "revision": _revision(),
        "files": len(report.files),
        "functions": sum(len(each.functions) for each in report.files),
        "codes": dict(Counter(each.code for each in findings)),
        "severities": dict(Counter(each.severity for each in findings)),
        "ignored": len(report.ignored),
        "unanalysed": sum(report.unanalysed.values()),
        "exit_code": report.exit_code,
    }


def _revision() -> str:
    """The revision of the current folder's repository; "" outside of one."""
    try:
        git = ["git", "rev-parse", "--short", "HEAD"]
        ran = subprocess.run(git, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""


def _read(path: str) -> list[Mapping[str, Any]]:
    if not Path(path).is_file():  # there is none, or what is written to it can never be read
        return []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(Diagnostic("V014", f"'{path}' cannot be read: {why}")) from None
    runs: list[Mapping[str, Any]] = []
    for number, line in enumerate(lines, 1):
        try:
            run = json.loads(line)
            runs.append({**run, "severities": dict(run["severities"]), "time": str(run["time"])})
        except (ValueError, KeyError, TypeError):
            note = "volcli check --history appends to a file of its own"
            raise UsageError(
                Diagnostic("V014", f"line {number} of '{path}' is not a run", note=note)
            ) from None
    return runs
