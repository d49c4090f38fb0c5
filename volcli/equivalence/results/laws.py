"""What is computed from nothing, though it has operands: `x - x` is 0, `x * 0` is 0, `x & true` is x.

So are integers whose bounds are one number (`decided`).

Operands are equal if they are one value, or if the same pure operations make them of
equal operands; loads of one element are, if nothing between them writes the buffer.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.equivalence.places.places import Places
from volcli.equivalence.places.written import Written
from volcli.equivalence.results.absorbing import absorbed
from volcli.equivalence.results.decided import DecidedIntegers
from volcli.equivalence.results.operations import same_statement
from volcli.equivalence.results.sure import Sure
from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.memory import Effect
from volcli.language.reads import element_type, rank_of
from volcli.language.unchanged import cached_method
from volcli.limits import equivalence as limits
from volcli.model.stated_effects import has_unknown_effects, only_computes, stated_accesses


class Laws:
    """The laws that hold for the operations of one function, as it stands there."""

    def __init__(self, places: Places, written: Written, decided: DecidedIntegers) -> None:
        self.sure = Sure(places, written)
        self._places = places
        self._written = written
        self._decided = decided

    @cached_method
    def given(self, result: OpResult) -> SSAValue | int | None:
        """The operand or number that RESULT is, whatever the other operands are; None if no law says so.

        It is a number only if all operands are some, for sure.
        """
        op = result.op
        for law in questions.laws(op) or ():
            if law.equal is not None:
                holds = self._equal(op.operands[law.equal[0]], op.operands[law.equal[1]], limits.LAW_DEPTH)
            else:
                assert law.given is not None
                holds = self._is_number(op.operands[law.given[0]], law.given[1])
            others = [v for k, v in enumerate(op.operands) if law.equal is not None and k not in law.equal]
            if holds and law.operand is not None and all(self.sure(v) for v in others):
                return op.operands[law.operand]
            if holds and law.operand is None and self.sure(result):
                return law.number
        return self._decided.number(result) if absorbed(result) is not None and self.sure(result) else None

    def _is_number(self, value: SSAValue, number: int) -> bool:
        """Whether the integer VALUE, or each element of it, is NUMBER, as bits."""
        known: float | int | None = None
        if isinstance(value, OpResult):
            known = questions.constant_fill(value.op)
            if known is None and (folded := self.given(value)) is not None:
                if not isinstance(folded, int):
                    return self._is_number(folded, number)
                known = folded
        if known is None and not rank_of(value):
            try:
                exact = self._places.numbers.value(value)
            except NotAffine:
                return False
            known = exact.constant if exact.is_constant else None
        kind = element_type(value.type)
        width = kind.bitwidth if isinstance(kind, IntegerType) else 64
        return isinstance(known, int) and (known - number) % 2**width == 0

    # -- equal values ----------------------------------------------------------------------------------

    def _equal(self, one: SSAValue, other: SSAValue, deepest: int) -> bool:
        """Whether two values of one iteration are equal, as far as their operations say."""
        if one is other:
            return True
        if not isinstance(one, OpResult) or not isinstance(other, OpResult) or not deepest:
            return False
        mine, theirs = one.op, other.op
        if mine.parent is not theirs.parent or mine.regions or not same_statement(mine, theirs):
            return False
        if one.index != other.index or not (only_computes(mine) or self._nothing_between(mine, theirs)):
            return False
        return all(
            self._equal(a, b, deepest - 1) for a, b in zip(mine.operands, theirs.operands, strict=True)
        )

    def _nothing_between(self, one: Operation, other: Operation) -> bool:
        """Whether ONE and OTHER only read, and nothing between them writes what they do."""
        accesses = stated_accesses(one)
        if not accesses or has_unknown_effects(one) or any(a.effect is not Effect.READ for a in accesses):
            return False
        roots = {self._places.buffers.root(access.memref) for access in accesses}
        first, last = (one, other) if one.is_before_in_block(other) else (other, one)
        between = first.next_op
        while between is not None and between is not last:
            written, because = self._written.effects(between)
            if because is not None or roots & written:
                return False
            between = between.next_op
        return all(map(self._places.is_known, roots))
