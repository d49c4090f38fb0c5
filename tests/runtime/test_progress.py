"""What takes long is said on a terminal, and nowhere else."""

from __future__ import annotations

import io
import os
import time
from typing import Any

import pytest

from volcli.runtime import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.05)
    monkeypatch.setattr(progress, "_EVERY", 0.02)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")


def wait_for(stream: io.StringIO, text: str) -> None:
    end = time.monotonic() + 20
    while text not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    assert text in stream.getvalue()


def test_what_takes_long_is_written_and_cleared() -> None:
    stream = Terminal()
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        wait_for(stream, "\r\x1b[Ka.mlir: @f: value-bounds  0 s")
    assert stream.getvalue().endswith("\r\x1b[K")


def test_what_is_counted_has_a_bar() -> None:
    stream = Terminal()
    with progress.shown(stream):
        for each in progress.each(["a", "b", "c", "d"], "files"):
            if each == "c":
                with progress.doing("c: @f: bounds"):
                    wait_for(stream, "[==========>         ]  2/4 files  c: @f: bounds  0 s")


def test_the_outermost_count_of_several_is_shown() -> None:
    stream = Terminal()
    with progress.shown(stream):
        for _ in progress.each(["a.mlir"], "files"):
            for _ in progress.each(range(7), "passes"):
                for _ in progress.each(range(100), "functions"):
                    wait_for(stream, "0/7 passes")
                    break
                break
    assert "files" not in stream.getvalue()
    assert "functions" not in stream.getvalue()


def test_what_is_done_elsewhere_is_named_from_the_first() -> None:
    stream = Terminal()
    with progress.shown(stream):
        for name in ("a.mlir", "b.mlir", "c.mlir"):
            progress.begun(name, name)
        wait_for(stream, "a.mlir and 2 more  0 s")
        progress.over("a.mlir")
        wait_for(stream, "b.mlir and 1 more  0 s")
        progress.over("b.mlir")
        progress.over("c.mlir")


def test_what_does_not_take_long_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 1000)
    stream = Terminal()
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        time.sleep(0.1)
    assert stream.getvalue() == ""


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()], ids=["a file", "a dumb terminal"])
def test_only_a_terminal_that_can_clear_a_line_shows_it(
    stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    if stream.isatty():
        monkeypatch.setenv("TERM", "dumb")
    with progress.shown(stream), progress.doing("a.mlir: @f: value-bounds"):
        time.sleep(0.1)
    assert stream.getvalue() == ""


def test_nothing_is_shown_where_it_is_hidden() -> None:
    stream = Terminal()
    with progress.shown(stream):
        with progress.hidden(), progress.doing("a.mlir"):
            time.sleep(0.1)
        assert stream.getvalue() == ""
        with progress.doing("b.mlir"):
            wait_for(stream, "b.mlir")


@pytest.mark.parametrize("columns", [20, 30, 59, 80])
def test_a_line_is_no_longer_than_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = Terminal()
    with progress.shown(stream):
        for _ in progress.each(range(2), "functions"):
            with progress.doing(f"{'folder/' * 20}a.mlir: @f: bounds"):
                wait_for(stream, "0/2 functions")
            break
    assert all(len(line) < columns for line in stream.getvalue().split("\r\x1b[K"))


def test_what_is_written_is_cleared_before_something_else_is() -> None:
    stream = Terminal()
    with progress.shown(stream), progress.doing("a.mlir"):
        wait_for(stream, "a.mlir")
        progress.clear()
        assert stream.getvalue().endswith("\r\x1b[K")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied by fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Python 3.12: another thread runs
def test_a_copy_of_the_process_shows_nothing_and_waits_for_no_lock() -> None:
    stream = Terminal()
    with progress.shown(stream), progress._progress._lock:  # as the thread that writes may have it
        child = os.fork()
        if child == 0:
            with progress.doing("in the copy"):
                os._exit(0 if not progress._progress.is_shown else 1)
        end = time.monotonic() + 20
        while (done := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
            time.sleep(0.01)
    assert done == (child, 0)


@pytest.mark.slow
def test_a_notebook_shows_it_below_the_cell() -> None:
    """In an output that is there after half a second, is written over, and empty in the end."""
    import nbformat
    from nbclient import NotebookClient

    class Client(NotebookClient):
        """One that keeps what is displayed."""

        def process_message(self, msg: Any, cell: Any, cell_index: int) -> Any:
            if msg["msg_type"] in ("display_data", "update_display_data"):
                shown.append(msg["content"]["data"]["text/plain"])
            return super().process_message(msg, cell, cell_index)

    shown: list[str] = []
    quick = "import volcli; volcli.loads('func.func @f() { return }').run('infer-shapes')"
    long = (
        "import time\n"
        "from volcli.runtime import progress\n"
        "with progress.shown_in_notebook(), progress.doing('a.mlir: @f: bounds'):\n"
        "    time.sleep(1.5)\n"
    )
    cells = [nbformat.v4.new_code_cell(text) for text in (quick, long)]
    Client(nbformat.v4.new_notebook(cells=cells), timeout=120, kernel_name="python3").execute()
    assert len(shown) > 1
    assert shown[-1] == ""
    assert {text.partition("  ")[0] for text in shown[:-1]} == {"a.mlir: @f: bounds"}
