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
from tests.shared.repository import git

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
    """Run SCRIPT in FOLDER, as a runner runs a step."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**environment},
        capture_output=True,
        text=True,
        check=False,
    )


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


@pytest.fixture
def programs(tmp_path_factory: pytest.TempPathFactory, environment: Mapping[str, str]) -> Mapping[str, str]:
    """An environment in which `volcli` is that of this tree, and `python3 -m pip` says what it is asked."""
    folder = tmp_path_factory.mktemp("programs")
    for name, text in (
        ("volcli", f'exec "{sys.executable}" -m volcli "$@"'),
        ("python3", 'echo "python3 $@" >> "$HOME/installed"'),
    ):
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return {**environment, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}


@pytest.mark.slow
def test_pre_commit(
    folder: Path, programs: Mapping[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In a real repository, at a commit: the files that it changes, but excluded ones, as they are staged."""
    (hook,) = read(".pre-commit-hooks.yaml")
    hooks = tmp_path_factory.mktemp("hooks")
    # What pre-commit would install is this tree, which needs packages of the network.
    (hooks / ".pre-commit-hooks.yaml").write_text(yaml.safe_dump([{**hook, "language": "system"}]))
    for each in (hooks, folder):
        git(each, "init", "-q")
    git(hooks, "add", "-A")
    git(hooks, "commit", "-q", "-m", "hooks")
    revision = git(hooks, "rev-parse", "HEAD").strip()
    config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": [{"id": hook["id"]}]}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (folder / "volcli.toml").write_text('exclude = ["old/"]\n')
    (folder / "old").mkdir()
    (folder / "old" / "c.mlir").write_text(OUTSIDE)
    (folder / "notes.txt").write_text("no program")

    def commit() -> subprocess.CompletedProcess[str]:
        named = "-c user.name=n -c user.email=e@example.org"
        return bash(f"git add -A in old *.* && git {named} commit -q -m more", folder, programs)

    assert bash(f'"{sys.executable}" -m pre_commit install', folder, programs).returncode == 0
    refused = commit()
    assert (refused.returncode, "in/a.mlir:2:8: error: V203" in refused.stderr) == (1, True), refused
    assert "1 error in 1 of 2 files (V203: 1)" in refused.stderr
    (folder / "in" / "a.mlir").write_text(OUTSIDE.replace("[9]", "[8]"))
    bash("git add in/a.mlir", folder, programs)
    (folder / "in" / "a.mlir").write_text(OUTSIDE)  # not staged: not what is committed
    committed = bash("git -c user.name=n -c user.email=e@example.org commit -q -m more", folder, programs)
    assert committed.returncode == 0, committed
    assert (folder / "in" / "a.mlir").read_text() == OUTSIDE


def run_steps(action: Any, given: Mapping[str, str], folder: Path, programs: Mapping[str, str]) -> str:
    """What a runner prints for the steps of a composite ACTION, in their order until one fails, and that it failed."""
    said = ""
    inputs = {name: each.get("default", "") for name, each in action["inputs"].items()} | {**given}

    def with_inputs(text: str) -> str:
        return re.sub(r"\$\{\{ *inputs\.([\w-]+) *\}\}", lambda found: inputs[found[1]], text)

    for step in action["runs"]["steps"]:
        if "uses" in step:  # an action of GitHub's
            continue
        assert step["shell"] == "bash"
        own = {name: with_inputs(text) for name, text in step.get("env", {}).items()}
        ran = bash(with_inputs(step["run"]), folder, {**programs, "GITHUB_ACTION_PATH": str(ROOT), **own})
        said += ran.stdout
        if ran.returncode:
            return f"{said}{step['name']} failed: {ran.returncode}\n"
    return said


@pytest.mark.slow
def test_github_action(folder: Path, programs: Mapping[str, str]) -> None:
    said = run_steps(read("action.yml"), {"paths": "in", "arguments": "--ignore V206"}, folder, programs)
    assert said.startswith("::error file=in/a.mlir,title=V203,line=2,col=8::")
    assert said.endswith("Check failed: 1\n")
    (result,) = json.loads((folder / "volcli.sarif").read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "in/a.mlir"
    assert "in/a.mlir:2:8" in (folder / "volcli.html").read_text()
    installed = (Path(programs["HOME"]) / "installed").read_text()
    assert installed == f"python3 -m pip install --quiet {ROOT}\n"
    assert (ROOT / "pyproject.toml").exists()  # what is installed is the folder of the action


@pytest.mark.slow
def test_gitlab_job(folder: Path, programs: Mapping[str, str]) -> None:
    job = read("ci/gitlab.yml")["volcli-check"]
    script = "\n".join([*job["before_script"], *job["script"]])
    ran = bash(script, folder, {**programs, **job["variables"]})
    assert (Path(programs["HOME"]) / "installed").read_text() == "python3 -m pip install --quiet volcli\n"
    assert ran.returncode == 1
    report = ElementTree.parse(folder / job["artifacts"]["reports"]["junit"]).getroot()[0]
    assert [case.get("name") for case in report if len(case)] == ["in/a.mlir"]
    (issue,) = json.loads((folder / job["artifacts"]["reports"]["codequality"]).read_text())
    assert issue["location"] == {
        "path": "in/a.mlir",
        "positions": {"begin": {"line": 2, "column": 8}},
        "lines": {"begin": 2},
    }
