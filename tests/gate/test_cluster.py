"""--executor dask:ADDRESS: the same work on a cluster, of which a worker may be killed."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from tests.conftest import Run
from tests.gate.crashing import killed
from volcli.cli.commands import volcli as command
from volcli.diagnostics import UsageError
from volcli.gate.findings.settings import Settings
from volcli.gate.work.cluster import Cluster
from volcli.gate.work.executor import Here
from volcli.gate.work.schedule import Schedule
from volcli.gate.work.work import FileResult, Work, checked

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # an error in the event loop of dask's client ends nothing
]

OUT = """func.func @f(%m: memref<4xf32>) -> f32 {
  %x = affine.load %m[4] : memref<4xf32>
  return %x : f32
}
"""
SETTINGS = Settings(frozenset({"V203", "V901"}))


@dataclass
class Processes:
    """A scheduler, and two workers of one thread, each of which another one replaces when it ends.

    They are processes of their own, begun as their users begin them: a cluster inside of this one would have
    its warnings made errors, and its event loop beside those of other tests. They end by themselves if this
    process does not end them.
    """

    scheduler: subprocess.Popen[bytes]
    address: str
    client: Any
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])

    def begin_workers(self) -> None:
        again = f"for n in {'1 ' * 9}; do {_DASK.format('worker', self.address)} {_ALONE}; done"
        self.workers += [_process(["sh", "-c", again]) for _ in range(2)]
        self.client.wait_for_workers(2, timeout=60)

    def pids(self) -> list[int]:
        return list(self.client.run(os.getpid).values())

    def end(self) -> None:
        for each in (*self.workers, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
            each.wait()
        self.workers.clear()


_ALONE = "--no-nanny --nthreads 1 --death-timeout 20"
_DASK = f"{sys.executable} -m distributed.cli.dask_{{}} {{}} --no-dashboard"
_ROOT = Path(__file__).parents[2]


def _process(command: list[str]) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "PYTHONPATH": str(_ROOT),
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",
    }
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, env=environment, stdout=silent, stderr=silent, start_new_session=True)


@pytest.fixture(scope="module")
def dask() -> ModuleType:
    """What every other run of the tests need not import."""
    return pytest.importorskip("distributed", reason="volcli[dask] is not installed")


@pytest.fixture
def cluster_alone(tmp_path: Path, dask: ModuleType) -> Iterator[Processes]:
    """A scheduler without workers."""
    told = tmp_path / "scheduler.json"
    options = f"--host 127.0.0.1 --port 0 --idle-timeout 200 --scheduler-file {told}"
    scheduler = _process(_DASK.format("scheduler", options).split())
    try:
        client = dask.Client(scheduler_file=str(told), timeout=60, set_as_default=False)
    except OSError as error:
        os.killpg(scheduler.pid, signal.SIGKILL)
        pytest.skip(f"no cluster can listen here: {error}")
    found = Processes(scheduler, client.scheduler.address, client)
    try:
        yield found
    finally:
        client.close(timeout=5)
        found.end()


@pytest.fixture
def cluster(cluster_alone: Processes) -> Processes:
    cluster_alone.begin_workers()
    return cluster_alone


def works(folder: Path, count: int) -> list[Work]:
    for n in range(count):
        (folder / f"{n}.mlir").write_text(OUT if n % 2 else OUT.replace("[4]", "[3]"))
    return [Work(str(folder / f"{n}.mlir"), f"{n}.mlir", SETTINGS) for n in range(count)]


def test_a_killed_worker_of_a_cluster_changes_nothing(cluster: Processes, tmp_path: Path) -> None:
    todo = works(tmp_path, 12)
    victims = cluster.pids()
    told: list[int] = []

    def done(count: int, every: int) -> None:
        told.append(count)
        if count == 3:
            os.kill(victims[0], signal.SIGKILL)

    found = Schedule(todo, Cluster(cluster.address), None, done).results()
    assert found == Schedule(todo, Here(checked), None, lambda done, every: None).results()
    assert told[-1] == 12


def test_work_that_ends_workers_of_a_cluster_is_found(cluster: Processes, tmp_path: Path) -> None:
    todo = works(tmp_path, 3)
    (tmp_path / "crash").write_text(OUT)
    todo.append(Work(str(tmp_path / "crash"), "crash", SETTINGS))
    found = Schedule(todo, Cluster(cluster.address, killed), None, lambda done, every: None).results()
    codes = [[one.code for one in each.findings] for each in found]
    assert codes == [[], ["V203"], [], ["V901"]]
    assert isinstance(found[0], FileResult)


def test_a_cluster_without_workers_is_not_waited_for(
    cluster_alone: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("volcli.limits.gate.SECONDS_WITHOUT_WORKERS", 0.3)
    monkeypatch.setattr("volcli.gate.work.cluster._LOOKS", 0.1)
    schedule = Schedule(works(tmp_path, 2), Cluster(cluster_alone.address), None, lambda done, every: None)
    with pytest.raises(UsageError, match="no worker of the cluster has been there"):
        schedule.results()


def test_a_scheduler_that_ends_is_not_waited_for(cluster: Processes, tmp_path: Path) -> None:
    def done(count: int, every: int) -> None:
        if count == 1:
            os.killpg(cluster.scheduler.pid, signal.SIGKILL)

    schedule = Schedule(works(tmp_path, 40), Cluster(cluster.address), None, done)
    with pytest.raises(UsageError, match="--executor"):
        schedule.results()


def test_a_cluster_that_is_none(tmp_path: Path, volcli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f.mlir").write_text(OUT)
    ran = volcli("check", ".", "--no-cache", "--executor", "dask:nowhere", cwd=tmp_path)
    assert (ran.returncode, "V007: --executor: no scheduler of dask answers" in ran.stderr) == (2, True)
    ran = volcli("check", ".", "--executor", "cloud", cwd=tmp_path)
    assert (ran.returncode, "V007: --executor: no executor 'cloud'" in ran.stderr) == (2, True)


def test_the_command_line_uses_a_cluster(cluster: Processes, tmp_path: Path) -> None:
    works(tmp_path, 4)
    options = ("check", ".", "--no-cache", "--format", "json")
    with contextlib.chdir(tmp_path):
        there = CliRunner().invoke(command, [*options, "--executor", f"dask:{cluster.address}"])
        here = CliRunner().invoke(command, [*options, "-j1"])
    assert (there.stdout, there.exit_code) == (here.stdout, 1), there.stderr
