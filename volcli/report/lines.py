"""Text in lines: folded where a terminal is narrow, with styles and links where it has colours.

A code is a link to its page, a place one to its file (OSC 8): terminals without links show the text alone.
"""

from __future__ import annotations

import io
import os
import re
import socket
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from volcli.diagnostics import CODES
from volcli.frontend.text.words import words

GLUE = "\ue000"
"""Stands for a space at which no line is broken, until it is printed."""
_BRACKETS = re.compile(r"[\w%@.#]*(?:\([^()\[\]{}]*\)|\[[^()\[\]{}]*\])")
_OPERATOR = re.compile(
    r"(?<=\{) | (?=\})|(?<= [=<>]) | (?=[=<>] )|(?<= [<>=]=) | (?=[<>=]= )"
    r"|(?<= floordiv) | (?=floordiv )|(?<= ceildiv) | (?=ceildiv )|(?<= mod) | (?=mod )"
)
_PRODUCT = re.compile(r"(?<= \*) | (?=\* )")
_WEAK_GLUE = "\ue001"
_WORD = re.compile(r"[^ \n]+")
_SEVERITIES = {"error": "1;31", "warning": "1;33", "remark": "1;34", "note": "1"}
_KINDS = {"comment": "2", "string": "32", "variable": "36", "function": "35", "macro": "35", "label": "35"}
"""The colours of words of MLIR."""
_HEAD = re.compile(
    r"^(?:(?P<place>\S[^\n]*?:\d+:\d+)(?P<between>:(?: |\n +)))?"
    r"(?P<severity>error|warning|remark|note):(?=\s)",
    re.MULTILINE,
)
_PICTURES = {
    **{code: 0x2400 + code for code in range(32) if chr(code) not in "\n\t"},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0x241B),
}
_CARET = re.compile(r"\s*\^$")
_STYLE = r"\x1b\[[0-9;]*m"
_CODE = re.compile(rf"({_STYLE}|(?<![%#@$.\w/\\-]))(V\d{{3}})(?![\w/\\-]|\.\w)")
_PLACE = re.compile(
    rf"^({_STYLE}|)([^\s\x1b][^\x1b\n]*?):(\d+)(:\d+)(?=(?:{_STYLE})?:(?: |\n))", re.MULTILINE
)


@dataclass(frozen=True)
class Line:
    """One line, with a style of rich's; `spans` are parts with other ones: from, to, style."""

    text: str = ""
    style: str = ""
    spans: tuple[tuple[int, int, str], ...] = ()


def grid_row(head: str, margin: int, cells: Iterable[tuple[str, str]]) -> Line:
    """HEAD in so wide a MARGIN, and CELLS after it: each a mark between spaces, and its colour or none."""
    text, spans = head.ljust(margin), list[tuple[int, int, str]]()
    for cell, colour in cells:
        if colour:
            begin = len(text) + len(cell) - len(cell.lstrip())
            spans.append((begin, begin + 1, colour))
        text += cell
    return Line(text.rstrip(), spans=tuple(spans))


def grid_head(head: str, margin: int, columns: Sequence[int], cell: int) -> Line:
    """HEAD, and the numbers of COLUMNS that are CELL wide each, or of as many as there is room for."""
    size = max(len(str(column)) for column in (columns[0], columns[-1])) + 1
    every = -(-size // cell)
    text = ""
    for k, column in enumerate(columns):
        if k % every == 0 and len(str(column)) <= cell * (len(columns) - k):
            text = text.ljust(cell * k) + str(column).rjust(cell)
    return Line(head.ljust(margin) + text, "bold")


def as_text(lines: Iterable[Line], *, width: int | None = None, colour: bool = False) -> str:
    """LINES, folded at WIDTH columns (None: not at all), with escape sequences if COLOUR."""
    from rich.console import Console
    from rich.text import Text

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=1_000_000,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        legacy_windows=False,
        emoji=False,
        markup=False,
    )
    for line in lines:
        shown = line.text if width is None else visible(line.text)
        for number, part in enumerate(_folded(shown, width)):
            text = Text(part, style=line.style)
            for begin, end, style in line.spans if number == 0 else ():
                text.stylize(style, begin, end)
            console.print(text)
    return linked(stream.getvalue()) if colour else stream.getvalue()


def glued(text: str, width: int) -> str:
    """TEXT with GLUE for the spaces at which no line of WIDTH columns is broken.

    What is in brackets stays together if it takes less than half of a line, as do two sides of `=` and the
    factors of a product, unless there is no room for that.

    >>> glued("dim(%a, 0) = 1, %b[%i, %j] of { [i = 2] }", 30).replace(GLUE, "_").split()
    ['dim(%a,_0)_=_1,', '%b[%i,_%j]', 'of', '{_[i_=_2]_}']
    """

    def together(found: re.Match[str]) -> str:
        return found[0].replace(" ", GLUE) if len(found[0]) <= width // 2 else found[0]

    text = _PRODUCT.sub(_WEAK_GLUE, _OPERATOR.sub(GLUE, _BRACKETS.sub(together, text)))
    text = _without(_without(text, _WEAK_GLUE, width), GLUE, width)
    return text.replace(_WEAK_GLUE, GLUE)


def _without(text: str, glue: str, width: int) -> str:
    """TEXT with spaces for GLUE in the words that are longer than WIDTH."""
    return _WORD.sub(lambda word: word[0] if len(word[0]) <= width else word[0].replace(glue, " "), text)


def _folded(text: str, width: int | None) -> list[str]:
    """TEXT in parts of at most WIDTH columns; the ones after the first are indented, if there is room."""
    if width is None or len(text) <= width:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 4)
    if 2 * len(indent) > width:
        indent = ""
    parts = textwrap.wrap(
        glued(text, width - len(indent)), max(width, 1), subsequent_indent=indent, break_on_hyphens=False
    )
    return [part.replace(GLUE, " ") for part in parts]


def coloured(text: str) -> str:
    r"""Diagnostics, as they are rendered, with severities, source lines and carets in colour, and links.

    >>> coloured("error: V999: it")
    '\x1b[1;31merror:\x1b[0m V999: it'
    """
    lines = _HEAD.sub(_head_coloured, text).split("\n")
    below = [*lines[1:], ""]
    return linked("\n".join(_line(line, after) for line, after in zip(lines, below, strict=True)))


def _head_coloured(found: re.Match[str]) -> str:
    place, between, word = found["place"], found["between"], found["severity"]
    shown = f"{_styled(place, '1')}{between}" if place else ""
    return shown + _styled(f"{word}:", _SEVERITIES[word])


def _line(line: str, below: str) -> str:
    if _CARET.match(line):
        return _styled(line, "1;32")
    if _CARET.match(below):
        return _source(line)
    return line


def _source(line: str) -> str:
    """A LINE of MLIR; types that are names have the colour of these, and of keywords operations are bold."""
    found: list[str] = []
    at = 0
    for start, end, kind in words(line):
        word = line[start:end]
        style = _KINDS.get(kind)
        if kind == "type" and word.startswith("!"):
            style = _KINDS["macro"]
        elif kind == "keyword" and "." in word:
            style = "1"
        found += [line[at:start], word if style is None else _styled(word, style)]
        at = end
    return "".join([*found, line[at:]])


def visible(text: str) -> str:
    """TEXT with a picture (\u241b) of each character that would control a terminal; lines and tabs stay."""
    return text.replace("\r\n", "\n").translate(_PICTURES)


def linked(text: str) -> str:
    """TEXT with its codes as links to their pages, and the places that its lines begin with, to files.

    The link of a place ends in `#LINE`, which editors and terminals read that open files.
    """
    if "V" in text:
        text = _CODE.sub(_code_linked, text)
    return _PLACE.sub(_place_linked, text)


def _code_linked(found: re.Match[str]) -> str:
    code = CODES.get(found[2])
    return found[0] if code is None else found[1] + _link(found[2], code.page)


def _place_linked(found: re.Match[str]) -> str:
    style, file, line, column = found.groups()
    address = _address(file)
    return found[0] if address is None else style + _link(f"{file}:{line}{column}", f"{address}#{line}")


def _address(file: str) -> str | None:
    """The URI of FILE on this computer; None if there is no such file (`<stdin>`, a pipeline)."""
    if not os.path.isfile(file):
        return None
    uri = Path(os.path.abspath(file)).as_uri()
    return uri.replace("file:///", f"file://{socket.gethostname()}/", 1)


def _styled(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"


def _link(text: str, address: str) -> str:
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"
