"""How many findings there are, in one run and over many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

OUTSIDE = """func.func @f(%m: memref<9xf32>, %x: f32) {
  affine.store %x, %m[9] : memref<9xf32>
  affine.store %x, %m[10] : memref<9xf32> // volcli: ignore V203: known
  return
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "a.mlir").write_text(OUTSIDE)
    (tmp_path / "in" / "b.mlir").write_text(OUTSIDE.replace("// volcli: ignore V203: known", ""))
    return tmp_path


def test_statistics_count_by_code_folder_and_function(folder: Path, volcli: Run) -> None:
    ran = volcli("check", "--statistics", "--no-cache", cwd=folder)
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == [
        "3  V203  an access or a slice is out of bounds, whatever the arguments are",
        "",
        "findings  folder",
        "       2  in",
        "       1  .",
        "",
        "findings  function",
        "       2  @f in in/b.mlir",
        "       1  @f in a.mlir",
        "",
        "3 errors in 2 of 2 files (V203: 3)",
        "ignored by comments: 1 finding (V203: 1)",
    ]


def test_a_history_has_a_line_for_each_run(folder: Path, volcli: Run) -> None:
    call = "check", "a.mlir", "-q", "--no-cache", "--history", "runs.jsonl", "--statistics"
    assert volcli(*call, cwd=folder).returncode == 1
    (folder / "a.mlir").write_text(OUTSIDE.replace("%m[9]", "%m[8]"))
    ran = volcli(*call, cwd=folder)
    assert ran.returncode == 0
    header, one, two = ran.stdout.splitlines()
    assert header.split() == [
        "run", "commit", "files", "errors", "warnings", "remarks", "ignored", "unanalysed",
    ]  # fmt: skip
    assert (one.split()[2:], two.split()[2:]) == (["-", "1", "1", *"0010"], ["-", "1", "0", *"0010"])
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    assert [run["codes"] for run in runs] == [{"V203": 1}, {}]
    (folder / "runs.jsonl").write_text("{}\n")
    ran = volcli(*call, cwd=folder)
    assert (ran.returncode, "V014: line 1 of 'runs.jsonl'" in ran.stderr) == (2, True)
    assert (folder / "runs.jsonl").read_text() == "{}\n"


def test_the_least_severity_that_fails_may_differ_by_path(folder: Path, volcli: Run) -> None:
    policy = '[severity]\nV203 = "warning"\n[per-path."in/**"]\nfail-on = "error"\n'
    (folder / "volcli.toml").write_text(policy)
    assert [volcli("check", each, "--no-cache", cwd=folder).returncode for each in ("a.mlir", "in")] == [1, 0]
    assert volcli("check", "in", "--no-cache", "--fail-on", "warning", cwd=folder).returncode == 1
