"""`volcli passes`: what can stand in a pipeline."""

from __future__ import annotations

import click

from volcli.cli.parts.output import STDOUT, write_output

_EPILOG = """\b
Example:
  $ volcli passes --format json
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="Text for people, JSON for programs, markdown for docs/passes.md.",
)
def passes(style: str) -> int:
    """List the passes, each with its options."""
    from volcli.report.passes import RENDERERS

    write_output(STDOUT, RENDERERS[style]())
    return 0
