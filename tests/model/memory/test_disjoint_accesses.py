"""Accesses in boxes that never meet, and those that go to an element once, against all pairs of iterations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import islpy as isl
import pytest

import volcli
from volcli.facts.flow import ReadFact
from volcli.language.expressions import Parameter, expression_of_atom
from volcli.model.memory.accesses.boxed_accesses import BoxedAccess, NumberedAccess
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.flow.disjoint import are_disjoint, is_injective

Row = tuple[int, ...]
"""The coefficients of the numbers of loops."""


def access(trips: Sequence[int], rows: Sequence[Row], offset: Row) -> NumberedAccess:
    numbers = [Parameter(f"t{k}") for k in range(len(trips))]
    zero = expression_of_atom(numbers[0]) * 0
    elements = [
        sum((expression_of_atom(n) * c for n, c in zip(numbers, row, strict=True)), zero) for row in rows
    ]
    boxed = BoxedAccess.of(Box(dict(zip(numbers, trips, strict=True)), {}), elements)
    return NumberedAccess(boxed, 0, offset, ())


def element(row: Sequence[Row], offset: Row, numbers: Sequence[int]) -> Row:
    return tuple(
        start + sum(c * n for c, n in zip(each, numbers, strict=True))
        for each, start in zip(row, offset, strict=True)
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_of_accesses_in_boxes(seed: int) -> None:
    draw = random.Random(seed)
    depth, rank = draw.randint(1, 3), draw.randint(1, 2)
    equal = draw.randint(0, depth)
    common = [draw.randint(1, 3) for _ in range(equal)]
    sides: list[tuple[list[int], list[Row], Row]] = []
    for _ in range(2):
        trips = [*common, *(draw.randint(1, 4) for _ in range(depth - equal))]
        rows = [tuple(draw.choice((0, 0, 1, 2, 4, -3)) for _ in trips) for _ in range(rank)]
        sides.append((trips, rows, tuple(draw.randint(0, 9) for _ in range(rank))))
    (trips, rows, offset), (others, other_rows, other_offset) = sides
    points = [*product(*map(range, trips))]
    meet = any(
        element(rows, offset, one) == element(other_rows, other_offset, other)
        for one in points
        for other in product(*map(range, others))
        if one[:equal] == other[:equal]
    )
    if are_disjoint(access(trips, rows, offset), access(others, other_rows, other_offset), equal):
        assert not meet
    if is_injective(access(trips, rows, offset), equal):
        assert len({(each[:equal], element(rows, offset, each)) for each in points}) == len(points)


def test_unrolled_loops_have_disjoint_writes_that_go_to_an_element_once() -> None:
    one, other = access((8,), [(4,)], (1,)), access((8,), [(4,)], (0,))
    assert are_disjoint(one, other, 0)
    assert is_injective(one, 0)
    reduction = access((8, 3), [(1, 0)], (0,))
    assert not is_injective(reduction, 1)
    assert is_injective(reduction, 2)


PROGRAM = """
func.func @f(%x: f32, %c: i1) -> f32 {
  %m = memref.alloc() : memref<16xf32>
  %y = arith.constant 1.0 : f32
  affine.for %i = 0 to 16 { affine.store %x, %m[%i] : memref<16xf32> }
  affine.for %i = 0 to 16 { scf.if %c { memref.store %y, %m[%i] : memref<16xf32> } }
  affine.for %i = 0 to 16 step 2 {
    affine.store %x, %m[%i] : memref<16xf32>
    affine.store %x, %m[%i + 1] : memref<16xf32>
  }
  %r = affine.for %i = 0 to 16 iter_args(%s = %x) -> f32 {
    %v = affine.load %m[%i] : memref<16xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  return %r : f32
}
"""


def test_what_may_be_written_before_all_last_writers_is_no_source() -> None:
    facts = volcli.loads(PROGRAM).run("memory-flow").facts
    (read,) = (fact for fact in facts if isinstance(fact, ReadFact))
    assert read.exact
    for remainder, source in enumerate(read.sources):
        expected = isl.Map(f"{{ [i] -> [i + {remainder}] : i mod 2 = 0 and 0 <= i <= 14 }}")
        assert isl.Map(str(source.pairs)).is_equal(expected)
    assert len(read.sources) == 2
