"""What the text alone tells: names of symbols, an outline, what can be folded, and what each word is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from volcli.frontend.text.source import SKIPPED
from volcli.frontend.text.words import KINDS, words
from volcli.lsp.documents import Document

_BRACKETS = re.compile(SKIPPED + "|[{}]")


def outline(document: Document) -> list[types.DocumentSymbol]:
    """The functions and globals of DOCUMENT."""
    found: list[types.DocumentSymbol] = []
    ends = dict(_pairs(document))
    for each in document.symbols:
        if not each.is_definition:
            continue
        line = document.lines[each.line]
        last = ends.get(each.line, each.line)
        is_function = "global" not in line[: each.start]
        found.append(
            types.DocumentSymbol(
                each.name,
                types.SymbolKind.Function if is_function else types.SymbolKind.Variable,
                document.range(each.line, 0, len(document.lines[last]), last),
                document.range(each.line, each.start, each.end),
            )
        )
    return found


def _pairs(document: Document) -> list[tuple[int, int]]:
    """The lines of braces and their partners, of those in one line the outermost, by the first line."""
    opened: list[int] = []
    found: dict[int, int] = {}
    for number, line in enumerate(document.lines):
        for match in _BRACKETS.finditer(line):
            if match[0] == "{":
                opened.append(number)
            elif match[0] == "}" and opened:
                first = opened.pop()
                if first < number:
                    found[first] = number
    return sorted(found.items())


def folds(document: Document) -> list[types.FoldingRange]:
    """What stands between braces in different lines."""
    return [types.FoldingRange(first, last - 1) for first, last in _pairs(document) if last - 1 > first]


def tokens(document: Document) -> list[int]:
    """What each word is, as LSP packs it: five numbers a word, places relative to the word before."""
    data: list[int] = []
    before = (0, 0)
    for line, start, length, kind in _words(document):
        here = document.range(line, start, start + length)
        at = here.start
        begin = at.character - (before[1] if line == before[0] else 0)
        data += [line - before[0], begin, here.end.character - at.character, KINDS.index(kind), 0]
        before = line, at.character
    return data


def _words(document: Document) -> Iterator[tuple[int, int, int, str]]:
    for number, line in enumerate(document.lines):
        for start, end, kind in words(line):
            yield number, start, end - start, kind
