"""Answers about memory that name what they assume of arithmetic: in the machine, without it, they are others.

%q = muli %n, %n;  scf.if %q < 0 { store %x, %m[0] }       never runs, assuming products do not overflow
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import islpy as isl

from volcli.model.function import FunctionModel
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.dependences.naming import map_named, set_named
from volcli.model.memory.flow.answers import BufferFlow, ReadFlow, WriteFlow
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.presburger.sets.build import DIM

Answer = TypeVar("Answer", ReadFlow, WriteFlow)
Contents = Mapping[Hashable, object]
"""What answers say, by what they are about."""


def assumed_of_memory(
    memory: Memory, found: Contents, again: Callable[[Memory], Contents]
) -> dict[Hashable, tuple[str, ...]]:
    """What is assumed by those of the answers FOUND of MEMORY that are others if they are asked AGAIN."""
    known: dict[Memory, Contents] = {}

    def of(other: Memory) -> Contents:
        if other not in known:
            try:
                known[other] = again(other)
            except BudgetExceeded:
                known[other] = {}
        return known[other]

    assumed = {
        key: memory.assumptions(lambda other, key=key, said=said: of(other).get(key) == said)
        for key, said in found.items()
    }
    return {key: text for key, text in assumed.items() if text}


def with_assumptions(model: FunctionModel, found: Sequence[BufferFlow]) -> list[BufferFlow]:
    """The flow that was FOUND, with what it assumes of arithmetic."""
    return [_with_assumptions(model.memory, flow) for flow in found]


def _with_assumptions(memory: Memory, flow: BufferFlow) -> BufferFlow:
    def again(other: Memory) -> Contents:
        return _contents(other, MemoryFlow(other).of(flow.root))

    assumed = assumed_of_memory(memory, _contents(memory, flow), again)

    def named(answer: Answer) -> Answer:
        return replace(answer, assumptions=(*answer.assumptions, *assumed.get(answer.site, ())))

    texts = dict.fromkeys(text for each in assumed.values() for text in each)
    reads, writes = tuple(map(named, flow.reads)), tuple(map(named, flow.writes))
    return replace(flow, reads=reads, writes=writes, assumptions=(*flow.assumptions, *texts))


def _contents(memory: Memory, flow: BufferFlow) -> Contents:
    """What FLOW says of its buffer and of each access, over the names of the program."""

    def text(points: isl.Set | isl.Map | None) -> str | None:
        if points is None:
            return None
        points = points.coalesce()
        if isinstance(points, isl.Set):
            return set_named(memory, points, [f"d{d}" for d in range(points.dim(DIM.set))]).text
        ends = ([f"{end}{d}" for d in range(points.dim(of))] for end, of in (("i", DIM.in_), ("j", DIM.out)))
        return map_named(memory, points, *ends).text

    def of(answer: ReadFlow | WriteFlow) -> object:
        if isinstance(answer, WriteFlow):
            return text(answer.dead), answer.is_exact
        writers = {each.writer: text(each.pairs) for each in answer.writers if not each.pairs.is_empty()}
        return writers, text(answer.unwritten), answer.is_exact

    whole = text(flow.live_in), text(flow.live_out), flow.is_exact
    return {None: whole, **{answer.site: of(answer) for answer in (*flow.reads, *flow.writes)}}
