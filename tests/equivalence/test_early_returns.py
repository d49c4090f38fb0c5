"""Functions that return early: they are compared as what their blocks are, branches and loops."""

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
def test_what_is_moved_behind_an_early_return_is_the_same(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    programs = [volcli.loads(EARLY.replace("BODY", "\n  ".join(each))) for each in (before, after)]
    found = programs[0].diff(programs[1])
    assert [each.verdict for each in found] == ["equal", "equal"]
    assert [each.code for program in programs for each in program.diagnostics] == []


@pytest.mark.parametrize("moved", [DIVIDED.replace("%k", "%n"), STORE.replace("%k", "%n")])
def test_what_is_moved_in_front_of_an_early_return_may_be_undefined(moved: str) -> None:
    """The way of the return does not divide by %n, nor store at %n."""
    before = EARLY.replace("BODY", f"{moved}\n  {LOAD}")
    after = EARLY.replace("BODY", LOAD).replace("cf.cond_br %early", f"{moved}\n  cf.cond_br %early")
    assert volcli.loads(before).diff(volcli.loads(after))[1].verdict == "different"
    assert volcli.loads(after).diff(volcli.loads(before))[1].verdict == "equal"


ENDLESS = """func.func @f(%d: i1) {
  cf.br ^on
^on:
  cf.br ^on
}"""
ENDS = """func.func @f(%d: i1) {
  return
}"""


def test_a_function_without_outputs_may_never_end() -> None:
    for before, after, verdict in ((ENDS, ENDLESS, "different"), (ENDLESS, ENDS, "equal")):
        (found,) = volcli.loads(before).diff(volcli.loads(after))
        assert found.verdict == verdict
    (same,) = volcli.loads(ENDLESS).diff(volcli.loads(ENDLESS))
    assert same.verdict == "equal"


def test_a_called_function_without_outputs_may_never_end() -> None:
    call = "func.func @g(%d: i1) {\n  func.call @f(%d) : (i1) -> ()\n  return\n}\n"
    before, after = (volcli.loads(call + each.replace("@f", "private @f")) for each in (ENDS, ENDLESS))
    assert [each.verdict for each in before.diff(after)] == ["different", "different"]


def test_results_are_those_that_a_block_returns() -> None:
    """And no operands of the branch at the end of the first one."""
    program = EARLY.replace("BODY", LOAD)
    found = volcli.loads(program).diff(volcli.loads(program.replace("%p[%one]", "%q[%one]")))[1]
    assert [each.output for each in found.outputs if each.output.startswith("result")] == ["result 0"]
