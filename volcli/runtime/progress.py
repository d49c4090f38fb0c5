"""What is being done now, for who waits at a terminal: file, function and question, after two seconds.

A line of its own, written over itself, and gone before anything else is written. (A live display of rich's
would do the same with a thread that imports and locks while this process is copied; the copy would wait.)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

_PATIENCE = 2.0  # seconds
_EVERY = 0.5
_CLEAR = "\r\x1b[K"


class _Progress:
    """What is done now, since when, and whether it is written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._what: str | None = None
        self._since = 0.0
        self._stream: TextIO | None = None

    def change(self, what: str | None) -> str | None:
        """WHAT is done from now on; what was done before."""
        before = self._what
        with self._lock:
            if self._stream is not None:
                self._stream.write(_CLEAR)
                self._stream.flush()
                self._stream = None
            self._what, self._since = what, time.monotonic()
        return before

    def write(self, stream: TextIO, width: int) -> None:
        """Write what is done, if it has been for long, in a line of WIDTH characters."""
        with self._lock:
            seconds = time.monotonic() - self._since
            if self._what is not None and seconds >= _PATIENCE:
                after = f" ... {seconds:.0f} s"
                stream.write(_CLEAR + self._what[: max(width - len(after) - 1, 0)] + after)
                stream.flush()
                self._stream = stream


_progress = _Progress()


@contextmanager
def doing(what: str) -> Generator[None, None, None]:
    """WHAT is done in the block."""
    before = _progress.change(what)
    try:
        yield
    finally:
        _progress.change(before)


@contextmanager
def shown(stream: TextIO | None) -> Generator[None, None, None]:
    """In the block, what takes long is written to STREAM, if that is a terminal."""
    if stream is None or not stream.isatty():
        yield
        return
    import shutil

    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_EVERY):
            _progress.write(stream, shutil.get_terminal_size().columns)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        _progress.change(None)
