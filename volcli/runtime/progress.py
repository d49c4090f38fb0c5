"""What is being computed, for whoever waits: how many of how many, and file, function and pass.

    [=====>              ]  4/14 passes  a.mlir: @f: value-bounds  3 s

A line of its own on a terminal, written over itself, and gone before anything else is written; in a notebook,
an output that becomes empty. What takes less than half a second shows nothing. (A live display of rich's
would do the same with a thread that imports and locks while this process is copied; the copy would wait.)
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol, TextIO, TypeVar

from volcli.limits import printing as limits

T = TypeVar("T")
_PATIENCE = 0.5  # seconds
_EVERY = 0.25
_CLEAR = "\r\x1b[K"
_CUT = "..."


@dataclass
class _Count:
    """DONE of ALL, which are UNITs."""

    unit: str
    done: int = 0
    all: int = 0


class _Shown(Protocol):
    """Where a line is shown."""

    def write(self, text: Callable[[int], str]) -> None:
        """Show TEXT for the columns that there are, in place of what is shown."""
        ...

    def clear(self) -> None: ...


class _Progress:
    """What is done now, and where it is shown; nothing is before the `_patience` is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: list[_Count] = []
        self._steps: list[str] = []
        self._pending: dict[Hashable, str] = {}
        self._shown: _Shown | None = None
        self._since = 0.0
        self._is_written = False

    @property
    def is_shown(self) -> bool:
        return self._shown is not None

    def show(self, where: _Shown | None) -> None:
        """Show it in WHERE from now on, or nowhere."""
        self.clear()
        with self._lock:
            self._shown, self._since = where, time.monotonic()

    def clear(self) -> None:
        """Remove what is written, until it is written again."""
        with self._lock:
            if self._is_written and self._shown is not None:
                self._shown.clear()
            self._is_written = False

    def write(self) -> None:
        """Write what is done, if that takes long."""
        with self._lock:
            has_some = self._steps or self._pending or any(each.all > 1 for each in self._counts)
            if self._shown is not None and has_some and time.monotonic() - self._since >= _PATIENCE:
                self._shown.write(self._text)
                self._is_written = True

    @contextmanager
    def step(self, what: str) -> Generator[None, None, None]:
        self._steps.append(what)
        try:
            yield
        finally:
            self._steps.pop()
            self.clear()

    @contextmanager
    def count(self, unit: str) -> Generator[_Count, None, None]:
        self._counts.append(_Count(unit))
        try:
            yield self._counts[-1]
        finally:
            self._counts.pop()
            self.clear()

    @contextmanager
    def hide(self) -> Generator[None, None, None]:
        before, self._shown = self._shown, None
        try:
            yield
        finally:
            self._shown = before

    def begin(self, key: Hashable, what: str) -> None:
        self._pending[key] = what

    def end(self, key: Hashable) -> None:
        self._pending.pop(key, None)

    def _text(self, width: int) -> str:
        """What is done, in a line of less than WIDTH characters."""
        seconds = f"  {time.monotonic() - self._since:.0f} s"
        counted = self._counted(width)
        room, doing = max(width - len(counted) - len(seconds) - 1, 0), self._doing()
        if len(doing) > room:  # the last words say most
            doing = _CUT[:room] + doing[len(doing) - max(room - len(_CUT), 0) :]
        return (counted + doing + seconds)[: width - 1]

    def _counted(self, width: int) -> str:
        """The outermost count of several, as a bar and as numbers."""
        count = next((each for each in self._counts if each.all > 1), None)
        if count is None:
            return ""
        numbers = f"{count.done:>{len(str(count.all))}}/{count.all} {count.unit}  "
        done = limits.PROGRESS_BAR * count.done // count.all
        bar = "=" * done + ">" * (done < limits.PROGRESS_BAR)
        return f"[{bar:{limits.PROGRESS_BAR}}]  {numbers}" if width > limits.PROGRESS_COLUMNS else numbers

    def _doing(self) -> str:
        """The innermost step; or what has been pending for longest, elsewhere, and how many more are."""
        pending = [*self._pending.values()]
        if self._steps or not pending:
            return self._steps[-1] if self._steps else ""
        return pending[0] + (f" and {len(pending) - 1} more" if len(pending) > 1 else "")


_progress = _Progress()


def _forget() -> None:
    """In a copy of this process nothing is shown, and no thread has the lock."""
    _progress.__init__()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

doing = _progress.step
"""WHAT is done in the block."""
counting = _progress.count
"""In the block a number of units are done: the count, of which `done` and `all` are set."""
begun = _progress.begin
"""WHAT is done elsewhere from now on; it has a KEY."""
over = _progress.end
"""What has this KEY is no longer done."""
hidden = _progress.hide
"""In the block, nothing is shown."""
clear = _progress.clear
"""Remove what is shown before something else is written."""


def each(these: Sequence[T], unit: str) -> Iterator[T]:
    """THESE, which are counted as UNITs."""
    with counting(unit) as count:
        count.all = len(these)
        for count.done, one in enumerate(these):
            yield one


@contextmanager
def shown(stream: TextIO | None) -> Generator[None, None, None]:
    """In the block, what takes long is written to STREAM, if that is a terminal that can."""
    is_terminal = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    with _shown_in(_Terminal(stream) if stream is not None and is_terminal else None):
        yield


@contextmanager
def shown_in_notebook() -> Generator[None, None, None]:
    """In the block, what takes long is shown below the cell that is executed, if there is one."""
    with _shown_in(_Notebook() if _has_kernel() and not _progress.is_shown else None):
        yield


def _has_kernel() -> bool:
    """Whether this process executes cells of a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextmanager
def _shown_in(where: _Shown | None) -> Generator[None, None, None]:
    if where is None or _progress.is_shown:
        yield
        return
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_EVERY):
            _progress.write()

    thread = threading.Thread(target=watch, daemon=True)
    _progress.show(where)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        _progress.show(None)


def columns_of(stream: TextIO) -> int:
    """The columns of the terminal STREAM."""
    with suppress(ValueError, OSError):
        if found := int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(stream.fileno()).columns:
            return found
    return limits.COLUMNS


class _Terminal:
    """The last line of a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: Callable[[int], str]) -> None:
        self._put(_CLEAR + text(columns_of(self._stream)))

    def clear(self) -> None:
        self._put(_CLEAR)

    def _put(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class _Notebook:
    """An output of a cell."""

    def __init__(self) -> None:
        self._handle: Any = None

    def write(self, text: Callable[[int], str]) -> None:
        self._put(text(limits.PROGRESS_COLUMNS))

    def clear(self) -> None:
        if self._handle is not None:
            self._put("")

    def _put(self, text: str) -> None:
        display: Any = importlib.import_module("IPython.display").display
        said = {"text/plain": text}
        if self._handle is None:
            self._handle = display(said, raw=True, display_id=True)
        else:
            self._handle.update(said, raw=True)
