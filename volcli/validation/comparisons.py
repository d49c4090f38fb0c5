"""Many comparisons, made by an executor, as far as they are not known."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any

from volcli.gate.work.cache import StoredResults
from volcli.gate.work.carrying import carry_out
from volcli.gate.work.executor import Executor, WorkerLostError
from volcli.validation.comparing import PairResult, ProgramPair, unknown

_LOST = "its process crashed, took too long, or was killed"


class PairComparisons:
    """What EXECUTOR finds of pairs, and what CACHE has; DONE is told how many of how many are known.

    A pair whose process ends is compared once more, since somebody may have ended it.
    """

    def __init__(
        self,
        executor: Executor[ProgramPair, PairResult],
        cache: StoredResults[PairResult] | None = None,
        done: Callable[[int, int], None] = lambda done, all: None,
    ) -> None:
        self._executor, self._cache, self._done = executor, cache, done
        self._found: dict[ProgramPair, PairResult] = {}
        self._lost: set[ProgramPair] = set()
        self._all = 0

    def of(self, pairs: Iterable[ProgramPair]) -> dict[ProgramPair, PairResult]:
        """What is known of PAIRS; the executor is ended."""
        every = list(dict.fromkeys(pairs))
        self._all = len(every)
        todo = deque(pair for pair in every if not self._is_known(pair))

        def end(pair: ProgramPair, future: Future[Any]) -> None:
            if not self._keeps(pair, future):
                todo.append(pair)

        carry_out(self._executor, lambda: todo.popleft() if todo else None, lambda pair: pair, end)
        return self._found

    def _is_known(self, pair: ProgramPair) -> bool:
        """Whether the cache has PAIR."""
        known = None if self._cache is None else self._cache.get(pair.key)
        if known is not None:
            self._found[pair] = known
        return known is not None

    def _keeps(self, pair: ProgramPair, future: Future[Any]) -> bool:
        """Keep what came of PAIR; False if its process was lost for the first time."""
        try:
            result = self._executor.result(future)
        except WorkerLostError:
            if pair not in self._lost:
                self._lost.add(pair)
                return False
            result = PairResult((unknown(pair, _LOST),), 0.0, lasting=False)
        self._found[pair] = result
        if self._cache is not None and result.lasting:
            self._cache.put(pair.key, result)
        self._done(len(self._found), self._all)
        return True
