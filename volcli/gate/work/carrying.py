"""Tasks carried out by an executor, as many at a time as it has slots, until there are no more."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from volcli.gate.work.executor import Executor
from volcli.runtime import progress


class Labelled(Protocol):
    """Work, and what is said of it while it is done."""

    @property
    def label(self) -> str: ...


T = TypeVar("T")
L = TypeVar("L", bound=Labelled)
_PATIENCE = 0.2  # seconds, until Ctrl-C is seen


def carry_out(
    executor: Executor[L, object],
    next_task: Callable[[], T | None],
    work: Callable[[T], L],
    end: Callable[[T, Future[Any]], None],
) -> None:
    """Have EXECUTOR do the WORK of each task that NEXT_TASK gives, and END it with its future.

    To end one may make more tasks: there are none left if NEXT_TASK gives none, and nothing runs. The
    executor is ended then.
    """
    running: dict[Future[Any], T] = {}
    is_over = False
    interruptible = executor.is_interruptible
    with progress.shown_in_notebook(), deferred_interrupt(interruptible) as check_interrupt:
        try:
            while True:
                while len(running) < executor.slots:
                    task = next_task()
                    check_interrupt()
                    if task is None:
                        break
                    piece = work(task)
                    progress.begun(id(task), piece.label)  # what is done here is over when it is submitted
                    running[executor.submit(piece)] = task
                if not running:
                    break
                over, _ = wait(running, _PATIENCE, return_when=FIRST_COMPLETED)
                check_interrupt()
                if not over:
                    executor.see_that_it_lives()
                for future in over:
                    task = running.pop(future)
                    progress.over(id(task))
                    end(task, future)
            is_over = True
        finally:
            for task in running.values():
                progress.over(id(task))
            executor.end(at_once=not is_over)


@contextmanager
def deferred_interrupt(is_interruptible: bool) -> Generator[Callable[[], None], None, None]:
    """In the block Ctrl-C is noted, and raised by what the block is given, or after it: not while a worker
    begins. Where nothing begins, the block IS_INTERRUPTIBLE anywhere.
    """
    noted = threading.Event()

    def raise_noted() -> None:
        if noted.is_set():
            raise KeyboardInterrupt

    if is_interruptible or threading.current_thread() is not threading.main_thread():
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
