"""Poison that decides what runs, or where memory is accessed, is undefined: nothing after it is attained by it."""

from __future__ import annotations

import pytest

import volcli
from volcli.api.function import Function


def function(*lines: str) -> Function:
    """A function of %a and %b, in which `%s = %a + 1` is poison for %a = 127; %u is the larger of %a and 1."""
    before = (
        "%c0 = arith.constant 0 : i8",
        "%c1 = arith.constant 1 : i8",
        "%s = arith.addi %a, %c1 overflow<nsw> : i8",
    )
    text = "\n".join((*before, *lines, "%u = arith.maxsi %a, %c1 : i8", "return"))
    return volcli.loads(f"func.func @f(%a: i8, %b: i8) {{\n{text}\n}}").function("f")


BRANCH = "%r = scf.if %c -> i8 { scf.yield %a : i8 } else { scf.yield %b : i8 }"
LOOP = "%r = scf.for %i = %c1 to %s step %c1 iter_args(%x = %b) -> i8 : i8 { scf.yield %x : i8 }"
DECIDED = {
    "a branch": ("%c = arith.cmpi sle, %s, %b : i8", BRANCH),
    "a branch, whatever the poison is": ("%c = arith.cmpi sle, %s, %s : i8", BRANCH),
    "an assertion": ("%c = arith.cmpi sle, %s, %s : i8", 'cf.assert %c, "it holds"'),
    "a loop": (LOOP,),
    "an address": (
        "%m = memref.alloc() : memref<200xi8>",
        "%at = arith.index_cast %s : i8 to index",
        "memref.store %b, %m[%at] : memref<200xi8>",
    ),
}


@pytest.mark.parametrize("what", DECIDED)
def test_what_poison_decides_is_undefined(what: str) -> None:
    upper = function(*DECIDED[what]).bounds("%u").upper
    assert (upper.constant, upper.exact) == (126, True)


def test_poison_that_decides_nothing_restricts_nothing() -> None:
    stored = "memref.store %s, %m[] : memref<i8>"
    upper = function("%m = memref.alloc() : memref<i8>", stored).bounds("%u").upper
    assert (upper.constant, upper.exact) == (127, True)


def test_in_a_loop_that_may_not_run_it_restricts_what_runs_alone() -> None:
    program = function(
        "%i0 = arith.constant 0 : index",
        "%i1 = arith.constant 1 : index",
        "%n = arith.index_cast %b : i8 to index",
        "scf.for %i = %i0 to %n step %i1 {",
        "  %c = arith.cmpi sle, %s, %b : i8",
        "  scf.if %c { }",
        "}",
        "%p = arith.addi %b, %c0 : i8",
    )
    assert program.bounds("%u").upper.constant == 127
    assert program.compare("%u <= 126 or %p <= 0").found.verdict.value == "proved"


@pytest.mark.parametrize(
    "maker",
    [
        ("%e = arith.cmpi slt, %a, %c0 : i8", "%p = arith.select %e, %s, %b : i8"),
        ("%p = arith.shli %a, %b overflow<nsw> : i8",),
        ("%p = arith.shrsi %a, %b exact : i8",),
    ],
)
def test_whether_it_is_poison_may_be_unknown(maker: tuple[str, ...]) -> None:
    program = function(*maker, "%c = arith.cmpi sle, %p, %b : i8", BRANCH)
    upper = program.bounds("%u").upper
    assert (upper.constant, upper.exact) == (127, False)


def test_a_value_that_does_not_depend_on_its_poison_is_poison() -> None:
    program = function("%c = arith.xori %s, %s : i8")
    assert program.compare("%c + %a < 127").found.verdict.value == "proved"
