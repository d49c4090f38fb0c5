"""Which tilings keep every dependence: tiles that are run one after the other, each in the old order inside.

Let each statement S have functions h_1, ..., h_m of its iterations, and be in the tile
`floor(h_k(i) / B_k)`. Tiles run in lexicographic order, and what is in one tile in the order that it had.
That keeps a dependence of T at j on S at i, for all sizes of the tiles, if

    h_k(j) - h_k(i) >= 0        for each k

for then no tile number goes back: both are in one tile, or the tile of the sink is a later one. Distances
(1, -1), (1, 0) and (1, 1) allow t + i and t - i, a diamond; they do not allow i.

It is asked of all pairs of iterations of the dependence polyhedra, not of their distances alone: hyperplanes
of two statements may differ by what depends on the loops' bounds.

Sources: P. Suriana (2016), section 4.3; U. Bondhugula et al., Diamond Tiling (2017), section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

Functions = Callable[[Site], Sequence[Expression]]
"""The functions h_1, ..., h_m of an access's iterations: `loop(k)` is its k-th induction variable."""


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

    def reversed(self, op: Operation, functions: Functions) -> Reversed | None:
        """A dependence between accesses in OP that FUNCTIONS do not keep, if there may be one."""
        outside = len(self._memory.nests.levels(op.parent))
        for source, sink in self._memory.partners.pairs(self._loops.inside(op)):
            for dependence in self._memory.between(source, sink):
                if dependence.depth > outside:
                    found = self._turned(dependence, functions(source), functions(sink))
                    if found is not None:
                        return found
        return None

    def _turned(
        self, dependence: Dependence, source: Sequence[Expression], sink: Sequence[Expression]
    ) -> Reversed | None:
        if dependence.distances.points is None:
            return Reversed(dependence, 0, because=dependence.because)
        try:
            with budget():
                pairs = self._memory.pairs(dependence.source, dependence.sink, dependence.depth)
                return _backwards(dependence, pairs, source, sink)
        except BudgetExceeded as error:
            return Reversed(dependence, 0, because=error.reason)

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
    dependence: Dependence, pairs: isl.Map, source: Sequence[Expression], sink: Sequence[Expression]
) -> Reversed | None:
    """The first function that is less at the sink than at the source of some of PAIRS."""
    count, both = pairs.dim(DIM.in_), pairs.dim(DIM.in_) + pairs.dim(DIM.out)
    points = pairs.wrap().flatten()
    for position, (before, behind) in enumerate(zip(source, sink, strict=True)):
        at_sink = substitute(
            behind, lambda atom: loop(count + atom.position) if isinstance(atom, LoopIndex) else None
        )
        wrong = points.intersect(build.nonnegative(both, (before - at_sink - 1,)))
        if not wrong.is_empty():
            point = coordinates(wrong.sample_point())
            common = len(dependence.hull)
            distance = tuple(point[count + k] - point[k] for k in range(common))
            return Reversed(dependence, position, distance)
    return None
