"""Which fact of a baseline is which one now: numbered values, files that move, bodies that are exchanged."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Run

FILL = """func.func @{}(%m: memref<8xf32>, %x: f32) {{
  affine.for %i = 0 to {} {{ affine.store %x, %m[%i] : memref<8xf32> }}
  return
}}
"""
TWO = """func.func @f(%n: index) -> (index, index) {
  %0 = affine.min affine_map<(n) -> (n, 8)>(%n)
  %1 = affine.min affine_map<(n) -> (n, 16)>(%n)
  return %0, %1 : index, index
}
"""
ONE_MORE = """func.func @f(%n: index) -> (index, index) {
  %0 = affine.min affine_map<(n) -> (n, 64)>(%n)
  %1 = affine.min affine_map<(n) -> (n, 8, 9)>(%n)
  %2 = affine.min affine_map<(n) -> (n, 16)>(%n)
  return %1, %2 : index, index
}
"""


def codes(volcli: Run, folder: Path, before: dict[str, str], after: dict[str, str]) -> list[str]:
    """What is found in the files AFTER, by a baseline of those BEFORE."""
    baseline = str(folder / "baseline.json")
    for name, text in before.items():
        (folder / name).write_text(text)
    volcli("check", str(folder), "--no-cache", "--baseline", baseline, "--update-baseline", "--facts")
    for name in before:
        (folder / name).unlink()
    for name, text in after.items():
        (folder / name).write_text(text)
    ran = volcli("check", str(folder), "--no-cache", "--baseline", baseline)
    return [line.split(": ")[2] for line in ran.stdout.splitlines() if ": warning: " in line]


def test_numbers_of_values_are_no_names(tmp_path: Path, volcli: Run) -> None:
    assert codes(volcli, tmp_path, {"a.mlir": TWO}, {"a.mlir": ONE_MORE}) == []


def test_as_many_numbered_values_are_compared_in_their_order(tmp_path: Path, volcli: Run) -> None:
    looser = TWO.replace("(n, 8)", "(n, 99)")
    assert codes(volcli, tmp_path, {"a.mlir": TWO}, {"a.mlir": looser}) == ["V230"]


def test_a_file_that_moved_is_compared_with_what_it_was(tmp_path: Path, volcli: Run) -> None:
    before = FILL.format("f", 8) + FILL.format("g", 4)
    after = FILL.format("f", 7) + FILL.format("g", 4)
    assert codes(volcli, tmp_path, {"a.mlir": before}, {"z.mlir": after}) == ["V235"]
    assert codes(volcli, tmp_path, {"z.mlir": before}, {"a.mlir": before}) == []


def test_functions_that_exchange_their_bodies_have_changed(tmp_path: Path, volcli: Run) -> None:
    before = FILL.format("f", 8) + FILL.format("g", 4)
    after = FILL.format("f", 4) + FILL.format("g", 8)
    assert codes(volcli, tmp_path, {"a.mlir": before}, {"a.mlir": after}) == ["V235"]
