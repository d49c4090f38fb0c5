r"""The blocks of one array in memory: which MARS is where, and which tile reads it from whose block.

What tiles produce belongs to the tile that produces it, and a consumer that is δ further reads the blocks of
the tile that is -δ away. A set of an array that is only read belongs to the least of its consumers; tiles
with one footprint, those that are integer combinations of the consumers' directions apart, have one block.
With a unimodular matrix U of which the last rows are a basis of these directions, t·U^-1 has the coordinates
of the class of t first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import flint
import islpy as isl

from volcli.model.mars.allocation.accesses import NotAllocatable, Rows, TileAccess, product
from volcli.model.mars.allocation.transfers import Move, convex_parts, crossed, in_every_tile, moved, room
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet
from volcli.model.mars.tilings.vectors import Offset
from volcli.model.memory.accesses.site import Site


@dataclass(frozen=True, eq=False)
class MarsBlocks:
    """Blocks of `length` elements, one for each value of `coordinates`·t of the tiles t.

    What `writer` produces is written by `writes` at the end of each tile, over (t, iteration). An array that
    is only read (no writer) is copied before the nest, by `writes` over (coordinates, element). Tiles `read`
    blocks at their beginning; these may be blocks of tiles that do not run, whose coordinates are `reach`
    further.
    """

    writer: Site | None
    length: int
    coordinates: Rows
    reach: tuple[tuple[int, int], ...]
    writes: tuple[Move, ...]
    reads: tuple[Move, ...]


def produced_blocks(found: MarsAnswer, writer: TileAccess, translation: Rows) -> MarsBlocks | None:
    """The blocks of what WRITER produces; None if no other tile reads any of it. Raises NotAllocatable."""
    sets = _sets(found)
    if found.layout is None:
        return None
    tiles = len(translation[0])
    domain = [in_every_tile(part, tiles) for part in convex_parts(writer.domain)]
    parts = {k: convex_parts(sets[k].points) for k in found.layout.order}
    starts, length = _starts([(k, sets[k].points) for k in found.layout.order])

    def move(k: int, by: Offset) -> Move:
        shift = _shift(translation, by)
        here = [moved(part, translation, shift, tiles) for part in parts[k]]
        return Move(crossed(here, domain), writer.matrix, writer.offset, by, starts[k])

    consumers = sorted({each.offset for one in sets for each in one.consumers})
    reads = [
        move(k, tuple(-step for step in offset))
        for offset in consumers
        for k in found.layout.order
        if any(each.offset == offset for each in sets[k].consumers)
    ]
    writes = [move(k, (0,) * tiles) for k in found.layout.order]
    unit = tuple(tuple(int(r == c) for c in range(tiles)) for r in range(tiles))
    return MarsBlocks(writer.site, length, unit, ((0, 0),) * tiles, _some(writes), _some(reads))


def packed_blocks(found: MarsAnswer, translation: Rows, shape: isl.Set) -> MarsBlocks | None:
    """The blocks of an array of this SHAPE that is only read, and whose elements TRANSLATION moves.

    Raises NotAllocatable.
    """
    sets = _sets(found)
    if found.layout is None:
        return None
    tiles, rank = len(translation[0]), len(translation)
    coordinates, section = _classes(translation)
    parts = {k: convex_parts(sets[k].points) for k in found.layout.order}
    starts, length = _starts([(k, sets[k].points) for k in found.layout.order])
    family = {_family(sets[k]): k for k in found.layout.order}
    unit = tuple(tuple(int(r == c) for c in range(rank)) for r in range(rank))
    count = len(coordinates)

    def copy(k: int) -> Move:
        by = tuple(-step for step in sets[k].consumers[0].offset)
        along = product(translation, section) if count else ((),) * rank
        here = [moved(part, along, _shift(translation, by), count) for part in parts[k]]
        return Move(crossed(here, [in_every_tile(shape, count)]), unit, (0,) * rank, (), starts[k])

    def read(one: MarsSet) -> Move:
        k, first = family[_family(one)], one.consumers[0].offset
        by = tuple(x - y for x, y in zip(first, sets[k].consumers[0].offset, strict=True))
        shift = _shift(translation, by)
        here = [moved(part, translation, shift, tiles) for part in parts[k]]
        whole = moved(one.points, translation, (0,) * rank, tiles)
        if not all(part.is_subset(whole) for part in here) or room(one.points) != room(sets[k].points):
            raise NotAllocatable("sets of one family are not translates of each other")
        return Move(crossed(here, [in_every_tile(shape, tiles)]), unit, (0,) * rank, first, starts[k])

    reads = sorted(map(read, sets), key=lambda each: (each.block, each.start))
    owners = [
        [sum(c * x for c, x in zip(row, each.block, strict=True)) for each in reads] for row in coordinates
    ]
    reach = tuple((min(0, *row), max(0, *row)) for row in owners)
    writes = [copy(k) for k in found.layout.order]
    return MarsBlocks(None, length, coordinates, reach, _some(writes), _some(reads))


def _sets(found: MarsAnswer) -> tuple[MarsSet, ...]:
    """The sets of a tile, which are those of all tiles. Raises NotAllocatable if they are not."""
    if found.because is not None:
        raise NotAllocatable(found.because)
    if not found.invariant or len(found.classes) != 1:
        raise NotAllocatable(found.reason or "its sets depend on the position of the tile")
    return found.classes[0].sets


def _starts(sets: Sequence[tuple[int, isl.Set]]) -> tuple[dict[int, int], int]:
    """Where each set begins in a block, and how long that is."""
    starts: dict[int, int] = {}
    length = 0
    for k, points in sets:
        starts[k] = length
        length += room(points)
    return starts, length


def _shift(translation: Rows, by: Offset) -> tuple[int, ...]:
    return tuple(sum(c * x for c, x in zip(row, by, strict=True)) for row in translation)


def _some(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Those of MOVES that move something in some tile."""
    return tuple(each for each in moves if each.parts)


def _family(mars: MarsSet) -> frozenset[Offset]:
    """The consumers of a set relative to the one that it belongs to."""
    first = mars.consumers[0].offset
    return frozenset(each.relative_to(first) for each in mars.consumers)


def _classes(translation: Rows) -> tuple[Rows, Rows]:
    """Coordinates of tiles that are the same where TRANSLATION is, and a tile for each value of them.

    >>> _classes(((8, 0, 0), (0, 0, 8)))
    (((1, 0, 0), (0, 0, 1)), ((1, 0), (0, 0), (0, 1)))
    """
    rank, tiles = len(translation), len(translation[0])
    rows = [[*(row[j] for row in translation), *(int(j == k) for k in range(tiles))] for j in range(tiles)]
    reduced = flint.fmpz_mat(rows).hnf()
    count = sum(any(int(reduced[r, c]) for c in range(rank)) for r in range(tiles))
    unimodular = flint.fmpq_mat(
        flint.fmpz_mat([[int(reduced[r, rank + c]) for c in range(tiles)] for r in range(tiles)])
    )
    inverse = unimodular.inv()
    coordinates = tuple(tuple(int(inverse[j, k].p) for j in range(tiles)) for k in range(count))
    section = tuple(tuple(int(unimodular[k, j].p) for k in range(count)) for j in range(tiles))
    return coordinates, section
