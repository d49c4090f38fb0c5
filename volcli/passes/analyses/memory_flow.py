"""memory-flow: the last writer of what is read, what nothing has written, and what nothing reads."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from volcli.diagnostics import Diagnostic
from volcli.facts.fact import Fact
from volcli.facts.flow import BufferFact, FlowSource, ReadFact, WriteFact
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.memory.accesses.comparable_indices import texts_of
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.buffers.layouts import elements_of
from volcli.model.memory.dependences.naming import example_text, iterations, map_named, set_named
from volcli.model.memory.flow.answers import (
    AccessFlow,
    BufferFlow,
    LastWriter,
    ReadFlow,
    WriteFlow,
    of_chosen,
)
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import named_assumptions
from volcli.model.memory.occurrence.certainty import calls_of, certainty, first_point
from volcli.passes.analyses.overlapping_calls import overlapping
from volcli.passes.analyses.reached import ReachedArguments
from volcli.passes.base import Pass, Unit, option
from volcli.passes.ends import Ends
from volcli.passes.overflowing import with_assumptions
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.named import NamedMap, NamedSet


@dataclass(frozen=True)
class MemoryFlowPass(Pass):
    """State which write gives each read its value, and find dead stores and uninitialized reads.

    For each read: the accesses that wrote its element last, each with the pairs of iterations between which
    the value flows, and the iterations that read elements not written in the function. For each write: the
    iterations whose values are never read. For each buffer: the elements that are read as they were before
    the function (live in), and those that are read after it (live out).

    Findings: uninitialized memory is read (V205); an operation of which no written element is ever read
    (V206, a warning). Both hold whatever the function's arguments are, even if they are the same memory. A
    call that passes overlapping memory for two arguments that the answers about the called function assume
    to be different memory is a warning, too (V219).

    Memrefs are followed through views. What a mask or an unknown operation may write hides nothing: then the
    answers are upper bounds, and say so. So are those about accesses of a parallel loop that race, or are
    atomic: they come in any order.
    """

    name = "memory-flow"
    summary = "the last writers of each read, live elements, uninitialized reads and dead stores"
    by_function = True

    assume_noalias_args: bool = option(
        False, help="assume that arguments are different memory, without stating it"
    )
    findings_only: bool = option(False, help="no facts: stop at accesses without a finding")

    def apply(self, unit: Unit) -> None:
        """Facts in the order of the text: one for each buffer, and one for each access."""
        for model in unit.models():
            operations = unit.budget or DEFAULT_OPERATIONS
            flow = MemoryFlow(model.memory, operations=operations)
            noalias = self.assume_noalias_args
            found = with_assumptions(
                model, flow.doubtful(noalias=noalias) if self.findings_only else flow.all()
            )
            if self.assume_noalias_args:
                found = [_without_aliases(each) for each in found]
            if not self.findings_only:
                unit.facts.extend(_facts(unit, model, found))
            for diagnostic in (*_findings(unit, model, flow, found), *overlapping(unit, model)):
                unit.report(diagnostic)


def _facts(unit: Unit, model: FunctionModel, found: Sequence[BufferFlow]) -> Iterator[Fact]:
    """What was FOUND: the buffers, and then their accesses in the order of the text."""
    yield from (_buffer(unit, model, each) for each in found)
    answers: list[ReadFlow | WriteFlow] = [a for each in found for a in (*each.reads, *each.writes)]
    ends, named = Ends(unit, model), _Named(model)
    for answer in sorted(answers, key=lambda a: a.site.number):
        yield _access(unit, model, ends, named, answer)


def _without_aliases(flow: BufferFlow) -> BufferFlow:
    """FLOW, of which it need not be said that arguments are different memory."""
    return replace(
        flow,
        reads=tuple(
            replace(r, assumptions=named_assumptions(r.assumptions, noalias=True)) for r in flow.reads
        ),
        writes=tuple(
            replace(w, assumptions=named_assumptions(w.assumptions, noalias=True)) for w in flow.writes
        ),
        assumptions=named_assumptions(flow.assumptions, noalias=True),
        dead_if=named_assumptions(flow.dead_if, noalias=True),
    )


def _buffer(unit: Unit, model: FunctionModel, flow: BufferFlow) -> BufferFact:
    owner = flow.root.value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    if op is None or not model.function.is_ancestor(op):
        op = model.function
    return BufferFact(
        unit.where(model, op),
        model.memory.names.memref(flow.root.value),
        _elements_named(model, flow.live_in),
        _elements_named(model, flow.live_out),
        _digits_text(model, flow),
        flow.outlives,
        flow.is_exact,
        flow.because,
        flow.assumptions,
    )


def _elements_named(model: FunctionModel, points: isl.Set | None) -> NamedSet | None:
    """The elements of a buffer; None if there are none, or they are not known."""
    if points is None or points.is_empty():
        return None
    return set_named(model.memory, points, [f"d{d}" for d in range(points.dim(DIM.set))])


def _digits_text(model: FunctionModel, flow: BufferFlow) -> str | None:
    """The index that has the digits d0, d1, ... by which elements are compared; None if there are none."""
    if flow.digits is None:
        return None
    return ", ".join(texts_of(flow.digits, model.memory.bounds.texts.of))


class _Named:
    """The sets of one function's answers, which accesses that are alike share, each named once."""

    def __init__(self, model: FunctionModel) -> None:
        self._memory = model.memory
        self._pairs: dict[Hashable, NamedMap] = {}
        self._unwritten: dict[Hashable, NamedSet | None] = {}

    def pairs(self, flow: LastWriter) -> NamedMap:
        """The iterations between which a value flows."""
        key = id(flow.pairs), id(flow.writer.levels), id(flow.reader.levels)  # all are kept
        known = self._pairs.get(key)
        if known is None:
            names = (iterations(self._memory, site) for site in (flow.writer, flow.reader))
            known = self._pairs[key] = map_named(self._memory, flow.pairs, *names)
        return known

    def unwritten(self, read: ReadFlow) -> NamedSet | None:
        """The iterations that read what nothing wrote; None if there are none."""
        if read.unwritten is None:
            return None
        key = id(read.unwritten), id(read.site.levels)  # which are kept, too
        if key not in self._unwritten:
            names, points = iterations(self._memory, read.site), read.unwritten
            found = None if points.is_empty() else points.domain().coalesce()
            self._unwritten[key] = None if found is None else set_named(self._memory, found, names)
        return self._unwritten[key]


def _access(
    unit: Unit, model: FunctionModel, ends: Ends, named: _Named, answer: ReadFlow | WriteFlow
) -> ReadFact | WriteFact:
    where, end = unit.where(model, answer.site.op), ends.of(answer.site)
    if isinstance(answer, WriteFlow):
        dead = answer.dead
        is_empty = dead is None or dead.is_empty()
        names = iterations(model.memory, answer.site)
        said = None if dead is None or is_empty else set_named(model.memory, dead, names)
        is_dead = _is_dead(answer) and not answer.site.is_one_of
        return WriteFact(where, end, said, is_dead, answer.is_exact, answer.because, answer.assumptions)
    sources = tuple(
        FlowSource(ends.of(each.writer), named.pairs(each), each.exact, each.because)
        for each in answer.writers
    )
    unwritten = named.unwritten(answer)
    is_older = answer.site.place.root.origin is not Origin.ALLOCATION
    return ReadFact(
        where, end, sources, unwritten, is_older, answer.is_exact, answer.because, answer.assumptions
    )


# -- findings ------------------------------------------------------------------------------------------


_ALSO, _OTHERS = "the buffer is also written here", "other elements are written here"


def _findings(
    unit: Unit, model: FunctionModel, asked: MemoryFlow, found: list[BufferFlow]
) -> Iterator[Diagnostic]:
    chosen = of_chosen(model.memory.sites, found)
    for flow in found:
        writes = dict.fromkeys(unit.parsed.written_at(each.op) for each in asked.writes_to(flow.root))
        for answer in (*flow.reads, *flow.writes):
            every = chosen.get((answer.site.op, id(answer.site.access)), [(flow, answer)])
            if not every or every[0][1] is not answer:
                continue
            try:
                with budget(unit.budget or DEFAULT_OPERATIONS):
                    message = _message_of_all(unit, model, every)
            except BudgetExceeded:
                continue
            if message is not None:
                place = unit.parsed.written_at(answer.site.op)
                code, said = ("V206", _ALSO) if isinstance(answer, WriteFlow) else ("V205", _OTHERS)
                note = None if isinstance(answer, WriteFlow) else _begins(model, flow, answer)
                related = tuple((at, said) for at in writes if at != place)
                yield Diagnostic(code, message, place, note, related)


def _begins(model: FunctionModel, flow: BufferFlow, answer: ReadFlow) -> str | None:
    """What to do if what ANSWER is about reads an element that its iteration then writes: a sum, say."""
    read = answer.site
    for write in flow.writes:
        is_update = write.site.place.index == read.place.index and write.site.levels == read.levels
        if is_update and write.site.number > read.number and read.levels:
            text = model.memory.names.access(read)
            return f"initialize {text} before the loop: it is what the loop adds to, or combines with more"
    return None


def _message_of_all(unit: Unit, model: FunctionModel, every: Sequence[AccessFlow]) -> str | None:
    """What is wrong with an access, to whichever memref it goes: it is so for each that may be chosen."""
    relation = model.memory.instances.relation
    if len(every) > 1:
        every = [each for each in every if not relation(each[1].site).points.is_empty()]
    messages = [_message(unit, model, flow, answer) for flow, answer in every]
    return messages[0] if messages and None not in messages else None


def _message(unit: Unit, model: FunctionModel, flow: BufferFlow, answer: ReadFlow | WriteFlow) -> str | None:
    """What is wrong with an access, whatever is assumed."""
    op = operation_name(answer.site.op)
    if isinstance(answer, WriteFlow):
        is_certain = answer.site.access.partial is None  # a transfer goes on after the operation
        is_certain = is_certain and not model.memory.is_known_call(answer.site.op)  # which does more
        is_finding = is_certain and _is_dead(answer) and not flow.dead_if
        if not is_finding:
            return None
        return f"'{op}' op writes {model.memory.names.access(answer.site)}, which is never read"
    if flow.root.origin is not Origin.ALLOCATION or answer.never_written is None or answer.unwritten is None:
        return None
    if answer.never_written.is_empty() or flow.digits is not None:
        return None
    inside = answer.never_written.intersect_range(_elements(flow.root))
    runs = model.memory.instances.relation(answer.site).points.domain()
    happens = certainty(model.memory, inside.domain(), runs)
    if not happens.always:
        return None
    given = unit.shared(ReachedArguments).arguments(model, calls_of(model.memory, happens, runs))
    points = happens.points if given is None else model.memory.with_numbers(happens.points, given)
    if given is None or points.is_empty():
        return None
    example = example_text(model.memory, answer.site.levels, first_point(points))
    elements = _elements_named(model, inside.intersect_domain(points).range().coalesce())
    is_said = elements is not None and inside.dim(DIM.out) and not answer.site.is_one_of
    which = f": elements {elements}" if is_said else ""
    text = model.memory.names.access(answer.site)
    return f"'{op}' op reads {text}, which is uninitialized{example}{which}"


def _is_dead(answer: WriteFlow) -> bool:
    """Whether no iteration of the access to this memref may be read, and there may be one."""
    if answer.dead is None or answer.dead.is_empty() or answer.runs is None or answer.runs.is_empty():
        return False
    return answer.runs.plain_is_equal(answer.dead) or bool(answer.runs.is_subset(answer.dead))


def _elements(root: Root) -> isl.Set:
    """What the elements of a buffer are compared by, as far as its type says it."""
    assert isa(root.value.type, MemRefType[Attribute])
    return elements_of(root.value.type)
