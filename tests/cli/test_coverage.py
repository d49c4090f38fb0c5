"""`volcli coverage`: what is read of files and directories, as text and as JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conftest import Run

from .conftest import Shell

GOOD = "func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"
BAD = "func.func @bad(%x: ???) {\n  return\n}\n"
OPAQUE = """\
func.func @odd(%x: tensor<4xf32>) {
  %a = mystery.twist %x by 90 degrees : tensor<4xf32>
  %b = mystery.twist %x by 45 degrees : tensor<4xf32>
  mystery.sink %a, %b of tensor<4xf32>
  return
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files, one of them in a folder of its own."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.mlir").write_text(GOOD + BAD)
    (tmp_path / "b.mlir").write_text(OPAQUE + "// -----\n" + GOOD)
    (tmp_path / "c.txt").write_text("no program")
    return tmp_path


def as_json(root: Path, text: str) -> Any:
    """The JSON, which is what the document says."""
    content = json.loads(text)
    schema = json.loads((root / "docs" / "coverage.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(content, schema)
    return content


def test_text(folder: Path, shell: Shell) -> None:
    ran = shell("coverage", str(folder))
    assert ran.exit_code == 1
    first, *rest = ran.stdout.split("\n\n")
    assert first == "3 of 4 top-level operations read, in 2 files"
    sections = {lines[0]: lines[1:] for lines in map(str.splitlines, rest)}
    reason, place = sections["not read:"]
    assert reason.startswith("  1  V103: ")
    assert place == f"     at {folder / 'deep' / 'a.mlir'}:4"
    assert sections["read as opaque text:"] == ["  2  mystery.twist", "  1  mystery.sink"]


def test_json(folder: Path, shell: Shell, root: Path) -> None:
    ran = shell("coverage", str(folder), "--format", "json")
    assert ran.exit_code == 1
    content = as_json(root, ran.stdout)
    files = {Path(file["file"]).name: file["ops"] for file in content["files"]}
    assert [(op["op"], op["name"], op["line"], op["read"]) for op in files["a.mlir"]] == [
        ("func.func", "@good", 1, True),
        ("func.func", "@bad", 4, False),
    ]
    assert files["a.mlir"][1]["reason"].startswith("V103: ")
    assert [(op["name"], op["line"]) for op in files["b.mlir"]] == [("@odd", 1), ("@good", 8)]
    assert content["opaque"] == {"mystery.twist": 2, "mystery.sink": 1}
    assert content["histogram"]["func.func"] == 3


def test_operations_without_a_case(shell: Shell, root: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        '  %y = "mystery.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n'
        "  %z = arith.addf %x, %y : tensor<4xf32>\n"
        "  return %z : tensor<4xf32>\n}\n"
    )
    ran = shell("coverage", str(file), "--format", "json")
    assert ran.exit_code == 0
    once = {"mystery.op": 1}
    assert as_json(root, ran.stdout)["uncovered"] == {"shapes": once, "maps": once, "regions": once}


def test_a_missing_file_does_not_stop_the_others(folder: Path, shell: Shell, root: Path) -> None:
    missing = str(folder / "missing.mlir")
    ran = shell("coverage", missing, str(folder / "b.mlir"), "--format=json")
    assert ran.exit_code == 2
    assert "V100" in ran.stderr
    first, second = as_json(root, ran.stdout)["files"]
    assert first["file"] == missing
    assert first["error"].startswith("V100: ")
    assert first["ops"] == []
    assert second["error"] is None
    assert len(second["ops"]) == 2


def test_a_file_that_is_no_text(tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "a.mlir"
    file.write_bytes(b"ML\xefR\x00\xff")
    ran = shell("coverage", str(file))
    assert ran.exit_code == 2
    assert "V102" in ran.stderr
    assert ran.stdout == "0 of 0 top-level operations read, in 0 files\n"


def test_a_directory_without_programs(tmp_path: Path, shell: Shell) -> None:
    ran = shell("coverage", str(tmp_path))
    assert ran.exit_code == 2
    assert f"there is no .mlir file below '{tmp_path}'" in ran.stderr


def test_a_closed_directory(folder: Path, shell: Shell, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = folder / "deep"

    def scandir(path: str) -> Any:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return unguarded(path)

    unguarded = os.scandir
    monkeypatch.setattr(os, "scandir", scandir)
    ran = shell("coverage", str(folder), "--format=json")
    assert ran.exit_code == 2
    assert f"V100: '{closed}' cannot be read: Permission denied" in ran.stderr
    first, second = as_json(root, ran.stdout)["files"]
    assert (first["file"], first["ops"]) == (str(closed), [])
    assert first["error"].startswith("V100: ")
    assert len(second["ops"]) == 2


def test_questions_that_lack_the_same_cases_are_one_section(folder: Path, shell: Shell) -> None:
    ran = shell("coverage", str(folder / "b.mlir"))
    assert ran.stdout.count("mystery.twist") == 2
    assert "\nwithout a case for 'shapes', 'maps' and 'regions':\n" in ran.stdout


def test_stdin(shell: Shell) -> None:
    ran = shell("coverage", "-", input=GOOD)
    assert (ran.exit_code, ran.stdout) == (0, "1 of 1 top-level operation read, in 1 file\n")


def test_many_files_and_no_terminal(tmp_path: Path, volcli: Run) -> None:
    """What goes through a pipe is the answer alone; nothing is wrapped."""
    for index in range(30):
        (tmp_path / f"{index:02}.mlir").write_text(GOOD + BAD.replace("???", "?" * 200))
    ran = volcli("coverage", str(tmp_path), env={"COLUMNS": "30"})
    assert ran.returncode == 1
    assert ran.stderr == ""
    assert ran.stdout.startswith("30 of 60 top-level operations read, in 30 files\n\nnot read:\n  30  V103: ")
    assert len(ran.stdout.splitlines()) == 5
    assert ran.stdout.endswith(f"first at {tmp_path / '00.mlir'}:4\n")


def test_output_file(folder: Path, shell: Shell, root: Path) -> None:
    target = folder / "coverage.json"
    ran = shell("coverage", str(folder), "--format=json", "-o", str(target))
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert len(as_json(root, target.read_text())["files"]) == 2


def test_an_invalid_operation_is_read(tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("func.func @f(%x: f32) {\n  return %x : f32\n}\n")
    assert shell("coverage", str(file)).exit_code == 0
