"""What goes wrong within one function of a comparison costs that answer, and is said at the function."""

from __future__ import annotations

from typing import Any

import pytest

import volcli
from volcli.api import differences

THREE = """func.func @same(%x: i32, %y: i32) -> i32 {
  %r = arith.muli %x, %y : i32
  return %r : i32
}
func.func @sum(%x: i32, %y: i32) -> i32 {
  %c = arith.constant CONSTANT : i32
  %r = arith.addi %x, %c : i32
  return %r : i32
}
func.func @copy(%x: i32, %y: i32) -> i32 {
  return %COPIED : i32
}"""
"""Sets leave it unknown whether @sum is the same with another constant; execution shows that it is not."""


def pair() -> tuple[volcli.Program, volcli.Program]:
    """Two programs with another sum, and another copy."""
    before, after = (("7", "x"), ("8", "y"))
    return (
        volcli.loads(THREE.replace("CONSTANT", before[0]).replace("COPIED", before[1])),
        volcli.loads(THREE.replace("CONSTANT", after[0]).replace("COPIED", after[1])),
    )


def fail(*_: object) -> None:
    raise KeyError("broken")


def fail_for_the_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets break for @sum."""
    work: Any = vars(differences)["_proved"]

    def proved(old: Any, *others: Any, **options: Any) -> Any:
        return fail() if old[1].name == "sum" else work(old, *others, **options)

    monkeypatch.setattr(differences, "_proved", proved)


def verdicts(before: volcli.Program, after: volcli.Program) -> list[str]:
    return [each.verdict for each in before.diff(after)]


def internal_errors(program: volcli.Program) -> list[tuple[int, int]]:
    """The places of internal errors."""
    said = [each.place for each in program.diagnostics if each.code == "V900"]
    return [(place.line, place.column) for place in said if place is not None]


def test_without_an_error_there_is_none() -> None:
    before, after = pair()
    assert verdicts(before, after) == ["equal", "different", "different"]
    assert internal_errors(before) == []


def test_an_error_of_the_execution_costs_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volcli.equivalence.trials.trials.tried", fail)
    before, after = pair()
    found = before.diff(after)
    assert [each.verdict for each in found] == ["equal", "unknown", "different"]
    assert found[1].tried == "not tried: internal error in the execution (KeyError: 'broken')"
    assert found[1].outputs[0].reason is not None  # what sets say of it is kept
    assert internal_errors(before) == [(5, 1)]


def test_an_error_of_the_sets_costs_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_for_the_sum(monkeypatch)
    before, after = pair()
    found = before.diff(after)
    assert [each.verdict for each in found] == ["equal", "unknown", "different"]
    assert found[1].reason == "internal error in the comparison (KeyError: 'broken')"
    assert internal_errors(before) == [(5, 1)]
