"""`volcli report`: what is known of many files, as one HTML page."""

from __future__ import annotations

import click

from volcli.cli.completion import texts
from volcli.cli.parts import options, reports
from volcli.cli.parts import running as work
from volcli.cli.parts.console import Console
from volcli.cli.parts.output import STDOUT, write_output
from volcli.cli.parts.request import CheckRequest
from volcli.diagnostics.counted import counted

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli report examples/*.mlir -o report.html
  $ volcli report examples/shifted_rows.mlir --tile 'i: 4, j: 4' -o rows.html

\b
Exit code: 0 the page was written, whatever it says; 2 the call could not be used, or none of the files; or,
with a policy that says so, one of them.
"""


@click.command(epilog=_EPILOG)
@click.argument("paths", metavar="[PATHS]...", nargs=-1, shell_complete=texts.files)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    default="report.html",
    show_default=True,
    help="Where the page is written; '-' is stdout.",
)
@click.option(
    "--tile",
    metavar="PLANE:SIZE,...",
    default="",
    help="Draw what data flows between the tiles of loops, where a function has loops of these names: "
    "'i: 8, j: 8'.",
)
@click.option("--no-times", is_flag=True, help="Omit how long it took: equal runs write equal pages.")
@click.option(
    "--exclude",
    metavar="PATTERN",
    multiple=True,
    help="Omit files of folders that this fits, as in a .gitignore of the current folder.",
)
@click.option("--config", metavar="FILE", type=click.Path(), help="The policy file, as for volcli check.")
@reports.quiet
@work.jobs
@work.cache_dir
@work.no_cache
@options.assume
@options.effects
@options.via
@options.budget
@options.timeout
def report(
    paths: tuple[str, ...],
    output: str,
    tile: str,
    no_times: bool,
    exclude: tuple[str, ...],
    config: str | None,
    quiet: bool,
    jobs: int | None,
    cache_dir: str | None,
    no_cache: bool,
    reading: options.Reading,
) -> int:
    """Write one page about the files in PATHS: files, folders and patterns, as `volcli check` takes them.

    It has the findings of `volcli check`, each function with the facts beside its lines, pictures of regions,
    iterations and layers, and what is not known, with the reasons. It needs no other file and no network.
    """
    paths = paths or (".",)
    reading.check()
    policy = CheckRequest(config=config, exclude=exclude).policy(reading)
    from volcli.gate.findings.settings import UNREADABLE
    from volcli.gate.policy.discovery import divided, empty
    from volcli.gate.run import run, works_for
    from volcli.pages.page import report_page
    from volcli.pages.recording import PageWork, records_of, tiled
    from volcli.passes.pipeline import parse_pipeline

    if tile:
        parse_pipeline(tiled(tile))  # what is wrong with it is wrong for all files
    console = Console()
    paths, wrong = divided(paths)
    console.say([*wrong, *(() if policy.allow_empty else empty(paths, policy.excluded))])
    if not paths:
        return console.exit_code
    folder = work.cache_folder(policy, cache_dir, no_cache)
    with work.running(jobs, folder, None, quiet) as running:
        found = run(paths, policy, None, running)
        works = [PageWork(each, tile) for each in works_for(paths, policy)]
        records = records_of(works, running)
    write_output(output, report_page(found, records, paths, times=not no_times))
    functions = sum(len(each.functions) for each in found.files)
    if not quiet and output != STDOUT:
        counts = (len(found.files), "file"), (functions, "function"), (len(found.findings), "finding")
        click.echo(f"{output}: {', '.join(counted(*each) for each in counts)}")
    is_unread = not functions and any(each.code in UNREADABLE for each in found.findings)
    return 2 if is_unread or found.exit_code == 2 else console.exit_code
