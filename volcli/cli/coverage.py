"""`volcli coverage`: what of these files volcli reads, and what it has answers for."""

from __future__ import annotations

import os
from pathlib import Path

import click

from volcli.cli.parts import options
from volcli.cli.parts.console import Console
from volcli.cli.parts.output import is_terminal, write_output
from volcli.cli.parts.terminal import for_people
from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime import progress

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli coverage examples
"""


@click.command(epilog=_EPILOG)
@click.argument(
    "paths", metavar="PATHS...", type=click.Path(allow_dash=True, readable=False), nargs=-1, required=True
)
@options.style("Totals for people, or JSON with a row for each top-level operation.")
@options.always_split
@options.output
@options.traceback
def coverage(paths: tuple[str, ...], style: str, output: str, traceback: bool) -> int:
    """Report how much of the IR in PATHS volcli reads, and which operations lack a case for which question.

    A directory stands for the .mlir files below it; chunks between '// -----' lines are programs of their
    own. The exit code is 1 if a top-level operation could not be read, 2 if a file could not be opened.
    """
    from volcli.frontend.text.source import read_source
    from volcli.loading.driver import load_source
    from volcli.report.coverage import Coverage

    console = Console(traceback=traceback)
    found = Coverage()
    files: list[str] = []
    for path in paths:
        failed: list[Diagnostic] = []
        closed: list[OSError] = []
        with console.guard(path, keep=failed):
            files += _files(path, closed)
        for error in closed:
            why = Diagnostic("V100", f"'{error.filename}' cannot be read: {error.strerror}")
            console.fail(why)
            found.fail(str(error.filename), why)
        for why in failed:
            found.fail(path, why)
    for file in progress.each(files, "files"):
        failed = []
        with console.guard(file, keep=failed), progress.doing(file):
            program = load_source(read_source(file), split=True, via="xdsl")
            found.add(file, [unit.parsed for unit in program.units])
            empty = [each for each in program.diagnostics if each.code == "V107"]
            console.say(empty)
            failed += empty
        for why in failed:
            found.fail(file, why)
    write_output(output, found.to_json() if style == "json" else _shown(found.to_text(), output))
    return max(console.exit_code, 1 if found.unread else 0)


def _shown(text: str, output: str) -> str:
    """TEXT for people; what goes through a pipe is not wrapped."""
    return for_people(output, text) if is_terminal(output) else text


def _files(path: str, closed: list[OSError]) -> list[str]:
    """PATH, or the files below it; raises UsageError (V100) if there is none.

    Directories that may not be looked into are added to CLOSED.
    """
    if path == "-" or not Path(path).is_dir():
        return [path]
    found: list[str] = []
    for folder, _, names in os.walk(path, onerror=closed.append):
        found += [str(Path(folder) / name) for name in names if name.endswith(".mlir")]
    if not found and not closed:
        raise UsageError(Diagnostic("V100", f"there is no .mlir file below '{path}'"))
    return sorted(found)
