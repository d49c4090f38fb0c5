"""Assumptions: attributes, assertions and --assume; answers name those that they needed, and no others."""

from __future__ import annotations

import pytest

import volcli
from volcli.diagnostics import UsageError
from volcli.facts.bounds import BoundsFact
from volcli.facts.dependences import DependenceFact
from volcli.model.values.trust.arithmetic import OVERFLOW, PRODUCTS

TWO = """
func.func @f(%n: index, %m: index, %t: tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %sum = arith.addi %n, %m : index
  %product = arith.muli %n, %m : index
  %least = arith.minsi %n, %c8 : index
  %size = tensor.dim %t, %c0 : tensor<?x?xf32>
  return
}
func.func @g(%n: index, %k: index) {
  %double = arith.addi %n, %n : index
  return
}
"""


def bound(text: str, value: str, *assume: str) -> tuple[int | None, int | None, tuple[str, ...]]:
    """The numbers that the value lies between, and the assumptions that they need."""
    program = volcli.load(text, assume=assume).run("value-bounds")
    (fact,) = (f for f in program.facts if isinstance(f, BoundsFact) and f.value == value)
    return fact.lower.constant, fact.upper.constant, fact.assumptions


def test_an_answer_names_what_it_needs_and_nothing_else() -> None:
    given = ("@f:n >= 3", "m >= 4 and k <= 7", "@f:n mod 2 = 0")
    assert bound(TWO, "%sum", *given) == (
        8,
        None,
        ("@f:n >= 3", "m >= 4", "@f:n mod 2 = 0", OVERFLOW),
    )
    assert bound(TWO, "%least", "m >= 4", "@f:n >= 3") == (3, 8, ("@f:n >= 3",))
    assert bound(TWO, "%least", "m >= 4") == (None, 8, ())


def test_an_assumption_that_another_one_implies_is_not_named() -> None:
    assert bound(TWO, "%sum", "@f:n >= 1 and @f:n >= 5", "m >= 0") == (
        5,
        None,
        ("@f:n >= 5", "m >= 0", OVERFLOW),
    )


def test_signs_of_products() -> None:
    assert bound(TWO, "%product", "@f:n >= 2 and m >= 3") == (6, None, ("@f:n >= 2", "m >= 3", PRODUCTS))


def test_relations_of_several_arguments() -> None:
    assert bound(TWO, "%sum", "@f:n + m = 10") == (10, 10, ("@f:n + m = 10",))


def test_sizes() -> None:
    assert bound(TWO, "%size", "4 <= dim(%t, 0) <= 9") == (4, 9, ("4 <= dim(%t, 0) <= 9",))


def test_alternatives() -> None:
    assert bound(TWO, "%size", "dim(t, 0) = 3 or dim(t, 0) = 5") == (
        3,
        5,
        ("dim(t, 0) = 3 or dim(t, 0) = 5",),
    )


def test_what_contradicts_itself_is_never_executed() -> None:
    program = volcli.load(TWO, assume=["m >= 3", "m <= 2"]).run("value-bounds{of=%sum}")
    assert [fact.to_json()["never"] for fact in program.facts] == [True]


ATTRIBUTES = """
func.func @f(%n: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0, d0 mod 16 == 0)>},
             %t: tensor<?x?xf32> {volcli.assume = affine_set<(d0, d1) : (d0 - d1 == 0)>}, %m: index)
    attributes {volcli.assume = affine_set<(d0, d1) : (d1 - d0 >= 0)>} {
  %c1 = arith.constant 1 : index
  %next = arith.addi %m, %c1 : index
  %rows = memref.alloc() : memref<4xf32>
  %d = tensor.dim %t, %c1 : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.dim %t, %c0 : tensor<?x?xf32>
  %difference = arith.subi %d, %e : index
  return
}
"""


def test_attributes_of_arguments_and_of_the_function() -> None:
    needed = ("%m - %n >= 0", "%n mod 16 = 0", "%n - 1 >= 0", OVERFLOW)
    low, high, named = bound(ATTRIBUTES, "%next")
    assert (low, high, sorted(named)) == (17, None, sorted(needed))
    assert bound(ATTRIBUTES, "%difference") == (0, 0, ("dim(%t, 0) - dim(%t, 1) = 0",))


ASSERTED = """
func.func @f(%n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %before = arith.addi %n, %n : index
  %small = arith.cmpi slt, %n, %c4 : index
  cf.assert %small, "n is small"
  %other = arith.cmpi slt, %m, %c4 : index
  cf.assert %other, "m is small"
  %behind = arith.addi %n, %n : index
  return
}
"""


def test_an_assertion_holds_behind_it_and_is_named() -> None:
    assert bound(ASSERTED, "%before") == (None, None, ())
    assert bound(ASSERTED, "%behind") == (None, 6, ("cf.assert %small", OVERFLOW))


@pytest.mark.parametrize(
    ("assume", "message", "column"),
    [
        ("m >=", "expected an affine condition", 5),
        ("z >= 1", "'%z' is neither an index or integer argument", 1),
        ("m >= %sum", "'%sum' is neither an index or integer argument", 6),
        ("n >= 1", "'%n' is an argument of @f, @g", 1),
        ("m >= k", "no function has all of the arguments %m, %k", 1),
        ("dim(%t, 2) >= 1", "'dim(%t, 2)' is neither", 1),
        ("m >= 1 and m <= 0", "no values satisfy", 1),
        ("1 >= 0", "names no argument", 1),
    ],
)
def test_what_cannot_be_assumed(assume: str, message: str, column: int) -> None:
    with pytest.raises(UsageError, match=r".") as caught:
        volcli.load(TWO, assume=[assume])
    said = caught.value.diagnostic
    assert (said.code, message in said.message) == ("V009", True)
    assert (said.place and said.place.column) == column


def test_assumptions_outlive_a_rewriting() -> None:
    program = volcli.load(TWO, assume=["1 <= m <= 3"]).run("reify-bounds,value-bounds")
    (fact,) = (f for f in program.facts if isinstance(f, BoundsFact) and f.value == "%m")
    assert (fact.lower.constant, fact.upper.constant) == (1, 3)


STEPPED = """
func.func @f(%m: memref<64xf32>, %n: index, %s: index, %t: index) {{
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %least = arith.minsi %s, %t : index
  scf.for %i = %c6 to %n step {step} {{
    %p = arith.subi %i, %c6 : index
    %x = memref.load %m[%p] : memref<64xf32>
    memref.store %x, %m[%i] : memref<64xf32>
  }}
  return
}}
"""


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(("step", "given"), [("%s", ("s = {}",)), ("%least", ("s = {}", "t >= 3"))])
def test_a_step_of_one_number_is_that_number(number: int, step: str, given: tuple[str, ...]) -> None:
    """Bounds, distances and flow are what they are of the constant, and exact; the assumptions are named."""
    assume = tuple(each.format(number) for each in given)
    program = volcli.load(STEPPED.format(step=step), assume=assume)
    plain = volcli.load(STEPPED.format(step=f"%c{number}"), assume=assume)
    found, expected = (
        next(f for f in each.run("value-bounds{of=%i}").facts if isinstance(f, BoundsFact))
        for each in (program, plain)
    )
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert found.upper.exact
    assert set(found.assumptions) == set(assume)
    assert expected.assumptions == ()
    loops = [
        [
            (f.verdict, f.hull, f.reason)
            for f in each.run("dependences").facts
            if isinstance(f, DependenceFact)
        ]
        for each in (program, plain)
    ]
    assert loops[0] == loops[1] != []


def test_a_step_of_several_numbers_is_none_of_them() -> None:
    program = volcli.load(STEPPED.format(step="%s"), assume=["2 <= s <= 3"])
    (found,) = (f for f in program.run("value-bounds{of=%i}").facts if isinstance(f, BoundsFact))
    assert not found.upper.exact
    assert found.reason == "the step of %i is not a constant"
