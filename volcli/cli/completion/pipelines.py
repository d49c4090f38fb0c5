"""Completion in a pipeline: `infer-shapes,tile{si` -> `infer-shapes,tile{sizes=`."""

from __future__ import annotations

import re

import click
from click.shell_completion import CompletionItem

from volcli.cli.completion.texts import values
from volcli.passes.table import PASSES

_OPEN = re.compile(r"(?P<before>(?:.*,)?)(?P<name>[\w-]+)\{(?P<options>[^{}]*)", re.DOTALL)


def complete_pipeline(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Passes, options of the pass whose braces are open, and values where an option names some."""
    found = _OPEN.fullmatch(incomplete)
    if found is None:
        before, comma, last = incomplete.rpartition(",")
        is_closed = incomplete.count("{") == incomplete.count("}")
        names = [name for name in PASSES if name.startswith(last)] if is_closed else []
        return [CompletionItem(before + comma + name) for name in names]
    if found["name"] not in PASSES:
        return []
    head, word = re.fullmatch(r"(?s)(.*[\s{]|)(\S*)", found["options"]).groups()  # type: ignore[union-attr]
    start = incomplete[: found.start("options")] + head
    return [CompletionItem(start + text, help=said) for text, said in _options(ctx, found["name"], word)]


def _options(ctx: click.Context, name: str, word: str) -> list[tuple[str, str]]:
    """What WORD, an option of the pass NAME or the beginning of one, may become, and what it is."""
    from volcli.passes.declaration import options_of
    from volcli.passes.table import find

    known = {option.name: option for option in options_of(find(name))}
    key, equals, value = word.partition("=")
    if not equals:
        return [(n if o.kind == "bool" else f"{n}=", o.help) for n, o in known.items() if n.startswith(key)]
    if key not in known:
        return []
    before, comma, last = value.rpartition(",")
    option = known[key]
    of_values = values()(ctx) if "%" in option.help else ()
    words = ("true", "false") if option.kind == "bool" else of_values
    return [(f"{key}={before}{comma}{each}", "") for each in words if each.startswith(last)]
