"""A file in pieces: which lines a function has, and which other lines what is found in it depends on.

What is found in a function depends on its own text, on what it refers to (functions, globals, aliases), on
what these refer to, and of a private function also on what refers to it, since calls say what is passed. All
this is its closure. So a function whose closure has the same text as in an earlier run has the same findings,
as many lines lower as it stands lower now; and a text in which all lines but those of the closures of some
functions are empty has the same findings in these functions as the whole, at the same places.

The text is split by its brackets (`splitting.py`), and only if it looks like what mlir-opt prints and people
write: functions, globals and aliases that begin lines, maybe in one module. Any other text is in one piece
(None). Who analyses a piece checks that the functions are where they are said to be.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from volcli.frontend.text.expected import expectations
from volcli.frontend.text.source import SYMBOL, Source, split_chunks
from volcli.gate.findings.directives import is_about_file
from volcli.gate.work.splitting import BLANK, Item, items_in
from volcli.limits import gate as limits

Lines = tuple[int, int]
"""The first and the last of some lines."""

_REFERENCE = re.compile(rf"{SYMBOL}|[#!][A-Za-z_][\w$-]*")


@dataclass(frozen=True)
class Part:
    """Some functions of a file: the lines that are `read`, and those of which something is found.

    What is found in the other lines, comments to volcli included, is found where these are shown.
    """

    read: tuple[Lines, ...]
    shown: tuple[Lines, ...]

    @cached_property
    def lines(self) -> frozenset[int]:
        """The lines that are shown."""
        return frozenset(line for first, last in self.shown for line in range(first, last + 1))

    def text(self, whole: str) -> str:
        """The lines of WHOLE that are read, and empty ones in place of the others."""
        lines = whole.split("\n")
        kept = [""] * len(lines)
        for first, last in self.read:
            kept[first - 1 : last] = lines[first - 1 : last]
        return "\n".join(kept)


@dataclass(frozen=True, eq=False)
class FilePiece:
    """The lines of one function; `key` is a digest of its closure, and `read` are the lines of that.

    Without a `symbol`, it is a chunk with anything in it, or a global or an alias that no function refers to.
    """

    symbol: str
    first: int
    last: int
    key: str
    read: tuple[Lines, ...]
    is_private: bool = False


def part_of(pieces: Iterable[FilePiece]) -> Part:
    """PIECES of one file as what is analysed together."""
    chosen = list(pieces)
    read = sorted({lines for each in chosen for lines in each.read})
    return Part(tuple(read), tuple((each.first, each.last) for each in chosen))


def pieces_of(text: str) -> list[FilePiece] | None:
    """The functions in TEXT, in their order; None if it cannot be told apart what belongs to which.

    >>> text = "func.func @f() {\\n}\\n\\nfunc.func @g() {\\n  call @f() : () -> ()\\n}\\n"
    >>> [(each.symbol, each.first, each.last, each.read) for each in pieces_of(text) or ()]
    [('@f', 1, 2, ((1, 2),)), ('@g', 4, 6, ((1, 2), (4, 6)))]
    """
    if "{-#" in text or "\r" in text.replace("\r\n", "") or is_about_file(text):
        return None
    found: list[FilePiece] = []
    chunks = split_chunks(Source("", text))
    for chunk in chunks:
        lines = chunk.text.split("\n")
        is_first, is_last = chunk is chunks[0], chunk is chunks[-1]
        if not (is_first or BLANK.match(lines[0])) or not (is_last or not lines[-1].strip()):
            return None  # a marker in a line with something else
        markers = () if is_first else ((chunk.first_line, chunk.first_line),)
        items = items_in(lines, chunk.first_line)
        is_clear = items is not None and not _expects_beyond(items, chunk)
        if items is not None and is_clear and len(items) <= limits.PIECED_OPERATIONS:
            found += _closed(items, lines, chunk.first_line, markers)
        elif len(chunks) == 1:
            return None
        else:
            found.append(_whole(chunk, len(lines), markers))
    return found


def _whole(chunk: Source, lines: int, markers: tuple[Lines, ...]) -> FilePiece:
    """A CHUNK of so many LINES as one piece."""
    key = hashlib.sha256(chunk.text.encode("utf-8", "surrogateescape")).hexdigest()
    first, last = chunk.first_line + len(markers), chunk.first_line + lines - 1
    return FilePiece("", first, last, key, (*markers, (first, last)))


def _expects_beyond(items: Sequence[Item], chunk: Source) -> bool:
    """Whether a comment of CHUNK expects a diagnostic outside of that of ITEMS in which it stands."""
    return not all(
        any(
            item.first <= each.place.line <= item.last and item.first <= each.line <= item.last
            for item in items
        )
        for each in expectations(chunk)
        if each.line is not None
    )


def _closed(
    items: Sequence[Item], lines: Sequence[str], first_line: int, markers: tuple[Lines, ...]
) -> Iterator[FilePiece]:
    """The functions among ITEMS, with their closures, and what no function refers to, which is read, too."""
    texts = ["\n".join(lines[each.first - first_line : each.last - first_line + 1]) for each in items]
    digests = [hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest() for text in texts]
    positions = {each.symbol: at for at, each in enumerate(items) if each.symbol}
    uses = [
        {positions[name] for name in set(_REFERENCE.findall(text)) if name in positions} - {at}
        for at, text in enumerate(texts)
    ]
    users: defaultdict[int, set[int]] = defaultdict(set)
    for at, used in enumerate(uses):
        for each in used:
            users[each].add(at)
    frame = {at for at, each in enumerate(items) if each.kind == "frame"}
    functions = [at for at, each in enumerate(items) if each.is_function]
    closures = {at: _closure(at, items, uses, users) for at in functions}
    read_by_functions = frame.union(*closures.values())
    for at, item in enumerate(items):
        if at in closures or at not in read_by_functions:
            closure = sorted(closures.get(at, {at} | uses[at]) | frame)
            # A function's own place in its closure is part of what it depends on.
            parts = (b"".join(digests[each] for each in closure), str(closure.index(at)).encode())
            key = hashlib.sha256(b"".join(parts)).hexdigest()
            read = tuple((items[each].first, items[each].last) for each in closure)
            symbol = item.symbol if at in closures else ""
            yield FilePiece(
                symbol, item.first, item.last, key, (*markers, *read), is_private=item.kind == "private"
            )


def _closure(
    at: int, items: Sequence[Item], uses: Sequence[set[int]], users: defaultdict[int, set[int]]
) -> set[int]:
    """What is needed by the item AT, by position."""
    found, pending = {at}, [at]
    while pending:
        each = pending.pop()
        near = uses[each] | users[each] if items[each].kind == "private" else uses[each]
        pending += near - found
        found |= near
    return found
