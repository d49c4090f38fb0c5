"""Who asks worker processes what an editor shows: the findings of a document, and the notes of its pieces.

One document is checked at a time. A newer version ends the check of an older one; what was found in its
functions is kept. Notes are asked for piece by piece, by another worker, so that a hover does not wait for a
check.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from volcli.diagnostics import UsageError
from volcli.gate.findings.finding import Finding
from volcli.gate.policy.policy import Policy
from volcli.gate.policy.policy_file import find_policy
from volcli.gate.run import Running, found_in, work_of
from volcli.gate.work.cache import ResultCache, keys_of_pieces
from volcli.gate.work.executor import WorkerLostError
from volcli.gate.work.fixed import FixedFile, FixWork, fixed, key_of, most_seconds_of
from volcli.gate.work.pieces import FilePiece, part_of
from volcli.gate.work.pool import Workers
from volcli.gate.work.work import FileResult, Work, checked, most_seconds
from volcli.limits import gate as limits
from volcli.lsp.asked import ExplainWork, RewriteWork, Rewritten, explained, rewritten
from volcli.lsp.documents import Document
from volcli.lsp.notes import Notes, noted
from volcli.runtime import CACHE_FOLDER

Asked = Work | FixWork | ExplainWork | RewriteWork
Answer = Notes | FixedFile | Rewritten | str


class OutdatedError(Exception):
    """There is a newer version of the document that is checked."""


class _Checkers(Workers[Work, FileResult]):
    """A worker that checks one document after the other, each as long as it `is_current`."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        super().__init__(1, checked, most_seconds, warn)
        self.is_current: Callable[[], bool] = lambda: True

    def submit(self, work: Work) -> Future[Any]:
        self.see_that_it_lives()
        return super().submit(work)

    def see_that_it_lives(self) -> None:
        if not self.is_current():
            raise OutdatedError

    def end(self, *, at_once: bool) -> None:
        """Of a check that is over, the worker is left for the next one."""
        if at_once:
            super().end(at_once=True)


class Analyst:
    """Answers about documents below the folder ROOT; what is wrong with the set-up is told to WARN."""

    def __init__(self, root: Path, warn: Callable[[str], None]) -> None:
        self._root = root
        self._warn = warn
        self._checking, self._asking = asyncio.Lock(), asyncio.Lock()
        self._checkers = _Checkers(warn)
        self._worker = Workers[Asked, Answer](1, _answer, _seconds, warn)
        self._notes: OrderedDict[str, Notes] = OrderedDict()
        self._last_read: dict[tuple[str, str], Notes] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="volcli-lsp-", ignore_cleanup_errors=True)

    def policy(self, document: Document) -> Policy:
        """The policy for DOCUMENT; one that cannot be used is told, and everything is as without it."""
        try:
            return find_policy(document.folder)
        except UsageError as error:
            self._warn(error.diagnostic.message)
            return Policy()

    def work(self, document: Document, policy: Policy) -> Work:
        """DOCUMENT as work; it is called as `volcli check .` calls it in the folder of the policy."""
        path = document.path or "untitled.mlir"
        root = Path(policy.folder) if policy.folder else self._root
        name = os.path.relpath(path, root) if document.path and Path(path).is_relative_to(root) else path
        work = replace(work_of(path, policy), name=Path(name).as_posix())
        return replace(work, data=document.text.encode("utf-8", "surrogatepass"))

    async def findings(
        self,
        document: Document,
        is_current: Callable[[], bool],
        partly: Callable[[tuple[Finding, ...]], None],
    ) -> tuple[Finding, ...]:
        """What `volcli check` finds in DOCUMENT; PARTLY is told, in another thread, of what is found so far.

        Raises OutdatedError as soon as it is not what IS CURRENT any more.
        """
        async with self._checking:
            if not is_current():
                raise OutdatedError
            return await asyncio.to_thread(self._checked, document, is_current, partly)

    def _checked(
        self,
        document: Document,
        is_current: Callable[[], bool],
        partly: Callable[[tuple[Finding, ...]], None],
    ) -> tuple[Finding, ...]:
        policy = self.policy(document)
        folder = Path(policy.folder) / CACHE_FOLDER if policy.folder else Path(self._folder.name)
        cache = ResultCache(folder, self._warn)
        self._checkers.is_current = is_current
        running = Running(
            executor=lambda: self._checkers,
            cache=cache,
            warn=self._warn,
            partly=lambda found: partly(found.findings),
        )
        try:
            (found,) = found_in([self.work(document, policy)], policy, running)
        finally:
            cache.close()
        return found.findings

    async def notes(self, document: Document, pieces: Iterable[FilePiece]) -> list[Notes]:
        """What is known of each of PIECES; of one that cannot be read, what was known when it could."""
        work = self.work(document, self.policy(document))
        keys = keys_of_pieces(pieces, work)
        return [await self._notes_of(document, piece, work, key) for piece, key in keys.items()]

    async def _notes_of(self, document: Document, piece: FilePiece, work: Work, key: str) -> Notes:
        place = document.uri, piece.symbol
        async with self._asking:
            if (found := self._notes.get(key)) is None:
                answer = await self._answer(replace(work, part=part_of([piece])))
                found = answer if isinstance(answer, Notes) else Notes(is_read=False)
                found = self._notes[key] = found.moved(-piece.first)
        self._notes.move_to_end(key)
        if len(self._notes) > limits.NOTED_PIECES:
            self._notes.popitem(last=False)
        if found.is_read:
            self._last_read[place] = found
        else:
            found = self._last_read.get(place, found)
        return found.moved(piece.first)

    def forget(self, document: str) -> None:
        """The document at this URI is closed: what was known of it is not needed any more."""
        self._last_read = {place: notes for place, notes in self._last_read.items() if place[0] != document}

    async def fixed(self, document: Document, finding: Finding) -> FixedFile | None:
        """DOCUMENT with the fix of FINDING, if it is proved; None if the proof was not completed."""
        work = self.work(document, self.policy(document))
        async with self._asking:
            answer = await self._answer(FixWork(work, frozenset([key_of(finding)])))
        return answer if isinstance(answer, FixedFile) else None

    async def explained(self, document: Document, piece: FilePiece, line: int) -> str | None:
        """What is known of the operations in LINE, from 1, of a PIECE of DOCUMENT; None without an answer."""
        async with self._asking:
            answer = await self._answer(ExplainWork(self._work_of(document, piece), line))
        return answer if isinstance(answer, str) else None

    async def rewritten(self, document: Document, piece: FilePiece, pipeline: str) -> Rewritten:
        """The function of PIECE of DOCUMENT as PIPELINE rewrites it."""
        async with self._asking:
            work = RewriteWork(self._work_of(document, piece), piece.symbol, pipeline)
            answer = await self._answer(work)
        return answer if isinstance(answer, Rewritten) else Rewritten(None, ("it came to no end",))

    def _work_of(self, document: Document, piece: FilePiece) -> Work:
        return replace(self.work(document, self.policy(document)), part=part_of([piece]))

    async def _answer(self, asked: Asked) -> Answer | None:
        future = self._worker.submit(asked)
        try:
            await asyncio.wait([asyncio.wrap_future(future)])
            return self._worker.result(future)
        except (WorkerLostError, UsageError):
            return None

    def file(self, name: str, text: str) -> Path:
        """A file with TEXT, which lives as long as the server."""
        path = Path(self._folder.name) / name
        path.write_text(text, encoding="utf-8")
        return path

    def end(self) -> None:
        """No more is asked."""
        self._checkers.end(at_once=True)
        self._worker.end(at_once=True)
        self._folder.cleanup()


def _answer(asked: Asked) -> Answer:
    match asked:
        case FixWork():
            return fixed(asked)
        case ExplainWork():
            return explained(asked)
        case RewriteWork():
            return rewritten(asked)
        case Work():
            return noted(asked)


def _seconds(asked: Asked) -> float | None:
    match asked:
        case FixWork():
            return most_seconds_of(asked)
        case ExplainWork(work=work) | RewriteWork(work=work):
            return most_seconds(work)
        case Work():
            return most_seconds(asked)
