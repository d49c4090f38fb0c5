"""`volcli examples` and `volcli schema`: what comes with volcli."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from volcli.runtime.shipped import EXAMPLES, SCHEMAS

from .conftest import Shell


def test_they_are_listed(shell: Shell) -> None:
    assert shell("examples").stdout.splitlines() == list(EXAMPLES)


def test_they_are_written_and_nothing_is_overwritten(shell: Shell, tmp_path: Path, root: Path) -> None:
    folder = tmp_path / "a" / "folder"
    first = shell("examples", "--into", str(folder))
    assert first.stdout.splitlines() == [str(folder / name) for name in EXAMPLES]
    for name, path in EXAMPLES.items():
        assert (folder / name).read_bytes() == (root / path).read_bytes()
    (folder / "tiles.mlir").write_text("mine")
    again = shell("examples", "--into", str(folder))
    assert (again.exit_code, again.stdout) == (0, first.stdout)
    assert (folder / "tiles.mlir").read_text() == "mine"


def test_the_programs_of_the_guides_are_among_them(root: Path) -> None:
    pages = [root / "docs" / "index.md", *sorted((root / "docs" / "guides").glob("*.md"))]
    named = {
        name for page in pages for name in re.findall(r"testdata/[\w/]+\.(?:mlir|log)", page.read_text())
    }
    assert named - {*EXAMPLES.values()} == set()


def test_a_folder_that_cannot_be_made_is_said(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = shell("examples", "--into", str(tmp_path / "file"))
    assert ran.exit_code == 2
    assert "V006: cannot write" in ran.stderr


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas(name: str, shell: Shell, root: Path) -> None:
    printed = shell("schema", name).stdout
    assert printed == (root / SCHEMAS[name]).read_text()
    assert json.loads(printed)["type"] == "object"
