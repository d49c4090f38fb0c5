"""Random edits: the server stays up, and in the end it finds what `volcli check` finds."""

from __future__ import annotations

from tests.campaigns.lsp import converse
from tests.lsp.editor import Editor


async def test_after_edits_the_server_finds_what_check_finds(editor: Editor) -> None:
    """`python -m tests.campaigns.lsp` makes many more, of larger documents."""
    await converse(editor, seed=1, lines=60, edits=6)
