"""`volcli codes`: what volcli may say of a program."""

from __future__ import annotations

import json

import click

from volcli.cli.output import STDOUT, write_output
from volcli.diagnostics import CODES, Code

_EPILOG = """\b
Example:
  $ volcli codes
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for programs.",
)
def codes(style: str) -> int:
    """List the codes of diagnostics: what each means, and what to do next.

    V0xx is about the call, V1xx about input that cannot be read, V2xx are findings in the program, V3xx says
    what volcli does not know, V9xx is volcli's own fault.
    """
    listed = list(CODES.values())
    if style == "json":
        text = json.dumps([_as_json(code) for code in listed], indent=2, ensure_ascii=False) + "\n"
    else:
        text = "".join(f"{c.name}  {c.severity.value}: {c.summary}\n      {c.next_step}\n" for c in listed)
    write_output(STDOUT, text)
    return 0


def _as_json(code: Code) -> dict[str, object]:
    return {
        "code": code.name,
        "severity": code.severity.value,
        "exit_code": code.exit_code,
        "summary": code.summary,
        "next_step": code.next_step,
    }
