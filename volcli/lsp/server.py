"""The server: its documents, when they are checked, and who answers about them."""

from __future__ import annotations

# pyright: reportUnknownMemberType=false
# pygls leaves some types out.
import asyncio
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from volcli import __version__
from volcli.diagnostics import Diagnostic, internal
from volcli.gate.findings.finding import Finding, of_diagnostic
from volcli.limits import gate as limits
from volcli.lsp import findings as shown_findings
from volcli.lsp.analyst import Analyst, OutdatedError
from volcli.lsp.documents import Document
from volcli.lsp.notes import Notes


class Server(LanguageServer):
    """A language server for MLIR: see the room's charter."""

    def __init__(self) -> None:
        # Whole texts: what an edit of lines means depends on what ends a line, which for some characters
        # the library, editors and MLIR see differently.
        super().__init__("volcli", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._analyst: Analyst | None = None
        self._documents: dict[str, Document] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._checks: set[asyncio.Task[None]] = set()
        self._found: dict[str, tuple[Document, tuple[Finding, ...]]] = {}

    @property
    def analyst(self) -> Analyst:
        """Who answers about documents of the folder that the editor has opened."""
        if self._analyst is None:
            root = to_fs_path(self.workspace.root_uri) if self.workspace.root_uri else None
            self._analyst = Analyst(Path(root or "."), self._warn)
        return self._analyst

    def _warn(self, message: str) -> None:
        self.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"volcli: {message}"))

    def document(self, uri: str) -> Document:
        """The document at URI as it is now."""
        now = self.workspace.get_text_document(uri)
        known = self._documents.get(uri)
        version = now.version or 0
        if known is None or (known.version, known.text) != (version, now.source):
            path = to_fs_path(uri) if uri.startswith("file:") else None
            codec = self.workspace.position_codec
            known = Document(uri, path or "", version, now.source, codec, known)
            self._documents[uri] = known
        return known

    async def notes_in(self, document: Document, first: int, last: int) -> Notes:
        """What is known of the pieces of DOCUMENT that are in the lines FIRST to LAST, from 0."""
        pieces = [one for one in document.pieces if one.first <= last + 1 and first + 1 <= one.last]
        values = 0
        notes: list[Notes] = []
        for each in await self.analyst.notes(
            document, pieces
        ):  # the values of each piece are numbered from 0
            notes.append(each.numbered(values))
            values += 1 + max((one.value for one in each.occurrences), default=0)
        return Notes(
            tuple(note for each in notes for note in each.notes),
            tuple(one for each in notes for one in each.occurrences),
        )

    # Diagnostics

    def check(self, uri: str) -> None:
        """Check the document at URI, and no older version of it any more."""
        loop = asyncio.get_running_loop()
        if (before := self._waiting.pop(uri, None)) is not None:
            before.cancel()
        self._waiting[uri] = loop.call_later(limits.EDIT_PAUSE / 1000, self._begin, uri)

    def _begin(self, uri: str) -> None:
        task = asyncio.ensure_future(self._check(self.document(uri)))
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _check(self, document: Document) -> None:
        uri, loop = document.uri, asyncio.get_running_loop()

        def is_current() -> bool:
            return self._documents.get(uri) is document

        def partly(found: tuple[Finding, ...]) -> None:
            if uri not in self._found:
                loop.call_soon_threadsafe(self._publish, document, found)

        try:
            found = await self.analyst.findings(document, is_current, partly)
        except OutdatedError:
            return
        except Exception as error:
            what, trace = internal.described(error)
            self._warn(f"internal error: {what}\n{trace}")
            found = (of_diagnostic(Diagnostic("V900", what), document.path),)
        self._publish(document, found)

    def _publish(self, document: Document, found: tuple[Finding, ...]) -> None:
        """Show what was FOUND in DOCUMENT, unless it has changed meanwhile or is closed."""
        if self._documents.get(document.uri) is not document:
            return
        self._found[document.uri] = document, found
        said = [shown_findings.diagnostic(each, document) for each in found]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, said, document.version)
        )

    def found_in(self, document: Document) -> tuple[Finding, ...]:
        """What was found in DOCUMENT, if it is the text that was checked."""
        checked, found = self._found.get(document.uri, (None, ()))
        return found if checked is document else ()

    def close(self, uri: str) -> None:
        """Forget the document at URI."""
        if (timer := self._waiting.pop(uri, None)) is not None:
            timer.cancel()
        self._documents.pop(uri, None)
        self._found.pop(uri, None)
        if self._analyst is not None:
            self._analyst.forget(uri)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def end(self) -> None:
        """End all that runs."""
        if self._analyst is not None:
            self._analyst.end()
