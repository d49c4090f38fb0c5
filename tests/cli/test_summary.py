"""`volcli analyze` without a question: a summary; and the answers, functions and lines that are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Shell

PROGRAM = """func.func @rows(%m: memref<10x10xf32>, %c: f32) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      affine.store %c, %m[%i, %j] : memref<10x10xf32>
      %x = affine.load %m[%i - 2, %j] : memref<10x10xf32>
    }
  }
  return
}
func.func @line(%m: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %x = affine.load %m[%i - 2] : memref<?xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(PROGRAM)
    return str(path)


def test_the_summary_counts_answers_and_shows_what_needs_attention(file: str, shell: Shell) -> None:
    ran = shell("analyze", file)
    assert ran.stdout.startswith(f"{file}\n\n@rows\n")
    rows, line = ran.stdout.split("\n@line\n")
    assert (
        "\n  access         1 out-of-bounds, 1 in-bounds\n    5:12  read %m[%i - 2, %j] out of bounds: "
        in rows
    )
    assert "\n  loops          1 carried, 1 parallel\n    2:3  %i carries RAW " in rows
    assert "\n    10:1  @line needs %n <= dim(%m, 0), if %n >= 3\n" in line
    # What the function needs is no mistake of its accesses.
    assert "\n  access         2 conditional\n  loops " in line
    assert line.rstrip().endswith("explains a line")
    # What is exact is counted only.
    assert "\n  exact          " in rows
    assert "%j in [0, 8]" not in rows


def test_the_summary_fits_a_terminal(file: str, shell: Shell) -> None:
    said = shell("analyze", file, env={"COLUMNS": "80"}).stdout
    named = f"`volcli explain {file}:LINE`"  # a path is not cut
    assert all(len(line) <= 80 for line in said.replace(named, "").split("\n") if file not in line)


def test_tables_begin_with_totals_and_with_what_needs_attention(file: str, shell: Shell) -> None:
    lines = shell("analyze", file, "--ask", "loops").stdout.split("\n")
    assert lines[2] == "loops: 2 carried, 1 parallel"
    assert [line.split()[3] for line in lines[4:7]] == ["carried", "carried", "parallel"]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["--only", "parallel"], ["3:5"]),
        (["--only", "carried"], ["2:3", "11:3"]),
        (["--only", "carried,parallel", "--function", "@rows"], ["2:3", "3:5"]),
        (["--function", "line"], ["11:3"]),
        (["--line", "3"], ["3:5"]),
        (["--line", "3-11"], ["3:5", "11:3"]),
        (["--only", "unknown"], []),
    ],
)
def test_answers_functions_and_lines_are_chosen(
    file: str, shell: Shell, options: list[str], lines: list[str]
) -> None:
    ran = shell("analyze", file, "--ask", "loops", *options)
    assert ran.exit_code == 0
    found = [line.split()[0] for line in ran.stdout.split("\n")[4:-1] if line[:1].isdecimal()]
    assert sorted(found, key=lambda place: int(place.split(":")[0])) == lines


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--only", "paralel"],
            "error: V007: --only: no answer is 'paralel'\n  next: answers to this question: ",
        ),
        (["--line", "0"], "'0' is not a line such as 12"),
        (["--line", "9-3"], "'9-3' is not a line such as 12"),
    ],
)
def test_what_cannot_be_chosen_is_refused(file: str, shell: Shell, options: list[str], said: str) -> None:
    ran = shell("analyze", file, "--ask", "loops", *options)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr


def test_json_has_all_facts_without_a_question(file: str, shell: Shell) -> None:
    by_default, of_all = (shell("analyze", file, "--format=json", *more) for more in ([], ["--ask", "all"]))
    assert by_default.stdout == of_all.stdout
    assert by_default.stdout.count('"question": ') > 20


TWO = """\
func.func @a(%m: memref<4xf32>) -> f32 {
  %x = affine.load %m[5] : memref<4xf32>
  return %x : f32
}
func.func @b(%m: memref<4xf32>) -> f32 {
  %x = affine.load %m[6] : memref<4xf32>
  return %x : f32
}
"""


@pytest.mark.parametrize(
    ("options", "shown"),
    [([], (2, 6)), (["--function", "@b"], (6,)), (["--line", "2"], (2,)), (["--line", "1-9"], (2, 6))],
)
def test_only_findings_of_what_is_chosen_are_told(
    tmp_path: Path, shell: Shell, options: list[str], shown: tuple[int, ...]
) -> None:
    (file := tmp_path / "two.mlir").write_text(TWO)
    said = shell("analyze", str(file), *options).stderr
    assert [line for line in (2, 6) if f"two.mlir:{line}:8: error: V203" in said] == [*shown]


def test_functions_that_could_not_be_read_are_told_beside_what_is_chosen(
    tmp_path: Path, shell: Shell
) -> None:
    (file := tmp_path / "two.mlir").write_text(TWO.replace("affine.load %m[6]", "affine.load ["))
    said = shell("analyze", str(file), "--function", "@a")
    assert "two.mlir:6:" in said.stderr
    assert said.exit_code == 2
