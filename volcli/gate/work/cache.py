"""What was found, kept for the next run: by the content of a file and all else that the findings depend on.

The key of a result is a digest of the text of the file, of its name and settings, and of volcli itself with
all that it works with (`environment.py`); of a function in a large file, that text is its closure's
(`pieces.py`). So nothing in the cache is ever wrong, and what is old is evicted (diskcache: the least
recently stored first). Any number of processes may share a cache. What could be otherwise in the next run (an
answer that took too long, a worker that ended) is not kept.

A cache that cannot be used (a full disk, no right to write, another run that keeps it locked) costs time and
nothing else: it is left as it is, a message says so, and the run goes on without it. One that is damaged is
thrown away.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from volcli.gate.findings.settings import Settings
from volcli.gate.work.environment import environment
from volcli.gate.work.pieces import FilePiece
from volcli.gate.work.work import FileResult, Work
from volcli.limits import gate as limits

R = TypeVar("R")
_FORMAT = 7
_UNUSABLE = (OSError, sqlite3.Error)
_ILLEGIBLE = (ValueError, KeyError, TypeError, zlib.error)
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}
"""SQLite's codes for files that are not a database, or one without the tables of a cache."""


class StoredResults(Generic[R]):
    """Results in FOLDER, as JSON by ENCODE and DECODE; what is wrong with it is said once to WARN."""

    def __init__(
        self,
        folder: Path,
        warn: Callable[[str], None],
        encode: Callable[[R], Any],
        decode: Callable[[Any], R],
    ) -> None:
        self._encode, self._decode = encode, decode
        self._folder = folder
        self._warn = warn
        self._stored = self._open()

    def _open(self) -> Any:
        """The cache on disk; None without one that can be used."""
        from diskcache import Cache, JSONDisk  # pyright: ignore[reportMissingTypeStubs]

        for attempt in (0, 1):
            try:
                is_new = not self._folder.exists()
                self._folder.mkdir(parents=True, exist_ok=True)
                if is_new:
                    (self._folder / ".gitignore").write_text("*\n")
                folder = str(self._folder / "results")
                return Cache(
                    folder, disk=JSONDisk, size_limit=limits.CACHE_BYTES, timeout=limits.CACHE_SECONDS
                )
            except (*_UNUSABLE, *_ILLEGIBLE) as error:
                if attempt or not self._is_thrown_away(error):
                    self._give_up(error)
                    break
        return None

    def _is_thrown_away(self, error: Exception) -> bool:
        """Whether ERROR says that the results are damaged, and they could be thrown away."""
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            return False
        folder = self._folder / "results"
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            return False
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    def _give_up(self, reason: object) -> None:
        self._stored = None
        self._warn(f"the cache in '{self._folder}' is not used: {reason}")

    @contextmanager
    def _attempted(self) -> Generator[None, None, None]:
        """In the block the cache is used; what is wrong with it ends the block, and perhaps its use."""
        from diskcache import Timeout  # pyright: ignore[reportMissingTypeStubs]

        try:
            yield
        except Timeout:
            self._give_up("it cannot be written to, perhaps because another run keeps it locked")
        except _UNUSABLE as error:
            if self._is_thrown_away(error):
                self._stored = self._open()
            else:
                self._give_up(error)

    def get(self, key: str) -> R | None:
        """The result with KEY, if it is there."""
        with self._attempted():
            if self._stored is None:
                return None
            try:
                data = self._stored.get(key)
                return None if data is None else self._decode(data)
            except _ILLEGIBLE:
                self._stored.delete(key)
        return None

    def put(self, key: str, result: R) -> None:
        """Keep RESULT, which is the same in each run, under KEY."""
        with self._attempted():
            if self._stored is not None:
                self._stored.set(key, self._encode(result))

    def pieces(self, keys: Iterable[str]) -> dict[str, R]:
        """What is found in the functions with KEYS, as far as it is there."""
        found = ((key, self.get(key)) for key in keys)
        return {key: result for key, result in found if result is not None}

    def put_pieces(self, results: Mapping[str, R]) -> None:
        """Keep RESULTS under their keys, all at once."""
        with self._attempted():
            if self._stored is not None:
                with self._stored.transact():
                    for key, result in results.items():
                        self._stored.set(key, self._encode(result))

    def close(self) -> None:
        """Nothing is asked any more."""
        with self._attempted():
            if self._stored is not None:
                self._stored.close()


class ResultCache(StoredResults[FileResult]):
    """What `volcli check` finds in files and functions."""

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        super().__init__(folder, warn, FileResult.to_json, FileResult.from_json)


def key_of(work: Work) -> str:
    """What the result of WORK, which has its data, depends on, as a digest."""
    digest = hashlib.sha256(work.data or b"")
    digest.update(repr((work.name, _settings_of(work))).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def keys_of_pieces(pieces: Iterable[FilePiece], work: Work) -> dict[FilePiece, str]:
    """What the findings in each of PIECES of the file of WORK depend on, as digests.

    That is the text of its closure, and what `command` each names that confirms a finding: it has the name of
    the file, and there is none for a file in chunks.
    """
    command = work.name, b"// -----" in (work.data or b"")
    digest = hashlib.sha256(repr((command, _settings_of(work))).encode("utf-8", "surrogateescape"))
    keys: dict[FilePiece, str] = {}
    for each in pieces:
        own = digest.copy()
        own.update(each.key.encode())
        keys[each] = own.hexdigest()
    return keys


def _settings_of(work: Work) -> str:
    """The settings of WORK, as text; what day it is matters only where comments may expire."""
    settings = work.settings
    return _settings(settings if b"until" in (work.data or b"") else replace(settings, today=""))


@cache
def _settings(settings: Settings) -> str:
    """SETTINGS and volcli itself, as text."""
    fields = dataclasses.fields(settings)
    values = [(each.name, _ordered(getattr(settings, each.name))) for each in fields]
    return repr((_FORMAT, values, environment(settings.via)))


def _ordered(value: object) -> object:
    """VALUE, a set of texts in their order: sets have none that two processes agree on."""
    return sorted(map(str, cast("frozenset[str]", value))) if isinstance(value, frozenset) else value
