"""How long an editor waits for `volcli lsp`: first findings, an edit in one function, a hover, its hints.

    python benchmarks/editing.py

Times of the clock, with the pause in which the server waits for the next key (`gate.edit_pause`); the
ratio is to `volcli check` of the same file without a cache, as a process.
"""

from __future__ import annotations

import asyncio
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

Row = tuple[str, float]
SIZES = (2_000, 10_000)
"""Lines of the documents."""
_ROWS = Path(__file__).parents[1] / "testdata/memory/shifted_rows.mlir"
_RUNS = 5


def document(lines: int) -> str:
    """At least so many LINES: small functions with loops, again and again."""
    base = _ROWS.read_text()
    copies = range(-(-lines // base.count("\n")))
    return "".join(re.sub(r"@(\w+)", rf"@\g<1>_{copy}", base) for copy in copies)


async def conversation(file: Path) -> list[Row]:
    """What an editor asks for that has FILE open, and the medians of several answers."""
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    client, shown = LanguageClient("bench", "1"), asyncio.Event()
    versions: list[int | None] = []

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def publish(params: types.PublishDiagnosticsParams) -> None:
        versions.append(params.version)
        shown.set()

    async def until_shown(version: int) -> None:
        while version not in versions:
            shown.clear()
            await shown.wait()

    await client.start_io(sys.executable, "-m", "volcli", "lsp")
    await client.initialize_async(
        types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=file.parent.as_uri())
    )
    client.initialized(types.InitializedParams())
    uri, text = file.as_uri(), file.read_text()
    begin = time.perf_counter()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "mlir", 1, text))
    )
    await until_shown(1)
    rows = [("first findings", time.perf_counter() - begin)]
    quiet = 0.0
    while quiet < 2:  # until all groups of functions are over
        count = len(versions)
        await asyncio.sleep(1)
        quiet = quiet + 1 if len(versions) == count else 0
    middle = text.index("= 0 to ", len(text) // 2)
    edits: list[float] = []
    hovers: list[float] = []
    hints: list[float] = []
    place = text.count("\n", 0, middle)
    for run in range(_RUNS):
        after = f"{text[:middle]}= {run + 1} to {text[middle + 7 :]}"
        begin = time.perf_counter()
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=run + 2)
        change = types.TextDocumentContentChangeWholeDocument(after)
        client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        await until_shown(run + 2)
        edits.append(time.perf_counter() - begin)
        begin, here = time.perf_counter(), types.TextDocumentIdentifier(uri)
        await client.text_document_hover_async(types.HoverParams(here, types.Position(place, 14)))
        hovers.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        page = types.Range(types.Position(place - 30, 0), types.Position(place + 30, 0))
        await client.text_document_inlay_hint_async(types.InlayHintParams(here, page))
        hints.append(time.perf_counter() - begin)
    broken: list[float] = []
    for version, wrong in ((_RUNS + 2, "= to "), (_RUNS + 3, "= (0 to ")):
        begin = time.perf_counter()
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        change = types.TextDocumentContentChangeWholeDocument(f"{text[:middle]}{wrong}{text[middle + 7 :]}")
        client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))
        await until_shown(version)
        broken.append(time.perf_counter() - begin)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return [
        *rows,
        ("findings after an edit in one function", median(edits)),
        ("a hover there, the first", median(hovers)),
        ("hints of a page around it", median(hints)),
        ("findings after a syntax error there", broken[0]),
        ("findings after a bracket that is not closed there", broken[1]),
    ]


def editing(show: Callable[[str, list[Row], str], None]) -> None:
    """SHOW a table for a document of each size; nothing without the library of the server."""
    if importlib.util.find_spec("pygls") is None:
        print("\nvolcli lsp: not measured, since pygls is not installed: pip install 'volcli[lsp]'")
        return
    for lines in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.mlir")
            file.write_text(document(lines))
            begin = time.perf_counter()
            command = (sys.executable, "-m", "volcli", "check", "--no-cache", str(file))
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
            row = ("volcli check --no-cache", time.perf_counter() - begin)
            rows = [row, *asyncio.run(conversation(file))]
            show(f"An editor with {file.read_text().count(chr(10)):,} lines", rows, "check")


if __name__ == "__main__":
    from run import show as _show

    editing(_show)
