"""The iterations of a loop that goes on until something holds, numbered: 0, 1, 2, ...

    %r = scf.while (%k = %a) { ... }        %n, %r = scf.while (%iteration = 0, %k = %a) { ... }

Loops of blocks get a number as they are made. One that the program has gets it in the copy, unless it counts
an index: then its iterations are told apart, whatever else goes around it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from volcli.language.loops import While
from volcli.language.programs.known_loops import iteration_of, known_loop
from volcli.model.structured.copying import OperationNamed, Structured


def has_no_number(op: Operation) -> bool:
    """Whether OP is a loop that goes on until something holds, and nothing in it counts."""
    loop = known_loop(op)
    return isinstance(loop, While) and iteration_of(loop) is None


def insert_number(before: Block, after: Block, following: Callable[[SSAValue], Operation]) -> None:
    """Let a number go around the regions BEFORE and AFTER of an scf.while; FOLLOWING makes the next one."""
    kind = IndexType()
    number, inner = before.insert_arg(kind, 0), after.insert_arg(kind, 0)
    number.name_hint = "iteration"
    condition, yielded = before.last_op, after.last_op
    assert condition is not None
    assert yielded is not None
    condition.operands = [condition.operands[0], number, *condition.operands[1:]]
    step = following(inner)
    after.insert_op_before(step, yielded)
    yielded.operands = [step.results[0], *yielded.operands]


def number_loops(made: Structured, operation: OperationNamed) -> bool:
    """Number the loops in what was MADE that have no number; whether there are some."""
    found = [op for op in made.function.walk() if op is not made.function and has_no_number(op)]
    for op in found:
        _number(made, op, operation)
    return bool(found)


def _number(made: Structured, op: Operation, operation: OperationNamed) -> None:
    kind, into = IndexType(), op.parent
    assert into is not None

    def make(name: str, *operands: SSAValue, **properties: IntegerAttr[IndexType]) -> Operation:
        new = operation(name).create(operands=operands, result_types=[kind], properties=properties)
        made.operations[new] = made.operations[op]
        return new

    zero, one = (make("arith.constant", value=IntegerAttr(number, kind)) for number in (0, 1))
    before, after = (region.blocks[0] for region in op.regions)

    def following(number: SSAValue) -> Operation:
        return make("arith.addi", number, one.results[0])

    insert_number(before, after, following)
    new = type(op).create(
        operands=[zero.results[0], *op.operands],
        result_types=[kind, *(result.type for result in op.results)],
        properties=op.properties,
        attributes=op.attributes,
        regions=[op.detach_region(region) for region in tuple(op.regions)],
    )
    for each in (zero, one, new):
        into.insert_op_before(each, op)
    made.operations[new] = made.operations.pop(op)
    now: dict[SSAValue, SSAValue] = dict(zip(op.results, new.results[1:], strict=True))
    for old, result in now.items():
        old.replace_all_uses_with(result)
        if old in made.values:
            made.values[result] = made.values.pop(old)
    made.replace(now)
    for found in made.occurrences.values():
        found[:] = [replace(each, after=new) if each.after is op else each for each in found]
    op.detach()
    op.erase(safe_erase=False)
