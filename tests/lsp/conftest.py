"""An editor that talks to a server, one server for the tests of a file."""

from __future__ import annotations

# pyright: reportUnknownMemberType=false
# pytest-lsp leaves some types out.
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_lsp
from pytest_lsp import ClientServerConfig

from tests.lsp.editor import CAPABILITIES, SERVER, Client, Editor, make_client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=SERVER, client_factory=make_client),
    scope="module",
    loop_scope="module",
)
async def client(lsp_client: Client) -> AsyncGenerator[None]:
    await lsp_client.initialize_session(CAPABILITIES)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: Client, tmp_path: Path) -> Editor:
    """An editor that has opened a folder."""
    return Editor(client, tmp_path)
