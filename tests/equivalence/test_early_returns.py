"""Functions whose blocks do not become regions: nothing is known of their points, and that is the reason."""

from __future__ import annotations

import pytest

import volcli

EARLY = """func.func private @other(%x: f32) -> f32 {
  return %x : f32
}
func.func @f(%p: memref<4xf32>, %q: memref<4xf32>, %x: f32, %n: index, %early: i1) -> f32 {
  %one = arith.constant 1 : index
  %s = memref.alloc() : memref<4xf32>
  cf.cond_br %early, ^out, ^on(%n : index)
^out:
  return %x : f32
^on(%k: index):
  BODY
  return %v : f32
}"""
STORE = "memref.store %x, %s[%k] : memref<4xf32>"
LOAD = "%v = memref.load %p[%one] : memref<4xf32>"
DIVIDED = "%w = arith.divsi %one, %k : index"
LOOPED = f"scf.for %i = %one to %n step %one {{ {STORE.replace('%k', '%i')} }}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((LOAD, STORE), (STORE, LOAD)),
        ((STORE, LOAD), (LOAD, STORE)),
        ((LOAD, DIVIDED), (DIVIDED, LOAD)),
        ((LOAD, LOOPED), (LOOPED, LOAD)),
    ],
)
def test_early_returns_are_unknown_for_a_reason(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    programs = [volcli.loads(EARLY.replace("BODY", "\n  ".join(each))) for each in (before, after)]
    found = programs[0].diff(programs[1])
    assert [each.verdict for each in found] == ["equal", "unknown"]
    assert found[1].outputs[0].reason == "before: the function has several blocks"
    assert [each.code for program in programs for each in program.diagnostics] == []
