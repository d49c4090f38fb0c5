"""Chains of choices that ask one condition twice, as a choice in a choice.

    select(m and n, a, select(p and o, b, c))        select(m, select(n, a, b), c)

where p and o need m, and follow from m and not n: p may be m itself, or the same comparison once more. The
values are the same: where m is false both are c, where m and n are true a, and where only m is, b. Two
instructions `and` and one or two comparisons go.

Source: P. Suriana (2016), figures 5-4 to 5-6, where the chain is what a union of domains is converted into.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import value_of
from volcli.language.interface import operation_name
from volcli.model.values.store.store import BoundsStore
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.ground.index_arithmetic import goes_with, is_choice
from volcli.rewriting.ground.place_knowledge import PlaceKnowledge


@dataclass(frozen=True, eq=False)
class NestedChoice:
    """`select(outer, select(inner, first, second), third)` for the chain of choices that OP ends."""

    op: Operation
    outer: SSAValue
    inner: SSAValue
    values: tuple[SSAValue, SSAValue, SSAValue]


def nested_choices(store: BoundsStore, without: Collection[Operation]) -> Iterator[NestedChoice]:
    """The chains in the function that STORE knows that do not end in one of WITHOUT."""
    for op in store.function.walk():
        if op not in without and is_choice(op) and (found := _nested(op, store)) is not None:
            yield found


def _nested(op: Operation, store: BoundsStore) -> NestedChoice | None:
    """What the choice OP is, if that is one in another one."""
    condition, first, rest = op.operands
    if not isinstance(rest, OpResult) or not is_choice(rest.op):
        return None
    other, second, third = rest.op.operands
    both, also = _conjunction(condition), _conjunction(other)
    goes = goes_with(op)
    if not both or not also or not {rest.op, both[0].op, also[0].op} <= goes:
        return None
    known = PlaceKnowledge(store, op)
    left, right = both[1]
    for outer, inner in ((left, right), (right, left)):
        if _is_the_rest(known, outer, inner, also[1]):
            return NestedChoice(op, outer, inner, (first, second, third))
    return None


def _is_the_rest(
    known: PlaceKnowledge, outer: SSAValue, inner: SSAValue, both: tuple[SSAValue, SSAValue]
) -> bool:
    """Whether BOTH conditions hold where OUTER does and INNER does not, and not both where OUTER does not."""
    for each in both:
        others = (*questions.holds(outer), *questions.fails(inner), *questions.fails(each))
        if each is not outer and not known.assuming(*others).is_empty:
            return False
    left, right = both
    without = (*questions.fails(outer), *questions.holds(left), *questions.holds(right))
    return any(each is outer for each in both) or known.assuming(*without).is_empty


def _conjunction(value: SSAValue) -> tuple[OpResult, tuple[SSAValue, SSAValue]] | None:
    """VALUE and the two conditions that it joins, if it is `arith.andi` of them."""
    if not isinstance(value, OpResult) or operation_name(value.op) != "arith.andi":
        return None
    left, right = value.op.operands
    return value, (left, right)


def write_nested(changes: Changes, found: NestedChoice) -> None:
    """Put FOUND into the program."""
    builder, name, kind = changes.before(found.op), operation_name(found.op), found.op.results[0].type
    first, second, third = found.values
    inner = builder.make(name, [found.inner, first, second], result=kind)
    made = builder.make(name, [found.outer, inner, third], result=kind)
    changes.claim(value_of(found.op.results[0]), "==", value_of(made), at=found.op)
    changes.supersede(found.op, [made])
