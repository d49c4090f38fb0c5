"""Accesses to a memref that numbers choose: one access to each memref that it may be, where it is that one.

    %m = arith.select %c, %a, %b        %c is n < 3
    memref.store %x, %m[%i]             %a[i] is written where 2 - n >= 0, %b[i] where n - 3 >= 0

The conditions exclude each other, so that each execution of the operation goes to one of these memrefs.
What data decides stays one of several buffers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import MemoryAccess
from volcli.language.programs.blocks import blocks_around, home
from volcli.language.programs.choices import over_numbers, values_in
from volcli.language.reads import Conjunction, Disjunction, possible
from volcli.limits import memory as limits
from volcli.model.memory.buffers.buffers import BufferIndex, Buffers

Case = tuple[Conjunction, SSAValue]


def places(buffers: Buffers, op: Operation, access: MemoryAccess) -> list[BufferIndex]:
    """The elements of each buffer that the ACCESS of OP goes to, where it goes to that one."""
    pending, found = [access], list[BufferIndex]()
    while pending:
        behind = buffers.behind_views(pending.pop())
        cases = _cases(behind.memref, op)
        if cases is None:
            found.append(buffers.place(behind))
            continue
        pending += (
            replace(behind, memref=memref, where=(*behind.where, *where)) for where, memref in reversed(cases)
        )
        if len(pending) + len(found) > limits.CHOSEN_MEMREFS:
            return [buffers.place(access)]
    return found


def _cases(memref: SSAValue, op: Operation) -> list[Case] | None:
    """The memrefs that MEMREF may be where OP runs, and when; None if that is not known there."""
    if not isinstance(memref, OpResult) or not questions.choices.answers(type(memref.op)):
        return None
    try:
        stated = questions.choices(memref.op)
    except NotAffine:
        return None
    choices = [(_over_numbers(each.when), each.value) for each in stated[memref.index]] if stated else ()
    known = (value for when, chosen in choices for value in (*values_in(when), chosen))
    if not choices or not _are_seen(known, op):
        return None
    return [(where, chosen) for when, chosen in choices for where in exclusive(when)]


def _over_numbers(when: Disjunction) -> Disjunction:
    """WHEN over numbers; over truths that the function is given or loads, as a branch around an access is."""
    try:
        return over_numbers(when)
    except NotAffine:
        return when


def _are_seen(values: Iterable[SSAValue], op: Operation) -> bool:
    """Whether VALUES that are made before OP are so in its own iteration, not in a region beside it."""
    around = set(blocks_around(op.parent))
    return all(home(value) in around for value in values)


def exclusive(when: Disjunction) -> Disjunction:
    """WHEN as conjunctions of which at most one holds: each of them where no earlier one does.

    >>> from volcli.language.expressions import loop
    >>> exclusive(((loop(0),), (loop(1),)))
    ((d0,), (d1, -d0 - 1))
    """
    found: list[Conjunction] = []
    for k, where in enumerate(when):
        failing = product(*map(_failures, when[:k]))
        found += ((*where, *(e for each in cases for e in each)) for cases in failing)
    return possible(found)


def _failures(where: Conjunction) -> Sequence[Conjunction]:
    """The ways in which WHERE fails: its first conditions hold, and the next one does not."""
    return [(*where[:k], -each - 1) for k, each in enumerate(where)]
