"""`volcli init`: a policy for a repository, and what the gate says of it."""

from __future__ import annotations

from pathlib import Path

import click

from volcli.cli.parts import reports
from volcli.cli.parts.output import STDOUT, write_output
from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli init examples
"""


@click.command(epilog=_EPILOG)
@click.argument("folder", default=".", type=click.Path())
@click.option(
    "--print", "is_printed", is_flag=True, help="Print the policy, write nothing, and check nothing."
)
def init(folder: str, is_printed: bool) -> int:
    """Write a policy for the MLIR files below FOLDER (default: the current one) into FOLDER/volcli.toml.

    Folders of tests of lit are told from other ones. Then the files are checked by it, to show what a gate
    would report, and how it is run in the CI system of which FOLDER has the files.
    """
    from volcli.gate.policy.discovery import discovered, empty
    from volcli.gate.policy.policy_file import NAMES, read_policy
    from volcli.gate.policy.proposed import proposal
    from volcli.gate.run import Running, run
    from volcli.gate.work.pool import usable_processors
    from volcli.report.gate.statistics import as_statistics

    for diagnostic in empty([folder]):
        raise UsageError(diagnostic)
    found = proposal(Path(folder), discovered([folder]))
    if is_printed:
        write_output(STDOUT, found.text)
        return 0
    path = Path(folder, NAMES[0])
    if path.exists():
        note = "--print shows what would be written; remove the file to have it rewritten"
        raise UsageError(Diagnostic("V006", f"'{path}' exists, and stays as it is", note=note))
    write_output(str(path), found.text)
    with reports.counted("files") as done:
        report = run([folder], read_policy(path), None, Running(usable_processors(), done=done))
    click.echo(
        f"{path}: a policy for {counted(len(report.files), 'file')}; `volcli check {folder}` reports by it:\n"
    )
    click.echo(as_statistics(report, quiet=False), nl=False)
    if report.findings:
        click.echo(f"\nto hear only of new findings, uncomment 'baseline' in {path}, and write it once:")
        named = "" if folder == "." else f" --config {path}"
        click.echo(f"  volcli check {folder} --update-baseline{named}")
    for said in found.ci:
        click.echo(f"in CI: {said}")
    return 0
