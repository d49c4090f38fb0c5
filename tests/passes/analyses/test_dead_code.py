"""Blocks that no execution gets to, behind branches that do."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.dead import DeadFact

BLOCKS = """func.func @f(%m: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  FIRST
^a:
  affine.store %x, %m[0] : memref<8xf32>
  cf.br ^c
^b:
  affine.store %x, %m[1] : memref<8xf32>
  cf.br ^d
^c:
  affine.store %x, %m[2] : memref<8xf32>
  return
^d:
  affine.store %x, %m[3] : memref<8xf32>
  return
}
"""


def dead(first: str, text: str = BLOCKS) -> list[str]:
    program = volcli.load(text.replace("FIRST", first))
    return [fact.text for fact in program.run("dead-code").facts if isinstance(fact, DeadFact)]


def test_only_the_first_of_dead_blocks_is_told() -> None:
    known = "%t = arith.constant {} cf.cond_br %t, ^a, ^b"
    assert dead(known.format("true")) == ["never goes to its second block"]
    assert dead(known.format("false")) == ["never goes to its first block"]


def test_a_condition_that_both_values_have_leaves_nothing_dead() -> None:
    assert dead("%p = arith.cmpi slt, %n, %c0 : index cf.cond_br %p, ^a, ^b") == []


def test_what_is_known_behind_one_branch_decides_the_next() -> None:
    text = BLOCKS.replace("  cf.br ^c", "  cf.cond_br %p, ^c, ^d")
    assert dead("%p = arith.cmpi slt, %n, %c0 : index cf.cond_br %p, ^a, ^b", text) == []
    alone = text.replace("  cf.br ^d", "  cf.br ^c")
    assert dead("%p = arith.cmpi slt, %n, %c0 : index cf.cond_br %p, ^a, ^b", alone) == [
        "never goes to its second block"
    ]


def test_a_loop_of_branches_is_not_dead() -> None:
    text = """func.func @f(%m: memref<8xf32>, %x: f32, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      cf.br ^head(%c0 : index)
    ^head(%i: index):
      %in = arith.cmpi slt, %i, %n : index
      cf.cond_br %in, ^body, ^end
    ^body:
      memref.store %x, %m[%i] : memref<8xf32>
      %j = arith.addi %i, %c1 : index
      cf.br ^head(%j : index)
    ^end:
      memref.store %x, %m[%c0] : memref<8xf32>
      return
    }"""
    assert dead("", text) == []


LOOPS = """func.func @f(%m: memref<64x64xf32>, %x: f32) {
  affine.for %i = 0 to A {
    affine.for %j = LOWER to UPPER {
      affine.store %x, %m[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
"""


@pytest.mark.slow
def test_loops_whose_ends_depend_on_loops_are_dead_without_iterations_only() -> None:
    maps = {
        "affine_map<(d0) -> (d0)>(%i)": lambda i: i,
        "affine_map<(d0) -> (d0 - 3)>(%i)": lambda i: i - 3,
        "affine_map<(d0) -> (d0 floordiv 2 + 1)>(%i)": lambda i: i // 2 + 1,
        "min affine_map<(d0) -> (d0 + 2, 3)>(%i)": lambda i: min(i + 2, 3),
        "4": lambda i: 4,
    }
    for size in (1, 2, 5):
        for lower, least in maps.items():
            for upper, end in maps.items():
                if lower.startswith("min"):
                    continue
                text = LOOPS.replace("A {", f"{size} {{").replace("LOWER", lower).replace("UPPER", upper)
                runs = any(least(i) < end(i) for i in range(size))
                assert dead("", text) == ([] if runs else ["has no iteration"]), text


def test_a_region_is_named_by_its_place() -> None:
    """The default of scf.index_switch is its first region."""
    text = """func.func @f(%p: i1, %x: f32, %m: memref<8xf32>) {
      %s = arith.index_castui %p : i1 to index
      scf.index_switch %s
      case 0 { memref.store %x, %m[%s] : memref<8xf32> scf.yield }
      case 1 { scf.yield }
      case 4 { memref.store %x, %m[%s] : memref<8xf32> scf.yield }
      default { memref.store %x, %m[%s] : memref<8xf32> scf.yield }
      return
    }"""
    assert dead("", text) == ["never enters its first region", "never enters its 4th region"]


ENDS = """func.func @f(%m: memref<8xf32>, %x: f32, %n: index, %k: i64, %l: i64) {
  %least = arith.constant -9223372036854775808 : i64
  %greatest = arith.constant 9223372036854775807 : i64
  %least_index = arith.constant -9223372036854775808 : index
  %one = arith.constant 1 : i64
  %next = arith.addi %k, %one : i64
  %wide = arith.extsi %k : i64 to i128
  %other = arith.extsi %l : i64 to i128
  %sum = arith.addi %wide, %other : i128
  %beyond = arith.constant 9223372036854775808 : i128
  %twice = arith.constant 18446744073709551614 : i128
  %is = COMPARISON
  scf.if %is { affine.store %x, %m[0] : memref<8xf32> } else { affine.store %x, %m[1] : memref<8xf32> }
  return
}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("comparison", "branch"),
    [
        ("arith.cmpi slt, %k, %least : i64", "first"),
        ("arith.cmpi sgt, %least, %k : i64", "first"),
        ("arith.cmpi sgt, %k, %greatest : i64", "first"),
        ("arith.cmpi slt, %greatest, %k : i64", "first"),
        ("arith.cmpi sge, %k, %least : i64", "second"),
        ("arith.cmpi sle, %k, %greatest : i64", "second"),
        ("arith.cmpi sle, %least, %next : i64", "second"),
        ("arith.cmpi sgt, %next, %greatest : i64", "first"),
        ("arith.cmpi slt, %n, %least_index : index", "first"),
        ("index.cmp slt(%n, %least_index)", "first"),
        ("arith.cmpi sge, %wide, %beyond : i128", "first"),
        ("arith.cmpi sgt, %sum, %twice : i128", "first"),
        ("arith.cmpi sle, %k, %least : i64", None),
        ("arith.cmpi sge, %k, %greatest : i64", None),
        ("arith.cmpi sle, %next, %least : i64", None),
        ("arith.cmpi slt, %least, %k : i64", None),
        ("arith.cmpi eq, %k, %least : i64", None),
        ("arith.cmpi sge, %sum, %twice : i128", None),
    ],
)
def test_nothing_is_beyond_the_ends_of_64_bits(comparison: str, branch: str | None) -> None:
    expected = [] if branch is None else [f"never enters its {branch} region"]
    assert dead("", ENDS.replace("COMPARISON", comparison)) == expected
