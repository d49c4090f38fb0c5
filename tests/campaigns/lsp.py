"""The long campaign for the language server: random edits and questions of large documents.

    python -m tests.campaigns.lsp --documents 2 --edits 500 --lines 2000 --seed 0

The server stays up, says nothing in its log, and in the end it finds what `volcli check` finds. Prints how long edits
and questions took, and the most memory that a process used. Exits 1 if something differs.
"""

from __future__ import annotations

# pyright: reportUnknownMemberType=false
# pygls leaves some types out.
import argparse
import asyncio
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from lsprotocol import types

from tests.gate.edits import Document
from tests.lsp.editor import CAPABILITIES, SERVER, Editor, make_client, position
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


async def converse(editor: Editor, seed: int, lines: int, edits: int) -> list[float]:
    """Edit a document of so many LINES, ask, and compare with `volcli check` in the end: how long answers took."""
    took: list[float] = []
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
            begun = time.monotonic()
            await ask(editor, uri, choice)
            took.append(time.monotonic() - begun)
        if number % 20 == 19:
            await found_by_server(editor, uri)
            assert not editor.client.log_messages, editor.client.log_messages
    editor.change(uri, document.text())
    found = await found_by_server(editor, uri)
    true = found_by_check(editor.folder / "a.mlir", document.text())
    assert found == true, [each for each in (*found, *true) if (each in found) != (each in true)]
    assert not editor.client.log_messages, editor.client.log_messages
    return took


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


async def campaign(documents: int, edits: int, lines: int, seed: int) -> None:
    """So many DOCUMENTS, each in a folder and with a server of its own."""
    for number in range(seed, seed + documents):
        client = make_client()
        await client.start_io(*SERVER)
        await client.initialize_session(CAPABILITIES)
        with tempfile.TemporaryDirectory() as folder:
            took = await converse(Editor(client, Path(folder)), number, lines, edits)
        await client.shutdown_session()
        await client.stop()
        ordered = sorted(took)
        middle, most = ordered[len(ordered) // 2], ordered[-1]
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        print(f"document {number}: {len(took)} questions, {middle:.3f} s, at most {most:.2f} s; {memory} MB")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    for name, default in (("documents", 2), ("edits", 500), ("lines", 2000), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asyncio.run(campaign(**vars(parser.parse_args())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
