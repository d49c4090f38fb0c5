"""The flow of values through memory: last writers, dead stores, and what buffers hold before and after."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import islpy as isl
import numpy as np
from xdsl.ir import Operation

from volcli.api.confirming.dependences import is_plain
from volcli.api.confirming.runs import (
    F,
    Judge,
    Observed,
    Point,
    SampledRun,
    dimensions,
    joined,
    named,
    placed,
)
from volcli.execution.memory.memory import MemoryView
from volcli.execution.runs.recording import LOOPS, PARALLEL_LOOPS, RecordedAccess, Recorder, iterators_around
from volcli.facts.fact import Fact
from volcli.facts.flow import BufferFact, ReadFact, WriteFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.points import has_point

_COUNTED = LOOPS + PARALLEL_LOOPS


@dataclass
class HappenedAccesses:
    """What one execution read and wrote: of reads the write before, of writes what became of them."""

    reads: list[tuple[RecordedAccess, RecordedAccess | None]] = field(
        default_factory=list[tuple[RecordedAccess, "RecordedAccess | None"]]
    )
    read: set[int] = field(default_factory=set[int])
    """The positions of the writes of which something is read; those of `overwritten` ones, of `last` ones."""
    overwritten: set[int] = field(default_factory=set[int])
    last: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])


def happened_in(recorder: Recorder) -> HappenedAccesses:
    """What was read and written in the execution of RECORDER."""
    accesses = recorder.accesses
    found = HappenedAccesses()
    for position, access in enumerate(accesses):
        element = (id(access.memory), access.at)
        before = found.last.get(element)
        if access.is_write:
            if before is not None and before not in found.read:
                found.overwritten.add(before)
            found.last[element] = position
        else:
            found.reads.append((access, None if before is None else accesses[before]))
            if before is not None:
                found.read.add(before)
    return found


def useful_writers(recorder: Recorder) -> frozenset[Operation]:
    """The operations of which something that they wrote was read, or is left in memory of the caller."""
    happened = happened_in(recorder)
    outlives = {id(memory) for memory in recorder.given}
    read = {writer.op for _, writer in happened.reads if writer is not None}
    left = {recorder.accesses[at].op for (memory, _), at in happened.last.items() if memory in outlives}
    return frozenset(read | left)


class FlowJudge(Judge):
    """Each read has the last writer that is stated, and what nothing reads is not read."""

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._unit = unit
        self._function = model.function
        values, facts = named(unit, model.function), list(facts)
        self._reads = dict(self._plain(facts, ReadFact))
        self._writes = dict(self._plain(facts, WriteFact))
        self._buffers = [
            (values[fact.buffer], fact)
            for fact in facts
            if isinstance(fact, BufferFact) and fact.buffer in values and fact.digits is None
        ]

    def _plain(self, facts: Iterable[Fact], kind: type[F]) -> Iterator[tuple[Operation, F]]:
        """Those of FACTS of this KIND whose operation has the iterations of the loops around it.

        One to one of several memrefs has a fact for each; which of them a run is about is not known here.
        """
        found = [*placed(self._unit, facts, kind)]
        several = {op for op, count in Counter(op for op, _ in found).items() if count > 1}
        for op, fact in found:
            if op not in several and is_plain(self._function, op, _COUNTED):
                yield op, fact

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        if not (self._reads or self._writes or self._buffers):
            return
        happened = happened_in(run.recorder)
        yield from self._of_reads(run, happened)
        yield from self._of_writes(run, happened)
        yield from self._of_buffers(run, happened)

    # -- reads -----------------------------------------------------------------------------------------

    def _of_reads(self, run: SampledRun, happened: HappenedAccesses) -> Iterator[Observed]:
        pairs: dict[tuple[Operation, Operation | None], set[Point]] = defaultdict(set)
        elsewhere = {
            read.op for read, writer in happened.reads if writer and not self._function.is_ancestor(writer.op)
        }
        for read, writer in happened.reads:
            if read.op in self._reads and (writer is None or self._function.is_ancestor(writer.op)):
                is_counted = writer is not None and is_plain(self._function, writer.op, _COUNTED)
                before = writer.iteration if writer is not None and is_counted else ()
                pairs[read.op, None if writer is None else writer.op].add((*before, *read.iteration))
        for (op, writer), points in pairs.items():
            fact = self._reads[op]
            if fact.certainty.degree != "unknown" and run.fulfils(fact.assumptions):
                wrong = self._wrong_source(fact, op, writer, points, run)
                yield Observed(fact, wrong)
        for op, fact in self._reads.items():
            if fact.exact and op not in elsewhere and run.fulfils(fact.assumptions):
                yield from self._too_much(fact, op, pairs, run)

    def _wrong_source(
        self, fact: ReadFact, op: Operation, writer: Operation | None, points: set[Point], run: SampledRun
    ) -> str | None:
        """What is wrong with FACT, where WRITER (None: nothing in the function) wrote for OP at POINTS."""
        if writer is None:
            if fact.unwritten is None:
                return (
                    f"iteration {min(points)} reads an element that was never written" if fact.exact else None
                )
            missing = _outside(run, fact.unwritten, points)
            return None if missing is None else f"iteration {missing} reads an element that was never written"
        place = self._unit.parsed.written_at(writer)
        sources = [each for each in fact.sources if each.writer.place == place]
        if not sources:
            return f"line {place.line} writes what is read"
        stated = [run.fixed(joined(each.pairs.map)) for each in sources]
        missing = next((each for each in _sampled(points) if all(_lacks(s, each) for s in stated)), None)
        if missing is None:
            return None
        split = len(missing) - len(iterators_around(op))
        return f"line {place.line} writes in iteration {missing[:split]} what {missing[split:]} reads"

    def _too_much(
        self,
        fact: ReadFact,
        op: Operation,
        pairs: Mapping[tuple[Operation, Operation | None], set[Point]],
        run: SampledRun,
    ) -> Iterator[Observed]:
        """Pairs that FACT, which is exact, states, and that are none."""
        by_place: dict[object, set[Point]] = defaultdict(set)
        for (reader, writer), points in pairs.items():
            if reader is op and writer is not None:
                by_place[self._unit.parsed.written_at(writer)] |= points
        for source in fact.sources:
            stated = _points(run, NamedSet.of(joined(source.pairs.map)))
            happened = by_place.get(source.writer.place, set())
            if stated is not None and (not happened or len(min(happened)) == len(min(stated, default=()))):
                for point in sorted(stated - happened)[:1]:
                    yield Observed(fact, f"{source.writer} writes nothing that is read at {point}")

    # -- writes ----------------------------------------------------------------------------------------

    def _of_writes(self, run: SampledRun, happened: HappenedAccesses) -> Iterator[Observed]:
        outlives = {id(memory) for memory in run.recorder.given}
        left = {position for (memory, _), position in happened.last.items() if memory in outlives}
        dead = {op: self._dead(fact, run) for op, fact in self._writes.items()}
        for position, access in _spread(run.recorder.accesses):
            fact = self._writes.get(access.op) if access.is_write else None
            if fact is None or not run.fulfils(fact.assumptions):
                continue
            is_dead = dead[access.op](access.iteration)
            if is_dead and (position in happened.read or position in left):
                yield Observed(fact, f"what iteration {access.iteration} writes is read")
            elif fact.exact and not is_dead and position in happened.overwritten:
                said = f"what iteration {access.iteration} writes is overwritten before it is read"
                yield Observed(fact, said)
            elif fact.exact or is_dead:
                yield Observed(fact)

    @staticmethod
    def _dead(fact: WriteFact, run: SampledRun) -> Callable[[Point], bool]:
        """Of an iteration, whether FACT says that nothing reads what it writes."""
        if fact.is_wholly_dead or fact.dead is None:
            return lambda _: fact.is_wholly_dead
        stated = run.fixed(fact.dead.set)
        return lambda point: has_point(stated, point)

    # -- buffers ---------------------------------------------------------------------------------------

    def _of_buffers(self, run: SampledRun, happened: HappenedAccesses) -> Iterator[Observed]:
        for value, fact in self._buffers:
            views = run.seen(value)
            if len(views) != 1 or not isinstance(views[0], MemoryView) or not run.fulfils(fact.assumptions):
                continue
            view: MemoryView = views[0]
            if not view.is_injective or view.allocation not in run.recorder.given:
                continue
            where = {int(at): index for index, at in np.ndenumerate(view.positions())}
            memory = id(view.allocation)
            before = {
                read.at for read, writer in happened.reads if writer is None and id(read.memory) == memory
            }
            after = {at for owner, at in happened.last if owner == memory}
            for name, stated, elements in (("in", fact.live_in, before), ("out", fact.live_out, after)):
                points = {where[at] for at in elements if at in where}
                if not points:
                    continue
                missing = min(points) if stated is None and fact.exact else None
                if stated is not None:
                    missing = _outside(run, stated, points)
                yield Observed(fact, None if missing is None else f"element {list(missing)} is live {name}")


def _lacks(stated: isl.Set, point: Point) -> bool:
    """Whether POINT is none of those STATED; not, if they are of other loops."""
    return dimensions(stated) == len(point) and not has_point(stated, point)


def _spread(accesses: Sequence[RecordedAccess]) -> Iterator[tuple[int, RecordedAccess]]:
    """ACCESSES with their positions: of many some, evenly spread."""
    return islice(enumerate(accesses), 0, None, len(accesses) // (10 * limits.CONFIRMED_POINTS) + 1)


def _sampled(points: Iterable[Point]) -> list[Point]:
    """POINTS in their order: of many some, evenly spread."""
    found = sorted(points)
    return found[:: len(found) // limits.CONFIRMED_POINTS + 1]


def _outside(run: SampledRun, stated: NamedSet, points: Iterable[Point]) -> Point | None:
    """The first of POINTS that is not STATED."""
    fixed = run.fixed(stated.set)
    return next((each for each in _sampled(points) if _lacks(fixed, each)), None)


def _points(run: SampledRun, stated: NamedSet) -> set[Point] | None:
    """All points that are STATED; None if they depend on what is not known here, or are many."""
    fixed = run.fixed(stated.set)
    names = [fixed.get_dim_name(DIM.param, k) for k in range(fixed.dim(DIM.param))]
    if any(name not in run.parameters for name in names):
        return None
    found = few_points(fixed.project_out_all_params(), limits.CONFIRMED_POINTS)
    return None if found is None else set(found)
