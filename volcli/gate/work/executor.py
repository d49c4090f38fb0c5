"""Where work is done: in this process, by worker processes (`pool.py`), or by a cluster (`cluster.py`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, Protocol, TypeVar

W = TypeVar("W")
R = TypeVar("R")
W_contra = TypeVar("W_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)


class WorkerLostError(Exception):
    """What did a piece of work has ended before that."""


class Executor(Protocol[W_contra, R_co]):
    """What does `slots` pieces of work at a time, each of which has a result."""

    @property
    def slots(self) -> int: ...

    @property
    def is_interruptible(self) -> bool:
        """Whether Ctrl-C may come at any time."""
        ...

    def submit(self, work: W_contra) -> Future[Any]:
        """Begin WORK."""
        ...

    def result(self, future: Future[Any]) -> R_co:
        """What came of the work of FUTURE, which is over. Raises WorkerLostError; asked once for each."""
        ...

    def see_that_it_lives(self) -> None:
        """Health check while idle. Raises UsageError (V007) if the executor is gone."""
        ...

    def end(self, *, at_once: bool) -> None:
        """No more is asked; what still runs is of no interest, and ended if that has to be AT ONCE."""
        ...


class Here(Generic[W, R]):
    """This process."""

    slots = 1
    is_interruptible = True

    def __init__(self, do: Callable[[W], R]) -> None:
        self._do = do

    def submit(self, work: W) -> Future[R]:
        """Do WORK."""
        future: Future[R] = Future()
        future.set_result(self._do(work))
        return future

    def result(self, future: Future[Any]) -> R:
        """What came of it."""
        return future.result()

    def see_that_it_lives(self) -> None:
        """It does, as it asks."""

    def end(self, *, at_once: bool) -> None:
        """There is nothing to be ended."""
