"""How the sets that tiles read or produce are constructed, step by step, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import islpy as isl

from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.counted import counted
from volcli.language.expressions import constant, parameter
from volcli.limits import passes as limits
from volcli.model.mars.footprints.dataflow import Flow, flows
from volcli.model.mars.footprints.footprints import AffineDependence
from volcli.model.mars.partition.construction import Construction, LinearPart
from volcli.model.mars.tilings.schemes import TileScheme
from volcli.model.mars.tilings.tiling import tiles_named
from volcli.model.mars.tilings.vectors import tuple_text, unit
from volcli.passes.analyses.mars import Mars
from volcli.passes.analyses.mars_facts import MarsNames
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import identifier

if TYPE_CHECKING:
    from volcli.api.program import Program


def constructions(
    program: Program, tile: str, array: str | None, numbers: Mapping[str, int]
) -> Iterator[str]:
    """The steps for each array that tiles of TILE read, or for one ARRAY, with NUMBERS t0, t1, ... of a tile.

    Raises UsageError (V002, V005).
    """
    found = False
    for flow, names in _flows(program, Mars(tile=tile).scheme):
        if array is None or names.array.removeprefix("%") == array.removeprefix("%"):
            found = True
            yield ""
            yield from _of_flow(flow, names, numbers)
    if not found:
        raise UsageError(Diagnostic("V005", f"no tile reads {array or 'an array'}"))


def _flows(program: Program, scheme: TileScheme) -> Iterator[tuple[Flow, MarsNames]]:
    for part in program.units:
        for model in part.models():
            of = part.as_loops(model) if scheme.cuts_operations else model
            for flow in flows(of, scheme, part.budget or DEFAULT_OPERATIONS):
                yield flow, MarsNames(of, flow)


def _of_flow(flow: Flow, names: MarsNames, numbers: Mapping[str, int]) -> Iterator[str]:
    verb = "read" if flow.writer is None else "produced"
    yield f"{names.array} {verb}, tile {flow.nest and flow.nest.tiling}"
    if flow.nest is None or not flow.dependences:
        yield f"  unknown: {flow.because or flow.edges or 'no affine functions of the loops'}"
        return
    rank = len(flow.nest.tiling.sizes)
    made = Construction(flow, [numbers.get(f"t{k}", 0) for k in range(rank)])
    yield from _hyperplanes(made)
    yield from _dependences(made)
    yield from _footprints(made, names)
    yield from _consumers(made, names)
    yield from _sets(made, names)


def _hyperplanes(made: Construction) -> Iterator[str]:
    tiling = made.tiling
    bounds = [
        f"{size}*t{plane} <= {tiling.plane_text(plane)} < {size}*(t{plane} + 1)"
        for plane, size in enumerate(tiling.sizes)
    ]
    coordinates = ", ".join(f"t{plane}" for plane in range(len(bounds)))
    yield f"  Tile T({coordinates}): {' and '.join(bounds)}"
    for plane, step in enumerate(unit(len(bounds))):
        normal, next_tile = tuple_text(tiling.normals[plane]), made.translation(step)
        yield f"    {tiling.plane_text(plane)}: normal {normal}, next tile at {next_tile}"


def _dependences(made: Construction) -> Iterator[str]:
    flow, parts = made.flow, made.parts
    rows = flow.dependences[0].matrix
    kind = "with different linear parts"
    if len(parts) == 1:
        is_identity = parts[0].matrix == unit(len(made.tiling.iterators))
        kind = "uniform" if is_identity else "uniformly intersecting"
    if len(flow.dependences) > 1:
        yield f"  Dependences, {kind}"
    else:
        yield "  Dependence, uniform" if kind == "uniform" else "  Dependence"
    inner = len(rows[0]) - len(made.tiling.iterators) if rows else 0
    names = [*map(identifier, made.tiling.iterators), *(f"x{k}" for k in range(inner))]
    for number, each in enumerate(flow.dependences, 1):
        yield f"    B{number}({', '.join(names)}) = {_image(names, each)}"
    for part in parts:
        of = f" of {_matrix(part)}" if len(parts) > 1 else ""
        yield f"    null space{of}: {_basis(part.kernel)}; supplementary: {_basis(part.supplementary)}"
    for step in made.unequal():
        moves = ", ".join(str(made.moved(step, part)) for part in parts)
        yield f"    no translation: a tile {tuple_text(step)} further has footprints moved by {moves}"


def _footprints(made: Construction, names: MarsNames) -> Iterator[str]:
    where = (
        f"the tile {tuple_text(made.tile)}" if made.tile is not None else "a tile at the origin (o0, o1, ...)"
    )
    yield f"  Footprints of {where}"
    for number, each in enumerate(made.flow.dependences, 1):
        yield f"    B{number}: {names.elements(made.footprint(each)).text}"
    if len(made.flow.dependences) > 1:
        yield f"    all: {names.elements(made.whole).text}"


def _consumers(made: Construction, names: MarsNames) -> Iterator[str]:
    partition = made.partition
    if made.tile is not None:
        yield "  Tiles that read some of these elements"
        for number, tiles in enumerate(made.consumers, 1):
            points = few_points(tiles, limits.CONSUMERS_TEXT)
            count = counted(len(points or ()), "tile")
            listed = None if points is None else f"{count}, {', '.join(map(tuple_text, points))}"
            yield f"    V{number}: {listed or _tiles(tiles, names)}"
    if partition is not None:
        yield f"  Classes of consumers with one footprint: {len(partition.consumers)}"
        for each in partition.consumers:
            yield f"    {each}, projected {made.translation(each.offset, made.parts[0])}"
            yield f"      shares {names.elements(partition.reads[each]).text}"
    elif made.tile is not None:
        yield "  Tiles by the dependences by which they read"
        for of, tiles in made.families():
            yield f"    {{{', '.join(f'B{number + 1}' for number in of)}}}: {_tiles(tiles, names)}"
            for number in of:
                vectors = made.projections(number, tiles, limits.CONSUMERS_TEXT)
                listed = "not listed" if vectors is None else ", ".join(map(tuple_text, vectors))
                yield f"      projected by B{number + 1}: {listed}"


def _sets(made: Construction, names: MarsNames) -> Iterator[str]:
    partition = made.partition
    if partition is not None:
        conditions = " for sizes with which none is empty" if made.tile is None else ""
        yield f"  Sets: {len(partition.sets)}{conditions}"
        for each in partition.sets:
            consumers = ", ".join(map(str, each.consumers))
            yield f"    {names.elements(each.points).text} to {consumers}{_place(made, each.points)}"
    elif made.tile is not None and (found := made.by_position()) is not None:
        yield f"  Sets of this tile, where loops have no ends: {len(found)}"
        for points, tiles in found:
            yield f"    {names.elements(points).text} to {_tiles(tiles, names)}"
    elif made.tile is not None:
        because = made.not_finite or "loops inside the tiles end at symbols"
        yield f"  Sets: {because}; there is no list of them"
    else:
        yield "  Sets: they depend on the position of the tile; give numbers for sizes"


def _place(made: Construction, points: isl.Set) -> str:
    """Whether iterations that were produced are those of the tile, or of others."""
    own = made.footprints.tile((0,) * len(made.tiling.sizes))
    if made.flow.writer is None or own.dim(DIM.set) != points.dim(DIM.set):
        return ""
    if points.is_subset(own):
        return ", of the tile itself"
    return ", of other tiles" if points.is_disjoint(own) else ""


def _image(names: Sequence[str], dependence: AffineDependence) -> str:
    forms = (
        sum(
            (parameter(name) * factor for name, factor in zip(names, row, strict=True)),
            start=constant(number),
        )
        for row, number in zip(dependence.matrix, dependence.offset, strict=True)
    )
    return tuple_text(forms)


def _matrix(part: LinearPart) -> str:
    return "[" + "; ".join(" ".join(map(str, row)) for row in part.matrix) + "]"


def _basis(vectors: Sequence[Sequence[int]]) -> str:
    return ", ".join(map(tuple_text, vectors)) or "none"


def _tiles(tiles: isl.Set, names: MarsNames) -> str:
    return names.tiles(tiles_named(tiles.coalesce())).text
