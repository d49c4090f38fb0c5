"""Which rewritings of loops keep every dependence: interchange, tiling, fusion.

Loops a..b that are perfectly nested are *permutable* if no dependence that one of them carries has a negative
component along any of them: then they may be interchanged and tiled. Two loops in a row with the same bounds
may be *fused* if no iteration j of the second depends on an iteration i > j of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from xdsl.ir import Operation

from volcli.interface import operation_name
from volcli.model.memory.answers import Dependence, Verdict
from volcli.model.memory.effects import FREES, Inside, is_stranger
from volcli.model.memory.instances import Site
from volcli.model.memory.loops import LoopAnswer, LoopKind, Loops
from volcli.model.memory.model import accesses_of
from volcli.model.memory.nests import Level
from volcli.presburger.budget import BudgetExceeded, budget
from volcli.presburger.build import DIM


class Legal(Enum):
    """Three values."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Band:
    """Perfectly nested loops that may be interchanged and tiled, as many as go together."""

    levels: tuple[Level, ...]


@dataclass(frozen=True, eq=False)
class Fusion:
    """Whether the loop SECOND may become a part of the loop FIRST before it."""

    first: Operation
    second: Operation
    legal: Legal
    because: str | None = None


class Legality:
    """The nests of one function, and what may be done with them."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self._memory = loops.memory

    # -- bands -----------------------------------------------------------------------------------------

    def bands(self) -> Iterator[Band]:
        """The permutable bands of two loops and more, each as long as it can be."""
        inside: set[Operation] = set()
        for op in self._memory.function.walk():
            if op is self._memory.function or op in inside or not self._memory.nests.of_operation(op):
                continue
            nest = list(self._perfect(op))
            inside.update(level.op for level in nest[1:])
            yield from self._split(op, nest)

    def _perfect(self, op: Operation) -> Iterator[Level]:
        """The loops of the perfect nest whose outermost one is OP."""
        current: Operation | None = op
        while current is not None:
            yield from self._memory.nests.of_operation(current)
            current = self._only_loop(current)

    def _only_loop(self, op: Operation) -> Operation | None:
        """The loop in the body of OP, if nothing else there does anything, and nothing goes around."""
        blocks = [block for region in op.regions for block in region.blocks]
        if len(blocks) != 1:
            return None
        loops = [inner for inner in blocks[0].ops if self._memory.nests.of_operation(inner)]
        others = [inner for inner in blocks[0].ops if inner not in loops]
        if len(loops) != 1 or loops[0].results or any(_does_something(inner) for inner in others):
            return None
        return loops[0]

    def _split(self, op: Operation, nest: Sequence[Level]) -> Iterator[Band]:
        """The bands of a perfect NEST, from the outside, each as long as it can be."""
        if any(level.because is not None for level in nest) or op.results or self._stranger(op):
            return
        first = len(self._memory.nests.levels(op.parent))
        carried = [d for d in self._within(op) if first < d.depth <= first + len(nest)]
        start = 0
        while start < len(nest):
            end = start + 1
            while end < len(nest) and _is_permutable(carried, first + start, first + end):
                end += 1
            if end - start > 1:
                yield Band(tuple(nest[start:end]))
            start = end

    def _within(self, op: Operation) -> list[Dependence]:
        """The dependences between the accesses in OP that its loops carry, or loops inside of it."""
        found: list[Dependence] = []
        sites = self._loops.inside(op)
        outside = len(self._memory.nests.levels(op.parent))
        for source in sites:
            for sink in sites:
                if source.is_write or sink.is_write:
                    depths = range(outside + 1, self._memory.common(source, sink) + 1)
                    found += (self._memory.dependence(source, sink, depth) for depth in depths)
        return [d for d in found if d.verdict is not Verdict.INDEPENDENT]

    # -- vectors ---------------------------------------------------------------------------------------

    def vectors(self) -> Iterator[tuple[LoopAnswer, int]]:
        """The innermost loops that carry something, and how many of their iterations may run at once.

        A loop that carries nothing nearer than distance d may run d iterations at a time; one that carries
        nothing at all is parallel, and not among these.
        """
        for answer in self._loops.all():
            is_innermost = not any(
                self._memory.nests.of_operation(op) for op in answer.op.walk() if op is not answer.op
            )
            if not is_innermost or answer.kind is not LoopKind.CARRIED or answer.values:
                continue
            step = _constant_step(answer)
            nearest = least_distance(answer.carried)
            if step is not None and nearest is not None and nearest > step:
                yield answer, nearest // step

    # -- fusion ----------------------------------------------------------------------------------------

    def fusions(self) -> Iterator[Fusion]:
        """Each loop with the next one in its block, if their bounds are equal and nothing is in between."""
        for op in self._memory.function.walk():
            if op is not self._memory.function and len(self._memory.nests.of_operation(op)) == 1:
                second = self._next(op)
                if second is not None:
                    yield self._fusion(op, second)

    def _next(self, op: Operation) -> Operation | None:
        following = op.next_op
        while following is not None and not self._memory.nests.of_operation(following):
            if _does_something(following):
                return None
            following = following.next_op
        if following is None or op.results or following.results:
            return None
        return following if self._have_same_bounds(op, following) else None

    def _have_same_bounds(self, first: Operation, second: Operation) -> bool:
        levels = [self._memory.nests.of_operation(op) for op in (first, second)]
        inductions = [each[0].induction for each in levels if len(each) == 1]
        if len(inductions) != 2 or inductions[0] is None or inductions[1] is None:
            return False
        resolve = self._memory.bounds.definitions.resolve
        bounds = [
            (tuple(map(resolve, i.lower)), tuple(map(resolve, i.upper)), resolve(i.step))
            for i in inductions
            if i is not None
        ]
        return bounds[0] == bounds[1]

    def _fusion(self, first: Operation, second: Operation) -> Fusion:
        unknown = self._stranger(first) or self._stranger(second)
        for source in self._loops.inside(first):
            for sink in self._loops.inside(second):
                if not (source.is_write or sink.is_write):
                    continue
                legal, because = self._keeps_order(source, sink)
                if legal is Legal.NO:
                    return Fusion(first, second, legal, because)
                unknown = unknown or because
        if unknown is not None:
            return Fusion(first, second, Legal.UNKNOWN, unknown)
        return Fusion(first, second, Legal.YES)

    def _stranger(self, op: Operation) -> str | None:
        """Why what is in OP needs the order that it has, beside accesses."""
        return self._memory.insides.get(op, Inside()).because

    def _keeps_order(self, source: Site, sink: Site) -> tuple[Legal, str | None]:
        """Whether SINK in iteration j of its loop never meets SOURCE in an iteration i > j of its own."""
        common = self._memory.common(source, sink)
        found = self._memory.dependence(source, sink, common + 1)
        if found.verdict is Verdict.INDEPENDENT:
            return Legal.YES, None
        if found.distances.points is None:
            return Legal.UNKNOWN, found.because
        try:
            with budget():
                pairs = self._memory.pairs(source, sink, common + 1)
                is_kept = pairs.order_gt(DIM.in_, common, DIM.out, common).is_empty()
        except BudgetExceeded as error:
            return Legal.UNKNOWN, error.reason
        if is_kept:
            return Legal.YES, None
        if found.verdict is Verdict.UNKNOWN:
            return Legal.UNKNOWN, found.because
        texts = [self._memory.access_text(site) for site in (source, sink)]
        return Legal.NO, f"{texts[0]} of a later iteration would run behind {texts[1]}"


def least_distance(carried: Sequence[Dependence]) -> int | None:
    """The smallest distance along the loop that carries all of these; None if one may have any."""
    nearest: int | None = None
    for dependence in carried:
        if dependence.depth > len(dependence.hull):
            return None
        low = dependence.hull[dependence.depth - 1][0]
        if low is None:
            return None
        nearest = low if nearest is None else min(nearest, low)
    return nearest


def _constant_step(answer: LoopAnswer) -> int | None:
    induction = answer.levels[0].induction
    if len(answer.levels) != 1 or induction is None or not induction.step.is_constant:
        return None
    return induction.step.constant


def _is_permutable(carried: Sequence[Dependence], first: int, last: int) -> bool:
    """Whether no dependence that loops FIRST to LAST carry goes back along one of them."""
    for dependence in carried:
        if first < dependence.depth <= last + 1:
            for low, _ in dependence.hull[first : last + 1] or [(None, None)]:
                if low is None or low < 0:
                    return False
    return True


def _does_something(op: Operation) -> bool:
    """Whether OP, or an operation inside of it, accesses memory or may do anything else."""
    return any(_is_effective(inner) for inner in op.walk())


def _is_effective(op: Operation) -> bool:
    return is_stranger(op) or operation_name(op) in FREES or accesses_of(op) != ()
