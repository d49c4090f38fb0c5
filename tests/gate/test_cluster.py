"""--executor dask:ADDRESS: the same work on a cluster, of which a worker may be killed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import Run
from tests.gate.crashing import killed
from volcli.cli.commands import volcli as command
from volcli.gate.executor import Here
from volcli.gate.schedule import Schedule
from volcli.gate.settings import Settings
from volcli.gate.work import FileResult, Work

distributed = pytest.importorskip("distributed", reason="volcli[dask] is not installed")

from volcli.gate.cluster import Cluster  # noqa: E402 - it needs dask

OUT = """func.func @f(%m: memref<4xf32>) -> f32 {
  %x = affine.load %m[4] : memref<4xf32>
  return %x : f32
}
"""
SETTINGS = Settings(frozenset({"V203", "V901"}))


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A scheduler, and two workers of one thread, each of which another one replaces when it ends."""
    import dask

    with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
        try:
            found = distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=":0", processes=True, silence_logs=50
            )
        except OSError as error:
            pytest.skip(f"no cluster can listen here: {error}")
        with found:
            yield found


def works(folder: Path, count: int) -> list[Work]:
    for n in range(count):
        (folder / f"{n}.mlir").write_text(OUT if n % 2 else OUT.replace("[4]", "[3]"))
    return [Work(str(folder / f"{n}.mlir"), f"{n}.mlir", SETTINGS) for n in range(count)]


def test_a_killed_worker_of_a_cluster_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    todo = works(tmp_path, 12)
    workers = [each["pid"] for each in cluster.scheduler_info["workers"].values() if "pid" in each]
    told: list[int] = []

    def done(count: int, every: int) -> None:
        told.append(count)
        if count == 3:
            os.kill(victims[0], signal.SIGKILL)

    executor = Cluster(cluster.scheduler_address)
    victims = workers or list(executor._client.run(os.getpid).values())  # pyright: ignore
    found = Schedule(todo, executor, None, done).results()
    assert found == Schedule(todo, Here(), None, lambda done, every: None).results()
    assert told[-1] == 12


def test_work_that_ends_workers_of_a_cluster_is_found(cluster: Any, tmp_path: Path) -> None:
    todo = works(tmp_path, 3)
    (tmp_path / "crash").write_text(OUT)
    todo.append(Work(str(tmp_path / "crash"), "crash", SETTINGS))
    found = Schedule(
        todo, Cluster(cluster.scheduler_address, killed), None, lambda done, every: None
    ).results()
    codes = [[one.code for one in each.findings] for each in found]
    assert codes == [[], ["V203"], [], ["V901"]]
    assert isinstance(found[0], FileResult)


def test_a_cluster_that_is_none(tmp_path: Path, volcli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f.mlir").write_text(OUT)
    ran = volcli("check", ".", "--no-cache", "--executor", "dask:nowhere", cwd=tmp_path)
    assert (ran.returncode, "V007: --executor: no scheduler of dask answers" in ran.stderr) == (2, True)
    ran = volcli("check", ".", "--executor", "cloud", cwd=tmp_path)
    assert (ran.returncode, "V007: --executor: no executor 'cloud'" in ran.stderr) == (2, True)


def test_the_command_line_uses_a_cluster(cluster: Any, tmp_path: Path) -> None:
    works(tmp_path, 4)
    options = ("check", ".", "--no-cache", "--format", "json")
    with contextlib.chdir(tmp_path):
        there = CliRunner().invoke(command, [*options, "--executor", f"dask:{cluster.scheduler_address}"])
        here = CliRunner().invoke(command, [*options, "-j1"])
    assert (there.stdout, there.exit_code) == (here.stdout, 1), there.stderr
