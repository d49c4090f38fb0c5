r"""Whether tiles of every size have the sets that are stated: sizes and the origin are parameters.

Inside of a polyhedron P the flow F is what the dependences say. A tile T(o), all of which is in P, with each
tile T(o + s·δ) that is stated to consume of it, has these consumers at least, with the stated elements. It
has no others if no iteration outside of P reads what T(o) holds:

    { (s, o) : T(o + s·δ) in P for each δ } and { (s, o) : e in T(o), e in F(x) for some x not in P }

have no point in common. The first set is affine in (s, o) as the second is, for T(o + s·δ) is
{ x : 0 <= H x - o - s·δ < s }. Where infinitely many tiles consume an element, those in P count, and F must
be empty elsewhere.
"""

from __future__ import annotations

from functools import reduce

import islpy as isl

from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.footprints.footprints import Footprints
from volcli.model.mars.partition.answers import MarsAnswer
from volcli.model.mars.partition.positions import everywhere
from volcli.model.mars.partition.refinement import identity
from volcli.model.mars.tilings.tiling import HyperplaneTiling

NOTHING_WHOLE = "no tile is whole, with all tiles that consume of it, where the dependences are these"
OTHERS = "tiles elsewhere, of other dependences, consume other elements"


def doubt(stated: MarsAnswer, tiling: HyperplaneTiling) -> str | None:
    """Why tiles of TILING, with symbols for sizes, may have other sets than STATED; None if they have not."""
    flow = stated.flow
    assert flow.inside is not None
    said = everywhere(flow.dependences, len(tiling.iterators)).intersect_domain(flow.inside)
    if not said.is_equal(flow.relation.intersect_domain(flow.inside)):
        return OTHERS
    consumers = {each for one in stated.classes for mars in one.sets for each in mars.consumers}
    elsewhere = flow.relation.subtract_domain(flow.inside).range()
    if stated.is_endless:
        return None if elsewhere.is_empty() else OTHERS
    footprints, own = Footprints(tiling), (0,) * len(tiling.sizes)
    offsets = (own, *(each.offset for each in consumers))
    good = reduce(isl.Set.intersect, (_inside(footprints.tile(each), flow.inside) for each in offsets))
    if good.is_empty():
        return NOTHING_WHOLE
    read = _held(flow, footprints, own).intersect(elsewhere).params()
    return None if read.is_disjoint(good) else OTHERS


def _inside(tile: isl.Set, points: isl.Set) -> isl.Set:
    """For which sizes and origins all of TILE is in POINTS."""
    some = tile.params()
    return some.subtract(tile.subtract(points).params())


def _held(flow: Flow, footprints: Footprints, own: tuple[int, ...]) -> isl.Set:
    """What a tile reads, or the iterations of the writer that are in it."""
    if flow.writer is not None:
        return footprints.of(identity(len(own), flow.inner), own)
    return reduce(isl.Set.union, (footprints.of(each, own) for each in flow.dependences))
