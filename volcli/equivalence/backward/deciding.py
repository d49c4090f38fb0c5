"""Where a value that is poison, or nothing, is undefined behaviour: where it decides what happens.

    %b = arith.cmpi eq, %x, %y : i32     a branch on %b, a loop up to it, an access at it, a division by it

Values pass through arithmetic, loops, tensors and memory; of memory all is taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.language.loops import Loop
from volcli.language.memory import Effect
from volcli.model.stated_effects import only_computes, stated_accesses

_PASSES_ON = ("arith.", "math.", "complex.", "index.", "affine.apply", "affine.min", "affine.max")
_DIVIDES = ("div", "rem")


def decides(function: Operation, values: Sequence[SSAValue]) -> bool:
    """Whether one of VALUES may decide what FUNCTION does, and not only what it computes."""
    reached, pending, memory = set(values), list(values), False
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            if _is_decided(op, use.index):
                return True
            if not memory and _stores(op, value):
                memory = True
                further = [v for each in function.walk() if _reads(each) for v in each.results]
            else:
                further = list(_passed_on(op))
            pending += [each for each in further if each not in reached]
            reached.update(further)
    return False


def is_dead(op: Operation) -> bool:
    """Whether nothing but arithmetic uses what OP makes, which nothing else uses either.

    %s = arith.addi %x, %y overflow<nsw> : i32    %t = arith.muli %s, %s : i32     and no use of %t
    """
    pending, seen = [op], set[Operation]()
    while pending:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        if not only_computes(each) or each.regions or each.has_trait(IsTerminator):
            return False
        if each is not op and any(word in operation_name(each) for word in _DIVIDES):
            return False
        pending += [use.operation for result in each.results for use in result.uses]
    return True


def _is_decided(op: Operation, position: int) -> bool:
    """Whether the operand of OP at POSITION decides what is executed, or where."""
    name, value = operation_name(op), op.operands[position]
    if name.startswith(_PASSES_ON):
        return position == 1 and any(word in name for word in _DIVIDES)
    if name == "func.return":
        return False
    if op.has_trait(IsTerminator):
        is_forwarded = name not in ("scf.condition", "cf.cond_br", "cf.switch") or position > 0
        return not is_forwarded
    counted = questions.loop(op)
    if isinstance(counted, Loop):
        return not any(each.initial is value for each in counted.carried)
    if value.type == i1 or isinstance(value.type, IndexType):
        return not _stores(op, value) and name not in ("tensor.from_elements", "tensor.splat", "linalg.fill")
    is_known = bool(questions.definition.answers(type(op)) or questions.element_reads.answers(type(op)))
    return not (is_known or stated_accesses(op) or questions.loop.answers(type(op)))


def _stores(op: Operation, value: SSAValue) -> bool:
    """Whether OP writes VALUE, or what it makes of it, to memory."""
    written = [each for each in stated_accesses(op) or () if each.effect is Effect.WRITE]
    return any(each.stored is None or each.stored is value for each in written)


def _reads(op: Operation) -> bool:
    return any(each.effect is Effect.READ for each in stated_accesses(op) or ())


def _passed_on(op: Operation) -> Iterator[SSAValue]:
    """What OP makes of its operands: its results, and what its regions, or the operation around it, get."""
    yield from op.results
    counted = questions.loop(op)
    numbers = [each.variable for each in counted.inductions] if isinstance(counted, Loop) else []
    for region in op.regions:
        for block in region.blocks:
            yield from (argument for argument in block.args if argument not in numbers)
    for block in op.successors:
        yield from block.args
    around = op.parent_op()
    if op.has_trait(IsTerminator) and around is not None and operation_name(around) != "func.func":
        yield from _passed_on(around)
