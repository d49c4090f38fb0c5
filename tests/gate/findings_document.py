"""docs/findings.md: each code that `volcli check` may give, with its program in testdata/check."""

from __future__ import annotations

from pathlib import Path

from volcli.diagnostics import CODES

_HEAD = """# Findings

What `volcli check` may find, with a program for each: in `@fires` it is found, in `@silent`, which nearly is the same, nothing
is. `volcli codes CODE` shows it, too. `make update` writes this page from the table of codes and from testdata/check, and each program is run in
a test. For what is lost since a [baseline](check.md#baselines) (V230 to V235) there is the program before, and after `// -----` the one that is checked.
"""


def findings_document(root: Path) -> str:
    """The text of the page for the project in ROOT."""
    parts = [_HEAD]
    for path in sorted((root / "testdata" / "check").rglob("*.mlir"), key=lambda path: path.name):
        code = CODES[path.stem]
        parts.append(
            f"## {code.name}\n\n{code.severity.value.capitalize()}: {code.summary}.\n"
            f"Next: {code.next_step}.\n\n```mlir\n{path.read_text().rstrip()}\n```\n"
        )
    return "\n".join(parts)
