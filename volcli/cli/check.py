"""`volcli check`: the gate for many files, by the rules of a policy."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from volcli.cli.parts import options, reports
from volcli.cli.parts.console import Console
from volcli.cli.parts.output import write_output
from volcli.diagnostics import Diagnostic, Severity, UsageError
from volcli.diagnostics.selection import codes_of

if TYPE_CHECKING:
    from volcli.gate.policy.policy import CodeChoice, Policy
    from volcli.gate.report import Report
    from volcli.gate.run import Running
    from volcli.gate.work.executor import Executor
    from volcli.gate.work.work import FileResult, Work

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli check examples/conv_layer.mlir
  $ volcli check examples --ignore V203 --format sarif:out.sarif --format text

\b
Exit code: 0 nothing was found that is as severe as --fail-on; 1 something was; 2 the call or a file could not
be used, so that not all has been checked.
"""


@click.command(epilog=_EPILOG)
@click.argument("paths", metavar="PATHS...", nargs=-1, required=True)
@reports.formats
@click.option("--select", metavar="CODES", multiple=True, help="Report only these codes, such as 'V2,V104'.")
@click.option("--ignore", metavar="CODES", multiple=True, help="Omit these codes; the longer prefix wins.")
@click.option(
    "--fail-on",
    type=click.Choice([each.value for each in Severity]),
    default=None,
    help="The least severity of a finding that makes the exit code 1.  [default: warning]",
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(),
    help="The policy file; default: that of the folder or of the nearest one above it.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Report only what is new or changed since FILE was written, and which facts are lost.",
)
@click.option(
    "--diff",
    "revision",
    metavar="REV",
    help="Check only files that differ from git's revision REV, and report what is new or lost since then.",
)
@click.option(
    "--update-baseline", "update", is_flag=True, help="Write the findings and facts into the baseline."
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Number of files to check at the same time, each in its own process.  [default: one for each "
    "processor]",
)
@click.option(
    "--cache-dir",
    metavar="FOLDER",
    type=click.Path(readable=False),
    envvar="VOLCLI_CACHE_DIR",
    help="Where results are kept for the next run; default: '.volcli_cache' beside the policy.",
)
@click.option("--no-cache", is_flag=True, help="Analyse all files again, and keep nothing.")
@click.option(
    "--shard",
    metavar="I/N",
    help="Check every N-th file only, beginning with the I-th; `volcli merge` merges the JSON results.",
)
@click.option(
    "--executor",
    metavar="dask:ADDRESS",
    help="Run the work on the cluster whose scheduler is at ADDRESS, instead of in local processes.",
)
@click.option(
    "--allow-empty",
    is_flag=True,
    help="Accept a folder without .mlir files, which is an error (V017) otherwise.",
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
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    config: str | None,
    baseline: str | None,
    revision: str | None,
    update: bool,
    jobs: int | None,
    cache_dir: str | None,
    no_cache: bool,
    shard: str | None,
    executor: str | None,
    allow_empty: bool,
    reading: options.Reading,
    traceback: bool,
) -> int:
    """Check the files in PATHS: files, folders and patterns; `-` is standard input.

    A folder stands for the .mlir files below it that no .gitignore leaves out. Findings are sorted by file
    and place; the same files give the same output.
    """
    outputs = reports.outputs_of(styles)
    request = _Request(revision, shard, baseline, update)
    request.check(paths)
    reading.check()
    policy = _policy(config, fail_on)
    folder = None if no_cache else Path(cache_dir or Path(policy.folder or ".") / ".volcli_cache")
    if executor is None and (folder is None or not folder.exists()):
        from volcli.gate.work.pool import prepare

        prepare()  # there is work for sure
    from volcli.gate.policy.discovery import divided, empty

    policy = replace(
        policy,
        asked=_choice(select, ignore),
        assume=(*policy.assume, *reading.assume),
        effects=(*policy.effects, *reading.effects),
        via=reading.via if _is_given("via") else policy.via,
        operations=reading.budget if _is_given("budget") else policy.operations,
        timeout=reading.timeout if _is_given("timeout") else policy.timeout,
    )
    console = Console()
    paths, wrong = divided(paths)
    if not (allow_empty or policy.allow_empty):
        wrong += empty(paths, policy.exclude, policy.folder)
    console.say(wrong)
    if not paths:
        return console.exit_code
    with _running(jobs, folder, _executor(executor)) as running:
        if update and baseline is not None:
            return max(_update(baseline, paths, policy, running), console.exit_code)
        report = request.report(paths, policy, running)
    report = replace(report, exit_code=max(report.exit_code, console.exit_code))
    for finding in report.findings if traceback else ():
        if finding.trace is not None:
            click.echo(finding.trace, err=True, nl=False)
    reports.write(report, outputs)
    return report.exit_code


@dataclass(frozen=True)
class _Request:
    """Which of the files are looked at, and what they are compared with."""

    revision: str | None
    shard: str | None
    baseline: str | None
    update: bool

    def check(self, paths: Sequence[str]) -> None:
        """Raises UsageError (V007) for what does not go together, or not with PATHS."""
        if self.revision is not None and "-" in paths:
            raise UsageError(Diagnostic("V007", "--diff REV: standard input has no revisions; name files"))
        if self.revision is not None and self.baseline is not None:
            raise UsageError(Diagnostic("V007", "--diff REV is a baseline of its own: omit --baseline"))
        if self.update and self.baseline is None:
            raise UsageError(Diagnostic("V007", "--update-baseline needs --baseline FILE"))
        if self.shard is not None and (self.revision is not None or self.update):
            message = "--shard: a baseline is written, and --diff looks at, all files"
            raise UsageError(Diagnostic("V007", message))

    def report(self, paths: Sequence[str], policy: Policy, running: Running) -> Report:
        """What is found in PATHS."""
        from volcli.gate.run import run, run_shard

        if self.revision is not None:
            from volcli.gate.revision import run_since

            return run_since(self.revision, paths, policy, running)
        if self.shard is not None:
            from volcli.gate.shards import read_shard

            return run_shard(read_shard(self.shard), paths, policy, self.baseline is not None, running)
        return run(paths, policy, reports.baseline_in(self.baseline), running)


def _policy(config: str | None, fail_on: str | None) -> Policy:
    """The policy in the file CONFIG, or that of this folder; FAIL_ON wins over what it says."""
    policy = reports.policy_in(config)
    return policy if fail_on is None else replace(policy, fail_on=Severity(fail_on))


def _choice(select: Sequence[str], ignore: Sequence[str]) -> CodeChoice:
    """The codes that the command line asks for. Raises UsageError (V007) for what begins no code."""
    from volcli.gate.policy.policy import CodeChoice

    return CodeChoice(_codes(select, "--select"), _codes(ignore, "--ignore"))


@contextmanager
def _running(
    jobs: int | None, folder: Path | None, executor: Callable[[], Executor[Work, FileResult]] | None
) -> Generator[Running, None, None]:
    """How work is done: by JOBS at a time or EXECUTOR, with a cache in FOLDER, and said on a terminal."""
    from volcli.gate.run import Running
    from volcli.gate.work.cache import ResultCache
    from volcli.gate.work.pool import usable_processors

    def warn(message: str) -> None:
        click.echo(f"warning: {message}", err=True)

    cache = None if folder is None else ResultCache(folder, warn)
    try:
        with reports.progress("files") as done:
            yield Running(jobs or usable_processors(), executor, cache, done, warn)
    finally:
        if cache is not None:
            cache.close()


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


def _update(path: str, paths: Sequence[str], policy: Policy, running: Running) -> int:
    """Write the baseline at PATH: what is known of the files in PATHS now, and what it has of others."""
    from volcli.gate.records.baseline import Baseline, read_baseline
    from volcli.gate.run import found_in, updated, works_for

    folder = os.path.dirname(os.path.abspath(path))
    before = read_baseline(path) if os.path.exists(path) else Baseline(folder)
    files = found_in(works_for(paths, policy, record=True), policy, running)
    after = updated(before, files)
    write_output(path, after.text())
    facts = sum(1 for each in after.facts if each.record.answer)
    click.echo(f"{path}: {len(after.findings)} findings and {facts} facts of {len(files)} files")
    return 0


def _is_given(option: str) -> bool:
    """Whether OPTION stands on the command line: then it wins over the policy."""
    source = click.get_current_context().get_parameter_source(option)
    return source is not None and source is not ParameterSource.DEFAULT


def _codes(given: Sequence[str], option: str) -> tuple[str, ...]:
    """The beginnings of codes in GIVEN. Raises UsageError (V007) for one that begins no code."""
    from volcli.gate.findings.finding import ALWAYS

    codes = tuple(code.strip().upper() for each in given for code in each.split(","))
    for code in codes:
        named = codes_of(code, f"{option}: ")
        if option == "--ignore" and all(name.startswith(ALWAYS) for name in named):
            message = f"{option}: {code} is always reported: volcli could not do its work"
            raise UsageError(Diagnostic("V007", message, note="omit it"))
    return codes
