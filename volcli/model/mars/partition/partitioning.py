"""The MARS of one array: by one linear part where there is one, else by the position of the tile."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, overload

import islpy as isl

from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.partition.likeness_of_tiles import are_translates, by_sizes, moves_of
from volcli.model.mars.partition.positions import Positions
from volcli.model.mars.partition.premises import NOTHING_WHOLE, OTHERS, Premises, numeric
from volcli.model.mars.partition.set_layout import ArrayMemory
from volcli.model.mars.partition.uniform import Uniform, is_countable
from volcli.model.mars.tilings.tiling import HyperplaneTiling, tiles_named
from volcli.presburger.measures.counts import count_at
from volcli.presburger.sets.build import DIM, number


def answer(flow: Flow, memory: ArrayMemory | None = None) -> MarsAnswer:
    """The MARS of FLOW, as far as its program has them. MEMORY is where its elements are."""
    if flow.because is not None or flow.nest is None:
        return MarsAnswer(flow, because=flow.because)
    tiling = replace(flow.nest.tiling, lattice=flow.lattice)
    premises = numeric(flow, tiling)
    illegal = next((text for each in premises if (text := each.illegal()) is not None), None)
    if illegal is not None:
        return MarsAnswer(flow, because=illegal)
    found = uniform_answer(flow, memory)
    because = found.because
    if because is None:
        reasons = [each.uniform() for each in premises]
        if OTHERS not in reasons and any(each is None for each in reasons):
            return found
        because = OTHERS if OTHERS in reasons else NOTHING_WHOLE
    producers = premises[0].producers if flow.destination is None else flow.destination.tiling
    symbols = list(dict.fromkeys((*tiling.symbols, *producers.symbols)))
    if symbols:
        return MarsAnswer(flow, because=f"{because}: give a number for {' and '.join(symbols)}")
    try:
        return _by_position(flow, premises[0], because)
    except NotFinite as error:
        return MarsAnswer(flow, because=f"{because}; {error}")


def uniform_answer(flow: Flow, memory: ArrayMemory | None = None) -> MarsAnswer:
    """The MARS of FLOW by one linear part, of tiles without ends."""
    if flow.because is not None or flow.nest is None:
        return MarsAnswer(flow, because=flow.because)
    tiling = replace(flow.nest.tiling, lattice=flow.lattice)
    because = flow.edges or _not_uniform(flow, tiling)
    if because is not None:
        return MarsAnswer(flow, because=because)
    try:
        return Uniform(flow, tiling, memory).answer()
    except NotFinite as error:
        return MarsAnswer(flow, because=str(error))


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
    return "the values come from an iteration whose tile is not a translate of the reader's"


def _by_position(flow: Flow, premises: Premises, because: str) -> MarsAnswer:
    """By tiles that are whole inside; by all iterations of the program if nothing can be said of these."""
    if flow.edges is None:
        said = premises.inside()
        whole = premises.whole.project_out_all_params() if flow.is_same_nest else None
        is_so = premises.wrong(said).intersect(said.held.domain()).is_empty()
        found = _classes(premises, said, whole) if is_so else None
        if found:
            return MarsAnswer(flow, found, reason=because)
    said = premises.program
    found = _classes(premises, said)
    if found is None:
        return MarsAnswer(flow, because=because)
    return MarsAnswer(
        replace(flow, edges=flow.edges or because, inside=None, runs=None), found, reason=because
    )


def _classes(
    premises: Premises, said: Positions, whole: isl.Set | None = None
) -> tuple[TileClass, ...] | None:
    """The tiles by the sets that they have, as SAID; None if it is not known which of them are alike.

    That they are among the WHOLE tiles is said elsewhere.
    """

    def shown(found: TileClass, tiles: isl.Set) -> TileClass:
        points = tiles
        if whole is not None and tiles.is_subset(whole):
            points = tiles.gist(whole).coalesce()
        return replace(found, tiles=tiles_named(points))

    few = by_sizes(said, said.held.domain())
    if few is not None:
        return tuple(shown(_class(premises, said, kind, is_alike=True), kind) for kind in few)
    classes: list[TileClass] = []
    for each in said.classes():
        found = _class(premises, said, each.tiles)
        if found is None:
            return None
        classes.append(shown(found, each.tiles))
    return tuple(classes)


@overload
def _class(premises: Premises, said: Positions, tiles: isl.Set) -> TileClass | None: ...


@overload
def _class(premises: Premises, said: Positions, tiles: isl.Set, *, is_alike: Literal[True]) -> TileClass: ...


def _class(
    premises: Premises, said: Positions, tiles: isl.Set, *, is_alike: bool = False
) -> TileClass | None:
    """TILES, which have as many sets, with those of one; None if it is not seen that they ARE ALIKE."""
    flow = premises.flow
    example = _nearest(tiles)
    at_example = said.of(example)
    points_of = [points for points, _ in at_example]
    of_tiles = None if flow.is_same_nest else said.consumers_of_tiles(tiles, example, points_of)
    if of_tiles is None and not is_alike:
        moves = moves_of(premises.producers, premises.linear_parts)
        if not are_translates(said, tiles, example, points_of, moves):
            return None
    sets = tuple(
        MarsSet(
            points,
            (),
            count_at(points, {}) if is_countable(points) else None,
            consumers,
            None if of_tiles is None else _of_tile(of_tiles[number], tiles),
        )
        for number, (points, consumers) in enumerate(at_example)
    )
    return TileClass(None, tiles, example, sets)


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
