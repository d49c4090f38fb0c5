"""`volcli merge`: what the shards of a check have found, as one result."""

from __future__ import annotations

from pathlib import Path

import click

from volcli.cli.check import outputs_of
from volcli.cli.output import write_output

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli check examples --ignore V203 --shard 1/2 --format text --format json:1.json
  $ volcli check examples --ignore V203 --shard 2/2 --format text --format json:2.json
  $ volcli merge 1.json 2.json

\b
Exit code: as that of volcli check for all files at once.
"""


@click.command(epilog=_EPILOG)
@click.argument("results", metavar="FILES...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--format",
    "styles",
    metavar="FORMAT[:FILE]",
    multiple=True,
    help="text, json, sarif, junit or github, to stdout or to FILE; any number of them. The default is text.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(),
    help="Say only what is new or changed since FILE was written; the shards were checked with it, too.",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(),
    help="With a baseline, the policy; without it, that of the folder or of the nearest one above it.",
)
def merge(results: tuple[str, ...], styles: tuple[str, ...], baseline: str | None, config: str | None) -> int:
    """Put together what `volcli check --shard ... --format json` has written into FILES."""
    outputs = outputs_of(styles or ("text",))
    from volcli.gate.baseline import read_baseline
    from volcli.gate.policy_file import find_policy, read_policy
    from volcli.gate.shards import merged
    from volcli.report.gate import rendered

    policy = find_policy(Path.cwd()) if config is None else read_policy(Path(config))
    report = merged(results, policy, None if baseline is None else read_baseline(baseline))
    for style, target in outputs:
        write_output(target, rendered(report, style))
    return report.exit_code
