"""Answers that name no assumption hold where sums and products of 64 bits wrap around."""

from __future__ import annotations

from itertools import islice

from tests.oracles.arith.overflows import complaints, programs
from tests.oracles.arith.programs import Program, Writer

FEW = 3
"""Programs in every run of the tests; `make fuzz-arith` judges all of them."""


def test_some_programs() -> None:
    assert [each for program in islice(programs(), FEW) for each in complaints(program)] == []


def _chosen() -> Program:
    """`select(a + 3 > a, a, b)`, which is b for the greatest a."""
    writer = Writer(a=0, b=0)
    more = writer.add("addi", "%a", writer.constant(3, 0))
    writer.add("select", writer.add("cmpi", more, "%a", target=1, predicate="sgt"), "%a", "%b")
    return writer.program()


def test_an_equality_that_fails_in_the_machine_is_named() -> None:
    assert [*complaints(_chosen())] == []
