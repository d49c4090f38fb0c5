"""Checks and comparisons that take less than a user's: in this process, by execution alone, or with short executions."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.shared.seeds import Campaigns


@pytest.fixture(scope="module")
def checked_at_once() -> Iterator[None]:
    """For tests that rewrite many small programs: each is checked as ever, in a copy only if a query is large."""
    from volcli.presburger.limits import worker
    from volcli.rewriting.changes import elements

    def at_once(work: Callable[[], object], seconds: float | None) -> tuple[object] | str:
        done = worker.light(work, seconds or 60)
        return worker.apart(work, seconds) if done is None else (done.result,)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(elements, "apart", at_once)
        yield


@pytest.fixture(scope="module")
def short_trials() -> Iterator[None]:
    """Executions that compare two programs end after 2,000 iterations, and not after 50,000 or 100,000.

    For tests of what sets prove: what is not proved equal is executed up to the limit before it is unknown.
    """
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("TRIAL_STEPS", "DRAWN_STEPS"):
            patch.setattr(f"volcli.limits.execution.{limit}", 2_000)
        yield


def one_of_three(*texts: str) -> bool:
    """Whether TEXTS are among a third of all texts, the same ones in each run.

    >>> [one_of_three(str(number)) for number in range(300)].count(True)
    102
    """
    return zlib.crc32("\n".join(texts).encode()) % 3 == 0


@contextmanager
def checked_if(chosen: bool) -> Iterator[None]:
    """Rewrites are compared with what was there by sets, too, if that is CHOSEN, and in a campaign all of them.

    For programs that are executed before and after, which is the other proof and takes a third of the time.
    """
    from volcli.rewriting.changes import elements

    with pytest.MonkeyPatch.context() as patch:
        if not (chosen or Campaigns.are_chosen):
            patch.setattr(elements, "is_copy", lambda: True)  # as in a rehearsal, which is not checked
        yield
