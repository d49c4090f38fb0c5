"""Pages for `man`, one for each command and one for volcli itself: troff from what `--help` prints.

`make man` writes them into dist/man, and a wheel has them in share/man/man1: they are as new as the commands.
(click-man reads the commands that a group has imported, which ours has not, and leaves out what follows the
options.)
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from volcli import __version__
from volcli.cli.commands import volcli
from volcli.diagnostics.codes import SITE

_ESCAPED = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
_CODE = re.compile(r"`([^`]+)`")
_SECTIONS = {"Example": "EXAMPLES", "Exit code": "EXIT STATUS", "Completion": "COMPLETION"}
"""The sections of what follows the options, by their first words."""


def man_pages() -> dict[str, str]:
    """The names of the pages, `volcli-check.1`, and their texts."""
    with click.Context(volcli, info_name="volcli", **volcli.context_settings) as group:
        pages = {"volcli.1": _page(group, [*_commands(group)])}
        for name in volcli.list_commands(group):
            command = volcli.get_command(group, name)
            assert command is not None
            with click.Context(command, info_name=name, parent=group) as context:
                pages[f"volcli-{name}.1"] = _page(context)
        return pages


def write_pages(folder: Path) -> list[Path]:
    """Write the pages into FOLDER, which is made; where each is."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / name: text for name, text in man_pages().items()}
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")
    return [*pages]


def _page(context: click.Context, commands: list[str] | None = None) -> str:
    """The page of the command of CONTEXT, with the lines about COMMANDS of a group."""
    command, path = context.command, context.command_path
    name = path.replace(" ", "-")
    help = inspect.cleandoc(command.help or "")
    options = [p.get_help_record(context) for p in command.get_params(context) if isinstance(p, click.Option)]
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH {_text(name.upper())} 1 "" "volcli {__version__}" "volcli"',
        ".nh",  # commands and paths stay as they are typed
        ".ad l",
        ".SH NAME",
        rf"{_text(name)} \- {_text(_summary(help))}",
        ".SH SYNOPSIS",
        rf"\fB{_text(path)}\fR {_text(usage)}",
        ".SH DESCRIPTION",
        *_paragraphs(help),
        ".SH OPTIONS",
        *(line for record in options if record is not None for line in _item(*record)),
        *([".SH COMMANDS", *commands] if commands else []),
        *_after_options(inspect.cleandoc(command.epilog or "")),
        ".SH SEE ALSO",
        *([] if commands else [r"\fBvolcli\fR(1),"]),
        _text(SITE),
    ]
    return "\n".join(lines) + "\n"


def _commands(group: click.Context) -> Iterator[str]:
    assert isinstance(group.command, click.Group)
    for name in group.command.list_commands(group):
        command = group.command.get_command(group, name)
        assert command is not None
        summary = _text(_summary(inspect.cleandoc(command.help or "")))
        yield from (".TP", rf"\fBvolcli\-{_text(name)}\fR(1)", summary)


def _item(switch: str, help: str) -> Iterator[str]:
    yield from (".TP", rf"\fB{_text(switch)}\fR", _line(help))


def _summary(help: str) -> str:
    """The first sentence of HELP, in a line and without its period."""
    first = " ".join(help.split("\n\n")[0].split())
    return re.split(r"(?<=\w)\.(?: |$)", first.replace("`", ""))[0]


def _paragraphs(text: str) -> Iterator[str]:
    r"""TEXT in lines of troff; one that begins with \b keeps its own."""
    for number, paragraph in enumerate(text.split("\n\n")):
        yield from [".PP"] * (number > 0)
        if paragraph.startswith("\b\n"):
            yield from (".nf", *map(_line, paragraph.split("\n")[1:]), ".fi")
        else:
            yield _line(" ".join(paragraph.split()))


def _after_options(epilog: str) -> Iterator[str]:
    """The sections that follow the options, each with its paragraph of EPILOG."""
    for paragraph in filter(None, epilog.split("\n\n")):
        words = paragraph.removeprefix("\b\n")
        title = next((title for begin, title in _SECTIONS.items() if words.startswith(begin)), "NOTES")
        first, newline, rest = words.partition("\n")
        is_heading = bool(newline) and first.removesuffix(":") in _SECTIONS
        yield f".SH {title}"
        yield from _paragraphs("\b\n" + inspect.cleandoc(rest) if is_heading else words)


def _line(text: str) -> str:
    """TEXT as one line, with what is in backquotes in bold."""
    parts = _CODE.split(text)
    said = "".join(rf"\fB{_text(part)}\fR" if at % 2 else _text(part) for at, part in enumerate(parts))
    return rf"\&{said}" if said.startswith(".") else said


def _text(text: str) -> str:
    """TEXT with what is markup in troff escaped, and typed as it is to be copied."""
    return "".join(_ESCAPED.get(c, c) for c in text)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
