"""Where work is done: in this process, by worker processes (`pool.py`), or by a cluster (`cluster.py`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from volcli.gate.work.work import FileResult, Work, checked

Check = Callable[[Work], FileResult]


class WorkerLostError(Exception):
    """What did a piece of work has ended before that."""


class Executor(Protocol):
    """What does `slots` pieces of work at a time."""

    @property
    def slots(self) -> int: ...

    @property
    def is_interruptible(self) -> bool:
        """Whether Ctrl-C may come at any time."""
        ...

    def submit(self, work: Work) -> Future[Any]:
        """Begin WORK."""
        ...

    def result(self, future: Future[Any]) -> FileResult:
        """What came of the work of FUTURE, which is over. Raises WorkerLostError; asked once for each."""
        ...

    def see_that_it_lives(self) -> None:
        """Health check while idle. Raises UsageError (V007) if the executor is gone."""
        ...

    def end(self, *, at_once: bool) -> None:
        """No more is asked; what still runs is of no interest, and ended if that has to be AT ONCE."""
        ...


class Here:
    """This process."""

    slots = 1
    is_interruptible = True

    def __init__(self, check: Check = checked) -> None:
        self._check = check

    def submit(self, work: Work) -> Future[FileResult]:
        """Do WORK."""
        future: Future[FileResult] = Future()
        future.set_result(self._check(work))
        return future

    def result(self, future: Future[Any]) -> FileResult:
        """What came of it."""
        return future.result()

    def see_that_it_lives(self) -> None:
        """It does, as it asks."""

    def end(self, *, at_once: bool) -> None:
        """There is nothing to be ended."""
