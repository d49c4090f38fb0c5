"""What an operation on scalars is, as the operator of a term: its name, what it states, and its flags."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Operation

from volcli.equivalence.terms.terms import Operator
from volcli.language.interface import operation_name

COMMUTATIVE = frozenset(
    ("addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui",
     "addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")
)  # fmt: skip
"""Operations whose operands may be exchanged."""
_MARKS = ("isExact", "isDisjoint", "nonNeg", "nneg")


def operator_of(op: Operation) -> Operator:
    """The operator of OP: arith's without their prefix, all others with their dialect's."""
    name = operation_name(op)
    stated: dict[str, Attribute] = {}
    flags: set[str] = set()
    for key, value in (*op.properties.items(), *op.attributes.items()):
        if isinstance(value, FastMathFlagsAttr | IntegerOverflowAttr):
            flags.update(str(flag.value) for flag in value.data)
        elif isinstance(value, UnitAttr) and key in _MARKS:
            flags.add(key)
        else:
            stated[key] = value
    return Operator(name.removeprefix("arith."), _stated(stated), frozenset(flags))


def _stated(stated: dict[str, Attribute]) -> Hashable:
    """None if nothing is stated, a number if it is a predicate."""
    if not stated:
        return None
    predicate = stated.get("predicate")
    if len(stated) == 1 and isinstance(predicate, IntegerAttr):
        return predicate.value.data
    return frozenset(stated.items())
