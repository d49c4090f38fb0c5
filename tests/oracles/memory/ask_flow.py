"""volcli's answers about the flow of values through memory, against all runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import islpy as isl

from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.memory.ask import memory_of, parameters, points
from tests.oracles.memory.memrefs import Index
from tests.oracles.memory.programs import Program
from tests.oracles.memory.truth import Truth
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import ReadFlow, WriteFlow
from volcli.model.memory.flow.flows import MemoryFlow

DIM = isl.dim_type
True_ = Callable[[Truth], set[Index]]


def flow_judged(program: Program) -> Iterator[Judgement]:
    """What the answers about last writers, unwritten elements and dead stores are worth."""
    memory = memory_of(program)
    for buffer in MemoryFlow(memory).all():
        for read in buffer.reads:
            yield from _of_read(program, memory, read)
        for write in buffer.writes:
            yield _of_write(program, memory, write)


def _of_read(program: Program, memory: Memory, read: ReadFlow) -> Iterator[Judgement]:
    number = read.site.number
    if read.unwritten is None or read.never_written is None:
        yield Judgement("flow", "unknown" if read.because else "wrong", str(number), "", read.because)
        return
    said = {each.writer.number: each for each in read.writers}
    for site in program.sites:
        if not site.access.write:
            continue
        found = said.get(site.number)
        nothing = isl.Set.empty(
            isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, len(site.ivs) + len(read.site.levels))
        )
        most = nothing if found is None else found.pairs.wrap().flatten()
        least = most if found is None or found.exact else found.certain.wrap().flatten()

        def true(truth: Truth, writer: int = site.number) -> set[Index]:
            return {(*source, *sink) for source, sink in truth.flow.get((writer, number), ())}

        because = None if found is None else found.because
        yield _between(program, memory, ("flow", f"{site.number} to {number}"), least, most, true, because)

    def unwritten(truth: Truth) -> set[Index]:
        return {ivs for site, ivs in truth.unwritten if site == number}

    least, most = read.never_written.domain(), read.unwritten.domain()
    yield _between(program, memory, ("unwritten", str(number)), least, most, unwritten, read.because)


def _of_write(program: Program, memory: Memory, write: WriteFlow) -> Judgement:
    number = write.site.number
    if write.dead is None or write.read is None or write.runs is None:
        return Judgement("dead", "unknown" if write.because else "wrong", str(number), "", write.because)

    def dead(truth: Truth) -> set[Index]:
        return {ivs for site, ivs in truth.dead if site == number}

    most = write.runs.subtract(write.read)
    # That a write is dead is said of where it may run, too.
    least = write.dead if write.is_exact else write.dead.subtract(write.dead)
    return _between(program, memory, ("dead", str(number)), least, most, dead, write.because, of=number)


def _between(
    program: Program,
    memory: Memory,
    question: tuple[str, str],
    least: isl.Set,
    most: isl.Set,
    true: True_,
    because: str | None,
    of: int | None = None,
) -> Judgement:
    """Whether what is true lies between LEAST and MOST in all runs; of iterations that OF runs, if given."""
    kind, text = question
    names = [parameters(memory, each, program) for each in (least, most)]
    is_exact = True
    for vector, truth in program.truths.items():
        expected = true(truth)
        low, high = points(least, names[0], vector), points(most, names[1], vector)
        if of is not None:
            happens = {each.ivs for each in truth.trace if each.site == of}
            low, high = low & happens, high & happens
        if expected - high:
            return Judgement(kind, "wrong", text, str(most), f"{sorted(expected - high)} missing at {vector}")
        if low - expected:
            return Judgement(kind, "overclaimed", text, str(least), f"{sorted(low - expected)} at {vector}")
        is_exact = is_exact and low == expected == high
    if is_exact:
        return Judgement(kind, "exact", text, str(most))
    return Judgement(
        kind, "loose" if because else "overclaimed", text, str(most), because or "no reason given"
    )
