r"""The tiles whose footprints intersect that of a tile, up to the translations that leave footprints alone.

By one linear part A the tile that is δ away reads what the tile at hand reads, moved by A·H^-1·diag(s)·δ. Its
footprint intersects another one that is moved by b_k - b_i if two points of a tile differ by what is left:

    A·H^-1·diag(s)·(δ + ε) = b_k - b_i     for some ε, |ε_j| < 1

All δ with the same A·H^-1·diag(s)·δ whose difference is a translation by integers have one footprint: they
are one *class* of consumers, and one of them stands for all (proposition 4.1 of Ferry, Derrien and
Rajopadhye: the projections W on a supplement of the kernel, P the set of classes; the translation must be one
of integers there, too, as in E001-2). The classes that intersect a footprint are finitely many, also for
sizes that are symbols: with one symbol s for all sizes, A·H^-1·(δ + ε) = (b_k - b_i) / s, and s >= 1. Sizes
of several symbols must move footprints in independent directions; otherwise the ratio of the sizes decides
which footprints intersect, and there are infinitely many classes (`NotFinite`).

>>> tiling = HyperplaneTiling.parse("i+j: s, j-i: s")
>>> [c.offset for c in candidates(tiling, [AffineDependence(((1, 0),), (0,))])]
[(-1, 0), (0, 0), (1, 0)]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint
import islpy as isl

from volcli.limits import mars as limits
from volcli.model.mars.footprints.footprints import AffineDependence
from volcli.model.mars.tilings.spans import columns, fraction, part_along, side_by_side
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import Offset, affine_map, tuple_text, unit
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets.build import DIM


class NotFinite(ValueError):
    """There is no finite set of classes of consumers that holds for all sizes; the text says why."""


@dataclass(frozen=True)
class Consumer:
    """A class of tiles: the tiles OFFSET + any integer combination of `along` away."""

    offset: Offset
    along: tuple[Offset, ...] = ()

    @property
    def is_own(self) -> bool:
        """Whether it is the tile itself, or tiles with its footprint."""
        return not any(self.offset)

    @property
    def tiles(self) -> isl.Map:
        """From each tile to those of the class."""
        rank, along = len(self.offset), self.along
        rows = [[*row, *(each[k] for each in along)] for k, row in enumerate(unit(rank))]
        return affine_map(rows, self.offset).project_out(DIM.in_, rank, len(along))

    def relative_to(self, offset: Offset) -> Offset:
        """The class as it is seen from the tile that is OFFSET away."""
        moved = tuple(x - y for x, y in zip(self.offset, offset, strict=True))
        return _reduced(moved, self.along)

    def __str__(self) -> str:
        """`(1, 0) + p (1, 1)`."""
        parts = [tuple_text(self.offset)]
        names = ("p", "q", "r") if len(self.along) <= 3 else tuple(f"p{k}" for k in range(len(self.along)))
        parts += [f"{name} {tuple_text(along)}" for name, along in zip(names, self.along, strict=False)]
        return " + ".join(parts)


def candidates(tiling: HyperplaneTiling, dependences: Sequence[AffineDependence]) -> list[Consumer]:
    """The classes whose footprints may intersect that of a tile, in the order of their offsets.

    DEPENDENCES have one linear part on the tiling's iterators. Raises NotFinite.
    """
    linear = dependences[0].of_tiled(len(tiling.iterators))
    moves = flint.fmpq_mat(flint.fmpz_mat([list(row) for row in linear])) * tiling.inverse
    groups = _groups(tiling)
    directions = [columns(moves, group) for group in groups]
    reaches = _reaches(tiling, dependences, moves, directions)
    found: list[list[Offset]] = []
    kernel: list[Offset] = []
    for group, direction, reach in zip(groups, directions, reaches, strict=True):
        steps = _steps(direction, tiling, group)
        offsets, along = _lattice_points(steps, reach, group, len(tiling.sizes))
        found.append(offsets)
        kernel += along
    along, others = _translations(tiling, groups, kernel)
    classes = [_reduced(_sum(combination), along) for combination in itertools.product(*found, others)]
    return [Consumer(offset, tuple(along)) for offset in sorted(classes)]


def _translations(
    tiling: HyperplaneTiling, groups: Sequence[Sequence[int]], kernel: Sequence[Offset]
) -> tuple[list[Offset], list[Offset]]:
    """Of the offsets in the lattice KERNEL, which leave footprints where they are, those that lead to
    translates.

    A basis of these, for all sizes, and one offset for each other kind of tile along the kernel.
    """
    modulus, count = tiling.modulus, len(tiling.sizes)
    nowhere = (0,) * count
    if modulus == 1 or not kernel:
        return list(kernel), [nowhere]
    if modulus ** len(kernel) > limits.RESIDUES:
        raise NotFinite(f"{modulus ** len(kernel)} residues of tiles may have one footprint")
    found: dict[tuple[int, ...], Offset] = {}
    same = [[modulus * int(k == own) for k in range(len(kernel))] for own in range(len(kernel))]
    for times in itertools.product(range(modulus), repeat=len(kernel)):
        offset = _sum([nowhere, *(tuple(t * x for x in k) for t, k in zip(times, kernel, strict=True))])
        kind = tuple(
            int(entry * modulus) % modulus for group in groups for entry in _moved(tiling, group, offset)
        )
        found.setdefault(kind, offset)
        if not any(kind):
            same.append(list(times))
    reduced = flint.fmpz_mat(same).hnf()
    basis = [[int(reduced[r, c]) for c in range(len(kernel))] for r in range(len(kernel))]
    along = [_sum([tuple(t * x for x in k) for t, k in zip(row, kernel, strict=True)]) for row in basis]
    return along, list(found.values())


def _moved(tiling: HyperplaneTiling, group: Sequence[int], offset: Offset) -> list[Fraction]:
    """How far the tile that is OFFSET away is along the hyperplanes of GROUP, in units of their symbol."""
    sizes = [size if isinstance(size := tiling.sizes[j], int) else 1 for j in group]
    return [
        sum(
            (fraction(tiling.steps[r, j]) * size * offset[j] for j, size in zip(group, sizes, strict=True)),
            Fraction(0),
        )
        for r in range(len(offset))
    ]


def _reaches(
    tiling: HyperplaneTiling,
    dependences: Sequence[AffineDependence],
    moves: flint.fmpq_mat,
    directions: Sequence[flint.fmpq_mat],
) -> list[list[Fraction]]:
    """How far, in each coordinate, the classes of each group of sizes may be from a sum of steps below 1.

    That is |b_k - b_i|, of which the part along the group's direction counts where the directions of the
    groups, and of the loops inside a tile, are independent."""
    inside = _inner_directions(dependences, len(tiling.iterators))
    spans = [*directions, *([inside] if inside is not None else [])]
    gaps = {
        tuple(x - y for x, y in zip(one.offset, other.offset, strict=True))
        for one, other in itertools.product(dependences, repeat=2)
    }
    if sum(span.rank() for span in spans) == side_by_side(spans).rank():
        return [
            _most(
                [part for gap in gaps if (part := part_along(spans, direction, gap)) is not None],
                moves.nrows(),
            )
            for direction in directions
        ]
    if len(directions) > 1:
        sizes = " and ".join(map(str, dict.fromkeys(tiling.sizes)))
        raise NotFinite(
            f"sizes {sizes} move what a tile reads in one direction: their ratio decides what tiles share"
        )
    reach = _most([[Fraction(x) for x in gap] for gap in gaps], moves.nrows())
    for row in range(moves.nrows()):
        if any(moves[row, j] != 0 for j in range(moves.ncols())):
            reach[row] += _spread(dependences, row)
    return [reach]


def _most(parts: Sequence[Sequence[Fraction]], rank: int) -> list[Fraction]:
    return [max((abs(part[row]) for part in parts), default=Fraction(0)) for row in range(rank)]


def _inner_directions(dependences: Sequence[AffineDependence], tiled: int) -> flint.fmpq_mat | None:
    """The columns by which the loops inside a tile move an element; None if no loop does."""
    columns = [column for each in dependences for column in list(zip(*each.matrix, strict=True))[tiled:]]
    moving = [column for column in columns if any(column)]
    return (
        flint.fmpq_mat(flint.fmpz_mat([list(row) for row in zip(*moving, strict=True)])) if moving else None
    )


def _spread(dependences: Sequence[AffineDependence], row: int) -> int:
    """How far apart the loops inside a tile move coordinate ROW, at most. Raises NotFinite."""
    lows, highs = [0], [0]
    for each in dependences:
        if each.inner is None:
            continue
        tiled = len(each.matrix[row]) - each.inner.dim(DIM.set)
        coordinate = each.inner.apply(affine_map([each.matrix[row][tiled:]], [0]))
        low, high = interval(coordinate, 0)
        if low is None or high is None:
            raise NotFinite(
                "a loop inside the tiles has no constant bounds, and moves what is read where the tiles do"
            )
        lows.append(low)
        highs.append(high)
    return max(highs) - min(lows)


def _groups(tiling: HyperplaneTiling) -> list[list[int]]:
    """The hyperplanes by the symbol of their size; those with a number are one group."""
    groups: dict[str | None, list[int]] = {}
    for j, size in enumerate(tiling.sizes):
        groups.setdefault(size if isinstance(size, str) else None, []).append(j)
    return list(groups.values())


def _steps(direction: flint.fmpq_mat, tiling: HyperplaneTiling, group: Sequence[int]) -> list[list[Fraction]]:
    """How one tile along each hyperplane of GROUP moves a footprint, in units of the symbol."""
    sizes = [size if isinstance(size := tiling.sizes[j], int) else 1 for j in group]
    return [
        [fraction(direction[row, k]) * size for row in range(direction.nrows())]
        for k, size in enumerate(sizes)
    ]


def _lattice_points(
    steps: Sequence[Sequence[Fraction]], reach: Sequence[Fraction], group: Sequence[int], count: int
) -> tuple[list[Offset], list[Offset]]:
    """One offset for each sum of STEPS within REACH and one tile, and a basis of the sums that are 0."""
    scale = math.lcm(1, *(x.denominator for step in steps for x in step))
    rank = len(reach)
    table = flint.fmpz_mat(
        [
            [*(int(x * scale) for x in step), *(int(k == own) for k in range(len(steps)))]
            for own, step in enumerate(steps)
        ]
    ).hnf()
    rows = [[int(table[r, c]) for c in range(table.ncols())] for r in range(table.nrows())]
    limits = [
        max(0, math.ceil((sum((abs(step[r]) for step in steps), Fraction(0)) + reach[r]) * scale) - 1)
        for r in range(rank)
    ]
    basis = [row for row in rows if any(row[:rank])]
    kernel = [_spread_out(row[rank:], group, count) for row in rows if not any(row[:rank])]
    start = [0] * (rank + len(steps))
    points = [_spread_out(point[rank:], group, count) for point in _within(basis, start, limits, 0)]
    return points, kernel


def _within(
    basis: Sequence[Sequence[int]], point: list[int], limits: Sequence[int], level: int
) -> Iterator[list[int]]:
    """POINT plus combinations of the echelon BASIS from LEVEL on, of no coordinate beyond its limit."""
    if level == len(basis):
        if all(abs(x) <= limit for x, limit in zip(point, limits, strict=False)):
            yield point
        return
    row = basis[level]
    pivot = next(c for c, x in enumerate(row) if x)
    low = math.ceil(Fraction(-limits[pivot] - point[pivot], row[pivot]))
    high = math.floor(Fraction(limits[pivot] - point[pivot], row[pivot]))
    for times in range(low, high + 1):
        yield from _within(basis, [x + times * y for x, y in zip(point, row, strict=True)], limits, level + 1)


def _spread_out(offsets: Sequence[int], group: Sequence[int], count: int) -> Offset:
    result = [0] * count
    for j, offset in zip(group, offsets, strict=True):
        result[j] = offset
    return tuple(result)


def _sum(offsets: Sequence[Offset]) -> Offset:
    return tuple(map(sum, zip(*offsets, strict=True)))


def _reduced(offset: Offset, kernel: Sequence[Offset]) -> Offset:
    """The member of the class of OFFSET that is nearest to 0: the least sum of absolute coordinates."""
    best = offset
    while kernel:
        near = [
            tuple(x + sum(t * k[i] for t, k in zip(times, kernel, strict=True)) for i, x in enumerate(best))
            for times in itertools.product((-1, 0, 1), repeat=len(kernel))
        ]
        better = min(near, key=_size)
        if _size(better) >= _size(best):
            return best
        best = better
    return best


def _size(offset: Offset) -> tuple[int, Offset, Offset]:
    return sum(map(abs, offset)), tuple(-abs(x) for x in offset), tuple(-x for x in offset)
