"""parallelize: blocks of loops on any number of processors, executed beside the loops that they stand for."""

from __future__ import annotations

import pytest

import volcli
from tests.passes.rewrites.test_tile_hyperplanes import ROWS, UNLIKE
from tests.passes.rewrites.test_tile_symbolic import (
    GUARDED,
    HALVES,
    STENCIL,
    STEPS,
    SUM,
    TRIANGLE,
    VALUE_STEPS,
    different,
)
from tests.rewriting.rewritten import rewritten_by
from tests.shared.execution import needs_runner

pytestmark = pytest.mark.usefixtures("checked_at_once")


def distributed(text: str, options: str) -> str:
    return rewritten_by(f"parallelize{{{options}}}", text)


@pytest.mark.sample(1)
@needs_runner
@pytest.mark.parametrize(
    ("text", "options"),
    [
        (text, ("processors=%a", "processors=%b kind=scf.for")[n % 2])
        for n, text in enumerate((TRIANGLE, STEPS, HALVES, ROWS, UNLIKE, TRIANGLE, VALUE_STEPS, GUARDED))
    ],
    ids=["triangle", "steps", "halves", "rows", "unlike", "triangle again", "value steps", "guarded"],
)
def test_the_same_iterations_on_any_number_of_processors(text: str, options: str, mlir_opt: str) -> None:
    """Also on more than there are iterations, on none, and of loops that do not run."""
    after = distributed(text, options)
    assert after.count("%processor") > 0
    assert different(mlir_opt, text, after) == 0


@pytest.mark.parametrize("text", [TRIANGLE, ROWS], ids=["triangle", "rows"])
def test_blocks_are_compared_with_the_loop(text: str) -> None:
    """The begin of a block is min(block * processor, n), which is block * processor below n."""
    program = volcli.load(text)
    program.run("parallelize{processors=%a}")
    assert "%processor" in program.text()
    assert not program.diagnostics


@pytest.mark.slow
@needs_runner
def test_a_loop_without_an_order(mlir_opt: str) -> None:
    text = STEPS.replace(
        "scf.for %i = %three to %U step %two", "scf.parallel (%i) = (%three) to (%U) step (%two)"
    )
    after = distributed(text, "processors=%a loops=%i")
    assert different(mlir_opt, text, after) == 0


@pytest.mark.slow
@needs_runner
def test_the_loop_that_is_named(mlir_opt: str) -> None:
    """ROWS carries its dependences along %t; its inner loop is parallel, and so are both of UNLIKE."""
    assert distributed(ROWS, "processors=%a") == distributed(ROWS, "processors=%a loops=%i")
    after = distributed(UNLIKE, "processors=%a loops=%j,%k kind=scf.for")
    assert after.count("%processor = ") == 2
    assert different(mlir_opt, UNLIKE, after) == 0


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (
            ROWS,
            "processors=%a loops=%t",
            "%t is not distributed: it carries a dependence of %m[%t, %i - 1] on %m[%t + 1, %i]",
        ),
        (
            STENCIL,
            "processors=%a",
            "%i is not distributed: it carries a dependence of %m[%i - 1, %j] on %m[%i, %j]",
        ),
        (SUM, "processors=%a", "%i is not distributed: it carries %rows"),
        (ROWS, "processors=%none", "%i is not distributed: there is no %none in @f"),
        (ROWS, "processors=%m", "%i is not distributed: %m is not an index"),
        (ROWS, "processors=%x", "%i is not distributed: %x is computed in a region or after it"),
    ],
)
def test_what_is_left_as_it_is(text: str, options: str, reason: str) -> None:
    program = volcli.load(text)
    before = program.text()
    program.run(f"parallelize{{{options}}}")
    assert program.text() == before
    assert [each.message for each in program.diagnostics] == [reason]


@pytest.mark.parametrize("options", ["", "{processors=%a kind=scf.forall}"])
def test_what_cannot_be_asked_for(options: str) -> None:
    with pytest.raises(volcli.UsageError):
        volcli.load(ROWS).run(f"parallelize{options}")
