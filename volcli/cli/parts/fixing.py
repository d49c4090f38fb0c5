"""`volcli check --fix` and `--fix-diff`: fixes are written into files, or shown as a diff."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from volcli.cli.parts.output import STDOUT, difference, write_bytes, write_output
from volcli.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from volcli.gate.policy.policy import Policy
    from volcli.gate.report import Report
    from volcli.gate.run import Running
    from volcli.gate.work.fixed import FixedFile


def fixed(
    report: Report,
    paths: Sequence[str],
    policy: Policy,
    unsafe: bool,
    running: Running,
    again: Callable[[], Report],
) -> tuple[Report, list[Diagnostic]]:
    """What is found AGAIN after what REPORT tells was fixed, and which files could not be written.

    Each file is either replaced whole or left as it was.
    """
    from volcli.gate.fixing import fixed_files, made, with_fixes

    wrong: list[Diagnostic] = []

    def write(file: FixedFile) -> bool:
        try:
            _write(file)
        except UsageError as error:
            wrong.append(error.diagnostic)
            return False
        return True

    fixes = made(fixed_files(report, paths, policy, unsafe, running), write)
    return with_fixes(again() if fixes.fixed else report, fixes), wrong


def _write(file: FixedFile) -> None:
    """Write FILE. Raises UsageError: V006 if it is another one or cannot be written, V100 if it is gone."""
    from volcli.frontend.text.source import read_bytes

    if read_bytes(file.path) != file.before:
        message = f"'{file.path}' has changed meanwhile: it is left as it is, without its fixes"
        raise UsageError(Diagnostic("V006", message, note="fix it again"))
    if not os.access(file.path, os.W_OK):  # it could still be replaced, by whom its folder belongs to
        raise UsageError(Diagnostic("V006", f"cannot write '{file.path}': {os.strerror(errno.EACCES)}"))
    write_bytes(file.path, file.after)


def shown(report: Report, paths: Sequence[str], policy: Policy, unsafe: bool, running: Running) -> int:
    """Print what the fixes of what REPORT tells would change; 1 if there are some, 2 as the report has it."""
    from volcli.gate.fixing import fixed_files, made
    from volcli.report.gate.text import said_of_fixes

    files = fixed_files(report, paths, policy, unsafe, running)
    changed = [each for each in files if each.after != each.before]
    texts = [difference(_text(e.before), _text(e.after), e.name, e.name) for e in changed]
    write_output(STDOUT, "".join(texts))
    for line in said_of_fixes(made(files, lambda file: True), would=True):
        click.echo(line, err=True)
    return 2 if report.exit_code == 2 else int(bool(changed))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
