"""Tasks carried out by an executor, as many at a time as it has slots, until there are no more."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from typing import Any, TypeVar

from volcli.gate.work.executor import Executor, W

T = TypeVar("T")
_PATIENCE = 0.2  # seconds, until Ctrl-C is seen


def carry_out(
    executor: Executor[W, object],
    next_task: Callable[[], T | None],
    work: Callable[[T], W],
    end: Callable[[T, Future[Any]], None],
) -> None:
    """Have EXECUTOR do the WORK of each task that NEXT_TASK gives, and END it with its future.

    To end one may make more tasks: there are none left if NEXT_TASK gives none, and nothing runs. The
    executor is ended then.
    """
    running: dict[Future[Any], T] = {}
    is_over = False
    with deferred_interrupt(executor.is_interruptible) as check_interrupt:
        try:
            while True:
                while len(running) < executor.slots:
                    task = next_task()
                    check_interrupt()
                    if task is None:
                        break
                    running[executor.submit(work(task))] = task
                if not running:
                    break
                over, _ = wait(running, _PATIENCE, return_when=FIRST_COMPLETED)
                check_interrupt()
                if not over:
                    executor.see_that_it_lives()
                for future in over:
                    end(running.pop(future), future)
            is_over = True
        finally:
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
