"""What an editor offers to do at a place, beside fixes: to explain it, and to rewrite the function around it.

What is chosen is made, and proved, when it is chosen: an offer costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from volcli.facts.loops import LoopFact
from volcli.gate.work.pieces import FilePiece
from volcli.limits import gate as limits
from volcli.lsp import findings as shown_findings
from volcli.lsp.documents import Document
from volcli.lsp.findings import ChosenFix
from volcli.lsp.notes import Notes
from volcli.report.gate.explained import grounds_of

if TYPE_CHECKING:
    from volcli.lsp.server import Server

EXPLAIN = "volcli.explain"
KINDS = (
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.Source,
    types.CodeActionKind.RefactorRewrite,
)
_PARALLEL = "mark-parallel"
_COMPUTES = re.compile(r"=\s*\"?(?:linalg|tosa|stablehlo)\.")


@dataclass(frozen=True)
class ChosenRewrite:
    """Which function, by its symbol, passes rewrite: as plain data, which an editor sends back."""

    uri: str
    version: int
    symbol: str
    pipeline: str


def explanations(document: Document, notes: Notes, line: int) -> Iterator[types.Command]:
    """To explain the operations that begin in LINE, from 0, if something is known of them."""
    if any(note.line == line + 1 for note in notes.notes):
        yield types.Command("explain all that volcli knows here", EXPLAIN, arguments=[document.uri, line])


def rewrites(document: Document, notes: Notes, line: int) -> Iterator[types.CodeAction]:
    """To rewrite the function around LINE, from 0: a loop there needs no order, or a tensor has tiles."""
    piece = _piece_at(document, line)
    if piece is None or not piece.symbol:
        return
    here = (n for n in notes.notes if n.line == line + 1 and n.question == LoopFact.question)
    found: list[tuple[str, str]] = []
    if "affine.for" in document.lines[line] and any(n.hint == "parallel" for n in here):
        found.append((f"make the parallel loops of {piece.symbol} affine.parallel", _PARALLEL))
    for each in notes.occurrences if _COMPUTES.search(document.lines[line]) is not None else ():
        if each.line == line + 1 and each.is_definition and any(sizes := _tile(each.type)):
            pipeline = f"tile{{of='{each.name}' sizes={','.join(map(str, sizes))}}}"
            tiles = "x".join(str(size) if size else "all" for size in sizes)
            found.append((f"compute {each.name} and what it needs in tiles of {tiles}", pipeline))
    for title, pipeline in found:
        yield types.CodeAction(
            f"{title} (comments in the function are lost)",
            types.CodeActionKind.RefactorRewrite,
            data=asdict(ChosenRewrite(document.uri, document.version, piece.symbol, pipeline)),
        )


def _tile(kind: str) -> list[int]:
    """The sizes of tiles of a tensor of a type: the largest power of two, up to 32, below its own; 0: of one.

    >>> _tile("tensor<10x?x1xf32>"), _tile("f32")
    ([8, 32, 0], [])
    """
    found = re.match(r"tensor<((?:(?:\d+|\?)x)+)", kind)
    sizes = [] if found is None else found[1].removesuffix("x").split("x")
    return [
        limits.OFFERED_TILE if size == "?" else min(limits.OFFERED_TILE, _power_below(int(size)))
        for size in sizes
    ]


def _power_below(size: int) -> int:
    """The largest power of two below SIZE; 0: there is none."""
    return 1 << (size - 1).bit_length() - 1 if size > 1 else 0


def _piece_at(document: Document, line: int) -> FilePiece | None:
    return next((each for each in document.pieces if each.first <= line + 1 <= each.last), None)


async def edit(server: Server, data: Mapping[str, Any]) -> types.WorkspaceEdit | str | None:
    """What a chosen action edits; why nothing is; or None if the document has changed."""
    if "pipeline" in data:
        return await _rewritten(server, ChosenRewrite(**data))
    chosen = ChosenFix(**data)
    document = server.document(chosen.uri)
    found = server.found_in(document)
    if document.version != chosen.version or chosen.finding >= len(found):
        return None
    fixed = await server.analyst.fixed(document, found[chosen.finding])
    if fixed is not None and fixed.fixed:
        return shown_findings.edit_of(document, fixed.after.decode())
    return (
        f"not fixed: {fixed.refused[0].reason if fixed and fixed.refused else 'the proof was not completed'}"
    )


async def _rewritten(server: Server, chosen: ChosenRewrite) -> types.WorkspaceEdit | str | None:
    document = server.document(chosen.uri)
    piece = next((each for each in document.pieces if each.symbol == chosen.symbol), None)
    if document.version != chosen.version or piece is None:
        return None
    found = await server.analyst.rewritten(document, piece, chosen.pipeline)
    if found.after is None:
        return f"not rewritten: {'; '.join(found.said) or 'nothing to rewrite'}"
    first, last = _written(document, piece)
    lines = [*document.lines[:first], *found.after.split("\n"), *document.lines[last:]]
    return shown_findings.edit_of(document, "\n".join(lines))


def _written(document: Document, piece: FilePiece) -> tuple[int, int]:
    """The lines of a function, from 0 and without the last, without the comments above it."""
    lines = document.lines
    above = (at for at in range(piece.first - 1, piece.last) if not _is_comment(lines[at]))
    return next(above, piece.first - 1), piece.last


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("//")


async def explanation(server: Server, document: Document, line: int) -> str:
    """What is known at LINE, from 0: its findings with all that they rest on, and the facts."""
    here = [each for each in server.found_in(document) if each.line == line + 1]
    said = [text for each in here for text in (*grounds_of(each), "")]
    piece = _piece_at(document, line)
    known = None if piece is None else await server.analyst.explained(document, piece, line + 1)
    return "\n".join([*said, known or "nothing is known here\n"])
