"""A copy of this process, for work that may have to be ended: see `worker` for when one is made.

isl holds the interpreter while it computes; what ends it is the kernel, by a timer for each query and a limit
for all of them. The copy shares memory with this process until one of them writes, and sends what its work
came to as a pickle.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from mmap import mmap
from typing import NoReturn, Protocol, TypeVar

from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import NOT_REPRODUCIBLE, OUT_OF_MEMORY, TimeIsOver, Watch, watched

R = TypeVar("R")

_MEMORY = 0.5  # of the machine's
_LOOK = 1.0
"""After so many seconds in which a copy has sent nothing, this process looks whether it computes."""


@dataclass(frozen=True)
class Ended:
    """A process that was ended in the query of this number (0: in none), after so many SECONDS, and why."""

    query: int
    seconds: float
    why: str
    is_of_query: bool
    """Whether the query is to blame: not where the time of all of the work was over."""
    kept: object = None
    """What the work had come to by then."""


def too_long(seconds: float) -> str:
    """Why a query has no answer: its copy ran for so many SECONDS."""
    return f"time: more than {seconds:g} s ({NOT_REPRODUCIBLE})"


_copied = False


def is_copy() -> bool:
    """Whether this process is a copy."""
    return _copied


class Timer(Protocol):
    """What ends a block, by TimeIsOver; `rang` says whether it did."""

    rang: bool

    def after(self, seconds: float) -> AbstractContextManager[None]: ...


class Copy:
    """A copy of this process for one attempt: so many seconds for one QUERY, so many for all of them.

    An ALARM ends work whose time is over between two calls of isl, so that what it has found is sent.
    """

    def __init__(self, watch: Watch, query: float, seconds: float, alarm: Timer | None = None) -> None:
        self._watch, self._query, self._seconds, self._alarm = watch, query, seconds, alarm

    def run(self, work: Callable[[], R]) -> tuple[R] | Ended:
        """What WORK comes to, or how far it got. What it raises, this raises."""
        running = mmap(-1, 8)
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            self._work(work, sink, running)
        os.close(sink)
        try:
            sent = _received(source, child)
        except BaseException:  # interrupted: nobody waits for it any more
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        if sent is None:
            os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        query = int.from_bytes(running[:8], "little")
        running.close()
        if sent is not None and os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            result, error, is_over = pickle.loads(sent)
            if error is not None:
                raise error
            if not is_over:
                return (result,)
            return Ended(query, self._seconds, too_long(self._seconds), False, result)
        taken = usage.ru_utime + usage.ru_stime
        ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        why = f"a standstill ({NOT_REPRODUCIBLE})" if sent is None else self._why(ended_by)
        return Ended(query, taken, why, query > 0 and sent is not None and ended_by != signal.SIGXCPU)

    def _why(self, ended_by: int) -> str:
        if ended_by == signal.SIGPROF:
            return too_long(self._query)
        if ended_by == signal.SIGXCPU:
            return too_long(self._seconds)
        if ended_by in (0, signal.SIGKILL, signal.SIGABRT):  # 0: a MemoryError
            return OUT_OF_MEMORY
        return f"a crash in integer set operations ({signal.Signals(ended_by).name})"

    # -- in the copy -----------------------------------------------------------------------------------

    def _work(self, work: Callable[[], object], sink: int, running: mmap) -> NoReturn:
        """Do WORK, send what it comes to, and end without a word: all else is the parent's business."""
        global _copied
        _copied, code = True, 1
        try:
            self._limit()
            self._watch.note = lambda number: self._begin(number, running)
            try:
                alarm = self._alarm
                with watched(self._watch), nullcontext() if alarm is None else alarm.after(self._seconds):
                    result = work()
                sent = pickle.dumps((result, None, alarm is not None and alarm.rang))
            except TimeIsOver:
                sent = pickle.dumps((None, None, True))
            except MemoryError:
                raise
            except Exception as error:
                sent = pickle.dumps((None, error, False))
            signal.setitimer(signal.ITIMER_PROF, 0)
            with os.fdopen(sink, "wb") as stream:
                stream.write(sent)
            code = 0
        finally:
            os._exit(code)

    def _limit(self) -> None:
        """What ends this process: a signal whose default is to end it, or a limit of the kernel."""
        import faulthandler
        import math
        import resource

        faulthandler.disable()  # what ends this process is said by its parent

        for number in (signal.SIGINT, signal.SIGPROF, signal.SIGXCPU):
            signal.signal(number, signal.SIG_DFL)
        _die_with_parent()
        # The alarm goes first, if there is one.
        soft = math.ceil(self._seconds + (0 if self._alarm is None else self._query))
        with suppress(ValueError, OSError):  # a stricter one is set already
            resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 5))
        memory = int(_MEMORY * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def _begin(self, number: int, running: mmap) -> None:
        running[:8] = number.to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_PROF, self._query if number else 0)


def _received(source: int, child: int) -> bytes | None:
    """All that CHILD sends to SOURCE until it ends; None if it stands still.

    A copy has one thread of this process alone: a lock that another one held stays locked in it for good. The
    limits of the kernel count what a process computes, and that one computes nothing.
    """
    parts: list[bytes] = []
    looks, before = 0, -1.0
    poll = select.poll()
    poll.register(source, select.POLLIN)
    with os.fdopen(source, "rb", buffering=0) as stream:
        while looks < limits.STANDSTILL:
            if poll.poll(1000 * _LOOK):
                part = stream.read(1 << 20)
                if not part:
                    return b"".join(parts)
                parts.append(part)
                looks = 0
                continue
            spent = _processor(child)
            looks = looks + 1 if spent == before else 0
            before = -1.0 if spent is None else spent
    return None


def _processor(child: int) -> float | None:
    """The processor time of CHILD in seconds; None where the system does not say it."""
    import ctypes

    clock = ctypes.c_int()
    with suppress(AttributeError, OSError):
        if ctypes.CDLL(None).clock_getcpuclockid(child, ctypes.byref(clock)) == 0:
            return time.clock_gettime(clock.value)
    return None


def _die_with_parent() -> None:
    """On Linux, a process whose parent was killed ends, too; elsewhere its limits end it."""
    import ctypes

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
