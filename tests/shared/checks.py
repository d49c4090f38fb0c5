"""The check of a rewrite in this process: to copy one of 300 MB takes 30 ms, which is more than most checks."""

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
