"""How the work of `volcli check` and `volcli report` is done: by how many processes, with what is known."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from volcli.cli.parts import reports
from volcli.runtime import CACHE_FOLDER, progress

if TYPE_CHECKING:
    from volcli.gate.policy.policy import Policy
    from volcli.gate.run import Running
    from volcli.gate.work.executor import Executor
    from volcli.gate.work.work import FileResult, Work

C = TypeVar("C", bound=Callable[..., Any])


def jobs(command: C) -> C:
    """-j."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        default=None,
        help="Number of files to check at the same time, each in its own process.  [default: one for each "
        "processor]",
    )(command)


def cache_dir(command: C) -> C:
    """--cache-dir."""
    return click.option(
        "--cache-dir",
        metavar="FOLDER",
        type=click.Path(readable=False),
        envvar="VOLCLI_CACHE_DIR",
        help=f"Where results are kept for the next run; default: '{CACHE_FOLDER}' beside the policy.",
    )(command)


def no_cache(command: C) -> C:
    """--no-cache."""
    return click.option("--no-cache", is_flag=True, help="Analyse all files again, and keep nothing.")(
        command
    )


def cache_folder(policy: Policy, cache_dir: str | None, no_cache: bool) -> Path | None:
    """Where results are kept under POLICY; None if they are not."""
    return None if no_cache else Path(cache_dir or Path(policy.folder or ".") / CACHE_FOLDER)


def warn(message: str) -> None:
    """Say MESSAGE, which changes no result."""
    progress.clear()
    click.echo(f"warning: {message}", err=True)


@contextmanager
def running(
    jobs: int | None,
    folder: Path | None,
    executor: Callable[[], Executor[Work, FileResult]] | None,
    quiet: bool,
) -> Generator[Running, None, None]:
    """How work is done: by JOBS at a time or EXECUTOR, with a cache in FOLDER; shown unless QUIET."""
    from volcli.gate.run import Running
    from volcli.gate.work.cache import ResultCache
    from volcli.gate.work.pool import usable_processors

    cache = None if folder is None else ResultCache(folder, warn)
    try:
        with reports.counted("files", quiet=quiet) as done:
            yield Running(jobs or usable_processors(), executor, cache, done, warn)
    finally:
        if cache is not None:
            cache.close()
