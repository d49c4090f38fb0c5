"""Options that are kept together: each is a field of one dataclass, which is one argument of the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import click

C = TypeVar("C", bound=Callable[..., Any])


Callback = Callable[[click.Context, click.Parameter, Any], Any]


def kept_in(name: str, first: Callable[[], Any]) -> Callback:
    """What keeps the value of an option as a field of the argument NAME of its command, at first FIRST()."""

    def kept(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        before = ctx.params.get(name) or first()
        ctx.params[name] = replace(before, **{str(parameter.name): value})
        return value

    return kept


def option_kept(request: Callable[[], Any]) -> Callable[..., Callable[[C], C]]:
    """What makes an option, as `click.option` does, whose value is in the REQUEST of its command."""
    return partial(click.option, expose_value=False, callback=kept_in("request", request))


def kept_options(made: Sequence[Callable[[C], C]]) -> Callable[[C], C]:
    """The decorator of a command that has the options MADE, in their order."""

    def decorated(command: C) -> C:
        for option in reversed(made):
            command = option(command)
        return command

    return decorated
