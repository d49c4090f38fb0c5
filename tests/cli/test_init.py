"""`volcli init`: a policy from what the files of a repository look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run
from volcli.gate.policy.policy_file import read_policy
from volcli.gate.policy.proposed import proposal

STORE = """func.func @f(%m: memref<8xf32>, %x: f32) {
  affine.store %x, %m[8] : memref<8xf32>
  return
}
"""
TEST = "// RUN: some-opt %s | FileCheck %s\n" + STORE


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in (
        ("lib/a.mlir", STORE),
        ("lib/[old]/a.mlir", TEST),
        ("test/a.mlir", TEST),
        ("test/b/c.mlir", "// expected-error@+2 {{outside}}\n" + STORE),
        (".github/workflows/ci.yml", ""),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_policy_is_written_and_what_it_reports_is_shown(repository: Path, volcli: Run) -> None:
    ran = volcli("init", cwd=repository)
    assert ran.returncode == 0
    assert ran.stdout.startswith(
        "volcli.toml: a policy for 4 files; `volcli check .` reports by it:\n\n3  V203"
    )
    assert "3 errors in 3 of 4 files (V203: 3)\nignored by comments: 1 finding (V203: 1)\n" in ran.stdout
    assert ran.stdout.endswith("in CI: GitHub: - uses: volcli/volcli@main\n")
    policy = read_policy(repository / "volcli.toml")
    wanted = {
        path: policy.for_file(path).wants("V206")
        for path in ("lib/a.mlir", "lib/[old]/a.mlir", "test/b/c.mlir")
    }
    assert wanted == {"lib/a.mlir": True, "lib/[old]/a.mlir": False, "test/b/c.mlir": False}


def test_a_policy_that_is_there_stays(repository: Path, volcli: Run) -> None:
    (repository / "volcli.toml").write_text("select = []\n")
    ran = volcli("init", str(repository))
    assert (ran.returncode, "volcli.toml' exists, and stays as it is" in ran.stderr) == (2, True)
    assert (repository / "volcli.toml").read_text() == "select = []\n"
    printed = volcli("init", str(repository), "--print")
    assert '[per-path."test/**"]\nprofile = "tests"\n' in printed.stdout


def test_a_repository_of_tests_has_one_profile(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(TEST)
    assert proposal(tmp_path, [str(tmp_path / "a.mlir")]).tests == (".",)


def test_a_folder_without_programs_has_no_policy(tmp_path: Path, volcli: Run) -> None:
    ran = volcli("init", str(tmp_path))
    assert (ran.returncode, "V017" in ran.stderr) == (2, True)


def test_its_next_step_makes_known_findings_silent(repository: Path, volcli: Run) -> None:
    said = volcli("init", cwd=repository).stdout
    policy = repository / "volcli.toml"
    policy.write_text(policy.read_text().replace("# baseline", "baseline"))
    assert "  volcli check . --update-baseline\n" in said
    assert volcli("check", ".", "--update-baseline", cwd=repository).returncode == 0
    ran = volcli("check", ".", cwd=repository)
    assert (ran.returncode, "0 new, 0 changed; 3 known" in ran.stdout) == (0, True)
