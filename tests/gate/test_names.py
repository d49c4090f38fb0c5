"""Folders may hold what is no file, and names may be no text."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT
from volcli.gate.policy.discovery import discovered
from volcli.gate.policy.policy import Policy
from volcli.gate.report import Report
from volcli.gate.run import run
from volcli.report.gate import FORMATS, rendered


@pytest.fixture
def report(tmp_path: Path) -> Report:
    path = os.fsencode(tmp_path) + b"/caf\xe9.mlir"
    text = (ROOT / "testdata/check/V206.mlir").read_bytes()
    try:
        Path(os.fsdecode(path)).write_bytes(text)
    except OSError:
        pytest.skip("the file system refuses names that are not UTF-8")
    return run([str(tmp_path)], Policy())


@pytest.mark.parametrize("style", sorted(FORMATS.keys() - {"text", "concise", "explained", "statistics"}))
def test_what_programs_read_is_unicode_whatever_files_are_called(style: str, report: Report) -> None:
    said = rendered(report, style).encode()
    assert b"V206" in said
    match style:
        case "json":
            assert json.loads(said)["files"][0]["file"].endswith("caf\N{REPLACEMENT CHARACTER}.mlir")
        case "gitlab":
            assert json.loads(said)[0]["location"]["path"].endswith("caf\N{REPLACEMENT CHARACTER}.mlir")
        case "sarif":
            assert b"/caf%E9.mlir" in said
            json.loads(said)
        case "junit":
            ElementTree.fromstring(said)
        case "html":
            said.decode()
        case _:
            assert said.startswith(b"::warning")


def test_text_says_names_as_they_are(report: Report) -> None:
    assert b"/caf\xe9.mlir:4:5: warning" in rendered(report, "text").encode("utf-8", "surrogateescape")


def test_a_folder_stands_for_no_pipes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mlir")
    (tmp_path / "file.mlir").touch()
    (tmp_path / "gone.mlir").symlink_to("nowhere")
    names = [Path(name).name for name in discovered([str(tmp_path)])]
    assert names == ["file.mlir", "gone.mlir"]
