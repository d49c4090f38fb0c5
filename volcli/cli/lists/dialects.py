"""`volcli dialects`: what there are cases for, and which package it comes from."""

from __future__ import annotations

import click

from volcli.cli.parts import options
from volcli.cli.parts.output import STDOUT, write_output

_EPILOG = """\b
Example:
  $ volcli dialects --format json
"""


@click.command(epilog=_EPILOG)
@options.style("Totals for people, or JSON with the operations that each question has a case for.")
def dialects(style: str) -> int:
    """List the dialects: how many operations are known, and of how many each question has a case.

    Other packages add dialects through the entry-point group 'volcli.dialects', and may replace those of
    volcli. The exit code is 2 if one of them cannot be loaded.
    """
    from volcli.loading.driver import loaded_dialects
    from volcli.report.dialects import RENDERERS

    found = loaded_dialects()
    write_output(STDOUT, RENDERERS[style](found))
    return 2 if any(each.problem for each in found) else 0
