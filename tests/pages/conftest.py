"""What tests of pages share: a page of a few files, and a browser where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import ROOT
from volcli.cli.commands import volcli

FILES = (
    "testdata/memory/shifted_rows.mlir",
    "testdata/linalg/conv_layer.mlir",
    "testdata/linalg/conv_layer_dynamic.mlir",
    "testdata/linalg/two_layers.mlir",
    "testdata/mars/jacobi_1d.mlir",
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def written(*arguments: str) -> str:
    """What `volcli report ARGUMENTS` writes to stdout, with one process and no cache, in the root."""
    result = CliRunner().invoke(volcli, ["report", *arguments, "-o", "-", "--no-cache", "-j", "1", "-q"])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="session")
def page() -> str:
    """The page of FILES, with tiles of Jacobi 1D."""
    before = os.getcwd()
    os.chdir(ROOT)
    try:
        return written(*FILES, "--tile", "t+i: 8, t-i: 8", "--no-times")
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def browser() -> Generator[Any]:
    """Chromium, driven by Playwright; tests that want it are skipped where one of them is absent."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright (pip install playwright)")
    if CHROMIUM is None:
        pytest.skip("needs Chromium (Debian package chromium)")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def file(page: str, tmp_path: Path) -> Path:
    """The page as a file."""
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    return path
