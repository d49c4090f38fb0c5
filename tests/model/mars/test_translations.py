"""The theory of translations against the flow of the program, of each array in each file of testdata."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import islpy as isl
import pytest

import volcli
from volcli.limits.presburger import FUNCTION
from volcli.model.mars.footprints.dataflow import flows
from volcli.model.mars.partition.answers import MarsAnswer, TileClass
from volcli.model.mars.partition.classes_by_translation import nearest
from volcli.model.mars.partition.partitioning import answer
from volcli.model.mars.partition.tiled_program import TiledProgram
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.vectors import affine_map, unit

FILES = sorted((Path(__file__).parents[3] / "testdata" / "mars").glob("*.mlir"))
_TILE = re.compile(r"tile='([^']*)'")
_SYMBOL = re.compile(r":[a-z]")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sets_by_translation_are_those_of_the_program(path: Path) -> None:
    """Of the first tile that is covered: found from all pieces of the flow, set by set, with the consumers."""
    match = _TILE.search(path.read_text())
    assert match is not None
    scheme = TileScheme.parse(_SYMBOL.sub(":4", match[1]))
    unit_of_text = volcli.load(path).functions[0].unit
    (model,) = unit_of_text.models()
    for flow in flows(unit_of_text.as_loops(model) if scheme.cuts_operations else model, scheme, FUNCTION):
        answered = answer(flow)
        if answered.covers is None or any(each.tiles for one in answered.classes for each in one.sets):
            continue
        assert flow.nest is not None
        tiling = replace(flow.nest.tiling, lattice=flow.lattice)
        program = TiledProgram(flow, tiling, tiling)
        tile = nearest(answered.covers)
        said = (program.among_whole if answered.only_whole else program.everything).of(tile)
        point = isl.Set("{ [" + ", ".join(map(str, tile)) + "] }")
        (one,) = (each for each in answered.classes if each.tiles is None or point.is_subset(each.tiles))
        moved = _moved(answered, one, tile)
        assert len(moved) == len(said)
        assert all(sum(bool(mine.is_equal(points)) for mine in moved) == 1 for points, _ in said)


def _moved(answered: MarsAnswer, one: TileClass, tile: tuple[int, ...]) -> list[isl.Set]:
    """The sets of ONE, at TILE."""
    flow = answered.flow
    assert flow.nest is not None
    rank = len(tile)
    delta = tuple(a - b for a, b in zip(tile, one.example, strict=True))
    vector = [int(entry.p) for entry in flow.nest.tiling.translation(delta, {})]
    count = one.sets[0].points.dim(isl.dim_type.set)
    if flow.writer is None:
        rows = flow.dependences[0].of_tiled(rank)
        offset = [sum(a * v for a, v in zip(row, vector, strict=True)) for row in rows]
    else:
        offset = [*vector, *(0,) * (count - rank)]
    return [each.points.apply(affine_map(unit(count), offset)) for each in one.sets]
