"""The MARS of one array: by one linear part where the program has them so, else by position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl

from volcli.limits import mars as limits
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.answers import MarsAnswer, MarsSet, TileClass
from volcli.model.mars.partition.classes_by_points import EnumeratedTiles, LikeTiles, enumerated
from volcli.model.mars.partition.classes_by_translation import MovedTiles, by_examples, is_among, moves_of
from volcli.model.mars.partition.positions import Positions
from volcli.model.mars.partition.refinement import identity
from volcli.model.mars.partition.set_layout import DeclaredMemory, SetLayout
from volcli.model.mars.partition.symbolic_sizes import NOTHING_WHOLE, doubt
from volcli.model.mars.partition.tiled_program import TiledProgram
from volcli.model.mars.partition.uniform import Uniform, is_countable
from volcli.model.mars.tilings.tiling import CONSUMER, HyperplaneTiling, tiles_named
from volcli.model.mars.tilings.vectors import Matrix
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.counts import count_at
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced

NONE = "no tile reads what another one produces"
ENDS = "most tiles are at the ends of loops, and have other sets than whole ones"


def answer(flow: Flow, memory: DeclaredMemory | None = None) -> MarsAnswer:
    """The MARS of FLOW, as far as its program has them. MEMORY is where its elements are."""
    if flow.because is not None or flow.nest is None:
        return MarsAnswer(flow, because=flow.because)
    tiling = replace(flow.nest.tiling, lattice=flow.lattice)
    producers = tiling if flow.destination is None else flow.destination.tiling
    symbols = list(dict.fromkeys((*tiling.symbols, *producers.symbols)))
    stated = uniform_answer(flow, memory)
    if not symbols:
        program = TiledProgram(flow, tiling, producers)
        return replace(_with_layout(_in_program(stated, program), program, memory), program=program)
    because = stated.because or doubt(stated, tiling)
    if because is None:
        return replace(stated, only_whole=stated.is_endless)
    return MarsAnswer(flow, because=f"{because}: give a number for {' and '.join(symbols)}")


def _in_program(stated: MarsAnswer, program: TiledProgram) -> MarsAnswer:
    """What is STATED, where the PROGRAM has it so, or classes of tiles if most of them have other sets."""
    if program.everything.held.is_empty():
        return MarsAnswer(program.flow, covers=program.everything.held.domain(), others=0, reason=NONE)
    found = _where_stated(stated, program) if stated.because is None else None
    if found is not None and _covers_most(found):
        return found
    by_class = _by_class(program, stated.because or ENDS)
    return by_class or found or MarsAnswer(program.flow, because=stated.because or NOTHING_WHOLE)


def _with_layout(found: MarsAnswer, program: TiledProgram, memory: DeclaredMemory | None) -> MarsAnswer:
    """FOUND with what one of its tiles reads in the PROGRAM; no layout if none reads what is stated."""
    if found.layout is None or memory is None:
        return found
    tile = program.as_stated(found.covers, found.classes[0].tiles)
    if tile is None:
        return replace(found, layout=None)
    sets = SetLayout(found.classes[0].sets, memory, _count, found.flow.writer is not None)
    layout = sets.of(program.read_by(tile), in_order=found.layout.bursts is not None)
    return replace(found, layout=None if layout is None else replace(layout, tile=coordinates(tile)))


def _covers_most(found: MarsAnswer) -> bool:
    assert found.covers is not None
    return found.others is None or found.others <= limits.OTHER_TILES * (_count(found.covers) or 0)


def _where_stated(stated: MarsAnswer, program: TiledProgram) -> MarsAnswer | None:
    """What is STATED, and of which tiles; None if it is of none."""
    covers = _as_stated(stated, program, only_whole=False)
    only_whole = covers.is_empty()
    if only_whole or stated.is_endless:
        whole = _as_stated(stated, program, only_whole=True)
        only_whole = not whole.is_subset(covers)
        covers = whole if only_whole else covers
    return None if covers.is_empty() else _covering(stated, program, covers, only_whole=only_whole)


def _as_stated(stated: MarsAnswer, program: TiledProgram, *, only_whole: bool) -> isl.Set:
    """The tiles that have what is STATED, and consumers of each class of them, which tell sets apart."""
    covers = program.covered(program.stated, only_whole=only_whole, is_endless=stated.is_endless)
    if stated.is_endless:
        consuming = (program.among_whole if only_whole else program.everything).consumers.range()
        for each in {each for one in stated.classes for mars in one.sets for each in mars.consumers}:
            covers = covers.intersect(each.tiles.intersect_range(consuming).domain())
    return coalesced(covers)


def _covering(found: MarsAnswer, program: TiledProgram, covers: isl.Set, *, only_whole: bool) -> MarsAnswer:
    """FOUND as an answer about the tiles that it COVERS."""
    everything = coalesced(program.everything.held.domain())
    rest = everything.subtract(covers)
    covers = everything if rest.is_empty() else covers
    classes = tuple(_classes_among(found.classes, covers))
    return replace(
        found, classes=classes, covers=tiles_named(covers), others=_count(rest), only_whole=only_whole
    )


def _classes_among(classes: Sequence[TileClass], covers: isl.Set) -> Iterator[TileClass]:
    """Those of CLASSES that have some of the tiles that are COVERED; one that has all names none."""
    for each in classes:
        if each.tiles is None or covers.is_subset(each.tiles):
            yield replace(each, tiles=None)
        elif not covers.is_disjoint(each.tiles):
            yield each


def _count(tiles: isl.Set) -> int | None:
    """How many TILES there are; None if that depends on symbols, or they are very many."""
    if not is_countable(tiles):
        return None
    try:
        with budget(limits.COMPARED_OPERATIONS):
            return count_at(tiles, {})
    except BudgetExceeded:
        return None


def uniform_answer(flow: Flow, memory: DeclaredMemory | None = None) -> MarsAnswer:
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


def _by_class(program: TiledProgram, because: str) -> MarsAnswer | None:
    """The tiles by the sets that they have: all of them if these are few classes, else those that are whole.

    None if no class is found.
    """
    everything = enumerated(program.everything)
    if everything is None:
        return _by_translation(program, because)
    whole = enumerated(program.among_whole)
    for find in (EnumeratedTiles.by_forms, EnumeratedTiles.by_sizes):
        for tiles in (everything, whole):
            if tiles is not None and (found := find(tiles)) is not None:
                return _answer_of(program, found, because, only_whole=tiles is whole)
    return _answer_of(program, everything.most(), because, only_whole=False)


def _by_translation(program: TiledProgram, because: str) -> MarsAnswer | None:
    """Classes of whole tiles, for any values of symbols, and where the PROGRAM has them."""
    said = program.for_any_symbols
    found = _examples(program, said, said.held.domain())
    if not found:
        return None
    tiles = said.held.domain()
    alike = reduce(isl.Set.union, (each.tiles for each, _ in found), tiles.subtract(tiles))
    covers, whole = (
        _told_apart(program, said, alike, [moved for _, moved in found], only_whole=only_whole)
        for only_whole in (False, True)
    )
    only_whole = not whole.is_subset(covers)
    covers = whole if only_whole else covers
    if covers.is_empty():
        return None
    anywhere = covers.project_out_all_params()
    if not all(is_among(each.example, anywhere) for each, _ in found):
        found = _examples(program, said, anywhere)
    return _answer_of(program, [each for each, _ in found], because, only_whole=only_whole, covers=covers)


def _told_apart(
    program: TiledProgram, said: Positions, alike: isl.Set, classes: Sequence[MovedTiles], *, only_whole: bool
) -> isl.Set:
    """Those of the tiles ALIKE that hold what is SAID in the PROGRAM, in as many sets as their class has."""
    covers = program.covered(said, only_whole=only_whole, is_endless=True).intersect(alike)
    actual = program.among_whole if only_whole else program.everything
    less = said.held.intersect_domain(covers).subtract(actual.held).domain()
    joined = (each.among(covers).joined(actual.consumers) for each in classes)
    return covers.subtract(reduce(isl.Set.union, joined, less))


def _examples(program: TiledProgram, said: Positions, tiles: isl.Set) -> list[tuple[LikeTiles, MovedTiles]]:
    """Classes of what is SAID of all values of symbols, with examples among TILES."""
    with budget():
        return list(by_examples(said, tiles, moves_of(program.producers, _linear_parts(program))))


def _linear_parts(program: TiledProgram) -> list[Matrix]:
    """How elements move as tiles do: by the dependences; of what is produced, as the producer's loops."""
    flow = program.flow
    if flow.writer is not None:
        tiled = len(program.producers.iterators)
        return [identity(tiled, flow.inner).of_tiled(tiled)]
    return list(flow.parts)


def _answer_of(
    program: TiledProgram,
    found: Sequence[LikeTiles],
    because: str,
    *,
    only_whole: bool,
    covers: isl.Set | None = None,
) -> MarsAnswer:
    """The classes that were FOUND, of the tiles that they are said of."""
    said = program.among_whole if only_whole else program.everything
    if covers is None:
        covers = coalesced(reduce(isl.Set.union, (each.tiles for each in found)))
    classes = tuple(_class(program, said, each, covers) for each in found)
    by_sizes = not all(each.is_moved for each in found)
    answered = MarsAnswer(program.flow, classes, by_sizes=by_sizes, reason=because)
    return _covering(answered, program, covers, only_whole=only_whole)


def _class(program: TiledProgram, said: Positions, found: LikeTiles, covers: isl.Set) -> TileClass:
    """The tiles that were FOUND alike, with the sets of their example."""
    tiles = found.tiles
    of_tiles = None
    if not program.flow.is_same_nest:
        points = [points for points, _ in found.sets]
        of_tiles = said.consumers_of_tiles(tiles.intersect(covers), found.example, points)
    sets = tuple(
        MarsSet(
            points,
            (),
            count_at(points, {}) if is_countable(points) else None,
            consumers,
            None if of_tiles is None else _of_tile(of_tiles[number], tiles),
        )
        for number, (points, consumers) in enumerate(found.sets)
    )
    own = coalesced(tiles.gist(covers))
    return TileClass(None, None if own.plain_is_universe() else tiles_named(own), found.example, sets)


def _of_tile(consumers: isl.Map, tiles: isl.Set) -> isl.Set:
    """What CONSUMERS says of the tile (t0, t1, ...), a parameter, for TILES: the tiles (c0, c1, ...)."""
    names = ", ".join(f"t{position}" for position in range(consumers.dim(DIM.in_)))
    tile = isl.Set(f"[{names}] -> {{ [{names}] }}")
    found = consumers.intersect_domain(tile).range()
    found = coalesced(found.gist_params(tiles.intersect(tile).params())).drop_unused_params()
    return tiles_named(found, CONSUMER)
