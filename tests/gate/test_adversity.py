"""What may go wrong around a run: full disks, closed pipes, folders that are gone. It is said in volcli's own words."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.shared.repository import git

pytestmark = pytest.mark.slow
OUTSIDE = """func.func @f(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[9] : memref<9xf32>
  return %v : f32
}
"""
OWN_WORDS = re.compile(r"(warning: |error: V(?!900)\d{3}: |  next: )")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with three files, one of which is changed."""
    for name in "abc":
        (tmp_path / f"{name}.mlir").write_text(OUTSIDE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    (tmp_path / "b.mlir").write_text("// changed\n" + OUTSIDE)
    return tmp_path


def no_file_may_grow() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def volcli(
    folder: Path, environment: Mapping[str, str], *arguments: str, full: bool = False
) -> subprocess.CompletedProcess[str]:
    """What is said in FOLDER, where nothing can be written if the disk is FULL: all of it in volcli's words."""
    ran = subprocess.run(
        [sys.executable, "-W", "default", "-m", "volcli", *arguments],
        cwd=folder, env={**environment}, capture_output=True, text=True, check=False, timeout=60,
        preexec_fn=no_file_may_grow if full else None,
    )  # fmt: skip
    assert all(OWN_WORDS.match(line) for line in ran.stderr.splitlines()), ran.stderr
    return ran


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("check", ".", "-q", "--format", "concise"), 1, "the cache in '.volcli_cache' is not used: "),
        (("check", ".", "--format", "json:o.json", "--format", "text"), 2, "cannot write 'o.json': "),
        (("check", ".", "--no-cache", "--history", "h.jsonl"), 2, "cannot write 'h.jsonl': "),
        (("check", ".", "--baseline", "b.json", "--update-baseline"), 2, "cannot write 'b.json': "),
        (("check", ".", "--no-cache", "--diff", "HEAD"), 0, ""),
        (("init",), 2, "cannot write 'volcli.toml': "),
    ],
)
def test_a_full_disk(
    folder: Path, environment: Mapping[str, str], arguments: tuple[str, ...], code: int, said: str
) -> None:
    """What was found is told where it can be."""
    ran = volcli(folder, environment, *arguments, full=True)
    assert (ran.returncode, said in ran.stderr) == (code, True), ran
    if "--update-baseline" not in arguments and "init" not in arguments:
        assert "a.mlir:2:8: error: V203" in ran.stdout or "0 new" in ran.stdout
    assert not (folder / "o.json").exists()


def test_a_history_that_can_never_be_read(folder: Path, environment: Mapping[str, str]) -> None:
    ran = volcli(folder, environment, "check", "a.mlir", "--history", "/dev/full")
    assert (ran.returncode, "V006: cannot write '/dev/full': No space left" in ran.stderr) == (2, True)
    ran = volcli(folder, environment, "check", "a.mlir", "--history", str(folder))
    assert (ran.returncode, "V006: cannot write" in ran.stderr, "V203" in ran.stdout) == (2, True, True)


@pytest.mark.parametrize("command", [("check", "."), ("check", "-"), ("init",), ("check", "--diff", "HEAD")])
def test_a_current_folder_that_was_removed(
    tmp_path: Path, environment: Mapping[str, str], command: tuple[str, ...]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os, shutil, sys; os.chdir({str(gone)!r}); shutil.rmtree({str(gone)!r}); "
    script += f"os.execv(sys.executable, [sys.executable, '-m', 'volcli', *{list(command)!r}])"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**environment}, capture_output=True, text=True, check=False, input=OUTSIDE,
    )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: V100: the current folder was removed\n"), ran.stderr


@pytest.mark.parametrize("style", ["text", "json", "sarif"])
def test_a_reader_who_leaves(folder: Path, environment: Mapping[str, str], style: str) -> None:
    """The other outputs are written, and stderr stays empty."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "volcli", "check", ".", "--no-cache"]
    styles = ["--format", f"{'text' if style == 'json' else 'json'}:other", "--format", style]
    run = subprocess.Popen(
        [*command, *styles], cwd=folder, env={**environment}, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    os.close(reading)
    _, said = run.communicate(timeout=60)
    assert (run.returncode, said) == (141, b"")
    assert (folder / "other").stat().st_size > 100


def test_a_run_that_is_killed_leaves_what_was_there(folder: Path, environment: Mapping[str, str]) -> None:
    """Its output is as it was, and the cache is good for the next run."""
    (folder / "out.json").write_text("before")
    for number in range(12):
        shutil.copy(folder / "a.mlir", folder / f"copy{number}.mlir")
    arguments = "check", ".", "--format", "json:out.json", "--format", "concise"
    run = subprocess.Popen(
        [sys.executable, "-m", "volcli", *arguments],
        cwd=folder, env={**environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while run.poll() is None and not (folder / ".volcli_cache" / "results" / "cache.db").exists():
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait(timeout=60)
    assert (folder / "out.json").read_text() == "before"
    ran = volcli(folder, environment, *arguments)
    assert (ran.returncode, ran.stdout.count("V203: 'affine.load'"), ran.stderr) == (1, 15, "")
    assert len(json.loads((folder / "out.json").read_text())["files"]) == 15
    assert [each.name for each in folder.iterdir() if each.name.startswith(".out.json")] == []
