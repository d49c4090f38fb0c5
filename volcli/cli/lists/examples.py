"""`volcli examples`: small programs to try volcli on, as files."""

from __future__ import annotations

from pathlib import Path

import click

from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime.shipped import EXAMPLES, example

_EPILOG = """\b
Example:
  $ volcli examples --into examples
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(),
    help="Write them into FOLDER, which is made; files that are there stay as they are.",
)
def examples(into: str | None) -> int:
    """List the programs that the help texts and the guides use, or write them into a folder."""
    for name in EXAMPLES:
        click.echo(name if into is None else _written(Path(into), name))
    return 0


def _written(folder: Path, name: str) -> Path:
    """The file of the example NAME in FOLDER. Raises UsageError (V006)."""
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(example(name), encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(Diagnostic("V006", f"cannot write '{path}': {error.strerror}")) from None
    return path
