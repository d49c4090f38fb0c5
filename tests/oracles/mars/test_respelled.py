"""Programs of other operations are the same programs: parallel loops, loops with several bounds, indices in i64."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.oracles.mars.arrays import drawn_arrays
from tests.oracles.mars.claims import Comparison, compared
from tests.oracles.mars.enumeration import Loop, Program
from tests.oracles.mars.kernels import Writer, affine, nest, tilings
from tests.oracles.mars.respelled import independent, races
from tests.oracles.mars.tiles import Tiled


def rows(spelled: str, parallel: str, upper: str = "8") -> Program:
    """Each row of b from the one of a before it; the nest after it, in order, sums b up along its rows."""
    w = Writer.at_one()
    outer = nest([("i", 1, 8), ("j", 0, 8)], w.sets("b[i,j]", "a[i-1,j]"))
    (inner,) = outer.body
    assert isinstance(inner, Loop)
    inner = replace(inner, upper=(affine("8"), affine(upper)), parallel=parallel)
    first = replace(outer, body=(inner,), parallel=parallel)
    second = nest([("p", 1, 8), ("q", 0, 8)], w.sets("b[p,q]", "b[p,q]", "b[p,q-1]"))
    return Program((first, second), {}, spelled)


def compared_rows(spelled: str, parallel: str, upper: str = "8") -> Comparison:
    program, arrays = drawn_arrays(None, rows(spelled, parallel, upper))
    return compared(Tiled(program, tilings("i:2, j:4; p:2, q:4")), arrays)


def test_iterations_that_write_what_others_access_are_in_order() -> None:
    """Rows of b are summed up one by one, in any order; a row is summed up from left to right."""
    program = rows("scf", "parallel")
    assert independent(program) == {(0, "i"), (0, "j"), (1, "p")}
    assert not races(program)
    summed = program.nests[1]
    (along,) = summed.body
    assert isinstance(along, Loop)
    in_any_order = replace(summed, body=(replace(along, parallel="forall"),))
    assert races(replace(program, nests=(program.nests[0], in_any_order)))


@pytest.mark.parametrize(
    ("spelled", "parallel", "operation"),
    [
        ("affine", "parallel", "affine.parallel (%i, %j)"),
        ("scf", "parallel", "scf.parallel (%i, %j)"),
        ("scf", "forall", "scf.forall (%i, %j)"),
    ],
)
def test_parallel_loops_have_the_sets_of_loops_in_order(spelled: str, parallel: str, operation: str) -> None:
    found, ordered = compared_rows(spelled, parallel), compared_rows(spelled, "")
    assert operation in found.text
    assert operation not in ordered.text
    assert not found.wrong
    assert not ordered.wrong
    assert found.report == ordered.report
    assert found.report.exact == 4


@pytest.mark.parametrize(
    ("spelled", "operation"),
    [("while", "arith.andi"), ("cast", "arith.minsi"), ("affine", "affine.parallel")],
)
def test_loops_end_at_the_first_of_their_bounds(spelled: str, operation: str) -> None:
    """The row i ends at its number, which is before 8."""
    found = compared_rows(spelled, "parallel" if "parallel" in operation else "", "i+1")
    assert operation in found.text
    assert not found.wrong
    assert found.report.exact
