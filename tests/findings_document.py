"""docs/findings.md: each code that `volcli check` may give, with its program in testdata/check."""

from __future__ import annotations

from pathlib import Path

from volcli.diagnostics import CODES

_HEAD = """# Findings

What `volcli check` may find, with a program for each: in `@fires` it is found, in `@silent`, which nearly is the same, nothing
is. `make update` writes this page from the table of codes and from testdata/check, and each program is run in a test. What is
lost since a baseline (V230 to V234) is in [check.md](check.md#baselines).
"""


def findings_document(root: Path) -> str:
    """The text of the page for the project in ROOT."""
    parts = [_HEAD]
    for path in sorted((root / "testdata" / "check").glob("*.mlir")):
        code = CODES[path.stem]
        parts.append(
            f"## {code.name}\n\n{code.severity.value.capitalize()}: {code.summary}.\n"
            f"Next: {code.next_step}.\n\n```mlir\n{path.read_text().rstrip()}\n```\n"
        )
    return "\n".join(parts)
