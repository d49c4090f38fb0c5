"""What operations do to memory; those that do more than what they say of elements: calls, prints, dealloc.

The memory effects of an operation are *unknown* if no case states them (`accesses`, `effects`) and no trait
says that it has none: it may read and write what its operands give it. It may do that with escaped memory
too, unless it is a call of a function of this module that goes to nothing but its arguments and what it
allocates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from volcli.language import questions
from volcli.language.expressions import ANY
from volcli.language.memory import Effect, Effects, MemoryAccess, is_memref
from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method, operations_in
from volcli.model.memory.buffers.buffers import Buffers, Origin, ReturnedMemrefs, Root
from volcli.model.memory.buffers.roots import SharedArgument
from volcli.model.memory.buffers.spaces import in_plain_memory
from volcli.model.stated_effects import (
    effects_of,
    has_unknown_effects,
    is_assertion,
    quoted,
    stated_accesses,
    unknown_effects,
)
from volcli.model.symbols import called_by, reached_from

_NOTHING = Effects()


def accesses_of(op: Operation) -> tuple[MemoryAccess, ...]:
    """What OP does to the memory that its operands give it: anything, where that is unknown."""
    stated = stated_accesses(op)
    if stated is not None or not any(is_memref(value) for value in op.operands) or is_side_effect_free(op):
        return tuple(in_plain_memory(stated or ()))
    because = unknown_effects(op)
    return tuple(
        MemoryAccess(effect, value, (ANY,) * rank_of(value), partial=because)
        for value in dict.fromkeys(op.operands)
        if is_memref(value)
        for effect in (Effect.READ, Effect.WRITE)
    )


def reads_beyond_values(op: Operation) -> bool:
    """Whether OP may read memory: it has a memref, or its effects are unknown."""
    if is_side_effect_free(op):
        return False
    return has_unknown_effects(op) or any(map(is_memref, op.operands))


class CallSummaries(ReturnedMemrefs, Protocol):
    """What is known of the functions that are called (`flow/summaries.py`)."""

    def accesses(self, call: Operation, buffers: Buffers) -> tuple[MemoryAccess, ...] | None:
        """What CALL reads and writes, and it does nothing else; None if that is not known."""
        ...

    def asserts(self, call: Operation) -> bool:
        """Whether CALL, of which the accesses are known, asserts something."""
        ...


class KnownCallers(Protocol):
    """What is known of the calls of a function (`checks/calls/callers.py`)."""

    def pass_apart(self, function: Operation, first: Root, second: Root) -> bool:
        """Whether FIRST and SECOND are arguments of FUNCTION, and different memory in each call of it."""
        ...

    def shared(self, function: Operation) -> Mapping[int, SharedArgument]:
        """The arguments of FUNCTION, by number, for which calls pass the memory of earlier ones."""
        ...


class KnownCalls:
    """The calls of one function of which it is known what they do, by SUMMARIES of what they call."""

    def __init__(self, buffers: Buffers, summaries: CallSummaries | None) -> None:
        self._buffers = buffers
        self._summaries = summaries
        self._known: dict[Operation, tuple[MemoryAccess, ...] | None] = {}

    def accesses(self, op: Operation) -> tuple[MemoryAccess, ...] | None:
        """What OP does to memory, if it is a call that does nothing else."""
        if self._summaries is None or not questions.callee.answers(type(op)):
            return None
        if op not in self._known:
            self._known[op] = self._summaries.accesses(op, self._buffers)
        return self._known[op]

    def asserts(self, op: Operation) -> bool:
        """Whether OP is a known call, of a function that asserts something."""
        return self._summaries is not None and op in self and self._summaries.asserts(op)

    def __contains__(self, op: Operation) -> bool:
        return self.accesses(op) is not None


class Reach:
    """Which operations may go to memory that they do not name, but for calls that are KNOWN."""

    def __init__(self, known: KnownCalls) -> None:
        self._known = known

    def is_beyond_operands(self, op: Operation) -> bool:
        """Whether OP may read or write escaped memory."""
        if not questions.callee.answers(type(op)):
            return has_unknown_effects(op)
        if op in self._known:
            return False
        called = called_by(op)
        if called is None:
            return has_unknown_effects(op)
        return any(map(self._reaches_beyond, reached_from(called)))

    @cached_method
    def _reaches_beyond(self, function: Operation) -> bool:
        """Whether FUNCTION, apart from what it calls, goes to anything but its arguments and allocations."""
        inner = [op for op in operations_in(function) if op is not function]
        buffers = Buffers(function)
        origins = {buffers.root(a.memref).origin for op in inner for a in accesses_of(op)}
        beyond = (has_unknown_effects(op) for op in inner if called_by(op) is None)
        return not origins <= {Origin.ARGUMENT, Origin.ALLOCATION} or any(beyond)


@dataclass(frozen=True)
class Inside:
    """What is in an operation: one whose effects need an order, and whether there are assertions."""

    ordered: Operation | None = None
    asserts: bool = False

    @property
    def because(self) -> str | None:
        """What the iterations of a loop around it may not do in any order."""
        if self.ordered is None:
            return None
        stated = effects_of(self.ordered)
        if stated.unknown is not None:
            return f"the effects of {stated.unknown} are unknown"
        if stated.prints:
            return f"{quoted(self.ordered)} prints in the order of the iterations"
        return f"{quoted(self.ordered)} frees a buffer of all iterations"


def insides(function: Operation, buffers: Buffers, calls: KnownCalls) -> Mapping[Operation, Inside]:
    """What is inside of each operation of FUNCTION that has anything of the kind in it.

    A loop around unknown effects has an order: of what is printed, of what is called, but for those of CALLS
    that are known. So has one that frees a buffer that it has not allocated: no access may follow. An
    assertion is an assumption, as everywhere in volcli: where it fails, nothing is said.
    """
    found: dict[Operation, Inside] = {}
    for op in operations_in(function):
        is_known = op in calls
        asserts = calls.asserts(op) if is_known else is_assertion(op)
        stated = _NOTHING if is_known else effects_of(op)
        frees, ordered_op = stated.frees, stated.is_ordered
        if not asserts and not frees and not ordered_op:
            continue
        around, home = op.parent_op(), None if ordered_op else _home(frees, buffers)
        while around is not None and around is not home:
            known = found.get(around, Inside())
            ordered = known.ordered or (None if asserts else op)
            found[around] = Inside(ordered, known.asserts or asserts)
            around = None if around is function else around.parent_op()
    return found


def _home(freed: Sequence[SSAValue], buffers: Buffers) -> Operation | None:
    """The operation whose regions allocate the one buffer that is FREED; None if that is unknown."""
    roots = [buffers.root(value) for value in freed[:1]]
    if len(freed) != 1 or roots[0].origin is not Origin.ALLOCATION:
        return None
    owner = roots[0].value.owner
    return owner.parent_op() if isinstance(owner, Operation) else None
