"""A finding is explained by its name, whichever of its names is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.known import RACE, UNWRITTEN

from .conftest import Shell

TEXT = RACE + UNWRITTEN


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(TEXT)
    return str(path)


def test_all_names_of_a_finding_explain_it(file: str, shell: Shell) -> None:
    """The line that check prints, the place and the code, and the key that baselines have."""
    printed = shell("check", file, "--no-cache", "--format", "concise", "--select", "V207").stdout
    line = printed.splitlines()[0]
    names = [line, f"{file}:3:V207", f"{file}:3:5:V207", f"{file}: V207 @race %i"]
    said = {shell("explain", name).stdout for name in names}
    assert len(said) == 1
    lines = said.pop().splitlines()
    assert lines[0] == line
    assert "  function: @race" in lines
    assert "    evidence: 4:12: one iteration reads %m[%i + 1] here" in lines
    assert "    context: 2:3: the loop is here" in lines
    assert f"  confirmed: volcli run {file} --function race" in lines
    assert any(each.startswith("  example: source [0, ") for each in lines)
    assert f"    file: {file}" in lines


def test_what_it_was_found_with_is_named(file: str, shell: Shell) -> None:
    Path(file).write_text(TEXT.replace("(%x: f32)", "(%x: f32, %n: index)"))
    said = shell("explain", f"{file}:15:V205", "--assume", "%n >= 4").stdout.splitlines()
    assert "    assumption: %n >= 4" in said
    assert any(each.startswith("    versions: volcli ") for each in said)


def test_an_ignored_finding_is_explained_with_the_reason(file: str, shell: Shell) -> None:
    Path(file).write_text(
        TEXT.replace("    affine.par", "    // volcli: ignore V207: atomic\n    affine.par")
    )
    assert "  ignored by a comment: atomic" in shell("explain", f"{file}:4:V207").stdout.splitlines()


@pytest.mark.parametrize("name", ["{}:4:V207", "{}:3:V203", "{}:3:6:V207", "{}: V207 @race %k"])
def test_a_name_of_nothing_is_refused_with_what_there_is(file: str, shell: Shell, name: str) -> None:
    ran = shell("explain", name.format(file))
    assert ran.exit_code == 2
    assert "has no finding V20" in ran.stderr
    assert ("there are: 3:V207" in ran.stderr) == ("V207" in name)


def test_a_file_that_is_not_there_is_refused(shell: Shell) -> None:
    ran = shell("explain", "nowhere.mlir:4:V207")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: V100: ")
