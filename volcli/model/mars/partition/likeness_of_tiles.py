r"""Which tiles of a class, all with so many sets, have sets of the same sizes.

The sets E_1, ..., E_n of an example u are moved to a tile v by D_k·(v - u), where D_k is what one of the
dependences makes of the translation of tiles. They are those of v if

    E_k + D_k·(v - u) is in one set of v for each k, and the union of them is all that v holds

since v has n sets. Where that is not seen, the tiles are gone through, if they are few: one block of a matrix
and another one, its transpose, are two blocks but for tiles on the diagonal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import islpy as isl

from volcli.limits import mars as limits
from volcli.model.mars.partition.positions import Positions
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM

Point = tuple[int, ...]
Matrix = tuple[Point, ...]


def are_translates(
    said: Positions, tiles: isl.Set, example: Sequence[int], sets: Sequence[isl.Set], moves: Sequence[Matrix]
) -> bool:
    """Whether all TILES have SETS of the EXAMPLE, moved by one of MOVES each."""
    held = said.held.intersect_domain(tiles)
    rest = held
    for each in sets:
        fitting = (pairs for move in moves if _fits(pairs := _moved(each, tiles, example, move), held, said))
        pairs = next(fitting, None)
        if pairs is None:
            return False
        rest = rest.subtract(pairs)
    return bool(rest.is_empty())


def moves_of(tiling: HyperplaneTiling, parts: Sequence[Matrix]) -> list[Matrix]:
    """D = A·H^-1·diag(s) for each linear part A, if it is an integer matrix."""
    count = len(tiling.sizes)
    columns = [tiling.translation(column, {}) for column in unit(count)]
    found: list[Matrix] = []
    for part in dict.fromkeys(parts):
        rows = [[sum(a * c for a, c in zip(row, column, strict=True)) for column in columns] for row in part]
        if all(entry.q == 1 for row in rows for entry in row if not isinstance(entry, int)):
            found.append(
                tuple(tuple(int(e) if isinstance(e, int) else int(e.p) for e in row) for row in rows)
            )
    return found


def _moved(points: isl.Set, tiles: isl.Set, example: Sequence[int], move: Matrix) -> isl.Map:
    """`{ v -> e + MOVE·(v - EXAMPLE) : e in POINTS, v in TILES }`."""
    count, rank = len(example), len(move)
    offset = [-sum(a * b for a, b in zip(row, example, strict=True)) for row in move]
    both = tiles.flat_product(points)
    to = affine_map([[*row, *same] for row, same in zip(move, unit(rank), strict=True)], offset)
    first = affine_map(unit(count + rank)[:count], (0,) * count)
    return to.intersect_domain(both).apply_domain(first)


def _fits(pairs: isl.Map, held: isl.Map, said: Positions) -> bool:
    """Whether PAIRS lead from each tile to elements of one set that it HOLDS."""
    if not pairs.is_subset(held):
        return False
    together = pairs.range_product(pairs).range().unwrap()
    return bool(together.is_subset(said.same))


def by_sizes(said: Positions, tiles: isl.Set) -> list[isl.Set] | None:
    """TILES by the sizes of their sets; None if they, or what they hold, are many, or not finite."""
    held = said.held.intersect_domain(tiles)
    if held.is_empty():
        return []
    rank = tiles.dim(DIM.set)
    consumers = said.consumers.intersect_domain(held.range())
    consumed = few_points(consumers.wrap().flatten(), limits.COMPARED_POINTS, limits.COMPARED_OPERATIONS)
    kept = few_points(held.wrap().flatten(), limits.COMPARED_POINTS, limits.COMPARED_OPERATIONS)
    if consumed is None or kept is None:
        return None
    elements = consumers.dim(DIM.in_)  # the tiles of readers may have more coordinates, or fewer
    by_element: dict[Point, set[Point]] = defaultdict(set)
    for point in consumed:
        by_element[point[:elements]].add(point[elements:])
    sizes: dict[Point, Counter[frozenset[Point]]] = defaultdict(Counter)
    for point in kept:
        sizes[point[:rank]][frozenset(by_element[point[rank:]])] += 1
    kinds: dict[Point, list[Point]] = defaultdict(list)
    for tile, found in sizes.items():
        kinds[tuple(sorted(found.values()))].append(tile)
    return list(_sets_of(kinds.values())) if len(kinds) <= limits.KINDS_OF_TILES else None


def _sets_of(kinds: Iterable[list[Point]]) -> Iterator[isl.Set]:
    """Each of KINDS, which are tiles, as a set, in the order of their first tiles."""
    for points in sorted(map(sorted, kinds)):
        text = "; ".join(f"[{', '.join(map(str, point))}]" for point in points)
        yield isl.Set(f"{{ {text} }}").coalesce()
