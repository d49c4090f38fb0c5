"""Which tilings keep every dependence: tiles that are run one after the other, each in the old order inside.

Let each statement S have functions h_1, ..., h_m of its iterations, and be in the tile
`floor(h_k(i) / B_k)`. Tiles run in lexicographic order, and what is in one tile in the order that it had.
That keeps a dependence of T at j on S at i, for all sizes of the tiles, if

    h_k(j) - h_k(i) >= 0        for each k

for then no tile number goes back: both are in one tile, or the tile of the sink is a later one. Distances
(1, -1), (1, 0) and (1, 1) allow t + i and t - i, a diamond; they do not allow i.

Where h_1, ..., h_k do not go back, and one of them goes on by its B or more, the tile is a later one,
whatever the others say: in tiles of one row, `t` by 1, each row may depend in any way on those before.

It is asked of all pairs of iterations of the dependence polyhedra, not of their distances alone: hyperplanes
of two statements may differ by what depends on the loops' bounds.

Sources: P. Suriana (2016), section 4.3; U. Bondhugula et al., Diamond Tiling (2017), section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl
from xdsl.ir import Operation

from volcli.language.expressions import Expression, LoopIndex, loop, substitute
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.effects import Inside
from volcli.model.memory.dependences.answers import Dependence, DependenceVerdict
from volcli.model.memory.loops.legality import allocates, frees
from volcli.model.memory.loops.loops import ASSERTIONS, Loops
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.points import coordinates
from volcli.presburger.relations.relation import at_depth
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

Functions = Callable[[Site], Sequence[Expression]]
"""The functions h_1, ..., h_m of an access's iterations: `loop(k)` is its k-th induction variable."""


@dataclass(frozen=True)
class TileLengths:
    """At most how long the tiles along each function are, where that is known.

    Those along the first `together` functions run in the order of the sum of their numbers.
    """

    lengths: Sequence[Expression | None] = ()
    together: int = 1

    def in_one(self, position: int, differences: Sequence[Expression], dimensions: int) -> isl.Set | None:
        """Where no one of the functions up to POSITION, with these DIFFERENCES, says that a tile is later."""
        if position + 1 < self.together:
            return None
        found = None
        for length, difference in zip(self.lengths, differences, strict=False):
            if length is not None:
                here = build.nonnegative(dimensions, (length - 1 - difference,))
                here = here.union(build.nonnegative(dimensions, (-difference,)))
                found = here if found is None else found.intersect(here)
        return found


UNKNOWN_LENGTHS = TileLengths()


@dataclass(frozen=True, eq=False)
class TiledPlace:
    """Where a value is made that loops carry: at the end of the block of LAST, in tiles along FUNCTIONS."""

    last: Operation
    functions: Sequence[Expression]


@dataclass(frozen=True, eq=False)
class Reversed:
    """A dependence that goes back along the function at `position`, or that may do so.

    `distance` is the difference of the common induction variables, an example.
    """

    dependence: Dependence
    position: int
    distance: tuple[int, ...] = ()
    because: str | None = None


class Tilings:
    """The tilings of one function's nests."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self._memory = loops.memory

    def order(self, op: Operation) -> str | None:
        """Why what is in the loop OP keeps the order that it has, accesses apart."""
        inside = self._memory.insides.get(op, Inside())
        if inside.because is not None:
            return inside.because
        return "a buffer is allocated or freed inside" if allocates(op) or frees(op) else None

    def assumptions(self, op: Operation) -> tuple[str, ...]:
        """What has to be assumed of what is in the loop OP."""
        asserted = (ASSERTIONS,) if self._memory.insides.get(op, Inside()).asserts else ()
        return (*self._memory.assumed.of(self._loops.inside(op)), *asserted)

    def reversed(
        self, op: Operation, functions: Functions, lengths: TileLengths = UNKNOWN_LENGTHS
    ) -> Reversed | None:
        """A dependence between accesses in OP that tiles of LENGTHS along FUNCTIONS may not keep, if any."""
        outside = len(self._memory.nests.levels(op.parent))
        for source, sink in self._memory.partners.pairs(self._loops.inside(op)):
            for dependence in self._memory.between(source, sink):
                if dependence.depth > outside:
                    found = self._turned(dependence, functions(source), functions(sink), lengths)
                    if found is not None:
                        return found
        return None

    def _turned(
        self,
        dependence: Dependence,
        source: Sequence[Expression],
        sink: Sequence[Expression],
        lengths: TileLengths,
    ) -> Reversed | None:
        if dependence.distances.points is None:
            return Reversed(dependence, 0, because=dependence.because)
        try:
            with budget():
                pairs = self._memory.pairs(dependence.source, dependence.sink, dependence.depth)
                found = _backwards(pairs, source, sink, lengths)
        except BudgetExceeded as error:
            return Reversed(dependence, 0, because=error.reason)
        if found is None:
            return None
        position, point = found
        count, common = pairs.dim(DIM.in_), len(dependence.hull)
        return Reversed(dependence, position, tuple(point[count + k] - point[k] for k in range(common)))

    def keeps_order(
        self, op: Operation, places: Sequence[TiledPlace], lengths: TileLengths = UNKNOWN_LENGTHS
    ) -> bool:
        """Whether what is carried in OP is made at PLACES, in their order, in the same order in tiles."""
        outside = len(self._memory.nests.levels(op.parent))
        try:
            with budget():
                return all(
                    _backwards(
                        self._in_order(first.last, second.last, outside, is_before=number < other),
                        first.functions,
                        second.functions,
                        lengths,
                    )
                    is None
                    for number, first in enumerate(places)
                    for other, second in enumerate(places)
                )
        except BudgetExceeded:
            return False

    def _in_order(self, first: Operation, second: Operation, outside: int, *, is_before: bool) -> isl.Map:
        """Iterations of FIRST and later ones of SECOND, in one iteration of the loops OUTSIDE.

        With IS_BEFORE, also in one iteration of all loops around both.
        """
        domains = self._memory.instances.domains
        pairs = isl.Map.from_domain_and_range(domains.of(first).points, domains.of(second).points)
        common = self._memory.nests.common(first.parent, second.parent)
        depths = range(outside + 1, common + 1 + is_before)
        parts = (at_depth(pairs, common, depth) for depth in depths)
        return reduce(isl.Map.union, parts, isl.Map.empty(pairs.get_space()))

    def text(self, found: Reversed, names: Sequence[str]) -> str:
        """What is wrong with the function of FOUND, whose text NAMES has."""
        dependence = found.dependence
        source, sink = map(self._memory.names.access, (dependence.source, dependence.sink))
        if found.because is not None:
            return f"it is not known whether {sink} depends on {source}: {found.because}"
        is_sure = dependence.verdict is DependenceVerdict.DEPENDENT
        at = f" at the distance ({', '.join(map(str, found.distance))})" if found.distance else ""
        verb = "depends" if is_sure else "may depend"
        return f"{sink} {verb} on {source}{at}, which goes back along {names[found.position]}"


def _backwards(
    pairs: isl.Map, source: Sequence[Expression], sink: Sequence[Expression], lengths: TileLengths
) -> tuple[int, tuple[int, ...]] | None:
    """The first function that is less at the sink than at the source of some of PAIRS, and one of these."""
    count, both = pairs.dim(DIM.in_), pairs.dim(DIM.in_) + pairs.dim(DIM.out)
    points = pairs.wrap().flatten()
    differences: list[Expression] = []
    for position, (before, behind) in enumerate(zip(source, sink, strict=True)):
        at_sink = substitute(
            behind, lambda atom: loop(count + atom.position) if isinstance(atom, LoopIndex) else None
        )
        differences.append(at_sink - before)
        wrong = points.intersect(build.nonnegative(both, (before - at_sink - 1,)))
        if not wrong.is_empty():
            return position, coordinates(wrong.sample_point())
        nearby = lengths.in_one(position, differences, both)
        points = points if nearby is None else points.intersect(nearby)
    return None
