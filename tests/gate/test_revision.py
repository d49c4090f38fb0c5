"""--diff REV: only what is new or lost since a revision."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.shared.repository import git
from volcli.cli.commands import volcli

OUTSIDE = """func.func @f(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[9] : memref<9xf32>
  return %v : f32
}
"""
INSIDE = OUTSIDE.replace("[9]", "[8]").replace("@f", "@g")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with three files, of which two have a finding, and a policy for one of them."""
    git(tmp_path, "init", "-q")
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.mlir").write_text(OUTSIDE)
    (tmp_path / "b.mlir").write_text(INSIDE)
    (tmp_path / "sub" / "c.mlir").write_text(OUTSIDE)
    (tmp_path / "volcli.toml").write_text('[per-path."sub/**"]\nseverity = { V203 = "remark" }\n')
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def check(folder: Path, revision: str = "HEAD") -> tuple[int, str]:
    """What is said in FOLDER: git is asked where volcli is called."""
    with contextlib.chdir(folder):
        ran = CliRunner().invoke(volcli, ["check", ".", "--diff", revision])
    return ran.exit_code, ran.output


@pytest.mark.slow
def test_only_what_is_new_is_told(repository: Path) -> None:
    assert check(repository)[0] == 0
    (repository / "b.mlir").write_text(INSIDE + OUTSIDE)
    (repository / "a.mlir").write_text("// a comment\n" + OUTSIDE)
    code, said = check(repository)
    assert code == 1
    assert "b.mlir:6:8: error: V203" in said
    assert "1 error in 1 of 2 files" in said
    (repository / "sub" / "d.mlir").write_text(OUTSIDE.replace("%m[9]", "%m[10]"))
    assert "d.mlir:2:8: remark: V203" in check(repository)[1]


def test_what_was_moved_is_not_new(repository: Path) -> None:
    (repository / "a.mlir").rename(repository / "e.mlir")
    code, said = check(repository)
    assert (code, "0 new" in said) == (0, True), said


def test_a_revision_that_is_none(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    code, said = check(repository, "nowhere")
    assert (code, "V015: no revision 'nowhere'" in said) == (2, True)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "a.mlir").write_text(OUTSIDE)
    code, said = check(elsewhere)
    assert (code, "V015: git rev-parse: not a git repository" in said) == (2, True)


def test_a_branch_is_compared_with_where_it_parted(repository: Path) -> None:
    """What others have found and removed on main meanwhile is neither new nor fixed."""
    git(repository, "branch", "-m", "main")
    git(repository, "checkout", "-q", "-b", "topic")
    (repository / "b.mlir").write_text(INSIDE + OUTSIDE)
    git(repository, "commit", "-q", "-am", "worse")
    git(repository, "checkout", "-q", "main")
    (repository / "a.mlir").write_text(INSIDE)
    git(repository, "commit", "-q", "-am", "better")
    git(repository, "checkout", "-q", "topic")
    assert "1 error in 1 of 1 file (V203: 1)" in check(repository, "main...")[1]
    assert "2 errors" in check(repository, "main")[1]
    assert "no revision 'other'" in check(repository, "other...")[1]
    git(repository, "checkout", "-q", "--orphan", "alone")
    git(repository, "commit", "-q", "-m", "alone")
    assert "the two share no commit" in check(repository, "main...")[1]
