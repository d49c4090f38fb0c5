"""Which diagnostics a command prints, in which order, and what they make of its exit code."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click

from volcli.cli.completion import texts
from volcli.diagnostics import CODES, Diagnostic, Severity, UsageError
from volcli.diagnostics.counted import counted
from volcli.diagnostics.selection import ALL, OPTIONAL, WEIGHTS, Selection, codes_of

C = TypeVar("C", bound=Callable[..., Any])


def arranged(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """DIAGNOSTICS by file and place, with the remarks that say the same of several places made one.

    What mlir-opt's passes say (V4xx) keeps its order, as in mlir-opt.
    """
    if any(CODES[each.code].is_mlir_opt for each in diagnostics):
        return list(diagnostics)
    files = {name: at for at, name in enumerate(dict.fromkeys(_file(each) for each in diagnostics))}

    def position(each: Diagnostic) -> tuple[int, int, int]:
        line, column = (each.place.line, each.place.column) if each.place else (0, 0)
        return files[_file(each)], line, column

    same: dict[object, list[Diagnostic]] = {}
    for each in sorted(diagnostics, key=position):
        is_remark = each.severity is Severity.REMARK
        key = (_file(each), each.code, each.message, each.note) if is_remark else object()
        same.setdefault(key, []).append(each)
    return [_as_one(group) for group in same.values()]


def _as_one(group: Sequence[Diagnostic]) -> Diagnostic:
    """GROUP, diagnostics that differ only in their places, as the first of them."""
    first, more = group[0], len(group) - 1
    if not more:
        return first
    return replace(first, message=f"{first.message} (and at {counted(more, 'more place')})")


def _file(diagnostic: Diagnostic) -> str:
    return diagnostic.place.file if diagnostic.place else ""


_OF_PASS = re.compile(r"[\w-]+: option '([\w-]+)'(?: is|:)?\s*")


def of_command(diagnostic: Diagnostic) -> Diagnostic:
    """What is said of an option of a pass (V002), as of the option of the command that was given for it.

    `mars: option 'tile': 'i' has no size` is `--tile: 'i' has no size` where --tile has set it.
    """
    context = click.get_current_context(silent=True)
    found = _OF_PASS.match(diagnostic.message) if diagnostic.code == "V002" else None
    if context is None or found is None or diagnostic.place is not None:
        return diagnostic
    option = f"--{found[1]}"
    if not any(option in each.opts for each in context.command.params):
        return diagnostic
    note = diagnostic.note and diagnostic.note.replace(f"{found[1]}=", f"{option} ")
    help = f"`{context.command_path} --help` shows how to write it"
    message = f"{option}: {diagnostic.message[found.end() :]}"
    return replace(diagnostic, message=message, note=note or help)


def options(command: C) -> C:
    """--select, --ignore, --quiet and --fail-on, which COMMAND is given as `selection`."""

    def into(field: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
        def keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
            before: Selection = ctx.params.get("selection", ALL)
            ctx.params["selection"] = _extended(before, field, value)
            return value

        return keep

    for option in (
        click.option(
            "--fail-on", type=click.Choice([each.value for each in WEIGHTS]), default="error",
            show_default=True, expose_value=False, callback=into("fail_on"),
            help="The least severity of a finding that makes the exit code 1.",
        ),
        click.option(
            "--ignore", metavar="CODES", multiple=True, expose_value=False, callback=into("ignore"),
            shell_complete=texts.complete_from(texts.codes),
            help="Omit these codes, such as 'V204,V3'; the longer prefix wins over --select.",
        ),
        click.option(
            "--select", metavar="CODES", multiple=True, expose_value=False, callback=into("select"),
            shell_complete=texts.complete_from(texts.codes),
            help="Report only these codes, such as 'V2'; errors of the call and the input are always "
            "reported.",
        ),
        click.option(
            "-q", "--quiet", is_flag=True, expose_value=False, callback=into("quiet"),
            help="Omit remarks: what volcli does not know, and what functions need of their callers.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def _extended(selection: Selection, field: str, value: Any) -> Selection:
    """SELECTION with the VALUE of one option; raises UsageError (V007) for codes that do not exist."""
    if field == "quiet":
        return replace(selection, ignore=(*selection.ignore, "V3", "V204", "V215")) if value else selection
    if field == "fail_on":
        return replace(selection, fail_on=Severity(value))
    codes = tuple(code.strip().upper() for each in value for code in each.split(","))
    for code in codes:
        _check(code, field)
    return replace(selection, **{field: (*getattr(selection, field), *codes)})


def _check(code: str, field: str) -> None:
    """Raise UsageError (V007) unless CODE is the beginning of codes that may be left out."""
    named = codes_of(code, f"--{field}: ")
    if not any(name.startswith(OPTIONAL) for name in named):
        message = (
            f"--{field}: {code} is always reported; only findings (V2xx) and limits (V3xx) can be omitted"
        )
        raise UsageError(Diagnostic("V007", message))
