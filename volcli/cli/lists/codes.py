"""`volcli codes`: what volcli may say of a program."""

from __future__ import annotations

import json

import click

from volcli.cli.completion import texts
from volcli.cli.parts import options
from volcli.cli.parts.output import STDOUT, write_output
from volcli.cli.parts.terminal import for_people
from volcli.diagnostics import CODES, Code
from volcli.diagnostics.selection import codes_of
from volcli.report.codes import code_text
from volcli.runtime.shipped import finding_example

_EPILOG = """\b
Example:
  $ volcli codes V204 V206
"""


@click.command(epilog=_EPILOG)
@click.argument("wanted", metavar="[CODE]...", nargs=-1, shell_complete=texts.complete_from(texts.codes))
@options.style("Text for people, JSON for programs.")
def codes(wanted: tuple[str, ...], style: str) -> int:
    """List the codes of diagnostics, each with its meaning and next step; CODE selects codes by prefix.

    A code alone is shown with a program: `volcli check` finds it in @fires, and not in @silent.

    V0xx is about the call, V1xx about input that cannot be read, V2xx are findings in the program, V3xx state
    what volcli does not know, V9xx is volcli's own fault.
    """
    named = {name for prefix in wanted for name in codes_of(prefix)}
    listed = [code for name, code in CODES.items() if not wanted or name in named]
    if style == "json":
        text = json.dumps([_as_json(code) for code in listed], indent=2, ensure_ascii=False) + "\n"
    else:
        text = "".join(map(code_text, listed))
        program = finding_example(listed[0].name) if len(listed) == 1 else None
        text += f"\n{program}" if program else ""
    write_output(STDOUT, for_people(STDOUT, text) if style == "text" else text)
    return 0


def _as_json(code: Code) -> dict[str, object]:
    return {
        "code": code.name,
        "severity": code.severity.value,
        "exit_code": code.exit_code,
        "summary": code.summary,
        "next_step": code.next_step,
        "example": finding_example(code.name),
    }
