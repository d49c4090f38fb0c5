"""The group of commands: lazily imported, and every way out of it is an exit code and one clear line."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import click

from volcli.cli.parts.console import Console
from volcli.cli.parts.output import discard_output
from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime import progress

INTERRUPTED = 130
"""128 + SIGINT: what a shell reports of a program that Ctrl-C ended."""
CLOSED_PIPE = 141
"""128 + SIGPIPE: what a shell reports of a program whose reader has gone, as `head` does."""


class Commands(click.Group):
    """A click group whose commands are named as `module:attribute` and imported on use.

    A command returns its exit code. What it raises becomes one here: UsageError its diagnostic's, click's
    errors 2, Ctrl-C 130, a closed pipe 141 in silence, and anything else V900, with no traceback unless
    --traceback asks for it.
    """

    def __init__(self, *, commands_in: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._commands_in = commands_in

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the table, which is that of their use."""
        return list(self._commands_in)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command CMD_NAME, imported now."""
        if cmd_name not in self._commands_in:
            return None
        module, _, attribute = self._commands_in[cmd_name].partition(":")
        return getattr(importlib.import_module(module), attribute)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, but a misspelled command is answered with the closest one."""
        if args and args[0] not in self._commands_in and not ctx.resilient_parsing:
            import difflib

            for near in difflib.get_close_matches(args[0], self._commands_in, n=1):
                ctx.fail(f"No such command '{args[0]}'. Did you mean '{near}'?")
        return super().resolve_command(ctx, args)

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,
    ) -> NoReturn:
        """As `run`, but ends the process: what click's own test runner calls."""
        sys.exit(self.run(sys.argv[1:] if args is None else list(args)))

    def run(self, arguments: Sequence[str]) -> int:
        """Carry out the command that ARGUMENTS name; the exit code."""
        if "_VOLCLI_COMPLETE" in os.environ:
            from volcli.cli.completion.bash import register

            register()
        try:
            code = super().main(list(arguments), prog_name="volcli", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()  # at the interpreter's end a closed pipe would be a traceback
            return int(code or 0)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            return error.exit_code
        except click.UsageError as error:
            return Console().fail(_malformed(error))
        except click.Abort:
            click.echo("volcli: interrupted", err=True)
            return INTERRUPTED
        except (BrokenPipeError, SystemExit) as error:
            if isinstance(error, SystemExit) and not error.code:
                return 0  # of the completion of a shell
            # click turns a closed pipe into SystemExit; without standalone mode it has no other use of it.
            discard_output(1, 2)
            return CLOSED_PIPE

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out the command of CTX; what it raises becomes a diagnostic."""
        try:
            with progress.shown(sys.stderr):
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            console = Console(traceback=bool(ctx.meta.get("volcli.traceback")))
            with console.guard(ctx.invoked_subcommand or "volcli"):
                raise _of_command(error, ctx.invoked_subcommand) from None
            return console.exit_code


def _of_command(error: Exception, command: str | None) -> Exception:
    """ERROR; that a call is malformed (V007) says how COMMAND is called, if it says nothing else."""
    if not isinstance(error, UsageError) or error.diagnostic.code != "V007" or error.diagnostic.note:
        return error
    return UsageError(replace(error.diagnostic, note=f"`volcli {command} --help` shows how to call it"))


def _malformed(error: click.UsageError) -> Diagnostic:
    """click's ERROR as the diagnostic V007, with the help of the command that it is about."""
    command = error.ctx.command_path if error.ctx is not None else "volcli"
    message = error.format_message().rstrip(".")
    return Diagnostic("V007", message, note=f"`{command} --help` shows how to call it")
