"""A file in pieces: which lines a function has, and which other lines what is found in it depends on.

What is found in a function depends on its own text, on what it refers to (functions, globals, aliases), on
what these refer to, and of a private function also on what refers to it, since calls say what is passed. All
this is its closure. So a function whose closure has the same text as in an earlier run has the same findings,
as many lines lower as it stands lower now; and a text in which all lines but those of the closures of some
functions are empty has the same findings in these functions as the whole, at the same places.

The text is split by its brackets, without being parsed, and only if it looks like what mlir-opt prints and
people write: functions, globals and aliases that begin lines, maybe in one module. Any other text is in one
piece (None). Who analyses a piece checks that the functions are where they are said to be.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from volcli.frontend.text.expected import expectations
from volcli.frontend.text.source import SKIPPED, SYMBOL, Source, split_chunks
from volcli.gate.findings.directives import is_about_file
from volcli.limits import gate as limits

Lines = tuple[int, int]
"""The first and the last of some lines."""

_SPEAKS = re.compile(r"//\s*volcli")
"""A comment that may speak to volcli."""
_TOKEN = re.compile(SKIPPED + r"|[()\[\]{}]|\n")
_REFERENCE = re.compile(rf"{SYMBOL}|[#!][A-Za-z_][\w$-]*")
_MODULE = re.compile(r"\s*module\b(?!.*//).*\{\s*$")
_FUNCTION = re.compile(rf"\s*(?:func\.)?func\s+(?:(public|private|nested)\s+)?({SYMBOL})")
_GLOBAL = re.compile(rf"\s*memref\.global\s[^@\n]*({SYMBOL})")
ALIAS = re.compile(r"([#!][A-Za-z_][\w$-]*)\s*=")
_CONTINUED = re.compile(r"\s*(->|attributes\b)")
_BLANK = re.compile(r"\s*(//.*)?$")
_CLOSING = re.compile(r"\s*(\}[^/]*)?(//.*)?$")


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
        if not (is_first or _BLANK.match(lines[0])) or not (is_last or not lines[-1].strip()):
            return None  # a marker in a line with something else
        markers = () if is_first else ((chunk.first_line, chunk.first_line),)
        items = _items(lines, chunk.first_line)
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


@dataclass
class _Item:
    """What stands at the outermost level, or in its module: lines from `first` on, up to `last`.

    `kind` is "function", "private" for a private one, "other" for a global or an alias, "frame" for the lines
    of the module around.
    """

    kind: str
    symbol: str
    first: int
    last: int


def _items(lines: Sequence[str], first_line: int) -> list[_Item] | None:
    """What the LINES of a chunk hold, in order; None where that is not known."""
    items: list[_Item] = []
    base, gap, wrapped = 0, None, False
    is_over = True  # whether the last item is
    depths = [*_depths("\n".join(lines))]
    if depths[-1] != 0:
        return None
    for number, (line, depth) in enumerate(zip(lines, depths, strict=False), first_line):
        after = depths[number - first_line + 1]
        if depth < base or min(depth, after) < 0:
            return None
        if depth > base:
            if is_over:
                return None
            items[-1].last, is_over = number, after == base
        elif _BLANK.match(line):
            if line.strip():
                gap = gap or number
            elif gap is not None and not _has_words(lines, gap - first_line, number - first_line):
                gap = None  # comments that say nothing to volcli, and stand apart
        elif wrapped and base and line.lstrip().startswith("}") and after == 0:
            if gap is not None and _has_words(lines, gap - first_line, number - first_line):
                return None
            items.append(_Item("frame", "", number, number))
            base, gap = 0, None
        elif not wrapped and after == 1 and _MODULE.match(line) and all(i.kind == "other" for i in items):
            if gap is not None and _has_words(lines, gap - first_line, number - first_line):
                return None
            items.append(_Item("frame", "", number, number))
            base, gap, wrapped = 1, None, True
        elif items and gap is None and after >= base and _CONTINUED.match(line):
            items[-1].last, is_over = number, after == base
        else:
            item = _begun(line, gap or number, number)
            if item is None or after < base or (wrapped and not base and item.kind != "other"):
                return None
            is_beside = item.kind == "other" and gap is not None
            if is_beside and _has_words(lines, (gap or number) - first_line, number - first_line):
                return None  # comments about an operation further down
            items.append(item)
            gap, is_over = None, after == base
    if base or (gap is not None and _has_words(lines, gap - first_line, len(lines))):
        return None
    names = Counter(each.symbol for each in items if each.symbol)
    is_clear = all(count == 1 for count in names.values())
    return items if is_clear and not any(_is_loose(each, lines, first_line) for each in items) else None


def _expects_beyond(items: Sequence[_Item], chunk: Source) -> bool:
    """Whether a comment of CHUNK expects a diagnostic outside of that of ITEMS in which it stands."""
    return not all(
        any(
            item.first <= each.place.line <= item.last and item.first <= each.line <= item.last
            for item in items
        )
        for each in expectations(chunk)
        if each.line is not None
    )


def _begun(line: str, first: int, number: int) -> _Item | None:
    """The item that begins with LINE, or with the comments above it from the line FIRST on."""
    if (found := _FUNCTION.match(line)) is not None:
        return _Item("private" if found[1] == "private" else "function", found[2], first, number)
    if (found := _GLOBAL.match(line) or ALIAS.match(line)) is not None:
        return _Item("other", found[1], number, number)
    return None


def _has_words(lines: Sequence[str], first: int, last: int) -> bool:
    """Whether comments that speak to volcli are in LINES from FIRST to LAST, where they belong to nothing."""
    return any(map(_SPEAKS.search, lines[first:last]))


def _is_loose(item: _Item, lines: Sequence[str], first_line: int) -> bool:
    """Whether a comment in ITEM may be about what stands after it."""
    own = lines[item.first - first_line : item.last - first_line + 1]
    if item.kind not in ("function", "private"):
        return any(map(_SPEAKS.search, own))
    for line in reversed(own):
        if not _CLOSING.match(line):
            return False
        if _SPEAKS.search(line):
            return True
    return False


def _depths(text: str) -> Iterator[int]:
    """How many brackets are open where each line of TEXT begins, and at its end."""
    depth = 0
    yield depth
    for token in _TOKEN.finditer(text):
        character = token[0]
        if character == "\n":
            yield depth
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
    yield depth


def _closed(
    items: Sequence[_Item], lines: Sequence[str], first_line: int, markers: tuple[Lines, ...]
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
    functions = [at for at, each in enumerate(items) if each.kind in ("function", "private")]
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
    at: int, items: Sequence[_Item], uses: Sequence[set[int]], users: defaultdict[int, set[int]]
) -> set[int]:
    """What is needed by the item AT, by position."""
    found, pending = {at}, [at]
    while pending:
        each = pending.pop()
        near = uses[each] | users[each] if items[each].kind == "private" else uses[each]
        pending += near - found
        found |= near
    return found
