"""What was found, kept for the next run: by the content of a file and all else that the findings depend on.

The key of a result is a digest of the text of the file, of its name and settings, of volcli itself, of the
versions of what it is made of, and of the packages that add dialects. So nothing in the cache is ever wrong,
and what is old is evicted (diskcache: the least recently stored first). Any number of processes may share
a cache. What could be otherwise in the next run (an answer that took too long, a worker that ended) is not
kept.

A cache that cannot be used costs time and nothing else: a message says so, and the run goes on without it.
One that is damaged is thrown away.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from volcli.gate.work import FileResult, Work

_FORMAT = 1
_LARGEST = 1 << 29
_UNREPRODUCIBLE = ("V305", "V900", "V901")
_FAILURES = (OSError, sqlite3.Error, ValueError, KeyError, TypeError, zlib.error)


class ResultCache:
    """Results in FOLDER; what is wrong with it is said once to WARN."""

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
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
                return Cache(str(self._folder / "results"), disk=JSONDisk, size_limit=_LARGEST, timeout=10)
            except _FAILURES as error:
                is_damaged = isinstance(error, sqlite3.DatabaseError)
                if attempt == 0 and is_damaged and self._is_thrown_away():
                    continue
                self._give_up(error)
                break
        return None

    def _is_thrown_away(self) -> bool:
        """Whether the results could be thrown away."""
        folder = self._folder / "results"
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            return False
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()

    def _give_up(self, error: Exception) -> None:
        self._stored = None
        self._warn(f"the cache in '{self._folder}' is not used: {error}")

    def get(self, key: str) -> FileResult | None:
        """The result with KEY, if it is there."""
        if self._stored is None:
            return None
        try:
            data = self._stored.get(key)
            return None if data is None else FileResult.from_json(data)
        except _FAILURES as error:
            if isinstance(error, sqlite3.DatabaseError) and self._is_thrown_away():
                self._stored = self._open()
            else:
                self._drop(key, error)
            return None

    def _drop(self, key: str, error: Exception) -> None:
        """Forget the result with KEY, which cannot be read."""
        try:
            if self._stored is not None:
                self._stored.delete(key)
        except _FAILURES:
            self._give_up(error)

    def put(self, key: str, result: FileResult) -> None:
        """Keep RESULT under KEY, if it is the same in each run."""
        if self._stored is None or any(each.code in _UNREPRODUCIBLE for each in result.findings):
            return
        try:
            self._stored.set(key, result.to_json())
        except _FAILURES as error:
            self._give_up(error)

    def close(self) -> None:
        """Nothing is asked any more."""
        if self._stored is not None:
            self._stored.close()


def key_of(work: Work) -> str | None:
    """What the result of WORK depends on, as a digest; None if its file cannot be read."""
    try:
        text = Path(work.path).read_bytes()
    except OSError:
        return None
    digest = hashlib.sha256(text)
    fields = dataclasses.fields(work.settings)
    settings = [(each.name, _ordered(getattr(work.settings, each.name))) for each in fields]
    digest.update(repr((work.name, settings, _environment(work.settings.via))).encode())
    return digest.hexdigest()


@cache
def _environment(via: str) -> tuple[object, ...]:
    """Volcli and what it works with."""
    versions = tuple((name, metadata.version(name)) for name in ("xdsl", "islpy", "python-flint"))
    dialects = sorted(
        (each.name, each.value, each.dist.version if each.dist is not None else "")
        for each in metadata.entry_points(group="volcli.dialects")
    )
    reader = None if via == "xdsl" else shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    return _FORMAT, _sources(), versions, tuple(dialects), reader and (reader, os.stat(reader).st_mtime_ns)


def _sources() -> str:
    """A digest of volcli's own files, by their sizes and times."""
    digest = hashlib.sha256()
    for package in ("volcli", "volcli_dialects"):
        found = find_spec(package)
        for folder in () if found is None else found.submodule_search_locations or ():
            for path in sorted(Path(folder).rglob("*.py")):
                status = path.stat()
                name = path.relative_to(folder)
                digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _ordered(value: object) -> object:
    """VALUE, a set of texts in their order: sets have none that two processes agree on."""
    return sorted(map(str, cast("frozenset[str]", value))) if isinstance(value, frozenset) else value
