"""--of: several values, of each question; what does not exist is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from volcli.passes.table import QUESTIONS

LOOP = """func.func @f(%m: memref<8xf32>, %n: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xf32>
    affine.store %x, %n[%i] : memref<8xf32>
  }
  affine.for %j = 0 to 8 {
    %y = affine.load %m[%j] : memref<8xf32>
    affine.store %y, %n[%j] : memref<8xf32>
  }
  return
}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("question", [each for each in QUESTIONS if each != "mars"])
def test_each_question_refuses_a_value_that_does_not_exist(
    tmp_path: Path, volcli: Run, question: str
) -> None:
    (tmp_path / "a.mlir").write_text(LOOP)
    ran = volcli("analyze", str(tmp_path / "a.mlir"), "--ask", question, "--of", "%i,%nope")
    assert (ran.returncode, "V005: no value %nope" in ran.stderr) == (2, True)


def test_several_values(tmp_path: Path, volcli: Run) -> None:
    """As `to=%a,%b`; and facts without a value of their own are those in which one of the names stands."""
    (tmp_path / "a.mlir").write_text(LOOP)

    def facts(question: str, of: str) -> list[dict[str, Any]]:
        ran = volcli("analyze", str(tmp_path / "a.mlir"), "--ask", question, "--of", of, "--format", "json")
        return json.loads(ran.stdout)["files"][0]["facts"]

    assert [each["loop"] for each in facts("loops", "%j")] == ["%j"]
    assert [each["value"] for each in facts("bounds", "%i, %j")] == ["%i", "%j"]
    assert [each["element"] for each in facts("access", "%n")] == ["%n[%i]", "%n[%j]"]
    assert {each["line"] for each in facts("access", "%j,%x")} == {7, 8}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--ask", "loops", "--tile", "i:4"), "--tile has no effect on loops"),
        (("--ask", "loops", "--in-terms-of", "%i"), "--in-terms-of has no effect on loops"),
        (("--compare", "%i < 8", "--of", "%i"), "--of: only claims are decided"),
        (("--ask", "bounds", "--in-terms-of", "%nope"), "no value %nope in "),
        (("--of", ""), "--of: a name is missing"),
        (("--tile", "i"), "--tile: 'i' has no size"),
    ],
)
def test_an_option_without_effect_is_refused_in_the_words_of_the_command(
    tmp_path: Path, volcli: Run, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "a.mlir").write_text(LOOP)
    ran = volcli("analyze", str(tmp_path / "a.mlir"), *arguments)
    assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr
    assert "program." not in ran.stderr


def test_a_file_that_is_given_twice_is_told_once(tmp_path: Path, volcli: Run) -> None:
    (tmp_path / "a.mlir").write_text(LOOP)
    name = str(tmp_path / "a.mlir")
    ran = volcli("analyze", name, name, "--ask", "loops", "--format", "json")
    assert len(json.loads(ran.stdout)["files"]) == 1
