"""`volcli schema`: what the JSON that volcli prints consists of."""

from __future__ import annotations

import click

from volcli.runtime.shipped import SCHEMAS
from volcli.runtime.shipped import schema as text_of

_EPILOG = """\b
Example:
  $ volcli schema facts
"""


@click.command(epilog=_EPILOG)
@click.argument("name", type=click.Choice(list(SCHEMAS)), default="facts")
def schema(name: str) -> int:
    """Print the JSON schema of a command's output with --format json.

    Of `analyze` (facts), `coverage`, `diff`, `validate` (validation), or `check` (findings).
    """
    click.echo(text_of(name), nl=False)
    return 0
