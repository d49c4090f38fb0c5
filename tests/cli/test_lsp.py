"""`volcli lsp`: what it prints, and what it says where it cannot run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from volcli.cli.lsp import SETTINGS


@pytest.mark.parametrize("editor", SETTINGS)
def test_settings_are_those_of_the_documentation(editor: str, volcli: Run, root: Path) -> None:
    assert volcli("lsp", "--settings", editor).stdout == SETTINGS[editor]
    pages = [root / "docs/editors.md", *(root / "docs/editors").glob("*.md")]
    assert any(SETTINGS[editor] in each.read_text() for each in pages)


def test_without_its_library_it_says_what_to_install(volcli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith(("volcli.lsp", "pygls"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    ran = volcli("lsp")
    assert ran.returncode == 2
    assert "V008: volcli lsp: the library pygls" in ran.stderr
    assert "next: pip install 'volcli[lsp]'" in ran.stderr
