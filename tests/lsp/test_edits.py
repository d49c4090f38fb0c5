"""Random edits: the server stays up, and in the end it finds what `volcli check` finds."""

from __future__ import annotations

import random
import resource
from pathlib import Path

import pytest
from lsprotocol import types

from tests.gate.edits import Document
from tests.lsp.conftest import Editor, position
from volcli.gate.policy.policy import Policy
from volcli.gate.run import run

QUESTIONS = 3
"""So many questions are asked behind each edit."""


def found_by_check(file: Path, text: str) -> list[tuple[str, int, str]]:
    """The codes, the lines from 0 and the messages of what `volcli check` finds in TEXT."""
    file.write_bytes(text.encode())
    report = run([str(file)], Policy(folder=str(file.parent)))
    return sorted((each.code, (each.line or 1) - 1, each.message) for each in report.findings)


async def found_by_server(editor: Editor, uri: str) -> list[tuple[str, int, str]]:
    """The same of what the server finds."""
    found = await editor.diagnostics(uri, seconds=300)
    return sorted((str(e.code), e.range.start.line, e.message.split("\nnext: ")[0]) for e in found)


async def ask(editor: Editor, uri: str, choice: random.Random) -> None:
    """Ask something about a random place of the document at URI."""
    text, client = editor.text(uri), editor.client
    document, place = types.TextDocumentIdentifier(uri), position(text, choice.randrange(len(text)))
    match choice.randrange(7):
        case 0:
            await client.text_document_hover_async(types.HoverParams(document, place))
        case 1:
            span = types.Range(place, types.Position(place.line + 20, 0))
            await client.text_document_inlay_hint_async(types.InlayHintParams(document, span))
        case 2:
            context = types.ReferenceContext(include_declaration=True)
            await client.text_document_references_async(types.ReferenceParams(context, document, place))
        case 3:
            await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, place))
        case 4:
            await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        case 5:
            await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        case _:
            await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))


async def converse(editor: Editor, seed: int, lines: int, edits: int) -> None:
    """Edit a document of so many LINES, ask, and compare with `volcli check` now and then."""
    document, choice = Document.made(seed), random.Random(seed)
    while document.text().count("\n") < lines:
        document.edit()
    (editor.folder / "volcli.toml").write_text("")
    uri = editor.open("a.mlir", document.text())
    for number in range(edits):
        if choice.random() < 0.7:
            document.edit()
            editor.change(uri, document.text())
        else:
            editor.change(uri, damaged(editor.text(uri), choice))
        for _ in range(QUESTIONS):
            await ask(editor, uri, choice)
        if number % 20 == 19:
            await found_by_server(editor, uri)
    editor.change(uri, document.text())
    found = await found_by_server(editor, uri)
    assert found == found_by_check(editor.folder / "a.mlir", document.text())
    assert not editor.client.log_messages


def damaged(text: str, choice: random.Random) -> str:
    """TEXT as somebody who types may leave it: some characters less, or others more."""
    at = choice.randrange(len(text))
    if choice.random() < 0.5:
        return text[:at] + text[at + choice.randrange(1, 30) :]
    return (
        text[:at]
        + choice.choice(["{", "}", "(", ")", '"', "%", "@x", "\n", "// -----\n", "\U0001d4dc"])
        + text[at:]
    )


async def test_after_edits_the_server_finds_what_check_finds(editor: Editor) -> None:
    await converse(editor, seed=1, lines=60, edits=6)


@pytest.mark.fuzz
async def test_after_hundreds_of_edits_memory_is_flat(editor: Editor) -> None:
    await converse(editor, seed=2, lines=2000, edits=500)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1 << 20  # a GiB, in any of its processes
