"""What an editor shows beside a text: hovers, hints in the lines, and lenses above functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lsprotocol import types

from volcli.api.notes import Note
from volcli.api.program import VALUE_NAME
from volcli.diagnostics.counted import counted
from volcli.facts.access import AccessFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.loops import LoopFact
from volcli.facts.preconditions import PreconditionFact
from volcli.facts.shapes import ShapeFact
from volcli.gate.work.pieces import FilePiece
from volcli.lsp.documents import Document
from volcli.lsp.notes import NamedPlace, Notes

_OF_VALUES = (ShapeFact.question, BoundsFact.question)
_COUNTED = (LoopFact.question, "loop", "loops"), (AccessFact.question, "access", "accesses")


def hover(document: Document, notes: Notes, line: int, character: int) -> types.Hover | None:
    """What is known of the value that is named there, or of the operation that begins before it."""
    named = occurrence_at(notes, line, character)
    if named is not None:
        known = [each for each in notes.notes if _is_about(each, named)]
        head = [f"{named.name} : {named.type}"]
        place = document.range(line, named.start, named.end)
    else:
        known, place = _of_operation(document, notes, line, character)
        head = []
    text = [each for note in known for each in note.text]
    if not head and not text:
        return None
    said = "\n".join([*head, *(f"// {each}" for each in dict.fromkeys(text))])
    pictures = "".join(
        "\n```text\n{}\n```".format("\n".join(each.picture).strip("\n")) for each in known if each.picture
    )
    content = types.MarkupContent(types.MarkupKind.Markdown, f"```mlir\n{said}\n```{pictures}")
    return types.Hover(content, place)


def occurrence_at(notes: Notes, line: int, character: int) -> NamedPlace | None:
    """The name of a value that stands at, or ends at, a character of LINE, from 0."""
    here = [e for e in notes.occurrences if e.line == line + 1 and e.start <= character <= e.end]
    return max(here, key=lambda each: each.start, default=None)


def _is_about(note: Note, named: NamedPlace) -> bool:
    """Whether NOTE is about the value that is NAMED, which may have the name of another value elsewhere."""
    return note.line == named.defined and named.name in VALUE_NAME.findall(note.subject)


def _of_operation(
    document: Document, notes: Notes, line: int, character: int
) -> tuple[list[Note], types.Range | None]:
    """The notes at the last place before a character of LINE."""
    before = [(document.character(line, each.column), each) for each in notes.notes if each.line == line + 1]
    starts = [start for start, _ in before if start <= character]
    if not starts:
        return [], None
    first = max(starts)
    place = document.range(line, first, document.word_end(line, first))
    return [each for start, each in before if start == first], place


def hints(document: Document, notes: Notes, first: int, last: int) -> Iterator[types.InlayHint]:
    """What fits into the lines FIRST to LAST: of values behind them, of others at the ends of lines."""
    said: dict[tuple[int, int], list[str]] = {}
    for each in notes.occurrences:
        if each.is_definition and first <= each.line - 1 <= last:
            about = (n for n in notes.notes if n.question in _OF_VALUES and n.hint and _is_about(n, each))
            for note in about:
                said.setdefault((each.line - 1, each.end), []).append(note.hint)
    for note in notes.notes:
        if note.hint and note.question not in _OF_VALUES and first <= note.line - 1 <= last:
            line = document.lines[note.line - 1] if note.line <= len(document.lines) else ""
            said.setdefault((note.line - 1, len(line.rstrip())), []).append(note.hint)
    for (line, character), texts in sorted(said.items()):
        at = document.range(line, character, character).start
        yield types.InlayHint(at, ", ".join(dict.fromkeys(texts)), padding_left=True)


def lens(document: Document, piece: FilePiece, notes: Notes) -> types.CodeLens | None:
    """Above a function: what becomes of its loops and accesses."""
    line = next((s.line for s in document.symbols if s.is_definition and s.name == piece.symbol), None)
    if line is None:
        return None
    verdicts = {
        question: Counter(each.hint for each in notes.notes if each.question == question)
        for question, _, _ in _COUNTED
    }
    needs = [
        each.text[0].removeprefix(f"{piece.symbol} ")
        for each in notes.notes
        if each.question == PreconditionFact.question
    ]
    counts = [
        f"{counted(count, name, several)} {verdict}"
        for question, name, several in _COUNTED
        for verdict, count in verdicts[question].items()
    ]
    said = [*needs, *counts]
    if not said:
        return None
    return types.CodeLens(document.range(line, 0, 0), types.Command("; ".join(said), ""))


def annotation(document: Document, notes: Notes, line: int) -> types.CodeAction | None:
    """What is known of the operations that begin in LINE as comments above it, as in `volcli annotate`."""
    said = [each for note in notes.notes if note.line == line + 1 for each in note.text]
    above = _spoken_above(document, line)
    known = {each.strip() for each in above}
    new = [f"// volcli: {each}" for each in dict.fromkeys(said)]
    if not said or known.issuperset(each.strip() for each in new):
        return None
    text = document.lines[line]
    indent = text[: len(text) - len(text.lstrip())]
    edit = types.TextEdit(
        document.range(line - len(above), 0, 0, line), "".join(f"{indent}{each}\n" for each in new)
    )
    return types.CodeAction(
        title="write what volcli knows here as comments",
        kind=types.CodeActionKind.Source,
        edit=types.WorkspaceEdit(changes={document.uri: [edit]}),
    )


def _spoken_above(document: Document, line: int) -> list[str]:
    """The comments `// volcli:` right above LINE."""
    first = line
    while first and document.lines[first - 1].lstrip().startswith("// volcli:"):
        first -= 1
    return document.lines[first:line]
