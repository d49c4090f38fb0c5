"""What a function needs is stated where calls prove it, and else not, or when unsafe fixes are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.gate.fixes.test_fixes import POLICY, fixed_text

NEEDING = """func.func @f(%m: memref<8xf32>, %n: index) -> f32 {
  %v = memref.load %m[%n] : memref<8xf32>
  return %v : f32
}
"""
PASSING = """func.func @g(%m: memref<8xf32>, %n: index) -> f32 {{
  %k = {} : index
  %v = call @f(%m, %k) : (memref<8xf32>, index) -> f32
  return %v : f32
}}
"""
SEVEN = PASSING.format("arith.constant 7")
STATED = "%n: index {volcli.assume = affine_set<(d0) : (d0 >= 0, -d0 + 7 >= 0)>})"
OTHER_USE = """func.func @h() -> ((memref<8xf32>, index) -> f32) {
  %f = func.constant @f : (memref<8xf32>, index) -> f32
  return %f : (memref<8xf32>, index) -> f32
}
"""
OVERFLOWING = NEEDING.replace(
    "%v = memref.load %m[%n]", "%k = arith.addi %n, %n : index\n  %v = memref.load %m[%k]"
)
RACING = """func.func @f(%m: memref<8xindex>, %n: index {volcli.assume = affine_set<(d0) : (d0 >= 0, 2 - d0 >= 0)>}) {
  affine.parallel (%i) = (0) to (4) {
    affine.store %i, %m[symbol(%n) * %i] : memref<8xindex>
  }
  return
}
func.func @g(%m: memref<8xindex>) {
  %n = arith.constant 2 : index
  call @f(%m, %n) : (memref<8xindex>, index) -> ()
  return
}
"""


def test_what_all_calls_pass_is_stated() -> None:
    found = fixed_text(NEEDING + SEVEN)
    assert found.after.decode() == NEEDING.replace("%n: index)", STATED) + SEVEN


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NEEDING + PASSING.format("arith.addi %n, %n"), "the call at 7:8 is not proved to fulfil it"),
        (NEEDING + PASSING.format("arith.constant 8"), "the call at 7:8 is not proved to fulfil it"),
        (NEEDING + SEVEN + OTHER_USE, "not all uses of @f are calls whose arguments are known"),
    ],
)
def test_what_a_call_may_not_fulfil_is_not_stated(text: str, why: str) -> None:
    found = fixed_text(text)
    refused = [each for each in found.refused if each.finding.function == "f"]
    assert [(each.reason, each.is_unsafe) for each in refused] == [(why, False)]
    assert found.after.decode() == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NEEDING, "no call in the file shows that it holds"),
        (
            OVERFLOWING + PASSING.format("arith.constant 3"),
            "the program is equal if index arithmetic does not overflow",
        ),
        (RACING, "errors that may have happened no longer happen"),
    ],
)
def test_what_is_not_shown_for_all_executions_is_stated_when_unsafe_fixes_are_asked_for(
    text: str, why: str
) -> None:
    found = fixed_text(text)
    assert [(each.reason, each.is_unsafe) for each in found.refused] == [(why, True)]
    assert found.after.decode() == text
    stated = fixed_text(text, unsafe=True)
    assert (len(stated.fixed), stated.refused) == (1, ())


def test_what_the_policy_assumes_is_no_reason_to_state_less() -> None:
    """With %n >= 1, @f needs %n <= 7, and without that more."""
    found = fixed_text(NEEDING + SEVEN, policy=replace(POLICY, assume=("@f:n >= 1",)))
    (refusal,) = found.refused
    assert refusal.reason == "without what is assumed, the function needs something else"


@pytest.mark.parametrize(
    "needs",
    [
        "  scf.if %c {\n    %v = memref.load %m[%n] : memref<?xf32>\n    memref.store %v, %m[%n] : memref<?xf32>\n  }\n",
        "  %v = memref.load %m[%n] : memref<?xf32>\n  memref.store %v, %m[%n] : memref<?xf32>\n",
        "  %v = affine.load %m[symbol(%n) mod 16] : memref<?xf32>\n  affine.store %v, %m[0] : memref<?xf32>\n",
    ],
)
def test_no_fix_is_proposed_for_what_no_attribute_can_state(needs: str) -> None:
    """A disjunction; a size and a number together; a remainder."""
    text = f"func.func @f(%m: memref<?xf32>, %n: index, %c: i1) {{\n{needs}  return\n}}\n"
    found = fixed_text(text, unsafe=True)
    assert (found.after.decode(), found.fixed, found.refused) == (text, (), ())
