"""The server: what an editor asks, and who answers it."""

from __future__ import annotations

# pyright: reportUnknownMemberType=false
# pygls leaves some types out.
import asyncio
from pathlib import Path
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from volcli import __version__
from volcli.diagnostics import Diagnostic, internal
from volcli.gate.findings.finding import Finding, of_diagnostic
from volcli.limits import gate as limits
from volcli.lsp import findings as shown_findings
from volcli.lsp import shown, structure
from volcli.lsp.analyst import Analyst, OutdatedError
from volcli.lsp.documents import Document
from volcli.lsp.findings import ChosenFix
from volcli.lsp.names import Named, NotRenamedError
from volcli.lsp.notes import Notes


class Server(LanguageServer):
    """A language server for MLIR: see the room's charter."""

    def __init__(self) -> None:
        super().__init__(
            "volcli", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental
        )
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
        found = [
            await self.analyst.notes(document, piece)
            for piece in document.pieces
            if piece.first <= last + 1 and first + 1 <= piece.last
        ]
        values = 0
        notes: list[Notes] = []
        for each in found:  # the values of each piece are numbered from 0
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
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def end(self) -> None:
        """End all that runs."""
        if self._analyst is not None:
            self._analyst.end()


def make_server() -> Server:
    """A server with all that it answers."""
    server = Server()
    for register in (
        _register_documents,
        _register_notes,
        _register_names,
        _register_structure,
        _register_fixes,
    ):
        register(server)
    return server


def _register_documents(server: Server) -> None:
    """What the editor tells of its documents."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.document(params.text_document.uri)
        server.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.SHUTDOWN)
    def shut_down(params: None) -> None:
        server.end()


def _register_notes(server: Server) -> None:
    """What is shown beside the text."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = server.document(params.text_document.uri)
        line, character = document.position(params.position)
        notes = await server.notes_in(document, line, line)
        return shown.hover(document, notes, line, character)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        document = server.document(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        return [*shown.hints(document, await server.notes_in(document, first, last), first, last)]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        document = server.document(params.text_document.uri)
        found = [
            shown.lens(document, piece, await server.analyst.notes(document, piece))
            for piece in document.pieces
            if piece.symbol
        ]
        return [each for each in found if each is not None]


def _register_names(server: Server) -> None:
    """Where names are defined and used."""

    async def named(uri: str, position: types.Position) -> Named:
        document = server.document(uri)
        line, character = document.position(position)
        return Named(document, await server.notes_in(document, line, line), line, character)

    def places(uri: str, ranges: list[types.Range]) -> list[types.Location]:
        return [types.Location(uri, each) for each in ranges]

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: types.DefinitionParams) -> list[types.Location]:
        uri = params.text_document.uri
        return places(uri, (await named(uri, params.position)).definitions)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        uri = params.text_document.uri
        found = await named(uri, params.position)
        return places(uri, [*found.definitions * params.context.include_declaration, *found.uses])

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = await named(params.text_document.uri, params.position)
        return [
            types.DocumentHighlight(place, kind)
            for ranges, kind in (
                (found.definitions, types.DocumentHighlightKind.Write),
                (found.uses, types.DocumentHighlightKind.Read),
            )
            for place in ranges
        ]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
        found = await named(params.text_document.uri, params.position)
        return found.here if found.definitions else None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit:
        uri = params.text_document.uri
        try:
            edits = (await named(uri, params.position)).edits(params.new_name)
        except NotRenamedError as error:
            raise JsonRpcInvalidParams(message=f"{error}") from error
        return types.WorkspaceEdit(changes={uri: edits})


def _register_structure(server: Server) -> None:
    """What the text alone tells."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return structure.outline(server.document(params.text_document.uri))

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        return structure.folds(server.document(params.text_document.uri))

    legend = types.SemanticTokensLegend(list(structure.TOKEN_TYPES), [])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return types.SemanticTokens(structure.tokens(server.document(params.text_document.uri)))


def _register_fixes(server: Server) -> None:
    """What repairs findings."""

    options = types.CodeActionOptions(
        [types.CodeActionKind.QuickFix, types.CodeActionKind.Source], resolve_provider=True
    )

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = server.document(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        found = [*shown_findings.fix_actions(server.found_in(document), document, first, last)]
        written = shown.annotation(document, await server.notes_in(document, first, first), first)
        wanted = tuple(params.context.only or ("",))
        every = found if written is None else [*found, written]
        return [each for each in every if (each.kind or "").startswith(wanted)]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(params: types.CodeAction) -> types.CodeAction:
        chosen = ChosenFix(**cast("dict[str, Any]", params.data))
        document = server.document(chosen.uri)
        found = server.found_in(document)
        if document.version != chosen.version or chosen.finding >= len(found):
            return params
        fixed = await server.analyst.fixed(document, found[chosen.finding])
        if fixed is not None and fixed.fixed:
            params.edit = shown_findings.edit_of(document, fixed.after.decode())
            return params
        reason = fixed.refused[0].reason if fixed and fixed.refused else "the proof was not completed"
        message = f"not fixed: {reason}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        return params
