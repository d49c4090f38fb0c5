"""Completion of what `volcli explain` takes: a file, FILE:LINE, a code, or a limit."""

from __future__ import annotations

import glob
import os

import click
from click.shell_completion import CompletionItem

from volcli.cli.completion.texts import codes, lines_of, text_of


def complete_explained(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The lines of the file that INCOMPLETE names; codes and limits that begin so; else files."""
    file, colon, line = incomplete.rpartition(":")
    if colon and os.path.isfile(file):
        found = lines_of(text_of(file))
        return [CompletionItem(f"{file}:{n}", help=said) for n, said in found.items() if n.startswith(line)]
    known = {**codes(ctx), **_limits()} if incomplete else {}
    if any(glob.iglob(glob.escape(incomplete) + "*")):
        known = {}
    named = [CompletionItem(name, help=said) for name, said in known.items() if name.startswith(incomplete)]
    return named or [CompletionItem(incomplete, type="file")]


def _limits() -> dict[str, str]:
    """Areas and names of limits."""
    from volcli.limits.table import AREAS, matching

    units = {name: limit.unit for name, limit in matching("limits").items()}
    return {"limits": "all limits", **dict.fromkeys(AREAS, "limits of this area"), **units}
