"""`volcli passes`: what can stand in a pipeline."""

from __future__ import annotations

import click

from volcli.cli.completion.texts import complete_from
from volcli.cli.parts.output import STDOUT, write_output
from volcli.cli.parts.terminal import for_people
from volcli.passes.table import PASSES

_EPILOG = """\b
Example:
  $ volcli passes tile
"""


@click.command(epilog=_EPILOG)
@click.argument("names", metavar="[PASS]...", nargs=-1, shell_complete=complete_from(PASSES))
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for programs, markdown for docs/passes.md.",
)
def passes(names: tuple[str, ...], style: str) -> int:
    """List the passes, each with its options; or describe those named PASS."""
    from volcli.report.passes import RENDERERS

    text = RENDERERS[style](names)
    write_output(STDOUT, for_people(STDOUT, text) if style == "text" else text)
    return 0
