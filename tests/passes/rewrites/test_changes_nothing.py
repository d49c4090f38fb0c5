"""A rewrite that leaves the program as it is says so, and what it looked for (V310)."""

from __future__ import annotations

import pytest

import volcli
from volcli.passes.table import PASSES, find

MEMORY = """\
func.func @f(%a: memref<8x8xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%a : memref<8x8xf32>)
  return
}
"""


@pytest.mark.parametrize(
    "passes",
    [
        "tile{sizes=4,4}",
        "tile{sizes=4,4 loops=scf.forall}",
        "partition",
        "mark-parallel",
        "simplify-bounds",
        "reify-bounds{pad-allocs}",
        "infer-shapes{refine-types}",
        "communication{loops=%i size=%n}",
    ],
)
def test_nothing_is_changed_and_that_is_said(passes: str) -> None:
    program = volcli.loads(MEMORY)
    before = program.text(annotate="none")
    program.run(passes)
    assert program.text(annotate="none") == before
    (said,) = [each for each in program.diagnostics if each.code == "V310"]
    assert "nothing" in said.message
    assert program.exit_code == 0


def test_each_rewrite_says_what_it_looks_for() -> None:
    for name in PASSES:
        kind = find(name)
        if kind.rewrites and not name.startswith("test-"):
            assert kind.wants, name


def test_what_changes_something_says_nothing() -> None:
    text = """\
func.func @f(%a: memref<8xf32>, %z: f32) {
  affine.for %i = 0 to 8 {
    affine.store %z, %a[%i] : memref<8xf32>
  }
  return
}
"""
    program = volcli.loads(text).run("mark-parallel")
    assert program.diagnostics == []
    assert "affine.parallel" in program.text(annotate="none")
