"""`volcli help`: what `--help` says, asked for as a command."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

_EPILOG = """\b
Example:
  $ volcli help analyze
"""


def _commands(ctx: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    group = ctx.find_root()
    assert isinstance(group.command, click.Group)
    names = group.command.list_commands(group)
    return [CompletionItem(name) for name in names if name.startswith(text)]


@click.command("help", epilog=_EPILOG)
@click.argument("command", required=False, shell_complete=_commands)
@click.pass_context
def show(ctx: click.Context, command: str | None) -> int:
    """Show the help of COMMAND, or of volcli."""
    group = ctx.find_root()
    if command is None:
        click.echo(group.get_help())
        return 0
    assert isinstance(group.command, click.Group)
    name, found, _ = group.command.resolve_command(group, [command])
    assert found is not None  # resolve_command fails otherwise
    with click.Context(found, info_name=name, parent=group) as inner:
        click.echo(found.get_help(inner))
    return 0
