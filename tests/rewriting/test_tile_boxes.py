"""Boxes of tiles: what a cut makes of one, and bounds for tiles that are no box."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest

from volcli.language.expressions import Expression, constant, parameter, renamed
from volcli.presburger.sets import build
from volcli.rewriting.tensors.tile_boxes import TileBox

N = parameter("n")
FREE = isl.Set("[n] -> { : n >= 0 }")
NAMES = ("q0'", "q1'")
FIRST, SECOND = map(parameter, NAMES)


def tiles(box: TileBox, n: int) -> set[tuple[int, int]]:
    """The tiles of BOX for one n, by enumeration of its bounds: outer indices first."""

    def number(expression: Expression, known: dict[str, Expression]) -> int:
        value = renamed(expression, {"n": constant(n), **known})
        assert value.is_constant
        return value.constant

    found: set[tuple[int, int]] = set()
    for first in range(number(box.lower[0], {}), number(box.upper[0], {})):
        known = {NAMES[0]: constant(first)}
        for second in range(number(box.lower[1], known), number(box.upper[1], known)):
            found.add((first, second))
    return found


@pytest.mark.sample(4)
@pytest.mark.parametrize("n", [0, 1, 5, 16, 17, 40])
@pytest.mark.parametrize("at", [constant(0), constant(2), N // 16, (N + 5) // 16, N - 3])
@pytest.mark.parametrize("dimension", [0, 1])
def test_a_cut_divides_the_tiles(n: int, at: Expression, dimension: int) -> None:
    whole = TileBox.all((N, constant(7)), (16, 3))
    before, behind = whole.cut(dimension, at, FREE)
    first, second = tiles(before, n), tiles(behind, n)
    assert first | second == tiles(whole, n) == set(product(range(-(-n // 16)), range(3)))
    assert not first & second


def test_what_never_counts_is_left_out() -> None:
    """There are no fewer tiles than whole tiles, and a cut at 0 leaves nothing before it."""
    whole = TileBox.all((N, constant(7)), (16, 3))
    before, behind = whole.cut(0, N // 16, FREE)
    assert before.upper[0] == behind.lower[0] == N // 16
    assert whole.cut(1, constant(2), FREE)[1].index[1] == constant(2)


def test_bounds_over_outer_indices() -> None:
    """Of 4 x 4 tiles those on and below the diagonal: the inner loop ends behind the outer index."""
    whole = TileBox.all((constant(64), constant(64)), (16, 16))
    below = whole.only(build.nonnegative(0, (FIRST - SECOND,)).params())
    assert below is not None
    assert (below.lower, below.upper) == ((constant(0),) * 2, (constant(4), parameter(NAMES[0]) + 1))
    assert tiles(below, 0) == {(i, j) for i in range(4) for j in range(i + 1)}
    two = build.equal(SECOND, constant(2))
    assert whole.only(two.complement()) is None, "no loop leaves out its middle"
    row = below.cut(0, constant(1), FREE)[0]
    assert row.looped == [], "its only tile is [0, 0]"
