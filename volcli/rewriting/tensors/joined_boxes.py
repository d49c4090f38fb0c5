"""Boxes of tiles that were cut in vain are joined again.

A box of tiles is cut wherever better code can be made for its parts (`tile_boxes`). Sizes that are known at
run time only are cut into many boxes, most of which have no tile in a given run. Each piece of code costs
room and a loop, and is worth what it saves for the tiles of its box. So two boxes that are a box together, as
sets of tiles, have one piece of code

- if the code of both is the same, or
- if their box has at most one tile along the dimension in which they touch: what is saved there is a minimum
  or two for a tile. The code for both may not use more of what is computed outside of it than theirs.

    n rows by 4: those before floor(n / 4) are whole, and the last one is smaller, if there is one. With one
    row of padding on each side, the first tile is [0, 1), the last one begins at max(1, ceil(n / 4) - 1),
    whether it is whole or not, and those between read no padding: three boxes, nine in two dimensions.

Each step leaves one box less, so this ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import islpy as isl

from volcli.language.expressions import NotAffine
from volcli.presburger.sets import build
from volcli.rewriting.tensors.tile_boxes import Cut, TileBox
from volcli.rewriting.tensors.tile_loops import TileCode

Piece = tuple[TileBox, TileCode]


def joined(
    pieces: Sequence[Piece], context: isl.Set, code: Callable[[TileBox, bool], TileCode]
) -> Sequence[Piece]:
    """PIECES, fewer perhaps; CODE is asked for a box, and is not to ask for parts of it.

    CONTEXT is what is known of parameters.
    """
    found, tried = list(pieces), set[TileBox]()
    ranks = range(len(found[0][0].names)) if found else ()
    count = 0
    while count != len(found):
        count = len(found)
        for dimension in reversed(ranks):  # alike along one, boxes may be joined along the next
            while (joint := next(_joints(found, dimension, context, code, tried), None)) is not None:
                first, second, piece = joint
                found[first] = piece
                del found[second]
    return found


def _joints(
    pieces: Sequence[Piece],
    dimension: int,
    context: isl.Set,
    code: Callable[[TileBox, bool], TileCode],
    tried: set[TileBox],
) -> Iterator[tuple[int, int, Piece]]:
    """Two of PIECES that touch along DIMENSION, by their positions, and what takes their place.

    It is not a box that was TRIED before.
    """
    for second, (right, of_right) in enumerate(pieces):
        for first, (left, of_left) in enumerate(pieces):
            whole = None if first == second else _together(left, right, dimension, context)
            if whole is None:
                continue
            if of_left.is_like(of_right):
                yield first, second, (whole, of_left)
            elif whole not in tried and _has_one_tile(whole, dimension, context):
                tried.add(whole)
                made = _code_of_both(whole, of_left, of_right, code)
                if made is not None:
                    yield first, second, (whole, made)


def _together(left: TileBox, right: TileBox, dimension: int, context: isl.Set) -> TileBox | None:
    """The box that LEFT and, after it along DIMENSION, RIGHT are; None if there is none."""
    pairs = zip(left.lower, left.upper, right.lower, right.upper, strict=True)
    if any([low, high] != other for d, (low, high, *other) in enumerate(pairs) if d != dimension):
        return None
    whole = left.up_to(right.upper[dimension], dimension)
    parts = left.tiles.union(right.tiles)
    is_whole = parts.intersect_params(context).is_equal(whole.tiles.intersect_params(context))
    return whole if is_whole else None


def _has_one_tile(box: TileBox, dimension: int, context: isl.Set) -> bool:
    """Whether BOX never has two tiles along DIMENSION."""
    two = box.upper[dimension] - box.lower[dimension] - 2
    return build.nonnegative(0, (two,)).params().intersect(context.params()).is_empty()


def _code_of_both(
    whole: TileBox, left: TileCode, right: TileCode, code: Callable[[TileBox, bool], TileCode]
) -> TileCode | None:
    """The code for all tiles of WHOLE; None if it is less good than that of its parts."""
    try:
        made = code(whole, False)
    except (Cut, NotAffine):
        return None
    if made.used() <= left.used() | right.used():
        return made
    made.erase()
    return None
