"""Tensors in buffers that may be overwritten: an operation that makes a new tensor may do so in place.

A tensor that lies in a buffer for writing (`questions.in_place` names the buffer) may be there still when an
operation makes a new one of it, which is then a write of the buffer, or none:

    %t = bufferization.to_tensor %m restrict writable
    %u = linalg.fill outs(%t)                              may write %m
    %w = tensor.insert %x into %u[%i]                      so may this

A tensor that becomes a buffer itself (`questions.memory_of`) is in that one. All that may be in the memory of
%t, by any way through loops, branches and calls, is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import TensorType, UnrankedTensorType
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from volcli.language import questions
from volcli.language.expressions import ANY
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.language.reads import rank_of
from volcli.language.unchanged import operations_in

_WHY = "a tensor that may be overwritten in its buffer"


def writes_in_place(function: Operation) -> Mapping[Operation, list[MemoryAccess]]:
    """What each operation of FUNCTION may write because it makes a tensor in the place of another one."""
    operations = [op for op in operations_in(function) if op is not function]
    kinds = {type(op) for op in operations}
    if not any(questions.in_place.answers(each) or questions.memory_of.answers(each) for each in kinds):
        return {}
    inside: dict[SSAValue, dict[SSAValue, None]] = {}
    for op in operations:
        buffers = dict.fromkeys(value for value in questions.in_place(op) or () if is_memref(value))
        inside |= {result: dict(buffers) for result in op.results if buffers and _is_tensor(result)}
        held = questions.memory_of(op)
        if held is not None and _is_tensor(held):
            inside.setdefault(held, {}).update(dict.fromkeys(op.results))
    if not inside:
        return {}
    while any(_passes_on(op, inside) for op in operations):
        pass
    found = {op: _buffers(op, inside) for op in operations if op.results}
    return {op: [_write(buffer) for buffer in buffers] for op, buffers in found.items() if buffers}


def _passes_on(op: Operation, inside: dict[SSAValue, dict[SSAValue, None]]) -> bool:
    """Note what OP makes in the buffers of its operands; whether that is new."""
    buffers = _buffers(op, inside)
    before = sum(map(len, inside.values()))
    for value in _made(op) if buffers else ():
        inside.setdefault(value, {}).update(buffers)
    return sum(map(len, inside.values())) > before


def _buffers(op: Operation, inside: Mapping[SSAValue, dict[SSAValue, None]]) -> dict[SSAValue, None]:
    """The buffers that tensors are in which OP may overwrite: any of its operands, if that is unknown."""
    stated = questions.in_place(op)
    sources = op.operands if stated is None else stated
    return {buffer: None for source in sources for buffer in inside.get(source, ())}


def _made(op: Operation) -> Iterator[SSAValue]:
    """The tensors that OP makes, gives to its regions, or to where it branches or returns to."""
    parent = op.parent_op() if op.has_trait(IsTerminator) else None
    around = [each for each in (op, parent) if each is not None]
    blocks = [*op.successors, *(b for each in around for region in each.regions for b in region.blocks)]
    values = (*(r for each in around for r in each.results), *(a for block in blocks for a in block.args))
    return (value for value in values if _is_tensor(value))


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType | UnrankedTensorType)


def _write(buffer: SSAValue) -> MemoryAccess:
    return MemoryAccess(Effect.WRITE, buffer, (ANY,) * rank_of(buffer), partial=_WHY)
