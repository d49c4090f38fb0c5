"""Operands that must be index or i1, whatever the operation: only generic form can say another type.

In mlir-opt's words: `"memref.load"(%m, %x) : (memref<4xf32>, i32) -> f32` has an operand #1 that "must be
variadic of index, but got 'i32'". Operations with several lists of operands are not looked at.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import IndexType, IntegerType, i1
from xdsl.ir import Attribute, Operation
from xdsl.irdl import BaseAttr, EqAttrConstraint, IRDLOperation, RangeLengthConstraint, RangeOf, VarOperandDef


class _Slot(NamedTuple):
    """The operands from `start` to `end`, negative ones counted from the last; of the type `wanted`."""

    start: int
    end: int | None
    is_index: bool
    wanted: str


def operand_problem(op: Operation) -> str | None:
    """The first operand of OP that is no index or no i1, and must be."""
    slots = _slots(type(op))
    if not slots:
        return None
    operands = op.operands
    for slot in slots:
        for index in range(*slice(slot.start, slot.end).indices(len(operands))):
            kind = operands[index].type
            if not (isinstance(kind, IndexType) if slot.is_index else kind == i1):
                return f"operand #{index} must be {slot.wanted}, but got '{kind}'"
    return None


@cache
def _slots(kind: type[Operation]) -> tuple[_Slot, ...]:
    """The operands of operations of class KIND that must be index or i1."""
    if not issubclass(kind, IRDLOperation):
        return ()
    definitions = [definition for _, definition in kind.get_irdl_definition().operands]
    lists = [index for index, each in enumerate(definitions) if isinstance(each, VarOperandDef)]
    if len(lists) > 1:
        return ()
    slots: list[_Slot] = []
    for index, definition in enumerate(definitions):
        wanted = _wanted(definition.constr)
        if wanted is None:
            continue
        is_list, behind = index in lists, len(definitions) - index
        start = -behind if lists and index > lists[0] else index
        end = -behind + 1 if is_list else start + 1
        name = f"variadic of {wanted}" if is_list else wanted
        slots.append(_Slot(start, end or None, wanted == "index", name))
    return tuple(slots)


def _wanted(constraint: object) -> str | None:
    """`index` or i1 in mlir-opt's words, if CONSTRAINT admits one of them alone."""
    if isinstance(constraint, RangeLengthConstraint):
        constraint = cast("RangeLengthConstraint[Attribute]", constraint).constraint
    element: Any = cast("RangeOf[Attribute]", constraint).constr if isinstance(constraint, RangeOf) else None
    if isinstance(element, BaseAttr) and cast("BaseAttr[Attribute]", element).attr is IndexType:
        return "index"
    if not isinstance(element, EqAttrConstraint):
        return None
    attribute = cast("EqAttrConstraint[Attribute]", element).attr
    if isinstance(attribute, IndexType):
        return "index"
    return "1-bit signless integer" if attribute == IntegerType(1) else None
