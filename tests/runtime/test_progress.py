"""What takes long is said on a terminal, and nowhere else."""

from __future__ import annotations

import io
import time

import pytest

from volcli.runtime import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.05)
    monkeypatch.setattr(progress, "_EVERY", 0.02)


def wait_for(stream: io.StringIO, text: str) -> None:
    end = time.monotonic() + 20
    while text not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.01)


def test_what_takes_long_is_written_and_cleared() -> None:
    stream = Terminal()
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        wait_for(stream, "...")
    assert "\r\x1b[Ka.mlir: @f: value-bounds ... 0 s" in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_what_does_not_take_long_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 1000)
    stream = Terminal()
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        time.sleep(0.1)
    assert stream.getvalue() == ""


def test_a_file_is_no_terminal() -> None:
    stream = io.StringIO()
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        time.sleep(0.1)
    assert stream.getvalue() == ""


def test_a_line_is_no_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        wait_for(stream, "...")
    assert all(len(line) < 20 for line in stream.getvalue().split("\r\x1b[K"))
