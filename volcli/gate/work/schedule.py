"""What work there is for some files, in which order it is begun, and how what comes of it is put together.

Each file is looked up in the cache, by its content. One that is not there is work as a whole, or, if it is
large, group by group of its functions (`pieces.py`), without those that are in the cache. Groups depend on
the text alone, and files are begun by their size: so neither the number of workers nor their luck changes
what is found. Invariant: each group of a file is waiting, running, or over; a file is over with its last
group, and its result is made of what its groups and the cache have.

Work whose worker ends is done once more, since somebody may have ended it. Work that ends its worker twice,
or fails for want of memory, is split in halves, until a function alone does so: that is a finding (V901)
there, and all other functions have their findings. A group in which something is found that may concern
others than its functions is not put together: then the file is analysed as a whole.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from volcli.diagnostics import UsageError
from volcli.frontend.text.source import read_bytes
from volcli.gate.work.assembling import assembled, owners, single_failure
from volcli.gate.work.cache import ResultCache, key_of, keys_of_pieces
from volcli.gate.work.carrying import carry_out
from volcli.gate.work.executor import Executor, WorkerLostError
from volcli.gate.work.pieces import FilePiece, part_of, pieces_of
from volcli.gate.work.work import FileResult, Work, lost, unusable, with_dumps
from volcli.limits import gate as limits

_ENDED = "was not completed: its process crashed, took too long, or was killed"


@dataclass
class _File:
    """A file that is being checked; `pieces` are its functions if it is done in groups."""

    position: int
    work: Work
    key: str | None = None
    pieces: Sequence[FilePiece] | None = None
    open: int = 0
    whole: bool = False
    """Whether it cannot be done in groups."""
    known: dict[FilePiece, FileResult] = field(default_factory=dict[FilePiece, FileResult])


@dataclass
class _Task:
    """A file, or a group of its functions, and how often it was begun."""

    file: _File
    group: Sequence[FilePiece] | None = None
    begun: int = 0


class Schedule:
    """WORKS, to be done by EXECUTOR, with what CACHE has; DONE is told of each file that is over.

    PARTLY is told what is known of a file, by its position, as often as one of its groups is over.
    """

    def __init__(
        self,
        works: Sequence[Work],
        executor: Executor[Work, FileResult],
        cache: ResultCache | None,
        done: Callable[[int, int], None],
        partly: Callable[[int, FileResult], None] | None = None,
    ) -> None:
        self._works = works
        self._executor = executor
        self._cache = cache
        self._done = done
        self._partly = partly
        self._results: dict[int, FileResult] = {}
        self._again: deque[_Task] = deque()

    def results(self) -> list[FileResult]:
        """What is found of each of the works, in their order."""
        self._done(0, len(self._works))
        tasks = self._tasks()

        def next_task() -> _Task | None:
            return self._again.popleft() if self._again else next(tasks, None)

        carry_out(self._executor, next_task, self._work, self._end)
        return [self._results[position] for position in range(len(self._works))]

    def _tasks(self) -> Iterator[_Task]:
        """What is to be done of files that are not known, the largest ones first."""
        sizes = [_size(work) for work in self._works]
        for position in sorted(range(len(sizes)), key=lambda at: -sizes[at]):
            work = self._works[position]
            try:
                data = read_bytes(work.path) if work.data is None else work.data
                file = _File(position, replace(work, data=data))
            except UsageError as error:
                self._keep(position, unusable(work, error.diagnostic))
                continue
            if self._cache is not None:
                file.key = key_of(file.work)
                if (known := self._cache.get(file.key)) is not None:
                    self._keep(position, known)
                    continue
            yield from self._tasks_of(file)

    def _tasks_of(self, file: _File) -> Iterator[_Task]:
        data = file.work.data or b""
        # Conditions on arguments name them, and it is a mistake if no function has them.
        if data.count(b"\n") >= limits.LARGE_FILE and not file.work.settings.assume:
            file.pieces = _pieces(data)
        if file.pieces is None or len(file.pieces) < 2:
            file.pieces = None
            groups: list[Sequence[FilePiece] | None] = [None]
        else:
            file.known = self._known(file, file.pieces)
            groups = [*_groups([each for each in file.pieces if each not in file.known])]
        file.open = len(groups)
        yield from [_Task(file, group) for group in groups]
        if not groups:
            self._complete(file)

    def _known(self, file: _File, pieces: Sequence[FilePiece]) -> dict[FilePiece, FileResult]:
        """What the cache has of PIECES."""
        if self._cache is None:
            return {}
        keys = keys_of_pieces(pieces, file.work)
        found = self._cache.pieces(keys.values())
        return {piece: found[key] for piece, key in keys.items() if key in found}

    @staticmethod
    def _splittable(file: _File) -> Sequence[FilePiece]:
        """The functions of FILE, which cannot be analysed as a whole."""
        return () if file.whole or file.work.settings.assume else _pieces(file.work.data or b"") or ()

    @staticmethod
    def _work(task: _Task) -> Work:
        return task.file.work if task.group is None else replace(task.file.work, part=part_of(task.group))

    def _end(self, task: _Task, future: Future[Any]) -> None:
        """TASK is over, and FUTURE has what came of it."""
        file = task.file
        task.begun += 1
        try:
            result = self._executor.result(future)
            is_lost = result.failed
        except WorkerLostError:
            if task.begun < 2:
                self._again.append(task)
                return
            result, is_lost = lost(self._work(task), _ENDED), True
        if is_lost:
            group = task.group or self._splittable(file)
            if len(group) > 1:
                file.pieces = file.pieces or group
                middle = len(group) // 2
                self._again += [_Task(file, group[:middle]), _Task(file, group[middle:])]
                file.open += 1
                return
            if task.group is not None:
                result = single_failure(result, task.group[0], file.work)
        if task.group is None:
            self._complete_whole(file, result)
            return
        file.open -= 1
        self._keep_pieces(file, task.group, owners([result], task.group))
        if not file.open:
            self._complete(file)

    def _complete_whole(self, file: _File, result: FileResult) -> None:
        """FILE was analysed as a whole, with RESULT."""
        if self._cache is not None and file.key is not None and result.lasting:
            self._cache.put(file.key, result)
        self._keep(file.position, result)

    def _keep_pieces(
        self, file: _File, group: Sequence[FilePiece], parts: Mapping[FilePiece, FileResult] | None
    ) -> None:
        """PARTS are what is found in a GROUP of FILE; None: that cannot be told apart."""
        if parts is None:
            file.whole = True
            return
        file.known.update(parts)
        if self._cache is not None:
            kept = [piece for piece, each in parts.items() if each.lasting and each.separable]
            keys = keys_of_pieces(kept, file.work)
            self._cache.put_pieces({key: parts[piece] for piece, key in keys.items()})
        if self._partly is not None and file.open and not file.whole:
            pieces = [each for each in file.pieces or group if each in file.known]
            known = assembled(file.work.name, pieces, file.known)
            self._partly(file.position, with_dumps(known, file.work.data))

    def _complete(self, file: _File) -> None:
        """All groups of FILE are over."""
        if file.whole:
            self._again.append(_Task(replace(file, pieces=None, known={})))
            return
        result = assembled(file.work.name, file.pieces or (), file.known)
        self._complete_whole(file, with_dumps(result, file.work.data))

    def _keep(self, position: int, result: FileResult) -> None:
        self._results[position] = result
        self._done(len(self._results), len(self._works))


def _pieces(data: bytes) -> list[FilePiece] | None:
    try:
        return pieces_of(data.decode())
    except UnicodeDecodeError:
        return None


def _groups(pieces: Sequence[FilePiece]) -> Iterator[Sequence[FilePiece]]:
    """PIECES in groups of so many lines that reading what they share is worth it."""
    group: list[FilePiece] = []
    lines = 0
    for each in pieces:
        group.append(each)
        lines += each.last - each.first + 1
        if lines >= limits.LARGE_FILE:
            yield group
            group, lines = [], 0
    if group:
        yield group


def _size(work: Work) -> int:
    """The bytes of the file of WORK; 0 if it cannot be read."""
    if work.data is not None:
        return len(work.data)
    try:
        return os.stat(work.path).st_size
    except (OSError, ValueError):
        return 0
