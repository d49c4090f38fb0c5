"""Allocations out of loops: one buffer for all iterations, in the place of one for each.

    scf.for %i { %a = memref.alloc() ... memref.dealloc %a }
    %a = memref.alloc()   scf.for %i { ... }   memref.dealloc %a

What a new buffer holds is undefined, so that no iteration may rest on it, and each may find what the one
before has left. That is right if iterations run one after the other, and if each is done with its buffer when
it ends: if the buffer is not yielded, carried, returned, stored, nor passed to what is not known, and if its
address is not asked for. Its size must be constant: a loop that does not run computes no size.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from volcli.diagnostics import Diagnostic
from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.language.programs.known_loops import counted_loop
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import effects_of
from volcli.rewriting.changes.changes import Changes


def hoist_allocations(changes: Changes, model: FunctionModel) -> None:
    """Move the allocations of constant size of one function out of the loops around them, as far as they can.

    A remark (V310) says of each of the others why it stays.
    """
    for op in list(model.function.walk()):
        if not _is_candidate(op):
            continue
        why, frees = _hindrance(model, op)
        while why is None and (loop := _loop_around(op)) is not None:
            changes.move(op, changes.before(loop))
            for free in frees:
                changes.move(free, changes.after(loop))
        if why is not None:
            place = changes.unit.parsed.written_at(op)
            message = f"{model.name_of(op.results[0])} stays in its loop: {why}"
            changes.unit.report(Diagnostic("V310", message, place))


def _is_candidate(op: Operation) -> bool:
    """Whether OP allocates memory of a constant size in a loop."""
    if questions.allocation(op) is None or op.operands or not isa(op.results[0].type, MemRefType[Attribute]):
        return False
    parent = op.parent_op()
    return parent is not None and questions.loop.answers(type(parent))


def _loop_around(op: Operation) -> Operation | None:
    """The loop whose iterations run one after the other, and whose body OP stands in."""
    parent = op.parent_op()
    loop = None if parent is None else counted_loop(parent)
    if loop is None or not loop.inductions:
        return None
    return parent if all(each.sequential for each in loop.inductions) else None


def _hindrance(model: FunctionModel, op: Operation) -> tuple[str | None, list[Operation]]:
    """Why the allocation OP cannot leave its loop, None if it can; and what frees it, which goes along."""
    memory = op.results[0]
    if _loop_around(op) is None:
        return "its iterations may run at the same time, or are not counted", []
    if model.memory_as_written.escapes.outlives(model.memory_as_written.buffers.root(memory)):
        return "the buffer may outlive its iteration", []
    frees: list[Operation] = []
    for value in _views(model, memory):
        if value is None:
            return "something chooses between it and another buffer, or carries it", []
        for use in value.uses:
            user = use.operation
            if value in effects_of(user).frees:
                if value is not memory or user.parent is not op.parent:
                    return "it is not freed where it is allocated", []
                frees.append(user)
            elif user.has_trait(IsTerminator) or questions.loop.answers(type(user)):
                return "something chooses between it and another buffer, or carries it", []
    return (None, frees) if len(frees) <= 1 else ("it is freed several times", [])


def _views(model: FunctionModel, memory: SSAValue) -> Iterator[SSAValue | None]:
    """MEMORY and all views of it; None for what may be another buffer, too."""
    root = model.memory_as_written.buffers.root(memory)
    pending, met = [memory], {memory}
    while pending:
        value = pending.pop()
        yield value
        for use in value.uses:
            for result in use.operation.results:
                if is_memref(result) and result not in met:
                    found = model.memory_as_written.buffers.root(result)
                    if found.among or found != root:
                        yield None
                        continue
                    met.add(result)
                    pending.append(result)
