"""Neovim, as Debian has it, talks to the server: diagnostics, a hover, a rename, a fix."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.test_conversations import STORES

NEOVIM = shutil.which("nvim")


@pytest.mark.slow
@pytest.mark.skipif(NEOVIM is None, reason="Neovim (Debian's package neovim) is not installed")
def test_neovim_shows_and_repairs_a_dead_store(tmp_path: Path, root: Path) -> None:
    file, out = tmp_path / "a.mlir", tmp_path / "said.json"
    file.write_text(STORES)
    environment = {
        **os.environ,
        "SERVER": "|".join([sys.executable, "-m", "volcli", "lsp"]),
        "FILE": str(file),
        "OUT": str(out),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    script = root / "tests/lsp/talk.lua"
    command = [
        str(NEOVIM),
        "--headless",
        "-u",
        "NONE",
        "-i",
        "NONE",
        "-c",
        f"luafile {script}",
        "-c",
        "qall!",
    ]
    ran = subprocess.run(
        command, env=environment, cwd=root, timeout=240, check=True, capture_output=True, text=True
    )
    assert out.exists(), ran.stderr
    said = json.loads(out.read_text())
    assert said["diagnostics"] == [[2, "V206"]]
    assert said["hover"] == "```mlir\n%i : index\n```"
    assert said["left"] == 0
    store = "  memref.store %c, %m[%i] : memref<4xf32>\n"
    assert said["text"] == STORES.replace(store * 2, store).replace("%i", "%at")
