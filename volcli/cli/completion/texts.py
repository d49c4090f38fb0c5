"""What a call's files name: functions, values, lines of operations. Texts are scanned, not parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping

import click
from click.shell_completion import CompletionItem

from volcli.diagnostics import CODES
from volcli.limits import printing as limits

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
Names = Callable[[click.Context], Mapping[str, str]]
"""What may be written in a call, each with what is said of it."""

_FILES = ("file", "files", "before", "after", "paths")
_FUNCTION = re.compile(r"\bfunc(?:\.func)?\s+(?:(?:public|private|nested)\s+)?@([\w$.-]+)")
_VALUE = re.compile(r"%[\w$.-]+")
_OPERATION = re.compile(r'\s*(?:%[^=\n]*=\s*)?"?[a-z_]\w*\.[a-z_][\w.]*')
_COMMENT = re.compile(r"//.*")


def complete_from(names: Mapping[str, str] | Names) -> Completion:
    """Shell completion of the last item of a list with commas, from NAMES."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        known = names(ctx) if callable(names) else names
        return [
            CompletionItem(before + comma + name, help=said or None)
            for name, said in known.items()
            if name.startswith(last)
        ]

    return complete


def functions(sigil: str = "") -> Names:
    """The functions in the files of a call, each after SIGIL."""
    return lambda ctx: {f"{sigil}{name}": "" for text in texts(ctx) for name in _FUNCTION.findall(text)}


def values(*others: str, end: str = "") -> Names:
    """The values in the files of a call, each with END after it, and OTHERS."""

    def found(ctx: click.Context) -> Mapping[str, str]:
        names = (name for text in texts(ctx) for name in _VALUE.findall(_COMMENT.sub("", text)))
        return dict.fromkeys([*(name + end for name in names), *others], "")

    return found


def lines(ctx: click.Context) -> Mapping[str, str]:
    """The lines in which operations of the only file of a call begin."""
    found = [*texts(ctx)]
    return lines_of(found[0]) if len(found) == 1 else {}


def lines_of(text: str) -> Mapping[str, str]:
    """The lines of TEXT in which operations begin, each with its text."""
    numbered = enumerate(text.split("\n"), 1)
    return {str(number): line.strip() for number, line in numbered if _OPERATION.match(line)}


def codes(ctx: click.Context) -> Mapping[str, str]:
    """The codes of diagnostics."""
    return {name: code.summary for name, code in CODES.items()}


def answers(ctx: click.Context) -> Mapping[str, str]:
    """The answers that facts have about what is asked."""
    from volcli.facts.fact import Fact
    from volcli.passes.table import QUESTIONS, find

    asked = [word for each in ctx.params.get("ask") or () for word in each.split(",")]
    for each in asked:
        if each in QUESTIONS:
            find(QUESTIONS[each].partition("{")[0])
    kinds = (kind for kind in Fact.__subclasses__() if getattr(kind, "question", "") in asked)
    words = (word for kind in kinds for word in kind.answers)
    return dict.fromkeys((*words, "exact", "approximate", "unknown"), "")


def files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, as the shell completes them."""
    return [CompletionItem(incomplete, type="file")]


def folders(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders, as the shell completes them."""
    return [CompletionItem(incomplete, type="dir")]


def texts(ctx: click.Context) -> Iterator[str]:
    """The texts of the files of the call CTX, as far as they are there.

    They are words that click has not assigned yet where the option that is completed has no value.
    """
    given = (ctx.params.get(name) or () for name in _FILES)
    words = [*ctx.args, *(word for each in given for word in ((each,) if isinstance(each, str) else each))]
    yield from (text_of(path) for path in dict.fromkeys(words) if os.path.isfile(path))


def text_of(path: str) -> str:
    """The first part of the file at PATH."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(limits.COMPLETED_TEXT)
    except OSError:
        return ""
