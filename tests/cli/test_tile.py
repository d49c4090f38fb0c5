"""`volcli analyze --tile`: MARS, and what is said of tiles that are none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import islpy as isl
import pytest

from tests.conftest import Run

from .conftest import Shell

JACOBI = "testdata/mars/jacobi_1d.mlir"


def test_without_ask_it_is_the_question(volcli: Run) -> None:
    ran = volcli("analyze", JACOBI, "--tile", "t+i:8, t-i:8", "--format", "json")
    facts = json.loads(ran.stdout)["files"][0]["facts"]
    fact, *accesses = [each for each in facts if each["kind"] == "produced"]
    said = [(each["access"], each["classes"][0]["sets"]) for each in accesses]
    assert said == [("write", [0, 1, 2, 3]), ("read", [1, 2, 3]), ("read", [0, 2, 3]), ("read", [0, 1, 2])]
    assert (fact["question"], fact["array"], fact["kind"]) == ("mars", "%a", "produced")
    assert (len(fact["sets"]), fact["flow_in"], fact["invariant"]) == (4, 7, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ask", "mars"], "the question 'mars' needs --tile"),
        (["--tile", "t: 8, t: 8"], "the hyperplanes t, t are linearly dependent"),
        (["--tile", "t+i"], "'t+i' has no size"),
        (["--tile", "t+z: 8, t-z: 8"], "no read is inside loops of this tile"),
        (["--tile", "t+i: i, t-i: 8"], "'i' is a loop and a size: give the size another name"),
    ],
)
def test_what_is_no_tile(volcli: Run, arguments: list[str], message: str) -> None:
    ran = volcli("analyze", JACOBI, *arguments)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "next: " in ran.stderr


BRANCHES = """#half = affine_set<(d0, d1) : (d0 - d1 >= 0)>
func.func @f(%a: memref<12x12xf32>, %b: memref<12x12xf32>) {
  affine.for %i = 1 to 12 {
    affine.for %j = 1 to 12 {
      affine.if #half(%i, %j) {
        %x = affine.load %a[%i - 1, %j] : memref<12x12xf32>
        affine.store %x, %a[%i, %j] : memref<12x12xf32>
      } else {
        %x = affine.load %a[%i - 1, %j] : memref<12x12xf32>
        affine.store %x, %a[%i, %j] : memref<12x12xf32>
      }
    }
  }
  affine.for %i = 1 to 12 {
    affine.for %j = 1 to 12 {
      %x = affine.load %a[%i, %j] : memref<12x12xf32>
      affine.store %x, %b[%i, %j] : memref<12x12xf32>
    }
  }
  return
}
"""


def facts_of(volcli: Run, tmp_path: Path, text: str, tile: str) -> list[dict[str, Any]]:
    path = tmp_path / "program.mlir"
    path.write_text(text)
    ran = volcli("analyze", str(path), "--tile", tile, "--format", "json")
    return [each for each in json.loads(ran.stdout)["files"][0]["facts"] if "sets" in each]


def test_a_fact_names_the_write_whose_values_are_in_its_sets(volcli: Run, tmp_path: Path) -> None:
    found = facts_of(volcli, tmp_path, BRANCHES, "i:4, j:4")
    writers = {(each["line"], each["writer"] and each["writer"]["line"]) for each in found}
    assert writers >= {(6, 7), (6, 10), (16, 7), (16, 10)}
    assert all((each["writer"] is None) == (each["kind"] == "read") for each in found)


def test_tiles_of_another_nest_have_a_letter_of_their_own(volcli: Run, tmp_path: Path) -> None:
    found = facts_of(volcli, tmp_path, BRANCHES, "i:4, j:4")
    sets = [row["consumers"] for each in found if each["reader"] is not None for row in each["sets"]]
    assert any("{" in text for texts in sets for text in texts)
    assert not any("[t0 =" in text or "{ [t0," in text for texts in sets for text in texts)


def test_the_tile_whose_sets_are_shown_is_named(volcli: Run, tmp_path: Path) -> None:
    """Of a class of several tiles; one that is alone is the one that is shown."""
    path = tmp_path / "program.mlir"
    path.write_text(BRANCHES)
    lines = volcli("analyze", str(path), "--tile", "i:4, j:4").stdout.splitlines()
    assert any(re.search(r"tiles \{ \[t0, t1\w* .*\}, of which \(\d, \d\) is shown", line) for line in lines)
    assert not any(re.search(r"\{ \[t0 = \d, t1 = \d\] \}, of which", line) for line in lines)


FORKED = """func.func @f(%a: memref<10xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 2 to affine_map<(d0) -> (d0 + 5)>(%i) {
      %x = affine.load %a[%i] : memref<10xf32>
      affine.store %x, %a[2 * %i + 1] : memref<10xf32>
    }
  }
  return
}
"""


def test_each_class_has_a_tile_among_those_that_are_answered_for(volcli: Run, tmp_path: Path) -> None:
    """Tiles with an odd first coordinate read what tiles with an even one have put there."""
    for each in facts_of(volcli, tmp_path, FORKED, "i:1, i+j:4"):
        covers = isl.Set(each["covers"])
        classes = [covers if one["tiles"] is None else isl.Set(one["tiles"]) for one in each["classes"]]
        assert not any(one.is_disjoint(covers) for one in classes)


def test_a_size_has_not_the_name_of_a_number_of_the_program(volcli: Run, tmp_path: Path) -> None:
    """Sets have parameters of both: one name would stand for two numbers."""
    text = FORKED.replace("(%a", "(%n: index, %a").replace("to 5", "to %n")
    for name in ("n", "s"):
        (first, *_) = facts_of(volcli, tmp_path, text, f"i:{name}")
        assert ("give the size another name" in (first["reason"] or "")) == (name == "n")


def test_notes_on_narrow_terminals_are_no_sets(root: Path, shell: Shell) -> None:
    file = str(root / "testdata" / "mars" / "one_row.mlir")
    said = shell("analyze", file, "--tile", "i+j:8, j-i:8", env={"COLUMNS": "59"}).stdout
    lines = [line.strip() for line in said.splitlines()]
    assert "only whole tiles count as consumers" in lines
    assert "set: 1. { a[d0] : -3 <= d0 < 0 }" in lines
