"""tests/ has the rooms of the code, and `make test-one ROOM=...` finds their tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.of_room import main, paths

NOT_ROOMS = {"campaigns", "dialects", "oracles", "shared", "site"}
"""Folders of tests/ beside those of rooms: `dialects` has those of dialects/."""


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("room", "file"),
    [
        ("tosa", "tests/dialects/tosa/test_tosa.py"),
        ("dependences", "tests/passes/analyses/test_dependences.py"),
        ("mark-parallel", "tests/passes/rewrites/test_mark_parallel.py"),
        ("diff", "tests/cli/test_diff.py"),
        ("model/memory", "tests/model/memory/test_races.py"),
        ("shapes", "tests/passes/analyses/test_infer_shapes.py"),
        ("symbolic", "volcli/symbolic/polynomials.py"),
    ],
)
def test_what_concerns_a_room(room: str, file: str, root: Path) -> None:
    assert root / file in paths(room)


def test_a_room_has_its_own_files_and_no_others(root: Path) -> None:
    assert {path.parent.name for path in paths("tosa")} == {"tosa", "execution", "operators"}


def test_a_room_that_there_is_not() -> None:
    with pytest.raises(SystemExit, match="no test concerns 'nowhere'"):
        main("nowhere")


def test_each_folder_of_tests_is_that_of_a_room(root: Path) -> None:
    folders = {
        path.parent.relative_to(root / "tests")
        for path in (root / "tests").rglob("test_*.py")
        if path.relative_to(root / "tests").parts[0] not in NOT_ROOMS
    }
    assert [folder for folder in sorted(folders) if not (root / "volcli" / folder).is_dir()] == []
    dialects = {path.name for path in (root / "tests" / "dialects").iterdir() if any(path.glob("test_*.py"))}
    known = {path.stem for path in (root / "dialects" / "volcli_dialects").iterdir()}
    assert dialects <= known
