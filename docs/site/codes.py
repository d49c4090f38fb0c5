"""A page for each code, and their index: what it means, where it is and is not found, what to do about it."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from docs.site.calls import CALLS, TOLD, UNSHOWN, called, command_of
from volcli.diagnostics import CODES, Code
from volcli.limits.table import matching

_KINDS = {
    "V0": "The call",
    "V1": "Input that cannot be read",
    "V2": "Findings",
    "V3": "What volcli does not know",
    "V4": "What mlir-opt's passes print",
    "V9": "Errors of volcli",
}

_SELECTED = {"V212": "V212 --config testdata/check/V212.toml", "V223": "V203,V223"}


def codes_pages(root: Path) -> dict[str, str]:
    """The pages of the project in ROOT, by their paths in docs/."""
    pages = {path: _page(CODES[name], root) for name, path in codes_paths().items()}
    return {**pages, "reference/codes/index.md": _index()}


def codes_paths() -> dict[str, str]:
    """The path of each code's page in docs/."""
    return {name: f"reference/codes/{name}.md" for name in CODES}


def _index() -> str:
    parts = ["# Codes\n\nEach diagnostic has a code. `volcli codes CODE` shows its row, and an example.\n"]
    for kind, codes in groupby(CODES.values(), key=lambda code: code.name[:2]):
        rows = [
            f"| [{code.name}]({code.name}.md) | {code.severity.value} | {code.summary} |" for code in codes
        ]
        parts.append(f"## {_KINDS[kind]}\n\n| code | | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _page(code: Code, root: Path) -> str:
    return "\n".join(
        [
            f"# {code.name}: {code.summary}\n",
            f"{code.severity.value.capitalize()}; exit code {code.exit_code}.\n",
            f"## An example\n\n{_examples(code, root)}",
            f"## What to do\n\n{code.next_step[:1].upper()}{code.next_step[1:]}.\n",
            *_ignoring(code),
            *_limits(code),
        ]
    )


def _examples(code: Code, root: Path) -> str:
    """A program where CODE is found, and one nearly the same where it is not; or what causes it."""
    since = root / "testdata" / "check" / "since" / f"{code.name}.mlir"
    finding = root / "testdata" / "check" / f"{code.name}.mlir"
    error = root / "testdata" / "errors" / f"{code.name}.mlir"
    if since.exists():
        before, _, after = since.read_text().partition("// -----\n")
        return (
            f"The baseline is written for this program:\n\n{_program(before)}\n"
            f"Then this one is checked: it is found in `@fires`, and not in `@silent`.\n\n{_program(after)}"
        )
    if finding.exists():
        selected = _SELECTED.get(code.name, code.name)
        printed = called(f"check {finding.relative_to(root)} --no-cache --select {selected}", root)
        program = _program(finding.read_text())
        return f"It is found in `@fires`, and not in `@silent`.\n\n{program}\n{printed}"
    if code.name in CALLS:
        return called(CALLS[code.name], root)
    if error.exists():
        call = command_of(error, root)
        printed = "" if code.name in UNSHOWN else called(call, root)
        program = _program(error.read_text(errors="replace"))
        return f"It is reported for this input (`volcli {call}`):\n\n{program}\n{printed}"
    return f"{TOLD[code.name]}\n"


def _program(text: str) -> str:
    shown = re.sub(r"\A// RUN: .*\n", "", text).strip()
    return f"```mlir\n{shown}\n```\n"


def _ignoring(code: Code) -> list[str]:
    """How a finding is accepted: at its place, or in the policy."""
    if not code.name.startswith(("V2", "V31")) or code.name in (
        "V220",
        "V221",
        "V222",
        "V223",
        "V240",
        "V241",
        "V290",
    ):
        return []
    return [
        "## If it is intended\n\nA comment above the operation accepts it, with a reason that others can "
        "read; a comment that no longer has an effect is reported ([V223](V223.md)):\n\n"
        f"```mlir\n// volcli: ignore {code.name}: the caller pads its input\n```\n\n"
        f"In the whole call: `--ignore {code.name}`; for some files, in the [policy](../../check.md#policy). "
        "A [baseline](../../check.md#baselines) accepts what is there today.\n"
    ]


def _limits(code: Code) -> list[str]:
    """The limits that this code is about."""
    rows = [
        f"| [{name}](../../limits.md#{name.partition('.')[0]}) | {limit:,} | {limit.unit} |"
        for name, limit in matching(code.name).items()
    ]
    return (
        ["## Limits\n\n| limit | value | counts |\n|---|---|---|\n" + "\n".join(rows) + "\n"] if rows else []
    )
