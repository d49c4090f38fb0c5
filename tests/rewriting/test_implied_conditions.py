"""Branches and ends of loops that hold wherever something is done inside are no difference; others are one."""

from __future__ import annotations

import itertools

import pytest

import volcli
from tests.rewriting.nest_runs import left_by
from tests.rewriting.test_untiling import is_counted_alike, nest

POINTS = list(itertools.product((0, 1, 3), (0, 1, 2, 4), (1, 3), (0, 2)))
"""Values of %n, %k, %a and %b."""


def is_left_alike(before: str, after: str) -> bool:
    """Whether executions leave the same behind, where BEFORE is defined."""
    one, other = (volcli.load(text).units[0].models()[0].function for text in (before, after))
    expected = ((point, left_by(one, point)) for point in POINTS)
    return all(each is None or left_by(other, point) == each for point, each in expected)


def program(around: str, outer: str, inner: str, between: str = "") -> str:
    """Loops over %i and over %j, with more before and BETWEEN them."""
    return nest(f"""
%c2 = arith.constant 2 : index
%cm1 = arith.constant -1 : index
%b1 = arith.maxsi %b, %c1 : index
%a1 = arith.maxsi %a, %c1 : index
{around}
scf.for %i = {outer} {{
  {between}
  scf.for %j = {inner} {{
    %x = memref.load %m[%j, %i] : memref<?x?xf32>
    %y = memref.load %s[%i, %j] : memref<?x?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %m[%j, %i] : memref<?x?xf32>
  }}
}}
""")


def guarded(condition: str, text: str) -> str:
    """TEXT of a program with its loops in a branch."""
    head, loops = text.split("scf.for %i", 1)
    body, end = loops.rsplit("return", 1)
    return f"{head}%g = arith.cmpi {condition} : index\nscf.if %g {{\nscf.for %i{body}}}\nreturn{end}"


@pytest.mark.parametrize(
    ("condition", "is_alike"),
    [
        ("sge, %k, %c2", True),
        ("sgt, %k, %c1", True),
        ("sge, %n, %c1", True),
        ("sge, %k, %a", False),
        ("sgt, %k, %c2", False),
        ("sge, %n, %c2", False),
        ("slt, %k, %c2", False),
        ("eq, %k, %c2", False),
    ],
)
def test_a_branch_is_no_difference_if_loops_inside_would_be_empty(condition: str, is_alike: bool) -> None:
    before = program("", "%c0 to %n step %a", "%c1 to %k step %c1")
    after = guarded(condition, before)
    assert is_counted_alike(before, after) is is_alike
    assert is_left_alike(before, after) is is_alike


def test_a_branch_around_a_statement_is_a_difference() -> None:
    """What is done in the branch itself has no loop inside that would be empty."""
    before = program("", "%c0 to %n step %a", "%c1 to %k step %c1")
    after = before.replace("memref.store %z, %m[%j, %i] : memref<?x?xf32>", """
      %g = arith.cmpi sge, %i, %c1 : index
      scf.if %g { memref.store %z, %m[%j, %i] : memref<?x?xf32> }""")  # fmt: skip
    assert not is_counted_alike(before, after)
    assert not is_left_alike(before, after)


ENDS = {
    "%c0 to %n": True,
    "%c0 to %least": True,
    "%c0 to %k": False,
    "%c0 to %less": False,
    "%c1 to %n": False,
    "%cm1 to %n": False,
}


@pytest.mark.parametrize("ends", ENDS)
def test_ends_of_loops_are_no_difference_if_loops_inside_would_be_empty(ends: str) -> None:
    """For j from i to k there are points for i < k alone; the loop over j in steps of %a is there in both."""
    more = "%least = arith.minsi %n, %k : index\n%less = arith.addi %least, %cm1 : index"
    before = program(more, "%c0 to %n step %c1", "%i to %k step %a1")
    after = program(more, f"{ends} step %c1", "%i to %k step %a1")
    assert is_counted_alike(before, after) is ENDS[ends]
    assert is_left_alike(before, after) is ENDS[ends]


@pytest.mark.parametrize("divisor", ["%b", "%b1"])
def test_more_iterations_are_no_difference_if_all_in_them_is_defined(divisor: str) -> None:
    """A division by zero between the loops is one."""
    more = "%least = arith.minsi %n, %k : index"
    parts = (
        "%i to %e step %a1",
        f"%d = arith.floordivsi %k, {divisor} : index\n%e = arith.minsi %d, %k : index",
    )
    before, after = (program(more, f"%c0 to {end} step %c1", *parts) for end in ("%least", "%n"))
    assert is_counted_alike(before, after) is (divisor == "%b1")
    assert is_left_alike(before, after) is (divisor == "%b1")


@pytest.mark.parametrize("divisor", ["%b", "%b1"])
def test_a_division_that_nothing_uses_is_a_difference_if_it_may_be_by_zero(divisor: str) -> None:
    loops = "%c0 to %n step %a", "%c0 to %k step %c1"
    before, after = program("", *loops), program(f"%d = arith.floordivsi %n, {divisor} : index", *loops)
    assert is_counted_alike(before, after) is (divisor == "%b1")
    assert is_left_alike(before, after) is (divisor == "%b1")


@pytest.mark.parametrize(
    ("start", "end", "value"),
    [
        ("%c0", "%number", "%double"),
        ("%c0", "%fewer", "%double"),
        ("%c0", "%number", "%shifted"),
        ("%c1", "%number", "%double"),
    ],
)
def test_steps_that_are_numbers_are_counted_beside_values(start: str, end: str, value: str) -> None:
    """for j = 0 to k step 2 is for l = 0 to (k - 1) floordiv 2 + 1, with j = 2 * l."""
    before = program("", "%c0 to %n step %a", "%c0 to %k step %c2")
    more = """
%k1 = arith.subi %k, %c1 : index
%half = arith.floordivsi %k1, %c2 : index
%number = arith.addi %half, %c1 : index
%fewer = arith.subi %number, %c1 : index"""
    after = program(more, "%c0 to %n step %a", f"{start} to {end} step %c1").replace("%j", value)
    after = after.replace(f"scf.for {value}", "scf.for %l").replace("%x = memref", """
    %double = arith.muli %l, %c2 : index
    %shifted = arith.addi %double, %c1 : index
    %x = memref""")  # fmt: skip
    is_alike = (start, end, value) == ("%c0", "%number", "%double")
    assert is_counted_alike(before, after) is is_alike
    assert is_left_alike(before, after) is is_alike


BOUNDING = """
scf.for %i = %c1 to %n step %b {
  scf.for %j = %c1 to %k step %b {
    scf.for %l = %j to %k step %c1 {
      %x = memref.load %m[%i, %l] : memref<?x?xf32>
      memref.store %x, %m[%i, %l] : memref<?x?xf32>
    }
  }
}"""


@pytest.mark.slow
def test_loops_over_points_may_be_there_for_bounds_alone() -> None:
    """The loop over j is no loop over tiles, though it is only there for the bounds of that over l."""
    program = volcli.load(nest(BOUNDING))
    program.run("tile-symbolic{sizes=%b,%b assume-noalias-args}")
    assert [each.code for each in program.diagnostics] == []
    after = program.text()
    assert is_counted_alike(nest(BOUNDING), after)
    for old, new in (("maxsi %b", "minsi %b"), ("%j_0 to %k", "%j to %k"), ("sge, %2", "sgt, %2")):
        assert old in after
        assert not is_counted_alike(nest(BOUNDING), after.replace(old, new))


@pytest.mark.parametrize(("end", "is_alike"), [("%c1", True), ("%c2", False), ("%c0", False)])
def test_a_window_as_wide_as_a_step_has_one_point(end: str, is_alike: bool) -> None:
    """j = i, i + a, ... below i + a is i alone: where a is less than 1 the loop is undefined."""
    width = "%e = arith.addi %i, %a : index"
    before = program("", "%c0 to %n step %b", "%i to %e step %a", width)
    after = program("", "%c0 to %n step %b", f"%c0 to {end} step %c1", width).replace("%j", "%sum")
    after = after.replace("scf.for %sum", "scf.for %l").replace("%x = memref", """
    %far = arith.muli %l, %a1 : index
    %sum = arith.addi %i, %far : index
    %x = memref""")  # fmt: skip
    assert is_counted_alike(before, after) is is_alike
    assert is_left_alike(before, after) is is_alike


@pytest.mark.parametrize(("low", "other", "is_alike"), [("%c0", "%c1", True), ("%c1", "%c0", False)])
def test_fewer_iterations_than_before_need_not_be_defined(low: str, other: str, is_alike: bool) -> None:
    """A division by zero between the loops is undefined in the program before, too, where that runs more."""
    parts = ("%c1 to %e step %a1", "%d = arith.floordivsi %k, %b : index\n%e = arith.minsi %d, %i : index")
    before, after = (program("", f"{each} to %n step %c1", *parts) for each in (low, other))
    assert is_counted_alike(before, after) is is_alike
    assert is_left_alike(before, after) is is_alike


@pytest.mark.parametrize(("low", "is_alike"), [("%c1", True), ("%c2", False)])
def test_ends_are_asked_again_when_those_inside_have_changed(low: str, is_alike: bool) -> None:
    """min(1, 2 * i - 1) is 1 for i >= 1 alone: the end inside has to be 1 before that outside may be 0."""
    first = (
        "%d = arith.muli %c2, %i : index\n%p = arith.addi %d, %cm1 : index\n%q = arith.minsi %c1, %p : index"
    )
    before = program("", "%c0 to %n step %c1", "%c1 to %i step %a1")
    after = program("", f"{low} to %n step %c1", "%q to %i step %a1", first).replace("%c1, %p", f"{low}, %p")
    assert is_counted_alike(before, after) is is_alike
    assert is_left_alike(before, after) is is_alike


@pytest.mark.parametrize(("step", "is_alike"), [("%a", True), ("%b", False)])
def test_a_step_is_positive_where_the_first_loop_is_reached(step: str, is_alike: bool) -> None:
    """n rem max(s, 1) is n rem s then, and both may stand in bounds."""
    more = f"%f = arith.remsi %n, {step} : index"
    inner = "%c0 to %f step %c1"
    before = program(more, "%c0 to %n step %a", inner)
    counted = "%m1 = arith.addi %n, %cm1 : index\n%h = arith.floordivsi %m1, %a1 : index\n%e = arith.addi %h, %c1 : index"
    after = program(f"%f = arith.remsi %n, {step}1 : index\n{counted}", "%c0 to %e step %c1", inner)
    after = after.replace("%i = %c0", "%t = %c0").replace(
        "scf.for %j", "%i = arith.muli %t, %a1 : index\nscf.for %j"
    )
    assert is_counted_alike(before, after) is is_alike


@pytest.mark.parametrize(("first", "is_alike"), [("%s0", True), ("%one", False)])
def test_iterations_that_hand_on_what_loops_carry_are_no_difference(first: str, is_alike: bool) -> None:
    """For i = 0 the loop inside is empty: it hands on what it begins with."""
    before, after = (
        nest(f"""
%a1 = arith.maxsi %a, %c1 : index
%zero = arith.constant 0.0 : f32
%one = arith.constant 1.0 : f32
%r = scf.for %i = {low} to %n step %c1 iter_args(%s0 = %zero) -> (f32) {{
  %t = scf.for %j = %c1 to %i step %a1 iter_args(%u = {first}) -> (f32) {{
    %x = memref.load %s[%i, %j] : memref<?x?xf32>
    %z = arith.addf %x, %u : f32
    scf.yield %z : f32
  }}
  scf.yield %t : f32
}}
memref.store %r, %m[%c0, %c0] : memref<?x?xf32>
""")
        for low in ("%c0", "%c1")
    )
    assert is_counted_alike(before, after) is is_alike
