"""Reading files, and the chunks of --split-input-file."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from volcli.diagnostics import Diagnostic, UsageError
from volcli.frontend.text.source import Source, join_chunks, read_source, split_chunks


def refusal(path: Path | str) -> Diagnostic:
    with pytest.raises(UsageError) as raised:
        read_source(str(path))
    return raised.value.diagnostic


def test_line_endings_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes("// é\r\nmodule {}\n".encode())
    source = read_source(str(path))
    assert source.text == "// é\r\nmodule {}\n"
    assert source.line(1) == "// é"
    assert source.line(2) == "module {}"
    assert source.line(4) is None
    assert source.line(0) is None


def test_only_newlines_end_lines() -> None:
    assert Source("a", "// one\u2028 still one\x0c\ntwo").line(2) == "two"


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"module {}")))
    assert read_source("-") == Source("-", "module {}")


def test_missing_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.mlir").code == "V100"
    assert refusal("nul\0.mlir").code == "V100"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "a.mlir"
    path.touch(mode=0o000)
    assert refusal(path).code == "V100"


def test_directory(tmp_path: Path) -> None:
    assert refusal(tmp_path).code == "V101"


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"ML\xefR\x06", (1, 1), "bytecode"),
        (b"module {\n\0}", (2, 1), "NUL"),
        (b"module {\n  // caf\xe9\n}", (2, 9), "byte 0xe9 in a comment is not UTF-8 ('\u00e9' in Latin-1)"),
        (b"module {\n  // a\0b\n}", (2, 7), "a NUL byte in a comment"),
        (b'"t.a"() {a = "caf\xe9"} : () -> ()', (1, 18), "byte 0xe9 is not UTF-8"),
        (b"\xef\xbb\xbfmodule {}", (1, 1), "a byte order mark of UTF-8"),
        ("module {}".encode("utf-16"), (1, 1), "a byte order mark of UTF-16"),
        ("module {}".encode("utf-32"), (1, 1), "a byte order mark of UTF-32"),
    ],
)
def test_no_text(tmp_path: Path, data: bytes, place: tuple[int, int], message: str) -> None:
    path = tmp_path / "a.mlir"
    path.write_bytes(data)
    diagnostic = refusal(path)
    assert diagnostic.code == "V102"
    assert message in diagnostic.message
    assert diagnostic.place is not None
    assert (diagnostic.place.line, diagnostic.place.column) == place


MARKED = """\
"t.a"() : () -> ()
// -----
"t.b"() : () -> () // ----- "t.c"() : () -> ()
  // -----  \t
// ---- "t.d"
"t.e"() : () -> ()
// -----"""


def test_chunks_join_to_the_same_text() -> None:
    chunks = split_chunks(Source("a", MARKED))
    assert join_chunks(chunk.text for chunk in chunks) == MARKED
    assert [(chunk.first_line, chunk.first_column) for chunk in chunks] == [(1, 1), (2, 9), (3, 28), (4, 11)]


def test_a_ruler_is_no_marker() -> None:
    assert len(split_chunks(Source("a", "// ------------\nmodule {}\n"))) == 1


def test_as_many_chunks_as_mlir_opt(mlir_opt: str) -> None:
    command = [mlir_opt, "-allow-unregistered-dialect", "--split-input-file", "-"]
    done = subprocess.run(command, input=MARKED, capture_output=True, text=True, check=True)
    assert done.stdout.count("module {") == len(split_chunks(Source("a", MARKED)))
