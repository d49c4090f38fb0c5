"""Loops whose bounds divide by a value have no affine form: what is asked of them is unknown, and no error."""

from __future__ import annotations

from pathlib import Path

import pytest

import volcli
from volcli.facts.fact import EXACT
from volcli.gate.policy.policy import Policy
from volcli.gate.run import run
from volcli.language.programs.known_loops import counted_loop, is_while, known_loop
from volcli.passes.table import PASSES, UNASKED, find_question

OPTIONS = {
    "compare-values": "compare-values{claim='%three = 3'}",
    "mars": "mars{tile='%i: 4'}",
    "tile": "tile{sizes=4}",
    "tile-symbolic": "tile-symbolic{sizes=%n}",
    "parallelize": "parallelize{processors=%n}",
    "communication": "communication{loops=%i size=%n}",
}

LOOPS = """
#least = affine_map<()[s0, s1] -> (s0, 4096 floordiv s1)>
#up = affine_map<()[s0, s1] -> (s0 ceildiv s1)>
#mod = affine_map<(d0)[s0] -> (d0 mod s0)>
#multiple = affine_set<(d0)[s0] : (d0 mod s0 == 0)>
func.func @f(%a: memref<?xi32>, %b: memref<?x?xi32>, %n: index, %m: index, %x: i32) -> index {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to min #least()[%n, %m] {
    %j = arith.addi %i, %i : index
    %y = memref.load %a[%j] : memref<?xi32>
    affine.for %k = #mod(%i)[%m] to 8 {
      %z = affine.load %a[%k + %i] : memref<?xi32>
      affine.store %z, %b[%k, %i] : memref<?x?xi32>
    }
  }
  affine.parallel (%i, %j) = (0, 0) to (%n floordiv %m, 5) {
    %y = affine.load %a[%i] : memref<?xi32>
    affine.store %y, %b[%i, %j] : memref<?x?xi32>
  }
  %s = affine.for %i = 0 to #up()[%n, %m] iter_args(%t = %c0) -> (index) {
    %j = arith.addi %t, %i : index
    memref.store %x, %a[%j] : memref<?xi32>
    affine.if #multiple(%i)[%n] {
      memref.store %x, %a[%i] : memref<?xi32>
    }
    affine.yield %j : index
  }
  return %s : index
}
func.func @after(%n: index) -> index {
  %three = arith.constant 3 : index
  %sum = arith.addi %n, %three : index
  return %sum : index
}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("question", [*dict.fromkeys(map(find_question, UNASKED)), *PASSES])
def test_no_question_or_rewrite_breaks(question: str) -> None:
    program = volcli.loads(LOOPS).run(OPTIONS.get(question, question))
    assert "V900" not in {each.code for each in program.diagnostics}


def test_their_variables_are_unknown_and_say_why() -> None:
    facts = [f for f in volcli.loads(LOOPS).run("value-bounds").facts if f.function == "f"]
    unknown = {f.subject: f for f in facts if f.certainty != EXACT}
    assert set(unknown) >= {"%i", "%j", "%k", "%s"}
    assert all("division by %m" in str(f.certainty) for f in unknown.values())


def test_the_gate_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "loops.mlir"
    path.write_text(LOOPS)
    assert not [each for each in run([str(path)], Policy()).findings if each.code.startswith("V9")]


def test_known_loops_are_told_from_others() -> None:
    program = volcli.loads(LOOPS)
    loops = [
        op for op in program.units[0].parsed.module.walk() if op.name.startswith("affine.") and op.regions
    ]
    assert len(loops) == 5
    assert [known_loop(op) for op in loops] == [None] * 5
    assert [counted_loop(op) for op in loops] == [None] * 5
    assert not any(is_while(op) for op in loops)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("map_", "interval"),
    [
        ("(((2 * s0) mod (3 * s0)) * (d0 mod s0)) floordiv s0", (0, None)),
        ("(1000 mod s0) * (5 - 2)", (0, 3000)),
        ("(1000 mod s0) * (3 mod 3 - 2)", (-2000, 0)),
        ("(d0 mod s0) * (1000 mod s0)", (None, None)),
        ("((1000 mod s0) * 3) ceildiv s0", (0, 3)),
    ],
)
def test_maps_without_numbers(map_: str, interval: tuple[int | None, int | None]) -> None:
    """A product has sides if one factor is a number; one of two maps of which nothing is known has none."""
    text = f"""
    func.func @f(%x: index, %s: index) -> index {{
      %r = affine.apply affine_map<(d0)[s0] -> ({map_})>(%x)[%s]
      return %r : index
    }}"""
    program = volcli.loads(text)
    bounds = program.function("f").bounds("%r")
    assert not [each for each in program.diagnostics if each.code == "V900"]
    assert (bounds.lower.constant, bounds.upper.constant) == interval
