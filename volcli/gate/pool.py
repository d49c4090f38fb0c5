"""Work in worker processes: as many files at a time as there are workers, the results in their order.

A worker that ends (a crash of a library, memory that the system takes back, `kill -9`) takes with it what ran
in the pool, which is at most one file for each worker. Invariant: each file is done, running in the pool, or
waiting; when the pool breaks, those that ran are done again, each alone in a process of its own. What ends
that twice is a finding (V901) of that file alone, and all the others have their results. So each file is
begun three times at most.

Workers import what analyses need once, and are replaced after so many files, so that memory does not grow.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess

from volcli.diagnostics import Diagnostic
from volcli.gate.finding import of_diagnostic
from volcli.gate.work import FileResult, Work, checked

Check = Callable[[Work], FileResult]

_FILES_OF_ONE_WORKER = 100
_IMPORTED = [
    "islpy", "xdsl.parser", "volcli.driver", "volcli.gate.analysed", "volcli.gate.rules.table"
]  # fmt: skip
_PATIENCE = 0.2  # seconds, until Ctrl-C is seen
_MEMORY = 6 << 30
"""The bytes of address space of a worker; what needs more costs its file alone."""


def usable_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def results(
    works: Sequence[Work],
    jobs: int,
    done: Callable[[int, FileResult], None] = lambda position, result: None,
    check: Check = checked,
) -> list[FileResult]:
    """What CHECK finds in each of WORKS, in their order, by JOBS workers; DONE is told each at once."""
    found: dict[int, FileResult] = {}

    def keep(position: int, result: FileResult) -> None:
        found[position] = result
        done(position, result)

    waiting = deque(range(len(works)))
    while waiting:
        for suspect in _run(works, waiting, min(jobs, len(waiting)), keep, check):
            keep(suspect, _alone(works[suspect], check))
    return [found[position] for position in range(len(works))]


def _run(
    works: Sequence[Work],
    waiting: deque[int],
    jobs: int,
    keep: Callable[[int, FileResult], None],
    check: Check,
) -> list[int]:
    """Have what is WAITING done in one pool, and KEEP it; if the pool breaks, what ran in it then."""
    running: dict[Future[FileResult], int] = {}
    with _deferred_interrupt() as check_interrupt, _pool(jobs) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < jobs:
                    future = pool.submit(check, works[waiting[0]])
                    running[future] = waiting.popleft()
                over, _ = wait(running, _PATIENCE, return_when=FIRST_COMPLETED)
                check_interrupt()
                for each in over:
                    keep(running[each], each.result())
                    del running[each]
        except BrokenProcessPool:
            return sorted(running.values())
    return []


def _alone(work: Work, check: Check) -> FileResult:
    """What is found in WORK by a process of its own; that it ended, if it does so twice."""
    for _ in range(2):
        with _pool(1) as pool, suppress(BrokenProcessPool):
            return pool.submit(check, work).result()
    message = "the process that analysed the file has ended: it crashed, or was killed"
    return FileResult(work.name, (of_diagnostic(Diagnostic("V901", message), work.name),))


@contextmanager
def _deferred_interrupt() -> Generator[Callable[[], None], None, None]:
    """In the block Ctrl-C is noted, and raised by what the block is given, or behind it: not while a worker
    begins.
    """
    noted = threading.Event()

    def raise_noted() -> None:
        if noted.is_set():
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield raise_noted
        return

    def note(signum: int, frame: object) -> None:
        noted.set()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield raise_noted
    finally:
        signal.signal(signal.SIGINT, before)
    raise_noted()


@contextmanager
def _pool(jobs: int) -> Generator[ProcessPoolExecutor, None, None]:
    """A pool of JOBS workers, which ends with the block, whatever ends that."""
    pool = ProcessPoolExecutor(
        jobs, _context(), _prepare, (_MEMORY,), max_tasks_per_child=_FILES_OF_ONE_WORKER
    )
    try:
        yield pool
    except BaseException:
        _end(pool)
        raise
    pool.shutdown(cancel_futures=True)


def _end(pool: ProcessPoolExecutor) -> None:
    """End the workers of POOL at once: somebody has pressed Ctrl-C."""
    workers: dict[int, BaseProcess] = getattr(pool, "_processes", None) or {}
    ended = list(workers.values())
    pool.shutdown(wait=False, cancel_futures=True)
    for each in ended:
        with suppress(OSError, ValueError):
            each.kill()


def _context() -> BaseContext:
    """How workers begin: copied from a server that has done nothing else, where there is one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    from multiprocessing.forkserver import ensure_running

    # What begins while Ctrl-C is ignored ignores it: the server, and what is copied from it.
    in_main_thread = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main_thread else None
    try:
        ensure_running()
    finally:
        if in_main_thread:
            signal.signal(signal.SIGINT, before)
    return context


def _prepare(memory: int) -> None:
    """Prepare a worker: Ctrl-C is for the process that waits, and memory has an end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or hard > memory:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
