"""Labels of blocks that are numbers, or begin with a blank: MLIR has them."""

from __future__ import annotations

import pytest

import volcli
from volcli.passes.table import PASSES

LABELS = """\
func.func @f(%_0: index, %_1_2: index, %a_1: index, %c: i1) -> index {
  cf.cond_br %c, ^1, ^_0(%_0 : index)
^1:
  cf.br ^_0(%_1_2 : index)
^_0(%_3: index):
  %_4:2 = scf.execute_region -> (index, index) {
    cf.br ^_1
  ^_1:
    scf.yield %_3, %a_1 : index, index
  }
  %_5 = arith.minsi %_4#0, %_4#1 : index
  return %_5 : index
}
"""
REWRITES = ("simplify-bounds", "partition", "mark-parallel", "reify-bounds", "tile{sizes=4}")


def test_they_are_read_and_kept() -> None:
    program = volcli.loads(LABELS, via="xdsl")
    assert program.diagnostics == []
    assert program.text() == LABELS
    assert program.text(reprint=True).count("^bb") >= 3


@pytest.mark.parametrize("rewrite", REWRITES)
def test_no_rewrite_breaks(rewrite: str) -> None:
    assert rewrite.partition("{")[0] in PASSES
    program = volcli.loads(LABELS, via="xdsl").run(rewrite)
    assert "V900" not in {each.code for each in program.diagnostics}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cf.br ^_1", "cf.br ^_2", "^_2"),
        ("^1:\n", "^1:\n  cf.br ^1\n^1:\n", "re-declaration of block '1'"),
    ],
)
def test_what_is_wrong_with_them_is_said(old: str, new: str, message: str) -> None:
    program = volcli.loads(LABELS.replace(old, new), via="xdsl")
    assert any(message in each.message for each in program.diagnostics)
    assert "V900" not in {each.code for each in program.diagnostics}
