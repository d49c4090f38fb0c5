"""Element-wise bodies: which accesses a yielded scalar is computed from.

The body of a linalg op, of tensor.pad and of tensor.generate computes scalars from its block arguments,
from values captured from outside, and from `tensor.extract` at indices of the loops. What the yielded
scalar depends on is the backward slice from it, refined twice:

* a `select` on a condition that is affine in the loops splits the loop points between its branches;
* the products on the way are remembered: where one is 0, its factors do not matter (`volcli.reads.Use`).

Example: `yield (in * w + acc)` depends on `in` and `w` (both in the product in * w) and `acc`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from xdsl.dialects.builtin import IndexType, i1, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import (
    ANY,
    Atom,
    Expression,
    Index,
    NotAffine,
    Value,
    loops,
    substitute,
    value_of,
)
from volcli.interface import operation_name
from volcli.questions import Vanishing, use_through
from volcli.reads import Access, Condition, Conjunction, Disjunction, Read, Use, captured_values, rank_of

_MOST_CONDITIONS = 16
_MOST_USES = 16
"""An access with more uses than this counts as used in no product."""

Uses = Mapping[tuple[Access, Conjunction], tuple[Use, ...]]
"""What a scalar depends on: an access and where, and how it is used."""

_OPAQUE: tuple[Use, ...] = (Use(sees_sign=True),)


@dataclass
class Body:
    """The dependences of the scalars of one block.

    `is_parametric` says that what is yielded depends on a size beside its reads, `is_opaque` that it depends
    on an operation without a case, which may compute data from nothing.
    `arguments` maps block arguments to what they stand for: an access (an operand's element) or an
    expression over the loops (the index arguments of tensor.pad and tensor.generate).
    """

    block: Block
    arguments: Mapping[SSAValue, Access | Expression]
    scalars: dict[SSAValue, Access] = field(default_factory=dict[SSAValue, Access])
    conditions: dict[SSAValue, Condition] = field(default_factory=dict[SSAValue, Condition])
    inexact: str | None = None
    is_parametric: bool = False
    is_opaque: bool = False
    _uses: dict[SSAValue, Uses] = field(default_factory=dict[SSAValue, Uses])
    _numbers: dict[SSAValue, Expression | None] = field(default_factory=dict[SSAValue, "Expression | None"])

    def reads(self, *yielded: SSAValue) -> tuple[Read, ...]:
        """The reads that the scalars YIELDED are computed from."""
        for value in yielded:
            for inside in backward_slice(value, self.block):
                if _is_of(inside, self.block) and inside not in self._uses:
                    if is_index_like(inside):
                        self.expression(inside)
                    self._uses[inside] = self._uses_of(inside.op)
        uses = _merged([self._of(value) for value in yielded])
        return tuple(Read(access, where, each) for (access, where), each in uses.items())

    def expression(self, value: SSAValue) -> Expression | None:
        """The index or integer VALUE over the loops and over captured values, or None if not affine."""
        if value not in self._numbers:
            try:
                self._numbers[value] = self._stated(value)
            except NotAffine:
                self._numbers[value] = None
        return self._numbers[value]

    def _leaf(self, value: SSAValue) -> Expression:
        known = self.expression(value)
        if known is None:
            raise NotAffine("not affine in the loops")
        return known

    def _stated(self, value: SSAValue) -> Expression:
        argument = self.arguments.get(value)
        if isinstance(argument, Expression):
            return argument
        if isinstance(argument, Access):
            raise NotAffine("an element of a tensor")
        if not self._is_inside(value):
            return value_of(value)
        if not isinstance(value, OpResult) or not is_index_like(value):
            raise NotAffine("not an index")
        stated = questions.value_of_result(value)
        if stated is None:
            raise NotAffine(f"the result of {value.op.name}")
        return substitute(stated, lambda a: self._leaf(a.value) if isinstance(a, Value) else None)

    def _is_inside(self, value: SSAValue) -> bool:
        block = value.block if isinstance(value, BlockArgument) else value.op.parent if isinstance(
            value, OpResult) else None  # fmt: skip
        while block is not None:
            if block is self.block:
                return True
            parent = block.parent_op()
            block = parent.parent if parent is not None else None
        return False

    def _of(self, value: SSAValue) -> Uses:
        """The uses of VALUE: an operation of the block, an argument, or a captured value."""
        known = self._uses.get(value)
        if known is not None:
            return known
        argument = self.arguments.get(value)
        if isinstance(argument, Expression):
            return {}
        access = argument or Access(value, (ANY,) * rank_of(value))
        self.scalars[value] = access
        if not access.is_exact:
            self.inexact = "a tensor is used whole inside a body"
        return {(access, ()): (Use(),)}

    def _uses_of(self, op: Operation) -> Uses:
        from xdsl.dialects.tensor import DimOp, ExtractOp

        if isinstance(op, ExtractOp):
            access = self._extracted(op)
            self.scalars[op.result] = access
            return {(access, ()): (Use(),), **self._extraction_indices(op, access)}
        if isinstance(op, DimOp):
            self.is_parametric = True
            return {}
        if not (questions.element_reads.answers(type(op)) or questions.index_value.answers(type(op))):
            self.is_opaque = True
            self.inexact = self.inexact or f"{operation_name(op)} has no case"
        if questions.vanishing(op) is Vanishing.BY_CONDITION:
            return self._select(op)
        operands = [_through(op, k, self._of(value)) for k, value in enumerate(op.operands)]
        captured = [_opaque(self._of(value)) for value in captured_values(op)]
        return _merged([*operands, *captured])

    def _extracted(self, op: Operation) -> Access:
        tensor, *indices = op.operands
        return Access(tensor, tuple(self._index(i) for i in indices))

    def _extraction_indices(self, op: Operation, access: Access) -> Uses:
        """An index that is itself data (a gather) is a dependence as well."""
        if access.is_exact:
            return {}
        self.inexact = "an element is selected by data"
        unknown = [i for i, e in zip(op.operands[1:], access.index, strict=True) if e is ANY]
        return _merged([self._of(i) for i in unknown])

    def _index(self, value: SSAValue) -> Index:
        expression = self.expression(value)
        return ANY if expression is None else expression

    def _select(self, op: Operation) -> Uses:
        chosen, if_true, if_false = op.operands
        split = self.condition(chosen)
        if split is None:
            return _merged([self._of(value) for value in op.operands])
        self.conditions[op.results[0]] = split
        return _merged(
            [_restricted(self._of(if_true), where) for where in split.true]
            + [_restricted(self._of(if_false), where) for where in split.false]
        )

    def condition(self, value: SSAValue) -> Condition | None:
        """When VALUE is true, over the loops; None if that is not affine."""
        if not isinstance(value, OpResult) or not self._is_inside(value):
            return None
        stated = questions.condition(value.op)
        if stated is None:
            return None
        try:
            split = Condition(self._localised(stated.true), self._localised(stated.false))
        except NotAffine:
            return None
        return split if max(len(split.true), len(split.false)) <= _MOST_CONDITIONS else None

    def _localised(self, disjunction: Disjunction) -> Disjunction:
        def local(atom: Atom) -> Expression | None:
            return self._leaf(atom.value) if isinstance(atom, Value) else None

        return tuple(tuple(substitute(e, local) for e in conjunction) for conjunction in disjunction)


def _is_of(value: SSAValue, block: Block) -> TypeGuard[OpResult]:
    return isinstance(value, OpResult) and value.op.parent is block


def backward_slice(value: SSAValue, block: Block, stop: Container[SSAValue] = ()) -> list[SSAValue]:
    """VALUE and the values that the operations of BLOCK compute it from, operands first.

    What the values in STOP are computed from is left out.
    """
    order: dict[SSAValue, None] = {}
    begun: set[SSAValue] = set()  # invalid IR may compute a value from itself
    stack: list[tuple[SSAValue, bool]] = [(value, False)]
    while stack:
        current, expanded = stack.pop()
        if expanded or current in stop or not _is_of(current, block):
            order[current] = None
        elif current not in order and current not in begun:
            begun.add(current)
            stack.append((current, True))
            operands = (*current.op.operands, *captured_values(current.op))
            stack.extend((operand, False) for operand in operands if operand not in order)
    return list(order)


def is_index_like(value: SSAValue) -> bool:
    """Whether VALUE is a number that volcli treats as a mathematical integer: index, i64 (and i1).

    Narrower integers wrap around within the range of sizes in use, so that they are not.
    """
    kind = value.type
    return isinstance(kind, IndexType) or kind in (i1, i64)


def index_arguments(block: Block) -> dict[SSAValue, Access | Expression]:
    """The block's arguments stand for the loops, as in tensor.pad and tensor.generate."""
    return dict(zip(block.args, loops(len(block.args)), strict=True))


def _restricted(uses: Uses, where: Conjunction) -> Uses:
    return {(access, (*other, *where)): each for (access, other), each in uses.items()}


def _through(op: Operation, position: int, uses: Uses) -> Uses:
    return {key: tuple(use_through(op, position, use) for use in each) for key, each in uses.items()}


def _opaque(uses: Uses) -> Uses:
    return dict.fromkeys(uses, _OPAQUE)


def _merged(all_uses: Sequence[Uses]) -> Uses:
    """All uses of all; one outside of any product makes the others' products meaningless."""
    if len(all_uses) == 1:
        return all_uses[0]
    merged: dict[tuple[Access, Conjunction], tuple[Use, ...]] = {}
    for uses in all_uses:
        for key, each in uses.items():
            merged[key] = _simplified((*merged.get(key, ()), *each))
    return merged


def _simplified(uses: tuple[Use, ...]) -> tuple[Use, ...]:
    """USES without those that say no more than a use outside of any product."""
    distinct = tuple(dict.fromkeys(uses))
    if len(distinct) > _MOST_USES:
        return (Use(sees_sign=any(use.sees_sign for use in distinct)),)
    plain = [use for use in distinct if not use.products]
    if not plain:
        return distinct
    seeing = tuple(use for use in distinct if use.sees_sign)
    return _OPAQUE if _OPAQUE[0] in plain else (Use(), *seeing)
