"""`volcli merge`: what the shards of a check have found, as one result."""

from __future__ import annotations

import click

from volcli.cli.parts import reports
from volcli.cli.parts.console import Console

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli check examples --ignore V203,V205,V213 --shard 1/2 --format text --format json:1.json
  $ volcli check examples --ignore V203,V205,V213 --shard 2/2 --format text --format json:2.json
  $ volcli merge 1.json 2.json

\b
Exit code: as that of volcli check for all files at once.
"""


@click.command(epilog=_EPILOG)
@click.argument("results", metavar="FILES...", nargs=-1, required=True, type=click.Path())
@reports.formats
@reports.quiet
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(),
    help="Report only what is new or changed since FILE was written; the shards were checked with it, too.",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(),
    help="With a baseline, the policy file; default: that of the folder or of the nearest one above it.",
)
def merge(
    results: tuple[str, ...], styles: tuple[str, ...], quiet: bool, baseline: str | None, config: str | None
) -> int:
    """Merge the results that `volcli check --shard ... --format json` has written into FILES."""
    outputs = reports.outputs_of(styles)
    from volcli.gate.shards import merged
    from volcli.report.gate import rendered

    policy = reports.policy_in(config)
    report = merged(results, policy, reports.baseline_in(policy.baseline_file(baseline)))
    console = Console()
    console.say(reports.write(outputs, lambda style: rendered(report, style, quiet=quiet)))
    return max(report.exit_code, console.exit_code)
