"""Polynomials of a tile's size compared with counts at sizes that are numbers, one by one."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import islpy as isl

import volcli
from tests.model.mars.partitions import drawn_matrix, drawn_offset, drawn_tiling
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.answers import MarsAnswer, TileClass
from volcli.model.mars.partition.refinement import produced_by_tiles, read_by_tiles
from volcli.model.mars.partition.uniform import Uniform
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.memory.accesses.site import Site
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.counts import Polynomial, count_at


@dataclass(frozen=True)
class SizedCase:
    """Dependences in tiles of one symbolic size s; what is produced, if each leads to iterations."""

    tiling: HyperplaneTiling
    dependences: tuple[AffineDependence, ...]
    produced: bool


def drawn_sized(chance: random.Random) -> SizedCase:
    rank = chance.choice((1, 2, 2))
    drawn = drawn_tiling(chance, rank)
    tiling = HyperplaneTiling(drawn.iterators, drawn.normals, ("s",) * rank)
    produced = chance.random() < 0.5
    unit = tuple(tuple(int(r == c) for c in range(rank)) for r in range(rank))
    matrix = unit if produced else drawn_matrix(chance, chance.randint(1, rank), rank)
    offsets = [drawn_offset(chance, len(matrix)) for _ in range(chance.randint(1, 3))]
    return SizedCase(tiling, tuple(AffineDependence(matrix, offset) for offset in offsets), produced)


@cache
def a_write() -> Site:
    """Some write: whose it is makes no difference to the sets."""
    unit = (
        volcli.loads("""func.func @f(%a: memref<4xf32>, %x: f32) {
  affine.store %x, %a[0] : memref<4xf32>
  return
}""")
        .functions[0]
        .unit
    )
    (model,) = unit.models()
    return model.memory.sites[0]


def differing_sizes(case: SizedCase, sizes: Sequence[int]) -> list[str] | None:
    """What is said of one of SIZES and is not so; None if nothing is said."""
    writer = a_write()
    flow = Flow(writer.place.root, writer if case.produced else None, (), dependences=case.dependences)
    try:
        with budget(2_000_000):
            answer = Uniform(flow, case.tiling, None).answer()
    except (NotFinite, BudgetExceeded):
        return None
    found: list[str] = []
    for size in sizes:
        tiling = replace(case.tiling, sizes=(size,) * len(case.tiling.sizes))
        for kind in tiling.kinds({}):
            footprints = Footprints(tiling, kind)
            if case.produced:
                partition = produced_by_tiles(footprints, case.dependences)
            else:
                partition = read_by_tiles(footprints, case.dependences)
            expected = sorted(Fraction(count_at(mars.points, {})) for mars in partition.sets)
            said = _said(answer, case.tiling.modulus, size, kind)
            if said not in ([expected], [len(expected)]):
                found.append(f"{case.tiling}, {case.dependences}, s = {size}, {kind}: {said}, not {expected}")
    return found


def _said(answer: MarsAnswer, modulus: int, size: int, kind: tuple[int, ...]) -> list[list[Fraction] | int]:
    """The numbers of elements, or of sets, that are said of the tile KIND for SIZE: one of them, once."""
    found: list[list[Fraction] | int] = []
    for each in answer.classes:
        if each.values["s"] % modulus != size % modulus or not _has(each, kind):
            continue
        if each.sizes is None or _holds(each.sizes, size):
            counts = [mars.count.at((size,)) for mars in each.sets if isinstance(mars.count, Polynomial)]
            found.append(sorted(counts) if len(counts) == len(each.sets) else len(each.sets))
        found += [sets for where, sets in each.exceptions if _holds(where, size)]
    return found


def _has(one: TileClass, tile: tuple[int, ...]) -> bool:
    if one.tiles is None:
        return True
    return not one.tiles.is_disjoint(isl.Set("{ [" + ", ".join(map(str, tile)) + "] }"))


def _holds(condition: str, size: int) -> bool:
    fixed = re.sub(r"\bs\b", f"({size})", condition)
    return not isl.Set(f"{{ : {fixed} }}").is_empty()
