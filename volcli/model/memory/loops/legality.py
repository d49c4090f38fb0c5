"""Which rewritings of loops keep every dependence and every effect: interchange, tiling, vectors.

Loops a..b that are perfectly nested are *permutable* if no dependence that one of them carries has a negative
component along any of them: then they may be interchanged and tiled. What is printed, called or freed inside
keeps the order of the iterations, whatever the accesses are; and what allocates between two loops makes the
nest imperfect, since another order of the iterations would take other buffers:

    for %i { %a = alloc; for %j { store %a[%j]; load %a[9 - %j] } }      %j outside: %a is another buffer

An answer that holds only if two buffers are different memory says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.programs.known_loops import counted_loop
from volcli.language.unchanged import operations_in
from volcli.model.memory.buffers.effects import Inside, accesses_of
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import Dependence
from volcli.model.memory.loops.loops import ASSERTIONS, LoopAnswer, LoopKind, Loops
from volcli.model.memory.loops.updates import Update, carried_updates
from volcli.model.stated_effects import effects_of, is_ordered


@dataclass(frozen=True, eq=False)
class Band:
    """Perfectly nested loops that may be interchanged and tiled, as many as go together."""

    levels: tuple[Level, ...]
    assumptions: tuple[str, ...] = ()


class Legality:
    """The nests of one function, and what may be done with them."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self._memory = loops.memory

    # -- bands -----------------------------------------------------------------------------------------

    def bands(self) -> Iterator[Band]:
        """The permutable bands of two loops and more, each as long as it can be."""
        for op, nest in self._perfect_nests():
            yield from self._split(op, nest)

    def refused(self) -> Iterator[tuple[Operation, str]]:
        """The outermost loops in which no loops are permutable, and why those of their own nest are not."""
        nests = list(self._perfect_nests())
        banded = [op for op, nest in nests if any(True for _ in self._split(op, nest))]
        said: list[Operation] = []
        for op, nest in nests:
            if not any(op.is_ancestor(other) for other in banded) and not any(
                o.is_ancestor(op) for o in said
            ):
                said.append(op)
                yield op, self._hindrance(op, nest)

    def _hindrance(self, op: Operation, nest: Sequence[Level]) -> str:
        """Why no loops of the perfect NEST in OP are known to be permutable."""
        because = next((level.because for level in nest if level.because is not None), None) or self.order(op)
        if because is not None:
            return because
        values, _ = self._carried(op)
        if values:
            return f"it makes {' and '.join(values)} in the order of its iterations"
        if len(nest) > 1:
            return self._goes_back(op, nest)
        inner = [
            each for region in op.regions for each in region.walk() if self._memory.nests.of_operation(each)
        ]
        if any(each.results for each in inner):
            return "what a loop inside carries begins again in each iteration, or is used in it"
        return (
            "what is in it is not one loop alone"
            if inner
            else "there is no loop in it to interchange it with"
        )

    def _goes_back(self, op: Operation, nest: Sequence[Level]) -> str:
        """Which dependence that loops of the perfect NEST in OP carry goes back along another one."""
        first = len(self._memory.nests.levels(op.parent))
        for each in self._loops.between(self._loops.inside(op)).first_ones():
            if first < each.depth <= first + len(nest) and not _is_permutable(
                [each], first, first + len(nest) - 1
            ):
                names = self._memory.names
                sink, source = names.access(each.sink), names.access(each.source)
                return f"{sink} depends on {source}, which goes back along another loop, or may do so"
        return "what it carries goes back along another loop, or may do so"

    def _perfect_nests(self) -> Iterator[tuple[Operation, list[Level]]]:
        """The loops that no perfect nest has inside, each with the levels of its own."""
        inside: set[Operation] = set()
        for op in operations_in(self._memory.function):
            if op is self._memory.function or op in inside or not self._memory.nests.of_operation(op):
                continue
            if op.parent is not None and op.parent.last_op is op:
                continue  # the regions that combine what a loop yields are a part of it
            nest = list(self._perfect(op))
            inside.update(level.op for level in nest[1:])
            yield op, nest

    def _perfect(self, op: Operation) -> Iterator[Level]:
        """The loops of the perfect nest whose outermost one is OP."""
        current: Operation | None = op
        while current is not None:
            yield from self._memory.nests.of_operation(current)
            current = self._only_loop(current)

    def _only_loop(self, op: Operation) -> Operation | None:
        """The loop in the body of OP, if nothing else there has effects or allocates.

        It carries what OP carries, from where OP has it to where OP has it.
        """
        blocks = [block for region in op.regions for block in region.blocks]
        if len(blocks) != 1:
            return None
        loops = [inner for inner in blocks[0].ops if self._memory.nests.of_operation(inner)]
        others = [inner for inner in blocks[0].ops if inner not in loops]
        if (
            len(loops) != 1
            or not _hands_on(op, loops[0])
            or any(has_effects(inner) or allocates(inner) for inner in others)
        ):
            return None
        return loops[0]

    def _split(self, op: Operation, nest: Sequence[Level]) -> Iterator[Band]:
        """The bands of a perfect NEST, from the outside, each as long as it can be."""
        if any(level.because is not None for level in nest) or self.order(op):
            return
        values, combined = self._carried(op)
        if values:
            return
        first = len(self._memory.nests.levels(op.parent))
        found = self._loops.between(self._loops.inside(op)).first_ones()
        carried = [d for d in found if first < d.depth <= first + len(nest)]
        assumptions = self._memory.assumed.of(self._loops.inside(op))
        assumed = dict.fromkeys((*assumptions, *self.asserted(op)))
        assumed.update((text, None) for update in combined for text in update.assumptions)
        start = 0
        while start < len(nest):
            end = start + 1
            while end < len(nest) and _is_permutable(carried, first + start, first + end):
                end += 1
            if end - start > 1:
                yield Band(tuple(nest[start:end]), tuple(assumed))
            start = end

    def _carried(self, op: Operation) -> tuple[Sequence[str], Sequence[Update]]:
        """What the loop OP makes in the order of its iterations, and what it combines in any order."""
        loop = counted_loop(op)
        if op.results and (loop is None or len(loop.carried_in_order) < len(op.results)):
            return [self._memory.bounds.name_of(each) for each in op.results], ()
        return carried_updates(op, self._memory.bounds.name_of, in_order=True)

    def order(self, op: Operation) -> str | None:
        """Why what is in OP keeps the order that it has, accesses apart."""
        return self._memory.insides.get(op, Inside()).because

    def asserted(self, op: Operation) -> tuple[str, ...]:
        """What is assumed of the assertions in OP."""
        return (ASSERTIONS,) if self._memory.insides.get(op, Inside()).asserts else ()

    # -- vectors ---------------------------------------------------------------------------------------

    def vectors(self) -> Iterator[tuple[LoopAnswer, int]]:
        """The innermost loops that carry something, and how many of their iterations may run at once.

        A loop that carries nothing nearer than distance d may run d iterations at a time; one that carries
        nothing at all is parallel, and not among these. What prints, calls, allocates or frees has no lanes.
        """
        for answer in self._loops.all():
            is_innermost = not any(
                self._memory.nests.of_operation(op) for op in answer.op.walk() if op is not answer.op
            )
            if not is_innermost or answer.kind is not LoopKind.CARRIED or answer.values:
                continue
            if self.order(answer.op) or allocates(answer.op) or frees(answer.op):
                continue
            step = _constant_step(answer)
            nearest = least_distance(answer.carried.first_ones())
            if step is not None and nearest is not None and nearest > step:
                _, combined = carried_updates(answer.op, self._memory.bounds.name_of)
                reordered = dict.fromkeys(text for update in combined for text in update.assumptions)
                yield replace(answer, assumptions=(*answer.assumptions, *reordered)), nearest // step


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


def _hands_on(outer: Operation, inner: Operation) -> bool:
    """Whether the loop INNER carries just what OUTER does, and nothing else uses that in OUTER."""
    if not outer.results and not inner.results:
        return True
    first, second = counted_loop(outer), counted_loop(inner)
    if first is None or second is None or len(first.carried) != len(inner.results):
        return False
    inside = second.carried_in_order
    return [each.argument for each in first.carried] == [each.initial for each in inside] and all(
        around.yielded is each.result and around.argument.has_one_use() and each.result.has_one_use()
        for around, each in zip(first.carried, inside, strict=True)
    )


def has_effects(op: Operation) -> bool:
    """Whether OP, or an operation inside of it, accesses or frees memory, or may do anything else."""
    return any(is_ordered(i) or _is_free(i) or accesses_of(i) != () for i in op.walk())


def allocates(op: Operation) -> bool:
    """Whether OP, or an operation inside of it, makes a buffer of its own each time that it runs."""
    sources = (questions.buffer(inner) for inner in op.walk())
    return any(source is not None and source.symbol is None for source in sources)


def frees(op: Operation) -> bool:
    """Whether OP, or an operation inside of it, frees a buffer."""
    return any(map(_is_free, op.walk()))


def _is_free(op: Operation) -> bool:
    return bool(effects_of(op).frees)
