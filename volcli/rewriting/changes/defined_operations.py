"""Operations that are defined wherever they run, by what is known there; others are not taken out of a copy.

x floordiv max(b, 1)        is defined for all x and b;        x floordiv b        is not, for b = 0
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.traits import IsTerminator

from volcli.equivalence.congruence.congruence import is_total
from volcli.equivalence.congruence.numbering import has_flags
from volcli.language.expressions import value_of
from volcli.language.interface import operation_name
from volcli.language.programs.backward_slices import operands_first
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import only_computes
from volcli.rewriting.changes.value_quotients import is_positive
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import LOOPS, loops_in
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.dead import is_dead

_DIVISIONS = ("arith.floordivsi", "arith.ceildivsi", "arith.divsi", "arith.remsi")


def is_defined(model: FunctionModel, op: Operation) -> bool:
    """Whether OP, of MODEL's function, only computes, and is defined wherever it runs."""
    if is_total(op):
        return True
    is_division = operation_name(op) in _DIVISIONS and not has_flags(op)
    return is_division and is_positive(model.bounds, value_of(op.operands[1]), op)


def are_defined(model: FunctionModel, loop: Operation, beside: Collection[Block]) -> bool:
    """Whether all that LOOP, or a branch in it, runs BESIDE these blocks is defined."""
    blocks = (block for region in loop.regions for block in region.blocks if block not in beside)
    return all(_is_defined_inside(model, op, beside) for block in blocks for op in block.ops)


def _is_defined_inside(model: FunctionModel, op: Operation, beside: Collection[Block]) -> bool:
    if operation_name(op) in (FOR, "scf.if"):
        has_step = operation_name(op) != FOR or is_positive(model.bounds, value_of(op.operands[2]), op)
        return has_step and are_defined(model, op, beside)
    return op.has_trait(IsTerminator) or is_defined(model, op)


def without_dead(model: FunctionModel, kept: frozenset[SSAValue] = frozenset()) -> FunctionModel:
    """MODEL of its function, a copy, without what is not used, is none of what is KEPT, and is defined."""
    for op in reversed(list(model.function.walk())):  # what uses a value before what computes it
        if not is_dead(op) or not kept.isdisjoint(op.results):
            continue
        if all(_is_defined_inside(model, each, ()) for each in op.walk()):
            op.detach()
            op.erase()
    return model.anew(model.function)


def hoist_origins(function: Operation) -> None:
    """Let products of quotients where loops begin stand before the loops of FUNCTION, a copy, around them.

    for i = 0 to n { for t = (k ceildiv p) * p to m { ... } }: where t begins is there before i then.
    The quotient may be undefined in more executions of the copy.
    """
    for loop in loops_in(function):
        origin = loop.operands[0].owner if loop.operands else None
        if isinstance(origin, Operation) and operation_name(origin) == "arith.muli":
            for value in operands_first(origin.results[0], _operands):
                _move_out(value.owner)


def _operands(value: SSAValue) -> Sequence[SSAValue]:
    return value.owner.operands if isinstance(value, OpResult) else ()


def _move_out(op: Operation | Block) -> None:
    """Let OP stand before the loops around it that it uses nothing of."""
    while isinstance(op, Operation) and (around := op.parent_op()) is not None:
        place = around.parent
        if place is None or operation_name(around) not in LOOPS or not _may_move(op):
            return
        if any(around.is_ancestor(value.owner) for value in op.operands):
            return
        op.detach()
        place.insert_op_before(op, around)


def _may_move(op: Operation) -> bool:
    return not op.regions and (is_total(op) or (operation_name(op) in _DIVISIONS and not has_flags(op)))


def computed_from(value: SSAValue, builder: Builder, known: Mapping[SSAValue, SSAValue]) -> SSAValue | None:
    """VALUE, computed anew by BUILDER from what KNOWN maps; None if it takes more than numbers."""

    def before(each: SSAValue) -> Sequence[SSAValue]:
        return each.owner.operands if isinstance(each, OpResult) and each not in known else ()

    found = dict(known)
    for each in operands_first(value, before):
        if each in found:
            continue
        if not isinstance(each, OpResult) or each.owner.regions or not only_computes(each.owner):
            return None
        made = builder.insert(each.owner.clone(found))
        found.update(zip(each.owner.results, made.results, strict=True))
    return found[value]
