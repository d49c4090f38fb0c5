"""Work that goes on for long between queries: an alarm stops it where it is, after some processor time.

Queries stop by themselves: isl counts its operations. Thousands of small queries, or none and a long way
through the pairs of a large function, have nobody who counts. The kernel's timer of a process tells the
interpreter that time is over, which raises `NeedsWorker` in whatever is done then; so what was begun is good
for nothing, and has to be forgotten. The alarm waits where an exception would be lost or would leave a module
half imported. It goes off once. An alarm within another one, or in another thread than the main one, does
nothing: then it is queries alone that stop.
"""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from volcli.presburger.limits.budget import NeedsWorker

_AGAIN = 0.01  # seconds
_UNTOUCHED = ("<frozen importlib", weakref.__file__)
"""The files of code that goes on: imports, and what is called where an object ends."""


class Alarm:
    """A timer of this process; `rang` says whether it went off."""

    def __init__(self) -> None:
        self.rang = False
        self._is_set = False

    @contextmanager
    def after(self, seconds: float) -> Generator[None, None, None]:
        """Run the block, which NeedsWorker ends after so many SECONDS of the processor's time."""
        if not _is_possible():
            yield
            return
        before = signal.signal(signal.SIGVTALRM, self._ring)
        try:
            self._is_set = True
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            yield
        finally:
            self._is_set = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    def _ring(self, _: int, frame: FrameType | None) -> None:
        if not self._is_set:
            return
        if _is_untouched(frame):
            signal.setitimer(signal.ITIMER_VIRTUAL, _AGAIN)
            return
        self._is_set, self.rang = False, True
        raise NeedsWorker


def _is_possible() -> bool:
    """Whether this thread may set a timer, and nobody else has one of this kind."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return False
    return signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL


def _is_untouched(frame: FrameType | None) -> bool:
    """Whether the code that runs in FRAME, or whoever waits for it, is not to be stopped."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_UNTOUCHED):
            return True
        frame = frame.f_back
    return False
