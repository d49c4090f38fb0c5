"""Unsigned operations on what a place shows not to be negative are those on numbers with a sign."""

from __future__ import annotations

import pytest

import volcli
from volcli.language.expressions import Expression, parameter
from volcli.model.values.terms.unwrapping import unwrapped

PROGRAM = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %before = arith.OP %n, %c7 : index
  scf.for %i = %c0 to %n step %c1 {
    %inside = arith.OP %n, %c7 : index
    "test.some_use"(%inside) : (index) -> ()
  }
  return
}
"""


@pytest.mark.parametrize(
    ("operation", "before", "inside"),
    [
        ("divui", "(%n mod 18446744073709551616) floordiv 7", "%n floordiv 7"),
        ("remui", "(%n mod 18446744073709551616) mod 7", "%n mod 7"),
        ("minui", "min(%n mod 18446744073709551616, 7)", "min(%n, 7)"),
    ],
)
def test_a_loop_that_runs_has_an_end_that_is_not_negative(operation: str, before: str, inside: str) -> None:
    (unit,) = volcli.load(PROGRAM.replace("OP", operation)).units
    (model,) = unit.models()
    found: list[str] = []
    for name in ("%before", "%inside"):
        value = unit.parsed.names.find(model.function, name)
        assert value is not None
        equal = model.assuming.bounds(value).equal
        assert equal is not None
        found.append(model.bounds.texts.of(equal))
    assert found == [before, inside]


def test_an_assumption_that_takes_the_remainder_away_is_named() -> None:
    program = volcli.load(PROGRAM.replace("OP", "minui"), assume=["%n >= 0"])
    (unit,) = program.units
    (model,) = unit.models()
    value = unit.parsed.names.find(model.function, "%before")
    assert value is not None
    found = model.assuming.bounds(value)
    assert found.equal is not None
    assert model.bounds.texts.of(found.equal) == "min(%n, 7)"
    assert found.assumptions == ("%n >= 0",)


def test_an_assertion_behind_which_it_stands_is_named_too() -> None:
    """The range of the minimum is [0, 7] with the assertion and without it: its form is not the same."""
    asserted = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %k = arith.cmpi sge, %n, %c0 : index
  cf.assert %k, "not negative"
  %m = arith.minui %n, %c7 : index
  "test.some_use"(%m) : (index) -> ()
  return
}
"""
    (unit,) = volcli.load(asserted).units
    (model,) = unit.models()
    value = unit.parsed.names.find(model.function, "%m")
    assert value is not None
    found = model.assuming.bounds(value)
    assert found.equal is not None
    assert model.bounds.texts.of(found.equal) == "min(%n, 7)"
    assert len(found.assumptions) == 1


@pytest.mark.parametrize(("rounds", "least_asked"), [(3, 3), (30, 2)])
def test_ends_are_asked_for_of_few_divisions(rounds: int, least_asked: int) -> None:
    """A set of numbers with a remainder by 2^64 for each of thirty operations takes longer than anyone waits."""
    asked: list[Expression] = []

    def ends(inner: Expression) -> tuple[int | None, int | None]:
        asked.append(inner)
        return None, None

    wrapped = number = parameter("n")
    for _ in range(rounds):
        wrapped = (number % 2**64) // 3
        number = wrapped - 5
    assert unwrapped(wrapped, ends) == wrapped
    assert least_asked <= len(asked) <= 4
