"""What an editor asks, and what answers it: one function for each request of the protocol."""

from __future__ import annotations

# pyright: reportUnknownMemberType=false
# pygls leaves some types out.
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from volcli.frontend.text.words import KINDS
from volcli.lsp import actions, shown, structure
from volcli.lsp import findings as shown_findings
from volcli.lsp.names import Named, NotRenamedError
from volcli.lsp.server import Server


def make_server() -> Server:
    """A server with all that it answers."""
    server = Server()
    for register in (
        _register_documents,
        _register_notes,
        _register_names,
        _register_structure,
        _register_actions,
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
        pieces = [each for each in document.pieces if each.symbol]
        every = await server.analyst.notes(document, pieces)
        found = [shown.lens(document, *each) for each in zip(pieces, every, strict=True)]
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

    legend = types.SemanticTokensLegend(list(KINDS), [])

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        return types.SemanticTokens(structure.tokens(server.document(params.text_document.uri)))


def _register_actions(server: Server) -> None:
    """What repairs findings, writes what is known, explains, and rewrites."""

    options = types.CodeActionOptions([*actions.KINDS], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def offered(params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        document = server.document(params.text_document.uri)
        first, last = params.range.start.line, params.range.end.line
        notes = await server.notes_in(document, first, first)
        written = shown.annotation(document, notes, first)
        every = [
            *shown_findings.fix_actions(server.found_in(document), document, first, last),
            *([] if written is None else [written]),
            *actions.rewrites(document, notes, first),
        ]
        if wanted := params.context.only:
            return [each for each in every if (each.kind or "").startswith(tuple(wanted))]
        return [*every, *actions.explanations(document, notes, first)]

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(params: types.CodeAction) -> types.CodeAction:
        edit = await actions.edit(server, cast("dict[str, Any]", params.data))
        if isinstance(edit, str):
            server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, edit))
        else:
            params.edit = edit
        return params

    @server.command(actions.EXPLAIN)
    async def explain(uri: str, line: int) -> str:
        """What is known of the operations in LINE, from 0, as text; shown beside it, if the editor can."""
        text = await actions.explanation(server, server.document(uri), line)
        if (window := server.client_capabilities.window) and window.show_document:
            file = server.analyst.file("explanation.txt", text)
            await server.window_show_document_async(types.ShowDocumentParams(file.as_uri(), take_focus=False))
        return text
