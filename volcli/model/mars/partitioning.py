"""The MARS of one array: by one linear part where there is one, else by the position of the tile."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from volcli.model.mars.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.cases import whole_tiles
from volcli.model.mars.consumers import NotFinite
from volcli.model.mars.dataflow import Flow
from volcli.model.mars.positions import Positions, everywhere
from volcli.model.mars.tiling import HyperplaneTiling, tiles_named
from volcli.model.mars.uniform import Uniform, is_countable
from volcli.presburger.build import DIM, number
from volcli.presburger.counts import count_at


def answer(flow: Flow, access: isl.Map | None = None) -> MarsAnswer:
    """The MARS of FLOW. ACCESS leads from its elements to those of the array in memory."""
    if flow.because is not None or flow.nest is None:
        return MarsAnswer(flow, because=flow.because)
    tiling = replace(flow.nest.tiling, lattice=flow.lattice)
    because = flow.edges or _not_uniform(flow, tiling)
    if because is None:
        try:
            return Uniform(flow, tiling, access).answer()
        except NotFinite as error:
            because = str(error)
    producers = tiling if flow.destination is None else flow.destination.tiling
    symbols = list(dict.fromkeys((*tiling.symbols, *producers.symbols)))
    if symbols:
        return MarsAnswer(flow, because=f"{because}: give a number for {' and '.join(symbols)}")
    try:
        return _by_position(flow, tiling, producers, because)
    except NotFinite as error:
        return MarsAnswer(flow, because=f"{because}; {error}")


def _not_uniform(flow: Flow, tiling: HyperplaneTiling) -> str | None:
    """Why footprints of tiles of one kind are not translates of each other; None if they are."""
    tiled = len(tiling.iterators)
    parts = {each.of_tiled(tiled) for each in flow.dependences}
    if len(parts) > 1:
        return "dependences with different linear parts move the footprints of tiles differently"
    if flow.writer is None:
        return None
    if not flow.has_same_tiles:
        return "the values come from tiles of another form"
    (part,) = parts
    is_same = all(row[k] == int(row_number == k) for row_number, row in enumerate(part) for k in range(tiled))
    moves_tile = any(any(row[tiled:]) for each in flow.dependences for row in each.matrix[:tiled])
    if is_same and not moves_tile:
        return None
    return "the values come from an iteration whose tile is no translate of the reader's"


def _by_position(
    flow: Flow, tiling: HyperplaneTiling, producers: HyperplaneTiling, because: str
) -> MarsAnswer:
    """By whole tiles; by all iterations if there are none, or if those of two spaces do not match."""
    if flow.edges is None:
        found = _classes(flow, tiling, producers, everywhere(flow.dependences, len(tiling.iterators)))
        is_said = all(each.of_tile is not None for one in found for each in one.sets)
        if flow.is_same_nest or is_said:
            return MarsAnswer(flow, found, reason=because)
    found = _classes(flow, tiling, producers, flow.relation)
    return MarsAnswer(
        replace(flow, edges=flow.edges or because, inside=None, runs=None), found, reason=because
    )


def _classes(
    flow: Flow, tiling: HyperplaneTiling, producers: HyperplaneTiling, relation: isl.Map
) -> tuple[TileClass, ...]:
    """The tiles by how many sets they have, with those of one of them, if it reads what RELATION says."""
    of_producers = None if flow.writer is None else producers
    positions = Positions(tiling, relation, of_producers, is_same=flow.is_same_nest)
    found = positions.classes()
    classes: list[TileClass] = []
    whole = _whole(flow, tiling)
    for each in found:
        tiles = each.tiles if whole is None else each.tiles.intersect(whole)
        if tiles.is_empty():
            continue
        example = _nearest(tiles)
        at_example = positions.of(example)
        of_tiles = None
        if not flow.is_same_nest:
            points_of = [points for points, _ in at_example]
            of_tiles = positions.consumers_of_tiles(each.tiles, example, points_of)
        sets = tuple(
            MarsSet(
                points,
                (),
                count_at(points, {}) if is_countable(points) else None,
                tiles,
                None if of_tiles is None else _of_tile(of_tiles[number], each.tiles),
            )
            for number, (points, tiles) in enumerate(at_example)
        )
        shown = each.tiles if whole is None else each.tiles.gist(whole).coalesce()
        classes.append(TileClass(None, tiles_named(shown), example, sets))
    return tuple(classes)


def _whole(flow: Flow, tiling: HyperplaneTiling) -> isl.Set | None:
    """The tiles inside the iterations of which FLOW speaks; None if all count, or those of another nest."""
    if flow.inside is None or flow.edges is not None or not flow.is_same_nest:
        return None
    runs = isl.Set.universe(flow.inside.get_space()) if flow.runs is None else flow.runs
    return whole_tiles(flow.inside, runs, tiling).project_out_all_params().coalesce()


def _of_tile(consumers: isl.Map, tiles: isl.Set) -> isl.Set:
    """What CONSUMERS says of the tile (t0, t1, ...), a parameter, for TILES: the tiles (c0, c1, ...)."""
    names = ", ".join(f"t{position}" for position in range(consumers.dim(DIM.in_)))
    tile = isl.Set(f"[{names}] -> {{ [{names}] }}")
    found = consumers.intersect_domain(tile).range()
    found = found.gist_params(tiles.intersect(tile).params()).coalesce().drop_unused_params()
    for position in range(found.dim(DIM.set)):
        found = found.set_dim_name(DIM.set, position, f"c{position}")
    return found


def _nearest(tiles: isl.Set) -> tuple[int, ...]:
    """A tile of TILES with small coordinates, none below 0 where that can be."""
    rank = tiles.dim(DIM.set)
    for low, reach in ((0, 1), (0, 4), (-1, 1), (-4, 4), (0, 16), (-16, 16)):
        near = tiles
        for position in range(rank):
            near = near.lower_bound_val(DIM.set, position, number(low))
            near = near.upper_bound_val(DIM.set, position, number(reach))
        if not near.is_empty():
            tiles = near.lexmin()
            break
    point = tiles.sample_point()
    return tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(rank))
