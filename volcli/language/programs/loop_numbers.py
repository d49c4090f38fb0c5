"""Integers and conditions inside a body, as functions of the loops and of captured numbers.

`%k = arith.remui %i, %c3` with `%i = linalg.index 0` is `d0 mod 2^64 mod 3`, and `arith.select %p, %c0, %i`
is 0 where %p holds and d0 elsewhere. Two rules decide whether a value has an expression:

* an index or i64 is a mathematical integer (sizes do not overflow); a narrower integer computed in the body
  has the value that wraps around (`questions.wrapped_value`), and an i1 is 0 or 1. A narrower integer from
  outside is data, unless it is a constant or counts the iterations of a loop;
* what is loaded inside the body has none, and neither has a block argument that is an element, unless all
  elements of its tensor are functions of their coordinates (`element_numbers`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IndexType, i1, i64
from xdsl.ir import Block, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    LoopIndex,
    Mod,
    NotAffine,
    Value,
    constant,
    piecewise,
    substitute,
)
from volcli.language.programs.blocks import home
from volcli.language.programs.element_numbers import captured_number, listed_condition, number_at
from volcli.language.reads import Access, Condition, Disjunction, is_number
from volcli.limits import language as limits
from volcli.limits.widths import LARGE


def is_index_like(value: SSAValue) -> bool:
    """Whether VALUE is a number that volcli treats as a mathematical integer: index, i64 (and i1).

    Narrower integers wrap around within the range of sizes in use, so that they are not.
    """
    kind = value.type
    return isinstance(kind, IndexType) or kind in (i1, i64)


def _divisions(expression: Expression) -> int:
    """How many divisions and remainders are in EXPRESSION, without those that only wrap around."""
    found = {atom for atom in expression.atoms() if isinstance(atom, FloorDiv | Mod)}
    return sum(atom.divisor < LARGE for atom in found)


def involves_loops(expression: Expression) -> bool:
    """Whether EXPRESSION differs from loop point to loop point."""
    return any(isinstance(atom, LoopIndex) for atom in expression.atoms())


@dataclass
class LoopNumbers:
    """The numbers of the body BLOCK; `arguments` says what its arguments stand for.

    `states` are those that hold what earlier loop points have left there: no number that is known before.
    """

    block: Block
    arguments: Mapping[SSAValue, Access | Expression | Condition]
    states: Container[SSAValue] = ()
    _known: dict[SSAValue, Expression | None] = field(default_factory=dict[SSAValue, "Expression | None"])

    def expression(self, value: SSAValue) -> Expression | None:
        """The integer VALUE over the loops and over captured values, or None if it has no such form."""
        if value not in self._known:
            self._known[value] = None  # until it is known: a truth is asked for its condition, and back
            with suppress(NotAffine):
                stated = self._stated(value)
                self._known[value] = stated if _divisions(stated) <= limits.LOOP_DIVISIONS else None
        return self._known[value]

    def condition(self, value: SSAValue) -> Condition | None:
        """When the i1 VALUE is true, over the loops; None if that is not affine."""
        argument = self.arguments.get(value)
        if isinstance(argument, Condition):
            return argument
        if argument is not None:
            number = self.expression(value)
            if number is not None:
                return Condition(((number - 1,),), ((-number,),))
            if not isinstance(argument, Access) or value in self.states:
                return None
            return self._small(listed_condition(argument))
        if not isinstance(value, OpResult) or not self.is_inside(value):
            return None
        stated = questions.condition(value.op)
        split = None if stated is None else self._split(stated)
        if split is None:
            number = self.expression(value) if stated is None else None
            if number is None or not (involves_loops(number) or self._is_own(value)):
                return None
            split = Condition(((number - 1,),), ((-number,),))
        return self._small(split)

    @staticmethod
    def _small(split: Condition | None) -> Condition | None:
        """SPLIT, if it has not very many cases."""
        is_small = split is not None and max(len(split.true), len(split.false)) <= limits.LOOP_CONDITIONS
        return split if is_small else None

    def when(self, disjunction: Disjunction) -> Disjunction | None:
        """DISJUNCTION over the loops; None if it depends on truths that are not known over the loops."""
        truths = [a.value for each in disjunction for e in each for a in e.atoms()
                  if isinstance(a, Value) and a.value.type == i1]  # fmt: skip
        if any(self.condition(truth) is None for truth in truths):
            return None
        try:
            return self._localised(disjunction)
        except NotAffine:
            return None

    def is_inside(self, value: SSAValue) -> bool:
        """Whether VALUE is computed in the body, or in a region inside it."""
        block = home(value)
        return block is not None and self.block.is_ancestor(block)

    def _is_own(self, value: SSAValue) -> bool:
        """Whether VALUE is computed from constants of the body and captured indices alone."""
        if not self.is_inside(value):
            return is_index_like(value) and value.type != i1
        return isinstance(value, OpResult) and all(map(self._is_own, value.op.operands))

    def _leaf(self, value: SSAValue) -> Expression:
        known = self.expression(value)
        if known is None:
            raise NotAffine("not affine in the loops")
        return known

    def _stated(self, value: SSAValue) -> Expression:
        argument = self.arguments.get(value)
        if isinstance(argument, Expression) and value not in self.states:
            return argument
        if isinstance(argument, Access) and is_number(value) and value not in self.states:
            number = number_at(argument)
            if number is not None:
                return number
        if argument is not None or not is_number(value):
            raise NotAffine("an element of a tensor")
        if not self.is_inside(value):
            return _captured(value)
        if not isinstance(value, OpResult):
            raise NotAffine("an argument of a region")
        stated = questions.value_of_result(value) if is_index_like(value) else None
        if stated is None and len(value.op.results) == 1:
            stated = questions.wrapped_value(value.op)
        if stated is not None:
            return self._local(stated)
        return self._chosen(value)

    def _chosen(self, value: OpResult) -> Expression:
        """The number that a branch or a selection gives; of a truth, 1 where it holds."""
        alternatives = questions.choices(value.op)
        if alternatives is not None and alternatives[value.index]:
            pieces = [(self.when(c.when), self._leaf(c.value)) for c in alternatives[value.index]]
        elif value.type == i1 and (split := self.condition(value)) is not None:
            pieces = [(split.true, constant(1)), (split.false, constant(0))]
        else:
            raise NotAffine(f"the result of {value.op.name}")
        if any(when is None for when, _ in pieces):
            raise NotAffine(f"{value.op.name} is decided by data")
        return piecewise(*((where, number) for when, number in pieces for where in when or ()))

    def _split(self, stated: Condition) -> Condition | None:
        try:
            return Condition(self._localised(stated.true), self._localised(stated.false))
        except NotAffine:
            return None

    def _localised(self, disjunction: Disjunction) -> Disjunction:
        return tuple(tuple(self._local(e) for e in conjunction) for conjunction in disjunction)

    def _local(self, expression: Expression) -> Expression:
        def leaf(atom: Atom) -> Expression | None:
            return self._leaf(atom.value) if isinstance(atom, Value) else None

        return substitute(expression, leaf)


def _captured(value: SSAValue) -> Expression:
    known = captured_number(value)
    if known is None:
        raise NotAffine("a narrow integer from outside")
    return known


def known_scalar(value: SSAValue) -> Expression | None:
    """The number that VALUE, a scalar, always is: 1 of `cmpi sgt, %t, %c0` where %t is the constant 3."""
    block = value.owner.parent if isinstance(value, OpResult) else None
    found = None if block is None or not is_number(value) else LoopNumbers(block, {}).expression(value)
    return found if found is not None and found.is_constant else None
