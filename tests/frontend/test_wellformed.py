"""What holds for operations of all dialects: definitions before uses, ends of blocks, unique symbols."""

from __future__ import annotations

import pytest

from tests.dialects.problem_cases import answers, said

VALID = {
    "a loop of blocks": """\
func.func @f(%c: i1, %x: f32) -> f32 {
  cf.br ^head(%x : f32)
^head(%y: f32):
  %z = arith.addf %y, %x : f32
  cf.cond_br %c, ^head(%z : f32), ^end
^end:
  return %z : f32
}""",
    "a block that nothing leads to": """\
func.func @f(%x: f32) {
  return
^lost:
  %b = arith.addf %a, %x : f32
  %a = arith.addf %x, %x : f32
  return
}""",
    "a value of an outer block in a loop": """\
func.func @f(%i: index, %x: f32) -> f32 {
  cf.br ^next
^next:
  %y = arith.addf %x, %x : f32
  scf.for %k = %i to %i step %i {
    %z = arith.addf %y, %y : f32
  }
  return %y : f32
}""",
    "one name in two modules": """\
module @a { func.func private @f() }
module @b { func.func private @f() }""",
    "what an unknown operation makes of its region": """\
func.func @f() {
  "some.graph"() ({
    %b = "some.use"(%a) : (i32) -> i32
    %a = "some.use"(%b) : (i32) -> i32
  }) : () -> ()
  return
}""",
}

INVALID = {
    "in one branch only": """\
func.func @f(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.addf %x, %x : f32
  cf.br ^b
^b:
  return %y : f32
}""",
    "an argument of another block": """\
func.func @f(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^a(%x : f32), ^b
^a(%y: f32):
  cf.br ^b
^b:
  return %y : f32
}""",
    "later in the block, from inside": """\
func.func @f(%i: index, %x: f32) {
  scf.for %k = %i to %i step %i {
    %z = arith.addf %y, %y : f32
  }
  %y = arith.addf %x, %x : f32
  return
}""",
    "an end in the middle": """\
func.func @f(%i: index) {
  scf.for %k = %i to %i step %i {
    scf.yield
    scf.yield
  }
  return
}""",
    "two functions of one name in a module": """\
module {
  func.func private @f()
  func.func private @f()
}""",
}


@pytest.mark.parametrize("name", list(VALID))
def test_valid(name: str) -> None:
    assert said(VALID[name]) == []


@pytest.mark.parametrize("name", list(INVALID))
def test_invalid(name: str) -> None:
    assert {code for code, *_ in said(INVALID[name])} == {"V110"}


def test_mlir_opt_says_the_same(mlir_opt: str) -> None:
    known = [text for name, text in VALID.items() if "unknown" not in name]
    assert answers(mlir_opt, known) == [[] for _ in known]
    for (name, text), (answer, *_) in zip(
        INVALID.items(), answers(mlir_opt, list(INVALID.values())), strict=True
    ):
        assert said(text)[0][1:] == answer, name
