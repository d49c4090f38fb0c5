"""How work is done changes no result: workers, caches, and what goes wrong with them."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Run
from tests.gate.crashing import endless, hungry, killed
from volcli.gate.findings.settings import Settings
from volcli.gate.work.cache import ResultCache
from volcli.gate.work.executor import Here
from volcli.gate.work.pool import Workers
from volcli.gate.work.schedule import Schedule
from volcli.gate.work.work import FileResult, Work, checked, most_seconds

OUT = """func.func @f(%m: memref<4xf32>) -> f32 {
  %c4 = arith.constant 4 : index
  %x = memref.load %m[%c4] : memref<4xf32>
  return %x : f32
}
"""
IN = OUT.replace("constant 4", "constant 3")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of eight files, of which three have a finding."""
    for number in range(8):
        (tmp_path / f"f{number}.mlir").write_text(OUT if number % 3 == 0 else IN)
    return tmp_path


def results(works: list[Work], check: Callable[[Work], FileResult], jobs: int = 2) -> list[FileResult]:
    return Schedule(works, Workers(jobs, check, most_seconds), None, lambda done, every: None).results()


def work(path: Path, name: str | None = None) -> Work:
    return Work(str(path), name or path.name, Settings(frozenset({"V203"})))


@pytest.mark.slow
def test_any_number_of_workers_gives_the_same_bytes(folder: Path, volcli: Run) -> None:
    styles = ("text", "json", "sarif", "junit", "github")
    outputs: set[tuple[bytes, ...]] = set()
    for jobs, more in (("1", ["--no-cache"]), ("2", ["--no-cache"]), ("4", []), ("2", [])):
        named = [f"--format={style}:{folder / style}" for style in styles]
        volcli("check", ".", "-j", jobs, *named, *more, cwd=folder)
        outputs.add(tuple((folder / style).read_bytes() for style in styles))
    assert len(outputs) == 1


def test_what_ends_its_process_costs_itself_alone(tmp_path: Path) -> None:
    names = ["a", "crash", "b", "once", "c", "d"]
    for name in names:
        (tmp_path / name).write_text(IN)
    found = results([work(tmp_path / name, name) for name in names], killed)
    assert [each.file for each in found] == names
    assert [[one.code for one in each.findings] for each in found] == [[], ["V901"], [], [], [], []]


def test_a_function_that_ends_its_process_costs_itself_alone(tmp_path: Path) -> None:
    file = tmp_path / "f.mlir"
    file.write_text("".join(OUT.replace("@f", f"@{name}") for name in ("a", "b", "crash", "c", "d")))
    (found,) = results([work(file)], killed)
    assert [(each.code, each.function, each.line) for each in found.findings] == [
        ("V203", "a", 3), ("V203", "b", 8), ("V901", "crash", 11), ("V203", "c", 18), ("V203", "d", 23)
    ]  # fmt: skip
    assert "function @crash was not completed" in found.findings[2].message
    assert (found.functions, found.lasting) == (("a", "b", "c", "d"), False)


@pytest.mark.slow
def test_what_never_ends_is_ended(tmp_path: Path) -> None:
    for name in ("a", "endless"):
        (tmp_path / name).write_text("")
    works = [replace(work(tmp_path / name), settings=Settings(frozenset(), timeout=0.01)) for name in "ab"]
    works = [
        replace(each, path=str(tmp_path / name), name=name)
        for each, name in zip(works, ("a", "endless"), strict=True)
    ]
    first, second = results(works, endless)
    assert (first.findings, [each.code for each in second.findings]) == ((), ["V901"])


def test_memory_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    (found,) = results([work(tmp_path / "f")], hungry, jobs=1)
    assert [each.message for each in found.findings] == [
        "the analysis of the file needs more memory than it may have"
    ]


def test_a_second_run_analyses_what_has_changed(folder: Path, volcli: Run) -> None:
    first = volcli("check", ".", "-j2", cwd=folder)
    (folder / "f1.mlir").write_text(OUT)
    second = volcli("check", ".", cwd=folder)
    assert first.stdout.count("V203") + 1 == second.stdout.count("V203")
    assert second.stdout == volcli("check", ".", "--no-cache", cwd=folder).stdout
    assert volcli("check", ".", "--ignore", "V203", cwd=folder).returncode == 0
    assert (folder / ".volcli_cache" / ".gitignore").read_text() == "*\n"


def test_a_cache_that_cannot_be_used_is_said_and_left(folder: Path, volcli: Run) -> None:
    clean = volcli("check", ".", "--no-cache", cwd=folder)
    (folder / "file").write_text("")
    ran = volcli("check", ".", "--cache-dir", "file/cache", cwd=folder)
    assert (ran.stdout, ran.returncode) == (clean.stdout, clean.returncode)
    assert ran.stderr.startswith("warning: the cache in 'file/cache' is not used: ")
    assert ran.stderr.count("\n") == 1


def test_a_damaged_cache_is_thrown_away(folder: Path, volcli: Run) -> None:
    clean = volcli("check", ".", cwd=folder)
    database = folder / ".volcli_cache" / "results" / "cache.db"
    for left in database.parent.glob("cache.db-*"):
        left.unlink()
    database.write_bytes(b"no database" * 1000)
    for _ in range(2):
        ran = volcli("check", ".", cwd=folder)
        assert (ran.stdout, ran.stderr, ran.returncode) == (clean.stdout, "", clean.returncode)
    assert database.read_bytes()[:6] == b"SQLite"


@pytest.mark.slow
def test_two_runs_share_a_cache(folder: Path) -> None:
    command = [sys.executable, "-m", "volcli", "check", ".", "--format", "json"]
    runs = [subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [run.communicate(timeout=120)[0] for run in runs]
    assert outputs[0] == outputs[1]
    assert len(json.loads(outputs[0])["files"]) == 8


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals of POSIX")
def test_an_interrupt_ends_all_and_writes_nothing(folder: Path) -> None:
    for number in range(100):
        shutil.copy(folder / "f0.mlir", folder / f"g{number}.mlir")
    command = [sys.executable, "-m", "volcli", "check", ".", "--no-cache", "--format", "json:out.json"]
    run = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(1.5)
    os.killpg(run.pid, signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode in (1, 130, -signal.SIGINT), errors  # 1: it was over before
    if run.returncode != 1:
        assert not (folder / "out.json").exists()
    assert b"Traceback" not in errors


def test_a_file_that_vanishes_or_changes_in_the_run_is_what_was_read(folder: Path) -> None:
    """Each file has one content in a run, and what is kept is kept under that."""
    said: list[str] = []
    cache = ResultCache(folder / "cache", said.append)
    paths = [folder / f"f{number}.mlir" for number in range(8)]
    (folder / "f0.mlir").write_text(OUT + "\n\n")  # the largest is the first one

    def meddling(one: Work) -> FileResult:
        paths[0].write_text(IN)
        paths[7].unlink(missing_ok=True)
        return checked(one)

    def run(check: Callable[[Work], FileResult]) -> list[list[str]]:
        found = Schedule([work(path) for path in paths], Here(check), cache, lambda done, every: None)
        return [[each.code for each in result.findings] for result in found.results()]

    hit = [["V203"], [], [], ["V203"], [], [], ["V203"], ["V100"]]
    assert run(meddling) == hit
    assert run(checked) == [[], *hit[1:]]
    paths[0].write_text(OUT + "\n\n")
    paths[7].write_text(IN)
    assert run(checked) == [*hit[:-1], []]
    assert said == []
    cache.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_output_that_cannot_be_written_is_said(folder: Path, volcli: Run) -> None:
    ran = volcli("check", "f0.mlir", "--no-cache", "--format", "json:/dev/full", cwd=folder)
    assert (ran.returncode, "V006: cannot write '/dev/full'" in ran.stderr) == (2, True)
    (folder / "taken").mkdir()
    ran = volcli("check", "f0.mlir", "--no-cache", "--format", "json:taken/none/out.json", cwd=folder)
    assert (ran.returncode, "V006" in ran.stderr, ran.stdout) == (2, True, "")


def test_a_worker_that_has_grown_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volcli.limits.gate.GROWN_WORKER", 1)
    made: list[int] = []

    class Counted(Workers[Work, FileResult]):
        def _new(self) -> Any:
            made.append(1)
            return super()._new()

    todo = [work(folder / f"f{number}.mlir") for number in range(4)]
    found = Schedule(todo, Counted(1, checked, most_seconds), None, lambda done, every: None).results()
    assert [len(each.findings) for each in found] == [1, 0, 0, 1]
    assert len(made) == 4


@pytest.mark.parametrize("missing", ["program", "processes"])
def test_without_worker_processes_this_one_does_the_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """A program that this user may not execute, as in a container's foreign home; no room for a process."""
    said: list[str] = []
    program = folder / "python"
    program.write_text("")

    def refused(*_: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    if missing == "program":
        monkeypatch.setattr("volcli.gate.work.pool.get_executable", lambda: str(program))
        reason = f"[Errno 13] Permission denied: '{program}'"
    else:
        monkeypatch.setattr("volcli.gate.work.pool.ProcessPoolExecutor.submit", refused)
        reason = "[Errno 11] Resource temporarily unavailable"
    todo = [work(folder / f"f{number}.mlir") for number in range(4)]
    found = Schedule(
        todo, Workers(2, checked, most_seconds, said.append), None, lambda done, every: None
    ).results()
    assert [len(each.findings) for each in found] == [1, 0, 0, 1]
    assert said == [f"a worker process cannot be started, so this process does its work: {reason}"]


def test_workers_import_nothing_of_the_program_that_calls_the_interface() -> None:
    script = "import volcli.gate.run as gate, volcli.gate.policy.policy as policy\n"
    script += "report = gate.run(['testdata/check/V203.mlir'], policy.Policy(), None, gate.Running(1))\n"
    script += "print([each.code for each in report.findings])\n"
    ran = subprocess.run(
        [sys.executable], input=script, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("['V203']\n", "")
