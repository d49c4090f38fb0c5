"""Which loops in a row may be one loop.

Two loops with the same bounds may be *fused* if no iteration j of the second depends on an iteration i > j of
the first: that one would run after it. A loop whose iterations have no order asks for more: what iteration j
depends on is in iteration j, and what becomes a part of it carries nothing itself.

    parallel %i { store %a[%i] }  parallel %i { load %a[%i - 1] }      i = j - 1: fused, iterations would race
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import islpy as isl
from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.loops.legality import Legality, has_effects
from volcli.model.memory.loops.loops import ASSERTIONS, LoopKind, Loops
from volcli.model.memory.loops.marked import MARK
from volcli.model.memory.occurrence.doubts import doubt
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM


class Legal(Enum):
    """Three values."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class _Part:
    """What one reason has to say: whether it allows fusion, why not, and what it assumes."""

    legal: Legal = Legal.YES
    because: str | None = None
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Fusion:
    """Whether the loop SECOND may become a part of the loop FIRST before it; if so, with ASSUMPTIONS."""

    first: Operation
    second: Operation
    legal: Legal
    because: str | None = None
    assumptions: tuple[str, ...] = ()


class Fusions:
    """The pairs of loops of one function that could be one loop."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self._memory = loops.memory
        self._legality = Legality(loops)

    def all(self) -> Iterator[Fusion]:
        """Each loop with the next one in its block, if their bounds are equal and nothing is in between."""
        for op in operations_in(self._memory.function):
            if op is not self._memory.function and len(self._memory.nests.of_operation(op)) == 1:
                between = list(self._between(op))
                second = between.pop() if between else None
                if second is not None and self._could_be_one(op, second):
                    yield self._fusion(op, second, between)

    def _between(self, op: Operation) -> Iterator[Operation]:
        """The operations after OP up to the next loop, that one too; none if one of them has effects."""
        found: list[Operation] = []
        following = op.next_op
        while following is not None and not self._memory.nests.of_operation(following):
            if has_effects(following):
                return
            found.append(following)
            following = following.next_op
        if following is not None:
            yield from (*found, following)

    def _could_be_one(self, first: Operation, second: Operation) -> bool:
        """Whether the bounds and the steps of both are equal, and neither has results."""
        if first.results or second.results:
            return False
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

    def _fusion(self, first: Operation, second: Operation, between: Sequence[Operation]) -> Fusion:
        """The worst of all reasons: the first one that forbids it, else the first that is unknown."""
        parts = list(self._parts(first, second))
        for legal in (Legal.NO, Legal.UNKNOWN):
            part = next((part for part in parts if part.legal is legal), None)
            if part is not None:
                return Fusion(first, second, legal, part.because)
        asserted = (*self._legality.asserted(first), *self._legality.asserted(second), *_asserted(between))
        assumed = dict.fromkeys((*(text for part in parts for text in part.assumptions), *asserted))
        return Fusion(first, second, Legal.YES, assumptions=tuple(assumed))

    def _parts(self, first: Operation, second: Operation) -> Iterator[_Part]:
        """All reasons, up to the first one that forbids it."""
        for part in self._reasons(first, second):
            yield part
            if part.legal is Legal.NO:
                return

    def _reasons(self, first: Operation, second: Operation) -> Iterator[_Part]:
        yield self._with_effects(first)
        yield self._with_effects(second)
        yield self._without_order(first, second)
        is_parallel = self._is_parallel(first)
        for source in self._loops.inside(first):
            for sink in self._loops.inside(second):
                if source.is_write or sink.is_write:
                    yield self._keeps_order(source, sink, is_parallel=is_parallel)

    def _is_parallel(self, op: Operation) -> bool:
        levels = self._memory.nests.of_operation(op)
        return MARK in op.attributes or not all(level.sequential for level in levels)

    def _with_effects(self, op: Operation) -> _Part:
        because = self._legality.order(op)
        return _Part() if because is None else _Part(Legal.UNKNOWN, because)

    def _without_order(self, first: Operation, second: Operation) -> _Part:
        """Whether a sequential SECOND can do without the order that it has, if FIRST has none."""
        if not self._is_parallel(first) or self._is_parallel(second):
            return _Part()
        answer = self._loops.of(second, self._memory.nests.of_operation(second))
        match answer.kind:
            case LoopKind.PARALLEL:
                return _Part(assumptions=answer.assumptions)
            case LoopKind.UNKNOWN:
                return _Part(Legal.UNKNOWN, answer.because)
            case _:
                return _Part(Legal.NO, "the iterations of the loop before are not ordered, and these must be")

    def _keeps_order(self, source: Site, sink: Site, *, is_parallel: bool) -> _Part:
        """Whether SINK in iteration j of its loop never needs SOURCE in an iteration i > j of its own.

        If the loop IS_PARALLEL, in no other iteration at all.
        """
        common = self._memory.common(source, sink)
        found = self._memory.dependence(source, sink, common + 1)
        if found.verdict is DependenceVerdict.INDEPENDENT:
            return _Part(assumptions=found.assumptions)
        if found.distances.points is None:
            return _Part(Legal.UNKNOWN, found.because)
        try:
            with budget():
                pairs = self._memory.pairs(source, sink, common + 1)
                wrong = pairs.order_gt(DIM.in_, common, DIM.out, common)
                if is_parallel:
                    wrong = wrong.union(pairs.order_lt(DIM.in_, common, DIM.out, common))
                if wrong.is_empty():
                    return _Part(assumptions=found.assumptions)
                because = found.because if found.verdict is DependenceVerdict.UNKNOWN else self._doubt(wrong)
        except BudgetExceeded as error:
            return _Part(Legal.UNKNOWN, error.reason)
        if found.verdict is DependenceVerdict.UNKNOWN or because is not None:
            return _Part(Legal.UNKNOWN, because)
        texts = [self._memory.names.access(site) for site in (source, sink)]
        if wrong.intersect(pairs.order_gt(DIM.in_, common, DIM.out, common)).is_empty():
            return _Part(
                Legal.NO,
                f"{texts[1]} needs {texts[0]} of another iteration, and the iterations are not ordered",
            )
        return _Part(Legal.NO, f"{texts[0]} of a later iteration would run after {texts[1]}")

    def _doubt(self, pairs: isl.Map) -> str | None:
        return doubt(self._memory, pairs.wrap())


def _asserted(between: Sequence[Operation]) -> tuple[str, ...]:
    """What is assumed of assertions that would run after the second loop."""
    is_asserted = any(questions.assumptions.answers(type(op)) and not op.results for op in between)
    return (ASSERTIONS,) if is_asserted else ()
