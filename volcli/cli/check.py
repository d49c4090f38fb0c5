"""`volcli check`: the gate for many files, by the rules of a policy."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from volcli.cli.completion import texts
from volcli.cli.parts import options, reports
from volcli.cli.parts import running as work
from volcli.cli.parts.console import Console
from volcli.cli.parts.fixing import fixed, shown
from volcli.cli.parts.output import STDOUT, write_output
from volcli.cli.parts.request import CheckRequest, check_request
from volcli.cli.parts.terminal import for_people
from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted

if TYPE_CHECKING:
    from volcli.gate.policy.policy import Policy
    from volcli.gate.report import Report
    from volcli.gate.run import Running
    from volcli.gate.work.executor import Executor
    from volcli.gate.work.work import FileResult, Work

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli check examples/conv_layer.mlir
  $ volcli check examples --ignore V203,V205,V213 --format sarif:out.sarif --format text

\b
Exit code: 0 nothing was found that is as severe as --fail-on; 1 something was; 2 the call could not be
used, or, with --unreadable error, a file, so that not all has been checked.
"""


@click.command(epilog=_EPILOG)
@click.argument("paths", metavar="[PATHS]...", nargs=-1, shell_complete=texts.files)
@reports.formats
@reports.quiet
@click.option("--statistics", is_flag=True, help="Print how many findings there are, not which.")
@click.option(
    "--history",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Append the numbers of this run to FILE, a line of JSON, and print those of the last ten.",
)
@check_request
@work.jobs
@work.cache_dir
@work.no_cache
@click.option(
    "--executor",
    metavar="dask:ADDRESS",
    help="Run the work on the cluster whose scheduler is at ADDRESS, instead of in local processes.",
)
@options.assume
@options.effects
@options.via
@options.budget
@options.timeout
@options.traceback
def check(
    paths: tuple[str, ...],
    styles: tuple[str, ...],
    quiet: bool,
    statistics: bool,
    history: str | None,
    request: CheckRequest,
    jobs: int | None,
    cache_dir: str | None,
    no_cache: bool,
    executor: str | None,
    reading: options.Reading,
    traceback: bool,
) -> int:
    """Check the files in PATHS: files, folders and patterns; `-` is standard input.

    The default is the current folder. A folder stands for the .mlir files below it that no .gitignore leaves
    out. Findings are sorted by file and place; the same files give the same output.
    """
    outputs = reports.outputs_of(styles or ((reports.STATISTICS,) if statistics else ()))
    paths = paths or (".",)
    request.check(paths)
    reading.check()
    if request.fix_diff and (styles or statistics or history is not None):
        message = "--fix-diff prints a diff and no findings: omit --format, --statistics and --history"
        raise UsageError(Diagnostic("V007", message))
    policy = request.policy(reading)
    request = request.with_baseline(policy)
    folder = work.cache_folder(policy, cache_dir, no_cache)
    if executor is None and (folder is None or not folder.exists()):
        from volcli.gate.work.pool import prepare

        prepare()  # there is work for sure
    from volcli.gate.policy.discovery import divided, empty

    console = Console()
    paths, wrong = divided(paths)
    if not policy.allow_empty:
        wrong += empty(paths, policy.excluded)
    console.say(wrong)
    if not paths:
        return console.exit_code
    with work.running(jobs, folder, _executor(executor), quiet) as running:
        if request.update and request.baseline is not None:
            return max(_update(request, paths, policy, running), console.exit_code)
        report = request.report(paths, policy, running)
        if request.fix_diff:
            return max(shown(report, paths, policy, request.unsafe_fixes, running), console.exit_code)
        if request.fix:
            again = partial(request.report, paths, policy, running)
            report, wrong = fixed(report, paths, policy, request.unsafe_fixes, running, again)
            console.say(wrong)
    code = 0 if request.exit_zero and report.exit_code == 1 else report.exit_code
    report = replace(report, exit_code=max(code, console.exit_code))
    _tell(report, outputs, history, console, quiet=quiet, traceback=traceback)
    return max(report.exit_code, console.exit_code)


def _tell(
    report: Report,
    outputs: Sequence[tuple[str, str]],
    history: str | None,
    console: Console,
    *,
    quiet: bool,
    traceback: bool,
) -> None:
    """Write REPORT to its OUTPUTS, and append its numbers to HISTORY; CONSOLE is told what goes wrong."""
    from volcli.report.gate import rendered

    for finding in report.findings if traceback else ():
        if finding.trace is not None:
            click.echo(finding.trace, err=True, nl=False)
    console.say(reports.write(outputs, lambda style: rendered(report, style, quiet=quiet)))
    if history is not None:
        with console.guard(history):
            _append(history, report)


def _append(history: str, report: Report) -> None:
    """Append the numbers of REPORT to the file HISTORY, and print those of the last runs."""
    from volcli.gate.history import appended
    from volcli.report.gate.statistics import as_trend

    click.echo(for_people(STDOUT, as_trend(appended(history, report))), nl=False)


_LOGS_OF_DASK = ("distributed", "distributed.client", "asyncio")
"""What they tell of lost workers and connections, with their stacks, is said by V901 and V007."""


def _executor(text: str | None) -> Callable[[], Executor[Work, FileResult]] | None:
    """What makes the executor that TEXT names. Raises UsageError (V007)."""
    if text is None:
        return None
    kind, _, address = text.partition(":")
    if kind != "dask" or not address:
        note = "the only kind is --executor dask:ADDRESS, as `dask scheduler` prints it"
        raise UsageError(Diagnostic("V007", f"--executor: no executor '{text}'", note=note))

    def cluster() -> Executor[Work, FileResult]:
        from volcli.gate.work.cluster import Cluster

        found = Cluster(address)
        for name in _LOGS_OF_DASK:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        return found

    return cluster


def _update(request: CheckRequest, paths: Sequence[str], policy: Policy, running: Running) -> int:
    """Write the baseline of REQUEST: what is found in PATHS now, and what it has of other files.

    One that has facts keeps them.
    """
    from volcli.gate.records.baseline import Baseline, read_baseline
    from volcli.gate.run import found_in, updated, works_for

    path = request.baseline or ""
    folder = os.path.dirname(os.path.abspath(path))
    before = read_baseline(path) if os.path.exists(path) else Baseline(folder, has_facts=False)
    before = replace(before, has_facts=before.has_facts or request.facts)
    files = found_in(works_for(paths, policy, record=before.has_facts), policy, running)
    after = updated(before, files)
    write_output(path, after.text())
    facts = sum(1 for each in after.facts if each.record.answer)
    and_facts = f" and {counted(facts, 'fact')}" if after.has_facts else ""
    click.echo(
        f"{path}: {counted(len(after.findings), 'finding')}{and_facts} of {counted(len(files), 'file')}"
    )
    return 0
