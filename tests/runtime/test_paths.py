"""Paths in reports, as they are on Linux and on Windows."""

from __future__ import annotations

import ntpath
import posixpath
from types import SimpleNamespace

import pytest

from volcli.cli.parts.explained import place_named
from volcli.diagnostics import Diagnostic, Place
from volcli.gate.named import named
from volcli.report.fitted import fitted
from volcli.report.lines import coloured
from volcli.runtime import paths


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `os` is there, as far as paths go."""
    there = SimpleNamespace(path=ntpath, sep="\\", curdir=".")
    monkeypatch.setattr(paths, "os", there)
    monkeypatch.setattr(ntpath.os, "getcwd", lambda: "C:\\here")  # type: ignore[attr-defined]


@pytest.mark.usefixtures("windows")
def test_paths_of_windows_have_slashes_in_reports() -> None:
    assert paths.relative("C:\\here\\a\\b.mlir", "C:\\here") == "a/b.mlir"
    assert paths.relative("a\\b.mlir", "C:\\here\\c") == "../a/b.mlir"
    assert paths.with_slashes("C:\\x\\y.mlir") == "C:/x/y.mlir"


@pytest.mark.usefixtures("windows")
def test_a_file_on_another_drive_has_no_relative_path() -> None:
    assert paths.relative("D:\\x\\y.mlir", "C:\\here") == "D:/x/y.mlir"


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("C:/x/a b.mlir", "file:///C:/x/a%20b.mlir"),
        ("//computer/share/a.mlir", "file://computer/share/a.mlir"),
        ("a/b.mlir", "a/b.mlir"),
    ],
)
def test_uris_of_windows(file: str, uri: str) -> None:
    assert paths.uri(file) == uri


@pytest.mark.parametrize(
    ("file", "uri"),
    [("/x/a b.mlir", "file:///x/a%20b.mlir"), ("a/b.mlir", "a/b.mlir"), ("C:/x", "C%3A/x")],
)
def test_uris_elsewhere(file: str, uri: str) -> None:
    assert posixpath is paths.os.path
    assert paths.uri(file) == uri


@pytest.mark.parametrize(
    "file", ["C:\\x\\y.mlir", "C:/x/y.mlir", "\\\\computer\\share\\y.mlir", "x\\V203.mlir"]
)
def test_places_in_files_of_windows_are_read_and_written(file: str) -> None:
    assert place_named(f"{file}:12:3") == (file, (12, 3))
    assert place_named(f"{file}:12") == (file, (12, None))
    place = Place(file, 12, 3)
    line = Diagnostic("V203", "reads %m[9] out of bounds", place).headline
    found = named(line)
    assert found is not None
    assert (found.file, found.line, found.column, found.code) == (file, 12, 3, "V203")
    assert fitted(line, 30).split()[0] == f"{place}:"
    assert coloured(line).startswith(f"\x1b[1m{place}\x1b[0m: \x1b[1;31merror:\x1b[0m ")
