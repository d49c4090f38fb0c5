"""The files for pre-commit, GitHub and GitLab: what they run, runs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.conftest import ROOT

OUTSIDE = """func.func @f(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[9] : memref<9xf32>
  return %v : f32
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.mlir").write_text(OUTSIDE)
    (tmp_path / "in" / "b.mlir").write_text(OUTSIDE.replace("[9]", "[8]"))
    return tmp_path


def bash(script: str, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run SCRIPT in FOLDER, where `volcli` is that of this tree."""
    shim = f'volcli() {{ "{sys.executable}" -m volcli "$@"; }}\n'
    return subprocess.run(
        ["bash", "-e", "-c", shim + script],
        cwd=folder,
        env={**environment},
        capture_output=True,
        text=True,
        check=False,
    )


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def test_pre_commit(folder: Path, environment: Mapping[str, str]) -> None:
    (hook,) = read(".pre-commit-hooks.yaml")
    files = [name for name in ("in/a.mlir", "in/b.mlir", "in/notes.txt") if re.search(hook["files"], name)]
    ran = bash(f"{hook['entry']} {' '.join(files)}", folder, environment)
    assert (ran.returncode, ran.stdout.startswith("in/a.mlir:2:8: error: V203")) == (1, True), ran


def test_github_action(folder: Path, environment: Mapping[str, str]) -> None:
    action = read("action.yml")
    steps = {step["name"]: step for step in action["runs"]["steps"]}
    given = {name: each["default"] for name, each in action["inputs"].items()} | {"paths": "in"}
    names = {
        name: given[re.findall(r"inputs\.(\w+)", text)[0]] for name, text in steps["Check"]["env"].items()
    }
    ran = bash(steps["Check"]["run"], folder, {**environment, **names})
    assert ran.returncode == 1
    assert ran.stdout.startswith("::error file=in/a.mlir,title=V203,line=2,col=8::")
    assert (folder / "volcli.sarif").exists()
    assert steps["Install"]["run"].endswith('"$GITHUB_ACTION_PATH"')
    assert os.path.exists(ROOT / "pyproject.toml")  # what is installed is the folder of the action


@pytest.mark.slow
def test_gitlab_job(folder: Path, environment: Mapping[str, str]) -> None:
    job = read("ci/gitlab.yml")["volcli-check"]
    ran = bash("\n".join(job["script"]), folder, {**environment, **job["variables"]})
    assert ran.returncode == 1
    report = ElementTree.parse(folder / job["artifacts"]["reports"]["junit"]).getroot()[0]
    assert [case.get("name") for case in report if len(case)] == ["in/a.mlir"]
    (issue,) = json.loads((folder / job["artifacts"]["reports"]["codequality"]).read_text())
    assert issue["location"] == {
        "path": "in/a.mlir",
        "positions": {"begin": {"line": 2, "column": 8}},
        "lines": {"begin": 2},
    }
