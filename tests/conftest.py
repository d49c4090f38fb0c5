"""What every test may use: the repository's root, LLVM 22's mlir-opt if there is one, volcli as a process."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from click.testing import CliRunner
from hypothesis import settings

from tests.shared import seeds, selected
from tests.shared.checks import checked_at_once, short_trials  # noqa: F401 - fixtures
from volcli.cli import commands as cli

# lit reads its configuration itself, and it is no module of ours.
collect_ignore = ["cli/filecheck"]

ROOT = Path(__file__).parents[1]
PATH = os.environ["PATH"]
MLIR_OPT = shutil.which("mlir-opt-22")

# The same programs in every run, whatever the machine: what CI says is then true of the change. `make fuzz` draws
# others each time, and more of them.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile("same")

Run = Callable[..., "subprocess.CompletedProcess[str]"]
_LONG = {"answers", "installed"}
"""Fixtures that take half a minute: all answers about testdata, and an environment with volcli's wheel."""


class _NoEmptyDoctests:
    """Files without an example are not looked through for one, which takes a third of the time to collect."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if not any(isinstance(each, DoctestModule) for each in found) or ">>>" in file_path.read_text():
            return found
        return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """What concerns files outside of this folder, and what the modules of tests read when they are imported."""
    gc.disable()  # until pytest_collection_finish: what is collected stays, and looking through it takes a second
    config.pluginmanager.register(_NoEmptyDoctests())
    if "not slow" in config.option.markexpr:
        config.pluginmanager.register(selected.QuickParameters())
    seeds.Campaigns.are_chosen = "fuzz" in config.option.markexpr.replace("not fuzz", "")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need mlir-opt are skipped without it; those that share a long computation come first.

    pytest-xdist then gives them to one worker, which computes it once, and no processor waits for them in the end.
    """
    items.sort(key=lambda item: _LONG.isdisjoint(getattr(item, "fixturenames", ())))
    selected.samples(items)
    for item in items:
        if "mlir_opt" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.mlir)
    if MLIR_OPT is None:
        absent = pytest.mark.skip(reason="needs mlir-opt-22 (Debian package mlir-22-tools)")
        for item in items:
            if item.get_closest_marker("mlir"):
                item.add_marker(absent)


def pytest_collection_finish() -> None:
    """Thousands of tests and what they import stay until the end: the collector looks at what came later alone.

    That is programs and what is known of them, which it leaves alone until there are some thousands of objects.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 5)
    gc.enable()


def _without_mlir(path: str, links: Path) -> str:
    """PATH without LLVM's tools: a folder that has some is replaced by one of links to its other files.

    >>> _without_mlir("/nowhere", Path())
    '/nowhere'
    """
    kept: list[str] = []
    for number, folder in enumerate(path.split(os.pathsep)):
        if not any(Path(folder).glob("mlir-*")):
            kept.append(folder)
            continue
        (links / str(number)).mkdir()
        for file in os.scandir(folder):
            if not file.name.startswith("mlir-"):
                (links / str(number) / file.name).symlink_to(file.path)
        kept.append(str(links / str(number)))
    return os.pathsep.join(kept)


@pytest.fixture(scope="session", autouse=True)
def path_without_mlir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """PATH as on a machine where LLVM 22 is not installed: the one of all tests that are not marked `mlir`."""
    path = _without_mlir(PATH, tmp_path_factory.mktemp("path"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path)
        yield path


@pytest.fixture(autouse=True)
def _marked_tests_find_mlir(request: pytest.FixtureRequest, path_without_mlir: str) -> None:
    is_marked = request.node.get_closest_marker("mlir") is not None
    os.environ["PATH"] = PATH if is_marked else path_without_mlir


@pytest.fixture(scope="session", autouse=True)
def _plain_terminal() -> Iterator[None]:
    """The width of a terminal is what a test says: pytest's workers inherit that of the one they run in."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("COLUMNS", "NO_COLOR"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_workers() -> Iterator[None]:
    """`check` starts workers only where -j says how many: a new one takes ten times as long as the check of a small file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("volcli.gate.work.pool.usable_processors", lambda: 0)
        patch.setattr("volcli.gate.work.pool.prepare", lambda: None)
        yield


@pytest.fixture(scope="session")
def mlir_opt() -> str:
    """The path of mlir-opt-22; the tests that take it have the mark `mlir`, and are skipped if it is absent."""
    assert MLIR_OPT is not None, "a fixture of another scope asked for it"
    return MLIR_OPT


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a volcli that runs from this tree, whether or not it is installed."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "PYTHONWARNINGS")}
    return {**kept, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "dialects")])}


@pytest.fixture(scope="session")
def volcli() -> Run:
    """Run volcli in the repository's root: volcli("opt", "a.mlir"). In this process: see `process`."""

    def run(
        *arguments: str, input: str = "", env: Mapping[str, str] | None = None, cwd: Path = ROOT
    ) -> subprocess.CompletedProcess[str]:
        with contextlib.chdir(cwd), warnings.catch_warnings():
            warnings.simplefilter("error")
            ran = CliRunner().invoke(cli.volcli, arguments, input=input, env=env)
        if ran.exception is not None and not isinstance(ran.exception, SystemExit):
            raise ran.exception
        return subprocess.CompletedProcess(arguments, ran.exit_code, ran.stdout, ran.stderr)

    return run


@pytest.fixture
def process(environment: Mapping[str, str]) -> Run:
    """Run volcli as a process of its own, in the repository's root: what concerns streams, signals, start-up."""

    def run(
        *arguments: str, input: str = "", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "volcli", *arguments],
            input=input,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**environment, **(env or {})},
            check=False,
            timeout=120,
        )

    return run
