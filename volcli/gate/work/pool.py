"""Work in worker processes, one process a pool: a crash loses only the file being analysed.

A worker that ends (a crash of a library, memory that the system takes back, `kill -9`) is replaced, and its
work is lost; `schedule.py` decides what follows. A worker is replaced, too, when it has done much or has used
much memory, so that memory does not grow with the number of files; it has no more address space than a limit,
beyond which Python says MemoryError; and no more time of the processor than its work may take, so that
what never ends is ended by the kernel.

Where no process can be started (Python's program is not executable for this user, no folder for temporary
files, no semaphores, too many processes), this process does the work, and a message says so once: the same
is found.
"""

from __future__ import annotations

import errno
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.spawn import get_executable
from typing import Any, Generic

from volcli.gate.work.executor import Here, R, W, WorkerLostError
from volcli.limits import gate as limits

_IMPORTED = ["volcli.gate.work.imported"]
_NOT_STARTED = (OSError, EOFError, NotImplementedError, ImportError)
"""What the standard library raises where a process, or what it talks through, cannot be made."""


@dataclass(frozen=True)
class _Done(Generic[R]):
    """What a worker has found, and the most memory that it has ever used, in bytes."""

    result: R
    memory: int


@dataclass
class _Worker:
    pool: ProcessPoolExecutor
    works: int = 0


class Workers(Generic[W, R]):
    """As many worker processes as there are `slots`, begun when they are needed, which DO work.

    A piece of work may take so many SECONDS of the processor (None: any). That no worker can be begun is
    said to WARN.
    """

    is_interruptible = False

    def __init__(
        self,
        jobs: int,
        do: Callable[[W], R],
        seconds: Callable[[W], float | None],
        warn: Callable[[str], None] = lambda message: None,
    ) -> None:
        self.slots = jobs
        self._do, self._seconds = do, seconds
        self._warn: Callable[[str], None] | None = warn
        self._idle: list[_Worker] = []
        self._busy: dict[Future[Any], _Worker] = {}
        self._context: BaseContext | None = None

    def submit(self, work: W) -> Future[Any]:
        """Have WORK done by an idle worker, a new one, or this process where none can be started."""
        worker = self._idle.pop() if self._idle else None
        try:
            worker = worker or self._new()
            with _main_left_alone():
                future = worker.pool.submit(_done, self._do, self._seconds(work), work)
        except _NOT_STARTED as error:
            if worker is not None:
                worker.pool.shutdown(wait=False)
            return self._here(work, error)
        worker.works += 1
        self._busy[future] = worker
        return future

    def _here(self, work: W, error: Exception) -> Future[R]:
        """WORK, done by this process because of ERROR."""
        if self._warn is not None:
            self._warn(f"a worker process cannot be started, so this process does its work: {error}")
            self._warn = None
        return Here(self._do).submit(work)

    def result(self, future: Future[Any]) -> R:
        """What came of it. Raises WorkerLostError."""
        worker = self._busy.pop(future, None)
        if worker is None:
            return future.result()
        try:
            done: _Done[R] = future.result()
        except BrokenProcessPool:
            worker.pool.shutdown(wait=False)
            raise WorkerLostError from None
        except BaseException:
            self._idle.append(worker)
            raise
        if worker.works >= limits.WORKS_OF_A_WORKER or done.memory > limits.GROWN_WORKER:
            worker.pool.shutdown(wait=False)
        else:
            self._idle.append(worker)
        return done.result

    def see_that_it_lives(self) -> None:
        """It does: a worker that ends completes its future."""

    def end(self, *, at_once: bool) -> None:
        """End all workers."""
        for worker in (*self._idle, *self._busy.values()):
            if at_once:
                _kill(worker.pool)
            else:
                worker.pool.shutdown(cancel_futures=True)
        self._idle.clear()
        self._busy.clear()

    def _new(self) -> _Worker:
        if self._context is None:
            self._context = _context()
        return _Worker(ProcessPoolExecutor(1, self._context, _prepare, (limits.WORKER_MEMORY,)))


def prepare() -> None:
    """Have what workers are copied from import what they need, while this process still finds their work.

    What is wrong with it is said when the first worker begins.
    """
    with suppress(*_NOT_STARTED):
        _context()


def usable_processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the worker of POOL at once: somebody has pressed Ctrl-C."""
    workers: dict[int, BaseProcess] = getattr(pool, "_processes", None) or {}
    ended = list(workers.values())
    pool.shutdown(wait=False, cancel_futures=True)
    for each in ended:
        with suppress(OSError, ValueError):
            each.kill()


def _context() -> BaseContext:
    """How workers begin: copied from a server that has done nothing else, where there is one.

    Raises OSError where there can be none.
    """
    if not os.access(program := os.fsdecode(get_executable() or b""), os.X_OK):
        # The standard library does not look whether its server runs.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), program)
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_IMPORTED)
    from multiprocessing import resource_tracker
    from multiprocessing.forkserver import ensure_running

    if threading.current_thread() is not threading.main_thread():
        ensure_running()
        return context
    # What begins while Ctrl-C is ignored ignores it: the server, and what is copied from it. One that comes
    # meanwhile waits: a signal that is blocked is not ignored. (The tracker, if it begins, unblocks it.)
    resource_tracker.ensure_running()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    return context


@contextmanager
def _main_left_alone() -> Generator[None]:
    """Workers do not import the program that starts them.

    The standard library has them do so; a script whose last lines call volcli would call it again in each
    worker, and one that Python reads from stdin is not a file.
    """
    main = sys.modules["__main__"]
    kept = {name: main.__dict__.pop(name) for name in ("__file__", "__spec__") if name in main.__dict__}
    main.__dict__["__spec__"] = None
    try:
        yield
    finally:
        main.__dict__.update(kept)


def _prepare(memory: int) -> None:
    """Prepare a worker: Ctrl-C is for the process that waits, and memory has an end.

    The collector would take a twelfth of the time, to free what the end of the worker frees at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or hard > memory:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_AS, (memory, hard))


def _done(do: Callable[[W], R], seconds: float | None, work: W) -> _Done[R]:
    """What comes of WORK, in a worker; the kernel ends this process if that takes too many SECONDS."""
    if sys.platform == "win32":
        return _Done(do(work), 0)
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if seconds is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        end = int(used.ru_utime + used.ru_stime + seconds) + 1
        if hard == resource.RLIM_INFINITY or hard > end:
            resource.setrlimit(resource.RLIMIT_CPU, (end, hard))
    result = do(work)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return _Done(result, memory if sys.platform == "darwin" else memory << 10)
