"""The last line of defence: work whose queries are large runs in a process that can be ended.

isl holds the interpreter while it computes, so that neither a signal nor a timer of Python ends a call. Work
is done in three steps, of which small work needs the first alone and pays nothing for the others:

1. in this process, if no query needs more than `LIGHT` operations of isl, which take seconds at worst, and
   all of them no more time than one query may take in a worker (`alarm`);
2. otherwise anew in a copy of this process (POSIX's fork, so that nothing need be sent to it), with whole
   budgets. The kernel ends that process when a query has taken too long. The work is deterministic, so the
   next copy knows the query by its number, and answers it with "unknown: time"; all others are answered;
3. when the time of the whole work is over, in a last copy, in which every query that is large is unknown;
   what the copy before had come to by then is kept.

What comes back is sent as a pickle. Times are those of the processor, and not of the wall: a machine that is
busy with other things ends nothing earlier. Even so, an answer that a deadline has cost is not reproducible,
and says so.

Work that goes on for long between queries: an alarm stops it where it is, after some processor time.

Queries stop by themselves: isl counts its operations. Thousands of small queries, or none and a long way
through the pairs of a large function, have nobody who counts. The kernel's timer of a process tells the
interpreter that time is over, which raises `NeedsWorker` in whatever is done then; so what was begun is good
for nothing, and has to be forgotten. The alarm waits where an exception would be lost or would leave a module
half imported. It goes off once. An alarm within another one, or in another thread than the main one, does
nothing: then it is queries alone that stop.
"""

from __future__ import annotations

import os
import signal
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import NeedsWorker, TimeIsOver, Watch, watched

if TYPE_CHECKING:  # copies are made where they are needed
    from volcli.presburger.limits.copies import Ended

R = TypeVar("R")

_SHARE = 0.2  # of these seconds, for one query
_LAST = 0.5  # of these seconds, for the work without its large queries
_NO_LIMIT = 10**6  # seconds
_AGAIN = 0.01  # seconds
_UNTOUCHED = ("<frozen importlib", weakref.__file__)
"""The files of code that goes on: imports, and what is called where an object ends."""


@dataclass(frozen=True)
class Done(Generic[R]):
    """What work came to; in `lost`, why some of its queries have no answer."""

    result: R
    lost: tuple[str, ...] = ()


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


class Alarm:
    """A timer of this process, which RAISES something; `rang` says whether it went off."""

    def __init__(self, raises: type[NeedsWorker] = NeedsWorker) -> None:
        self._raises = raises
        self.rang = False
        self._is_set = False

    @contextmanager
    def after(self, seconds: float) -> Generator[None, None, None]:
        """Run the block, which is ended after so many SECONDS of the processor's time."""
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
        raise self._raises


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


def bounded(
    work: Callable[[], R],
    afresh: Callable[[], None],
    seconds: float | None,
    both: Callable[[R, R], R] | None = None,
) -> Done[R] | str:
    """What WORK comes to, in so many SECONDS of workers where its queries are large; or why to nothing.

    AFRESH forgets what WORK has begun when it was stopped. BOTH puts together what it had come to when its
    time was over, and what it comes to without large queries. None for SECONDS: no limit, and no worker.
    """
    if (done := light(work, seconds)) is not None:
        return done
    afresh()
    assert seconds is not None, "a limit"
    found = _in_workers(work, seconds, both)
    return found if isinstance(found, str) else found[1]


def light(work: Callable[[], R], seconds: float | None) -> Done[R] | None:
    """What WORK comes to in this process; None where it is for workers, and was stopped half-way.

    That is where a query needs more than `LIGHT` operations.
    """
    if seconds is None or not hasattr(os, "fork"):
        return Done(work())
    alarm = Alarm()
    try:
        with watched(Watch(limits.LIGHT)), alarm.after(_SHARE * seconds):
            result = work()
    except NeedsWorker:
        return None
    except Exception:
        if alarm.rang:  # it was raised in a place from where it did not get here
            return None
        raise
    return None if alarm.rang else Done(result)


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


def apart(work: Callable[[], R], seconds: float | None) -> tuple[R] | str:
    """What WORK comes to in a copy of this process, or why it comes to nothing there.

    It is for work that needs isl's more delicate operations, and without which all else is as it is: nothing
    that ends the copy, a crash included, ends this process. None for SECONDS: no limit. In a copy, and where
    the system has none, WORK is done at once.
    """
    from volcli.presburger.limits.copies import Copy, Ended, is_copy

    if is_copy() or not hasattr(os, "fork"):
        return (work(),)
    found = Copy(Watch(), seconds or _NO_LIMIT, seconds or _NO_LIMIT).run(work)
    return found.why if isinstance(found, Ended) else found


def _in_workers(
    work: Callable[[], R], seconds: float, both: Callable[[R, R], R] | None = None
) -> tuple[Watch, Done[R]] | str:
    """What WORK comes to in a worker, and the queries of which it gets no answer there."""
    from volcli.presburger.limits.copies import Copy, Ended, too_long

    left, share, lost = seconds, _SHARE * seconds, dict[int, str]()
    kept: list[R] = []
    while left >= share:
        found = Copy(Watch(lost=dict(lost)), share, left, Alarm(TimeIsOver)).run(work)
        if not isinstance(found, Ended):
            return Watch(lost=lost), Done(found[0], tuple(lost.values()))
        left -= max(found.seconds, share / 10)
        if not found.is_of_query:
            kept += _kept(found)
            break
        lost[found.query] = found.why
    reason = too_long(seconds)
    watch = Watch(limits.LAST_OPERATIONS, lost, reason)
    found = Copy(watch, _LAST * seconds, _LAST * seconds, Alarm(TimeIsOver)).run(work)
    kept += _kept(found) if isinstance(found, Ended) else found
    if not kept or (both is None and isinstance(found, Ended)):
        assert isinstance(found, Ended), "nothing is kept of it"
        return reason if found.why == too_long(_LAST * seconds) else found.why
    result = kept[-1] if both is None else reduce(both, kept)
    return Watch(limits.LAST_OPERATIONS, lost, reason), Done(result, (*lost.values(), reason))


def _kept(ended: Ended) -> list[Any]:
    """What is kept of work that has ENDED."""
    return [] if ended.kept is None else [ended.kept]


def seconds_of_workers() -> float:
    """The processor time of the processes that have ended so far."""
    times = os.times()
    return times.children_user + times.children_system
