"""The last line of defence: work whose queries are large runs in a process that can be ended.

isl holds the interpreter while it computes, so that neither a signal nor a timer of Python ends a call. Work
is done in three steps, of which small work needs the first alone and pays nothing for the others:

1. in this process, if no query needs more than `LIGHT` operations of isl, which take seconds at worst;
2. otherwise anew in a copy of this process (POSIX's fork, so that nothing need be sent to it), with whole
   budgets. The kernel ends that process when a query has taken too long. The work is deterministic, so the
   next copy knows the query by its number, and answers it with "unknown: time"; all others are answered;
3. when the time of the whole work is over, in a last copy, in which every query that is large is unknown.

What comes back is sent as a pickle. Times are those of the processor, and not of the wall: a machine that is
busy with other things ends nothing earlier. Even so, an answer that a deadline has cost is not reproducible,
and says so.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from mmap import mmap
from typing import Generic, NoReturn, TypeVar

from volcli.presburger.budget import NOT_REPRODUCIBLE, OUT_OF_MEMORY, NeedsWorker, Watch, watched

R = TypeVar("R")

LIGHT = 50_000
"""What a query may cost in the main process: hundredths of a second, seconds if its numbers are large."""
_LIGHTER = LIGHT // 5
"""What a query may cost when all time is over."""
DEFAULT_SECONDS: float = 60
"""What one piece of work may take in processes that are ended."""
_SHARE = 0.2  # of these seconds, for one query
_LAST = 0.5  # of these seconds, for the work without its large queries
_MEMORY = 0.5  # of the machine's


@dataclass(frozen=True)
class Done(Generic[R]):
    """What work came to; in `lost`, why some of its queries have no answer."""

    result: R
    lost: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Ended:
    """A process that was ended in the query of this number (0: in none), after so many SECONDS, and why."""

    query: int
    seconds: float
    why: str
    is_of_query: bool
    """Whether the query is to blame: not where the time of all of the work was over."""


@dataclass(frozen=True)
class Course:
    """How work, as other processes have tried out, comes to its end: without the answers to some queries."""

    watch: Watch | None = None
    lost: tuple[str, ...] = ()

    def run(self, work: Callable[[], R]) -> Done[R]:
        """What WORK comes to, done so in this process."""
        if self.watch is None:
            return Done(work())
        with watched(self.watch):
            return Done(work(), self.lost)


def bounded(work: Callable[[], R], afresh: Callable[[], None], seconds: float | None) -> Done[R] | str:
    """What WORK comes to, in so many SECONDS of workers where its queries are large; or why to nothing.

    AFRESH forgets what WORK has begun when it was stopped. None for SECONDS: no limit, and no worker.
    """
    if (done := light(work, seconds)) is not None:
        return done
    afresh()
    assert seconds is not None, "a limit"
    found = _in_workers(work, seconds)
    return found if isinstance(found, str) else found[1]


def light(work: Callable[[], R], seconds: float | None) -> Done[R] | None:
    """What WORK comes to in this process; None where it is for workers, and was stopped half-way."""
    if seconds is None or not hasattr(os, "fork"):
        return Done(work())
    try:
        with watched(Watch(LIGHT)):
            return Done(work())
    except NeedsWorker:
        return None


def rehearsed(work: Callable[[], object], afresh: Callable[[], None], seconds: float | None) -> Course | str:
    """How WORK, which changes what it works on, comes to its end in this process; or why it does not.

    A copy of this process does it first, and what it changes ends with it.
    """
    if seconds is None or not hasattr(os, "fork"):
        return Course()
    afresh()

    def rehearsal() -> None:
        work()

    found = _in_workers(rehearsal, seconds)
    return found if isinstance(found, str) else Course(found[0], found[1].lost)


def _in_workers(work: Callable[[], R], seconds: float) -> tuple[Watch, Done[R]] | str:
    """What WORK comes to in a worker, and the queries of which it gets no answer there."""
    left, share, lost = seconds, _SHARE * seconds, dict[int, str]()
    while left >= share:
        found = _Process(Watch(lost=dict(lost)), share, left).run(work)
        if isinstance(found, Done):
            return Watch(lost=lost), Done(found.result, tuple(lost.values()))
        left -= max(found.seconds, share / 10)
        if not found.is_of_query:
            break
        lost[found.query] = found.why
    reason = _too_long(seconds)
    found = _Process(Watch(_LIGHTER, lost, reason), _LAST * seconds, _LAST * seconds).run(work)
    if isinstance(found, Done):
        return Watch(_LIGHTER, lost, reason), Done(found.result, (*lost.values(), reason))
    return found.why


def seconds_of_workers() -> float:
    """The processor time of the processes that have ended so far."""
    times = os.times()
    return times.children_user + times.children_system


def _too_long(seconds: float) -> str:
    return f"time: more than {seconds:g} s ({NOT_REPRODUCIBLE})"


class _Process:
    """A copy of this process for one attempt: so many seconds for one QUERY, so many for all of them."""

    def __init__(self, watch: Watch, query: float, seconds: float) -> None:
        self._watch, self._query, self._seconds = watch, query, seconds

    def run(self, work: Callable[[], R]) -> Done[R] | _Ended:
        """What WORK comes to, or how far it got. What it raises, this raises."""
        running = mmap(-1, 8)
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            self._work(work, sink, running)
        os.close(sink)
        try:
            with os.fdopen(source, "rb") as stream:
                sent = stream.read()
        except BaseException:  # interrupted: nobody waits for it any more
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise
        _, status, usage = os.wait4(child, 0)
        query = int.from_bytes(running[:8], "little")
        running.close()
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            import pickle

            result, error = pickle.loads(sent)
            if error is not None:
                raise error
            return Done(result)
        taken = usage.ru_utime + usage.ru_stime
        ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        return _Ended(query, taken, self._why(ended_by), query > 0 and ended_by != signal.SIGXCPU)

    def _why(self, ended_by: int) -> str:
        if ended_by == signal.SIGPROF:
            return _too_long(self._query)
        if ended_by == signal.SIGXCPU:
            return _too_long(self._seconds)
        if ended_by in (0, signal.SIGKILL, signal.SIGABRT):  # 0: a MemoryError
            return OUT_OF_MEMORY
        return f"a crash in integer set operations ({signal.Signals(ended_by).name})"

    # -- in the copy -----------------------------------------------------------------------------------

    def _work(self, work: Callable[[], object], sink: int, running: mmap) -> NoReturn:
        """Do WORK, send what it comes to, and end without a word: all else is the parent's business."""
        import pickle

        code = 1
        try:
            self._limit()
            self._watch.note = lambda number: self._begin(number, running)
            try:
                with watched(self._watch):
                    sent = pickle.dumps((work(), None))
            except MemoryError:
                raise
            except Exception as error:
                sent = pickle.dumps((None, error))
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
        soft = math.ceil(self._seconds)
        with suppress(ValueError, OSError):  # a stricter one is set already
            resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 5))
        memory = int(_MEMORY * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def _begin(self, number: int, running: mmap) -> None:
        running[:8] = number.to_bytes(8, "little")
        signal.setitimer(signal.ITIMER_PROF, self._query if number else 0)


def _die_with_parent() -> None:
    """On Linux, a process whose parent was killed ends, too; elsewhere its limits end it."""
    import ctypes

    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
