"""What `volcli check` prints for people fits the width that it has; in a pipe each row is one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Run
from volcli.report.fitted import fitted

DIRECTORY = "folder with spaces and a long name"
TEXT = (Path(__file__).parents[2] / "testdata" / "check" / "V205.mlir").read_text()


@pytest.mark.parametrize("columns", [80, 60, 40])
@pytest.mark.parametrize("style", [(), ("--format", "explained"), ("--statistics",)])
def test_rows_fit_and_no_word_is_broken(
    columns: int, style: tuple[str, ...], tmp_path: Path, volcli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / DIRECTORY / "V205.mlir"
    path.parent.mkdir()
    path.write_text(
        TEXT.replace("@fires", f"@{'very_' * 4}long").replace("  affine.store", " " * 40 + "affine.store")
    )
    arguments = ("check", DIRECTORY, "--no-cache", *style)
    whole = volcli(*arguments, cwd=tmp_path).stdout
    monkeypatch.setenv("COLUMNS", str(columns))
    rows = volcli(*arguments, cwd=tmp_path).stdout.splitlines()
    too_long = [each for each in rows if len(each) > columns]
    assert all(len(each.split()) == 1 or DIRECTORY in each for each in too_long)
    assert {word for row in rows for word in row.split()} <= {*whole.split(), "..."}
    assert style == ("--statistics",) or f"{DIRECTORY}/V205.mlir" in "\n".join(rows)


def test_a_finding_is_one_row_in_the_concise_form(
    tmp_path: Path, volcli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.mlir").write_text(TEXT)
    monkeypatch.setenv("COLUMNS", "60")
    rows = volcli(
        "check", "a.mlir", "--no-cache", "--format", "concise", "-q", cwd=tmp_path
    ).stdout.splitlines()
    assert [each.partition(": ")[0] for each in rows] == ["a.mlir:5:5", "a.mlir:7:8"]
    assert max(map(len, rows)) > 60


@pytest.mark.parametrize("at", range(0, 90, 7))
@pytest.mark.parametrize("width", [30, 50])
def test_a_caret_stays_below_its_word(at: int, width: int) -> None:
    words = [f"%w{number}" for number in range(20)]
    line = " ".join(words)
    start = line.rfind(" ", 0, at + 1) + 1
    shown, caret = fitted(f"{line}\n{' ' * start}^\n", width).splitlines()
    assert max(len(shown), len(caret)) <= width
    found = re.match(r"\S+", shown[len(caret) - 1 :])
    assert found is not None
    assert found[0] == line[start:].split()[0]
    assert {*shown.split()} <= {*words, "..."}
