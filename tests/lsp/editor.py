"""An editor that talks to the server, for tests and campaigns."""

from __future__ import annotations

# pyright: reportUnknownMemberType=false, reportUntypedFunctionDecorator=false
# pygls and pytest-lsp leave some types out.
import asyncio
import sys
from pathlib import Path

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities


class Client(LanguageClient):
    """A client that knows which version of a document diagnostics are about; None: it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[str, types.PublishDiagnosticsParams] = {}


def make_client() -> Client:
    """A client that keeps what is published."""
    client = Client()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def publish(params: types.PublishDiagnosticsParams) -> None:
        client.shown[params.uri] = params

    @client.feature(types.WINDOW_SHOW_MESSAGE)
    def show(params: types.ShowMessageParams) -> None:
        client.messages.append(params)

    @client.feature(types.WINDOW_SHOW_DOCUMENT)
    def show_document(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        client.shown_documents.append(params)
        return types.ShowDocumentResult(success=True)

    @client.feature(types.WINDOW_LOG_MESSAGE)
    def log(params: types.LogMessageParams) -> None:
        client.log_messages.append(params)

    return client


class Editor:
    """What an editor does with documents below FOLDER."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client, self.folder = client, folder
        self._texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}

    def open(self, name: str, text: str) -> str:
        """Open the file NAME with TEXT; its URI."""
        uri = (self.folder / name).as_uri()
        self._texts[uri], self._versions[uri] = text, 1
        item = types.TextDocumentItem(uri, "mlir", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def text(self, uri: str) -> str:
        """The document at URI as it is now."""
        return self._texts[uri]

    def replace(self, uri: str, old: str, new: str, at: int = 0) -> None:
        """Put NEW in the place of OLD, where OLD is found from AT on."""
        text = self._texts[uri]
        start = text.index(old, at)
        self.change(uri, text[:start] + new + text[start + len(old) :])

    def change(self, uri: str, after: str) -> None:
        """Make the document at URI the text AFTER."""
        self._versions[uri] += 1
        self._texts[uri] = after
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=self._versions[uri])
        edit = types.TextDocumentContentChangeWholeDocument(after)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [edit]))

    async def diagnostics(self, uri: str, seconds: float = 60) -> list[types.Diagnostic]:
        """What the server finds in the document at URI as it is now."""
        async with asyncio.timeout(seconds):
            while uri not in self.client.shown or self.client.shown[uri].version != self._versions[uri]:
                await asyncio.sleep(0.01)
        return [*self.client.shown[uri].diagnostics]

    def place(self, uri: str, word: str, nth: int = 0) -> types.Position:
        """Where WORD stands for the NTH time."""
        text, at = self._texts[uri], -1
        for _ in range(nth + 1):
            at = text.index(word, at + 1)
        return position(text, at)

    def read(self, uri: str, place: types.Range) -> str:
        """What stands at PLACE."""
        lines = self._texts[uri].split("\n")
        assert place.start.line == place.end.line
        units = lines[place.start.line].encode("utf-16-le")
        return units[2 * place.start.character : 2 * place.end.character].decode("utf-16-le")

    def edited(self, uri: str, edit: types.WorkspaceEdit) -> str:
        """The document at URI after EDIT."""
        assert edit.changes is not None
        text = self._texts[uri]
        found = [
            (offset(text, e.range.start), offset(text, e.range.end), e.new_text) for e in edit.changes[uri]
        ]
        for start, end, new in sorted(found, reverse=True):
            text = text[:start] + new + text[end:]
        return text


def position(text: str, at: int) -> types.Position:
    """The place of a character of TEXT, in units of UTF-16."""
    line = text.rfind("\n", 0, at) + 1
    return types.Position(text.count("\n", 0, at), len(text[line:at].encode("utf-16-le")) // 2)


def offset(text: str, at: types.Position) -> int:
    """The character of TEXT at a place."""
    lines = text.split("\n")
    before = lines[at.line].encode("utf-16-le")[: 2 * at.character].decode("utf-16-le")
    return sum(len(line) + 1 for line in lines[: at.line]) + len(before)


SERVER = [sys.executable, "-m", "volcli", "lsp"]
CAPABILITIES = types.InitializeParams(capabilities=client_capabilities("visual-studio-code"))
