"""Diagnostics and source lines in a terminal's colours, with links: escape sequences, and no other character.

A code is a link to its page, a place one to its file (OSC 8): terminals without links show the text alone.
"""

from __future__ import annotations

import os
import re
import socket
from functools import cache
from pathlib import Path

from volcli.diagnostics import CODES

_SEVERITIES = {"error": "1;31", "warning": "1;33", "remark": "1;34", "note": "1"}
_TOKENS = {"comment": "2", "text": "32", "value": "36", "symbol": "35", "operation": "1"}
"""The colours of MLIR's tokens, by the names of the groups below."""
_TOKEN = re.compile(
    r'(?P<comment>//.*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<value>%[\w$.#:-]*\w)|(?P<symbol>[@#!^][\w$.-]*\w)'
    r"|(?P<operation>(?<![\w.])[a-z_]\w*(?:\.\w+)+)"
)
_HEAD = re.compile(r"(?P<place>\S.*?:\d+:\d+: |)(?P<severity>error|warning|remark|note): ")
_CARET = re.compile(r"\s*\^$")
_STYLE = r"\x1b\[[0-9;]*m"
_CODE = re.compile(rf"({_STYLE}|(?<![%#@$.\w/\\-]))(V\d{{3}})(?![\w/\\-]|\.\w)")
_PLACE = re.compile(rf"^({_STYLE}|)([^\s\x1b][^\x1b\n]*?):(\d+)(:\d+)(?=(?:{_STYLE})?: )", re.MULTILINE)


def coloured(text: str) -> str:
    r"""Diagnostics, as they are rendered, with severities, source lines and carets in colour, and links.

    >>> coloured("error: V999: it")
    '\x1b[1;31merror:\x1b[0m V999: it'
    """
    lines = text.split("\n")
    below = [*lines[1:], ""]
    return linked("\n".join(_line(line, after) for line, after in zip(lines, below, strict=True)))


def _line(line: str, below: str) -> str:
    if _CARET.match(line):
        return _styled(line, "1;32")
    if _CARET.match(below):
        return _TOKEN.sub(lambda found: _styled(found[0], _TOKENS[found.lastgroup or ""]), line)
    head = _HEAD.match(line)
    if head is None:
        return line
    place, word = head["place"], head["severity"]
    shown = _styled(place[:-2], "1") + place[-2:] if place else ""
    return f"{shown}{_styled(word + ':', _SEVERITIES[word])} {line[head.end() :]}"


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


@cache
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
