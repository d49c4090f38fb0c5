"""`volcli annotate`: the user's own text, and nothing of it lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run

BARE = """// A comment.
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {  // another
  return %x : tensor<?x4xf32>
}
"""
ANNOTATED = BARE.replace("func.func", "// volcli: shape %x: [x_d0, 4]\nfunc.func")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.mlir"
    path.write_text(BARE)
    return path


def test_prints_the_annotated_text(file: Path, volcli: Run) -> None:
    ran = volcli("annotate", str(file), "-p", "infer-shapes")
    assert (ran.returncode, ran.stdout) == (0, ANNOTATED)
    assert file.read_text() == BARE


def test_writes_refreshes_and_removes(file: Path, volcli: Run) -> None:
    assert volcli("annotate", str(file), "-p", "infer-shapes", "--check").returncode == 1
    ran = volcli("annotate", str(file), "-p", "infer-shapes", "--in-place")
    assert (ran.returncode, ran.stdout, file.read_text()) == (0, "", ANNOTATED)
    assert volcli("annotate", str(file), "-p", "infer-shapes", "--check").returncode == 0
    file.write_text(ANNOTATED.replace("x_d0, 4", "5, 5"))
    stale = volcli("annotate", str(file), "-p", "infer-shapes", "--check")
    assert stale.returncode == 1
    assert f"{file}:2:1: error: V291: the annotations are not up to date" in stale.stderr
    assert volcli("annotate", str(file), "--remove", "--in-place").returncode == 0
    assert file.read_text() == BARE


def test_a_diff_changes_nothing(file: Path, volcli: Run) -> None:
    ran = volcli("annotate", str(file), "-p", "infer-shapes", "--diff")
    assert ran.returncode == 0
    assert "\n+// volcli: shape %x: [x_d0, 4]\n func.func" in ran.stdout
    assert file.read_text() == BARE


def test_a_file_that_cannot_be_read_does_not_stop_the_next(file: Path, volcli: Run) -> None:
    ran = volcli("annotate", "none.mlir", str(file), "-p", "infer-shapes", "--in-place")
    assert ran.returncode == 2
    assert "V100" in ran.stderr
    assert file.read_text() == ANNOTATED


def test_each_chunk_is_annotated_in_its_place(volcli: Run) -> None:
    text = f"{BARE}// -----\n// nothing here\n// -----\n{BARE}"
    ran = volcli("annotate", "-", "-p", "infer-shapes", "--split-input-file", input=text)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{ANNOTATED}// -----\n// nothing here\n// -----\n{ANNOTATED}"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["a.mlir", "b.mlir"], "V007: the text of one file is printed"),
        (["-", "--in-place"], "V007: --in-place writes the files themselves"),
        (["a.mlir", "--in-place", "--check"], "V007: --in-place changes files"),
        (["a.mlir", "-p", "infer-shape"], "V001: no pass 'infer-shape'"),
    ],
)
def test_an_unclear_call_is_refused(arguments: list[str], says: str, volcli: Run) -> None:
    ran = volcli("annotate", *arguments)
    assert ran.returncode == 2
    assert says in ran.stderr


def test_a_rewritten_program_is_not_annotated(volcli: Run) -> None:
    text = "func.func @f(%m: memref<4xf32>, %x: f32) {\n  affine.for %i = 0 to 4 {\n"
    text += "    affine.store %x, %m[%i] : memref<4xf32>\n  }\n  return\n}\n"
    ran = volcli("annotate", "-", "-p", "mark-parallel", input=text)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "V012" in ran.stderr
