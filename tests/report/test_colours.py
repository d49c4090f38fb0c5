"""Diagnostics in a terminal: colours and links add escape sequences, and change no other character."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from volcli.diagnostics import CODES, Diagnostic, Place
from volcli.report.fitted import fitted
from volcli.report.lines import Line, as_text, coloured, linked, visible

_ESCAPES = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\")
_LINK = re.compile(r"\x1b\]8;;([^\x1b]+)\x1b\\(.*?)\x1b\]8;;\x1b\\")
SOURCE = '  %x = affine.load %m[%i - 2] {a = "%b // no"} : memref<10xf32> // V203'


@pytest.fixture
def text(tmp_path: Path) -> str:
    file = tmp_path / "a b.mlir"
    file.write_text(SOURCE)
    place = Place(str(file), 1, 8)
    said = ((place, "V205: written here"),)
    return Diagnostic("V203", "reads %m[-2]; see %V206, V206 and V2069", place, related=said).render(SOURCE)


def test_only_escape_sequences_are_added(text: str) -> None:
    assert _ESCAPES.sub("", coloured(text)) == text
    assert "\x1b[1;31merror:\x1b[0m" in coloured(text)


def test_tokens_of_the_source_line_have_colours(text: str) -> None:
    line = coloured(text).split("\n")[1]
    assert "\x1b[1maffine.load\x1b[0m \x1b[36m%m\x1b[0m[\x1b[36m%i\x1b[0m - 2]" in line
    assert '\x1b[32m"%b // no"\x1b[0m' in line
    assert line.endswith("\x1b[2m// V203\x1b[0m") or CODES["V203"].page in line


def test_codes_and_places_are_links(text: str, tmp_path: Path) -> None:
    links = [(address, shown) for address, shown in _LINK.findall(coloured(text))]
    pages = [(address, shown) for address, shown in links if address.startswith("https:")]
    assert (CODES["V203"].page, "V203") in pages
    assert [shown for _, shown in pages if shown != "V203"] == ["V206", "V205"]
    files = [address for address, shown in links if shown == f"{tmp_path}/a b.mlir:1:8"]
    assert len(files) == 2  # the finding, and the place that it rests on
    assert all(re.fullmatch(r"file://[^/]*/.*/a%20b\.mlir#1", address) for address in files)


@pytest.mark.parametrize(
    "text",
    ["<pipeline>:1:1: error", "none.mlir:1:1: error", "V203.mlir: it", "reports/V203/x", "a-V203", "V999"],
)
def test_what_is_neither_a_code_nor_a_file_is_no_link(text: str) -> None:
    assert linked(text) == text


def test_lines_have_links_where_they_have_colours() -> None:
    lines = [Line("V203: out of bounds", "bold")]
    assert as_text(lines) == "V203: out of bounds\n"
    assert _LINK.findall(as_text(lines, colour=True)) == [(CODES["V203"].page, "V203")]


def test_a_severity_that_is_in_the_next_line_has_its_colour(text: str) -> None:
    narrow = fitted(text, 40)
    assert narrow.split("\n")[1].startswith("    error: ")
    assert _ESCAPES.sub("", coloured(narrow)) == narrow
    assert "\x1b[1;31merror:\x1b[0m" in coloured(narrow)
    assert "#1\x1b\\" in coloured(narrow)


def test_no_program_controls_a_terminal() -> None:
    text = "\x1b[31m%a\x07\r\x9b2J\x7f\tb\r\nc"
    assert visible(text) == "\u241b[31m%a\u2407\u240d\u241b2J\u2421\tb\nc"
    assert "\x1b" not in as_text([Line(text)], width=80)
    assert as_text([Line(text)]) != as_text([Line(text)], width=80), "a pipe has the bytes"
