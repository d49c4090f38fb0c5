"""Work that ends: whatever isl takes, and whatever becomes of the process that it runs in."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import islpy as isl
import pytest

from volcli.diagnostics import Diagnostic, UsageError
from volcli.limits.presburger import LIGHT
from volcli.presburger.limits.budget import BudgetExceeded, InternalFailure, Watch, budget, watched
from volcli.presburger.limits.copies import Copy, Ended
from volcli.presburger.limits.worker import Course, Done, apart, bounded, rehearsed

_ENDLESS = 10**15  # operations


def large(side: int = 300) -> int:
    """More operations than are done in the main process, and a result: isl counts all rows of this."""
    return int(isl.Set(f"{{ [i, j, k] : 0 <= i < j < k <= {side} }}").count_val().to_python())


LARGE = "4499950"


def endless() -> int:
    """What isl does not come back from, as long as anybody lives."""
    return large(10**8)


def asked(query: Callable[[], object], operations: int = _ENDLESS) -> str:
    """The answer of a query, or why there is none."""
    try:
        with budget(operations):
            return str(query())
    except BudgetExceeded as error:
        return error.reason


def nothing() -> None:
    pass


def test_small_work_is_done_in_this_process() -> None:
    found = bounded(lambda: (os.getpid(), asked(lambda: isl.Set("{ [i] : i = 1 }"))), nothing, 5)
    assert found == Done((os.getpid(), "{ [i = 1] }"))


def test_large_work_is_done_in_another_one() -> None:
    begun: list[int] = []
    found = bounded(lambda: (begun.append(1), os.getpid(), asked(large)), begun.clear, 20)
    assert isinstance(found, Done)
    assert found.result[1] != os.getpid()
    assert found.result[2] == LARGE
    assert (found.lost, begun) == ((), [])  # what was begun here is forgotten


def test_without_a_limit_there_is_no_other_process() -> None:
    assert bounded(lambda: (os.getpid(), asked(large)), nothing, None) == Done((os.getpid(), LARGE))


@pytest.mark.slow
def test_what_takes_for_ever_costs_one_answer() -> None:
    found = bounded(lambda: [asked(large), asked(endless), asked(large)], nothing, 3)
    assert isinstance(found, Done)
    assert found.result == [LARGE, "time: more than 0.6 s (not reproducible)", LARGE]
    assert found.lost == ("time: more than 0.6 s (not reproducible)",)


@pytest.mark.slow
def test_a_query_within_another_one_costs_itself() -> None:
    found = bounded(lambda: asked(lambda: [asked(large), asked(endless)]), nothing, 3)
    assert isinstance(found, Done)
    assert found.result == f"['{LARGE}', 'time: more than 0.6 s (not reproducible)']"


@pytest.mark.slow
def test_work_that_asks_little_and_takes_long_ends() -> None:
    """Nobody counts the steps between queries."""

    def work() -> int:
        return sum(len(asked(lambda number=number: number)) for number in range(10**9))

    assert bounded(work, nothing, 0.5) == "time: more than 0.5 s (not reproducible)"


@pytest.mark.slow
def test_work_that_loses_the_exception_of_the_alarm_is_not_believed() -> None:
    begun: list[int] = []

    def work() -> str:
        begun.append(os.getpid())
        try:
            while begun[0] == os.getpid():
                pass
        except BaseException:
            return "broken off"
        return "whole"

    found = bounded(work, lambda: None, 1)
    assert isinstance(found, Done)
    assert found.result == "whole"


def test_the_alarm_is_off_behind_the_work() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    assert bounded(lambda: 1, nothing, 1) == Done(1)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    assert signal.getsignal(signal.SIGVTALRM) is before


def test_in_another_thread_queries_alone_stop() -> None:
    found: list[Done[str] | str] = []
    thread = threading.Thread(target=lambda: found.append(bounded(lambda: asked(large), nothing, 20)))
    thread.start()
    thread.join()
    assert found == [Done(LARGE)]


@pytest.mark.slow
def test_when_all_time_is_over_only_what_is_small_is_known() -> None:
    found = bounded(
        lambda: [asked(lambda: 1), *(asked(endless) for _ in range(9)), asked(lambda: 2)], nothing, 1
    )
    assert isinstance(found, Done)
    first, *between, last = found.result
    assert (first, last) == ("1", "2")
    assert set(between) == {f"time: more than {s} s (not reproducible)" for s in ("0.2", "1")}


@pytest.mark.slow
def test_work_that_takes_for_ever_outside_of_queries_has_no_result() -> None:
    def work() -> object:
        asked(large)
        return endless()

    assert bounded(work, nothing, 1) == "time: more than 1 s (not reproducible)"


@pytest.mark.slow
def test_what_isl_is_asked_outside_of_queries_leads_to_a_worker_too() -> None:
    def count() -> tuple[int, int]:
        return os.getpid(), large(1000)

    found = bounded(count, nothing, 20)
    assert isinstance(found, Done)
    assert found.result[0] != os.getpid()
    assert found.result[1] == 166_666_500


@pytest.mark.slow
def test_a_process_that_wants_more_memory_than_there_is_is_ended() -> None:
    found = bounded(lambda: [asked(large), asked(lambda: bytearray(1 << 50)), asked(large)], nothing, 5)
    assert isinstance(found, Done)
    assert found.result == [LARGE, "memory: more than there is (not reproducible)", LARGE]


def test_a_process_that_crashes_costs_one_answer() -> None:
    here = os.getpid()

    def crash() -> None:
        assert os.getpid() != here
        os.kill(os.getpid(), signal.SIGSEGV)

    found = bounded(lambda: [asked(large), asked(crash)], nothing, 5)
    assert isinstance(found, Done)
    assert found.result == [LARGE, "a crash in integer set operations (SIGSEGV)"]


def test_what_work_refuses_is_refused_here() -> None:
    def refuse() -> None:
        asked(large)
        raise UsageError(Diagnostic("V005", "no value %x"))

    with pytest.raises(UsageError, match="no value %x"):
        bounded(refuse, nothing, 5)


def children() -> set[int]:
    """The processes that this one has begun; another test may have left a server of workers."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(word) for each in lists for word in each.read_text().split()}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="the processes are listed by Linux's /proc")
def test_an_interrupted_wait_leaves_no_process_behind() -> None:
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    others = children()
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(KeyboardInterrupt):
            bounded(lambda: [asked(large), asked(endless)], nothing, 600)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert children() <= others


@pytest.mark.slow
def test_a_rehearsal_changes_nothing_and_tells_what_to_leave_out() -> None:
    done: list[str] = []

    def work() -> None:
        done.extend((asked(large), asked(endless)))

    course = rehearsed(work, nothing, 3)
    assert isinstance(course, Course)
    assert done == []
    assert course.run(work).lost == ("time: more than 0.6 s (not reproducible)",)
    assert done == [LARGE, "time: more than 0.6 s (not reproducible)"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("operations", [1_000, 10_000, LIGHT])
def test_a_budget_means_the_same_here_and_in_a_worker(operations: int) -> None:
    def work() -> list[str]:
        return [asked(lambda side=side: large(side), operations) for side in (10, 50, 70, 100)]

    assert bounded(lambda: [*work(), asked(large)][:-1], nothing, 20) == Done(work())


def test_queries_are_numbered_in_their_order() -> None:
    seen: list[int] = []
    with watched(Watch(note=seen.append, lost={3: "why"})):
        outer = asked(lambda: asked(lambda: "inner"))
        lost = asked(lambda: "lost")
    assert (outer, lost) == ("inner", "why")
    assert seen == [1, 2, 1, 0]


def test_an_error_in_a_query_is_no_matter_of_its_size() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    def work() -> None:
        with budget():
            fail()

    with pytest.raises(InternalFailure):
        bounded(work, nothing, 5)


def test_a_copy_that_waits_for_a_thread_that_it_has_not_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volcli.presburger.limits.copies._LOOK", 0.05)
    monkeypatch.setattr("volcli.limits.presburger.STANDSTILL", 4)
    lock, locked, over = threading.Lock(), threading.Event(), threading.Event()

    def holds() -> None:
        with lock:
            locked.set()
            over.wait()

    thread = threading.Thread(target=holds)
    thread.start()
    locked.wait()

    def work() -> str:
        with lock:  # free in this process some day, and never in a copy
            return "done"

    try:
        found = Copy(Watch(), 5, 5).run(work)
    finally:
        over.set()
        thread.join()
    assert isinstance(found, Ended)
    assert (found.why, found.is_of_query) == ("a standstill (not reproducible)", False)


@pytest.mark.slow
def test_a_copy_that_computes_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volcli.presburger.limits.copies._LOOK", 0.01)
    monkeypatch.setattr("volcli.limits.presburger.STANDSTILL", 3)
    assert Copy(Watch(), 5, 5).run(lambda: sum(range(5_000_000))) == (12499997500000,)


def test_a_crash_apart_ends_nothing_else() -> None:
    def crash() -> int:
        os.kill(os.getpid(), signal.SIGSEGV)
        return 1

    assert apart(crash, 5) == "a crash in integer set operations (SIGSEGV)"
    assert apart(crash, None) == "a crash in integer set operations (SIGSEGV)"
    assert apart(lambda: asked(lambda: 2), 5) == ("2",)
    assert apart(lambda: apart(os.getpid, 5) == (os.getpid(),), 5) == (True,)  # no copy of a copy
    with pytest.raises(ZeroDivisionError):
        apart(lambda: 1 // 0, 5)
