"""What is kept of a run is right in the next one, and a cache that fails costs time only."""

from __future__ import annotations

import importlib
import os
import sqlite3
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from tests.gate.crashing import unlucky
from volcli.gate.findings.settings import Settings
from volcli.gate.work.cache import ResultCache, key_of
from volcli.gate.work.environment import environment
from volcli.gate.work.executor import Here
from volcli.gate.work.schedule import Schedule
from volcli.gate.work.work import FileResult, Work

TEXT = "func.func @f() {\n  return\n}\n"


def work(path: Path) -> Work:
    return Work(str(path), path.name, Settings(frozenset()))


def test_a_damaged_result_is_found_anew(tmp_path: Path) -> None:
    said: list[str] = []
    cache = ResultCache(tmp_path / "cache", said.append)
    one = work(tmp_path / "f0.mlir")
    key = key_of(one)
    cache.put(key, FileResult("f0.mlir", (), ("f0",)))
    assert cache.get(key) == FileResult("f0.mlir", (), ("f0",))
    cache._stored.set(key, {"file": 1})  # pyright: ignore
    assert cache.get(key) is None
    assert said == []
    cache.close()


def test_what_may_be_otherwise_next_time_is_not_kept(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "cache", lambda message: pytest.fail(message))
    file = tmp_path / "f0.mlir"
    file.write_text(TEXT)
    one = replace(work(file), data=TEXT.encode())
    Schedule([one], Here(unlucky), cache, lambda done, every: None).results()
    assert cache.get(key_of(one)) is None
    cache.close()


@pytest.mark.parametrize("hindrance", ["full", "read only", "locked"])
def test_a_cache_that_cannot_be_written_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hindrance: str
) -> None:
    monkeypatch.setattr("volcli.limits.gate.CACHE_SECONDS", 0.05)
    said: list[str] = []
    cache = ResultCache(tmp_path / "cache", said.append)
    cache.put("a", FileResult("a", (), ("a",)))
    sql = cache._stored._sql  # pyright: ignore
    other = sqlite3.connect(tmp_path / "cache" / "results" / "cache.db", isolation_level=None)
    reason = "it cannot be written to, perhaps because another run keeps it locked"
    if hindrance == "full":
        sql("PRAGMA max_page_count = 1")
        reason = "database or disk is full"
    elif hindrance == "read only":
        sql("PRAGMA query_only = 1")
    else:
        other.execute("BEGIN IMMEDIATE")
    cache.put_pieces({f"b{number}": FileResult("b" * 999, ()) for number in range(99)})
    cache.put("c", FileResult("c", ()))
    assert said == [f"the cache in '{tmp_path / 'cache'}' is not used: {reason}"]
    cache.close()
    other.close()
    again = ResultCache(tmp_path / "cache", said.append)
    assert (again.get("a"), again.get("b0"), again.get("c")) == (FileResult("a", (), ("a",)), None, None)
    assert len(said) == 1
    again.close()


def test_a_cache_is_kept_where_it_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk at the beginning is no damage."""
    said: list[str] = []
    cache = ResultCache(tmp_path / "cache", said.append)
    cache.put("a", FileResult("a", (), ("a",)))
    cache.close()

    def full(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    with monkeypatch.context() as patched:
        patched.setattr("diskcache.Cache.reset", full)
        assert ResultCache(tmp_path / "cache", said.append).get("a") is None
    assert said == [f"the cache in '{tmp_path / 'cache'}' is not used: database or disk is full"]
    again = ResultCache(tmp_path / "cache", said.append)
    assert again.get("a") == FileResult("a", (), ("a",))
    again.close()


def test_a_package_that_adds_a_dialect_is_known_by_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by its version, nor by sizes and times of its files; each of its modules and tables counts, bytecode does not."""
    monkeypatch.syspath_prepend(tmp_path)
    compute = environment.__wrapped__
    without = compute("xdsl")
    package = tmp_path / "noise_dialect"
    package.mkdir()
    metadata = tmp_path / "noise_dialect-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: noise-dialect\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[volcli.dialects]\nnoise = noise_dialect.ops:dialect\n")
    found = {without}
    for name, text in [
        ("ops.py", "A = 1\n"),
        ("ops.py", "A = 2\n"),
        ("helper.py", "B = 1\n"),
        ("table.json", "1\n"),
        ("table.json", "2\n"),
    ]:
        (package / name).write_text(text)
        os.utime(package / name, ns=(10**18, 10**18))
        importlib.invalidate_caches()
        assert compute("xdsl") == compute("xdsl")
        found.add(compute("xdsl"))
        (package / "ops.pyc").write_text(str(len(found)))
    assert len(found) == 6


def test_what_a_package_that_adds_a_dialect_requires_is_known_by_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    compute = environment.__wrapped__
    found: set[object] = set()
    for name, text in [("noise_dialect", "Requires-Dist: waves>=1\n"), ("waves", ""), ("waves", "")]:
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir(exist_ok=True)
        version = len(found)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{text}")
        if name == "noise_dialect":
            (folder / "entry_points.txt").write_text("[volcli.dialects]\nnoise = noise_dialect:dialect\n")
        importlib.invalidate_caches()
        found.add(compute("xdsl"))
    assert len(found) == 3


def test_versions_are_part_of_what_results_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = environment.__wrapped__
    found = {compute("xdsl")}
    monkeypatch.setattr("sys.version", "3.99")
    found.add(compute("xdsl"))
    other = metadata.version
    for name in ("xdsl", "islpy", "python-flint"):
        with monkeypatch.context() as patched:
            patched.setattr(
                "importlib.metadata.version", lambda each, n=name: "0" if each == n else other(each)
            )
            found.add(compute("xdsl"))
    assert len(found) == 5
