"""What kinds of numbers does a statement compute, at which of its loop points?

Each scalar of a body has kinds at each loop point: those of the elements that it reads, or those that its
operation makes of its operands' (`questions.number_kinds`). A product with a zero is zero only where its
other factor is finite. What is not known to be so holds if the operation's `fastmath` has both `nnan` and
`ninf`, as a fact where it states them, and else under that assumption, which is then counted in `needs`. A
factor that is certainly infinite or NaN is never assumed away.

Example: for `yield (in * w + acc)` with `in` zero at h < 1 and `acc` +0 at first: +0 at h < 1, provided that
`w` is finite there.

An accumulator starts with the initial value's kinds. Let *growing* be the loop points at which the kinds that
are yielded are not among those that the accumulator had. By induction over the loop points of one element,
an element without a growing point keeps to the initial kinds, and the accumulator of the others may be
anything. The result is what the last loop point yields from such an accumulator: 0 * acc is 0 for finite acc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice

from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Index
from volcli.language.kinds import (
    ANYTHING,
    INTEGERS,
    NAN,
    NEGATIVE_INFINITY,
    NOT_FINITE,
    ZERO,
    ZEROS,
    Kinds,
    integer_product,
    is_zero,
    kind_of,
    product,
    zero_of_zeros,
)
from volcli.language.programs.backward_slices import backward_slice
from volcli.language.questions import Vanishing
from volcli.language.reads import Condition, Conjunction, Product, element_type
from volcli.language.unchanged import once
from volcli.limits import volumes as limits
from volcli.model.volumes.domains.parts import Part, difference, intersection, union
from volcli.model.volumes.knowledge import literals
from volcli.model.volumes.knowledge import pieces as of_pieces
from volcli.model.volumes.knowledge.literals import constant_kinds, kinds_of_type
from volcli.model.volumes.knowledge.pieces import UNKNOWN, Pieces, combined, everywhere, mapped, merged
from volcli.model.volumes.relations.relations import Statement

FINITE_FLAGS = frozenset(("nnan", "ninf"))

_NO_NAN = frozenset(("nnan",))

Needs = frozenset[frozenset[str]]
"""The flags that operations lack for an answer, one set for each."""


def _has_kinds(kind: Attribute) -> bool:
    """Whether the elements of type KIND are the numbers that are stored; quantised ones have zero points."""
    return isinstance(element_type(kind), IntegerType | IndexType | AnyFloat | ComplexType)


@dataclass
class Evaluation:
    """The kinds of the scalars of one statement's body, each evaluated once.

    `kinds_of` says those of a volume's elements; `assumed` are flags that operations have beside their own.
    The accumulator is of the kinds `initial` (None: as the initial value), or it may be anything at the loop
    points `accumulated`.
    """

    statement: Statement
    kinds_of: Callable[[SSAValue], Pieces]
    assumed: frozenset[str] = frozenset()
    initial: Pieces | None = None
    accumulated: Part = False
    needs: set[frozenset[str]] = field(default_factory=set[frozenset[str]])
    _known: dict[SSAValue, Pieces] = field(default_factory=dict[SSAValue, Pieces])

    def yielded(self) -> Pieces:
        """The kinds of the scalar that the statement yields, at each loop point."""
        scalar = self.statement.source.yields
        if scalar is not None:
            return self.scalar(scalar)
        if (start := self.statement.source.start) is not None and not self.statement.reads:
            return everywhere(kind_of(start))
        if len(self.statement.reads) != 1:
            return UNKNOWN
        (read,) = self.statement.reads
        return self._access(read.operand, read.index)

    def initially(self, accumulator: SSAValue) -> Pieces:
        """The kinds of ACCUMULATOR before the first loop point of its element."""
        if self.initial is not None:
            return self.initial
        if (start := self.statement.source.start) is not None:
            return everywhere(kind_of(start))
        return self._access(*self.statement.scalars[accumulator])

    def passed(self) -> Pieces:
        """The kinds of what each loop point leaves for the next one."""
        left = self.statement.source.left
        return self.yielded() if left is None else self.scalar(left)

    def alive(self, products: Sequence[Product]) -> Part:
        """The points at which none of PRODUCTS is known to be 0."""
        return reduce(intersection, map(self._alive, products), True)

    def _alive(self, of: Product) -> Part:
        found = self.scalar(of.factors[0]) if len(of.factors) == 1 else self.product(of.op, of.factors)
        return of_pieces.not_one_zero(found) if of.signed else of_pieces.nonzero(found)

    def product(self, op: Operation, factors: Sequence[SSAValue]) -> Pieces:
        """The kinds of the product of FACTORS, which OP computes, perhaps beside other things."""
        return self._applied(op, _product_of(op), [self.scalar(factor) for factor in factors])

    def scalar(self, value: SSAValue) -> Pieces:
        """The kinds of VALUE at each loop point; its operands' first: a long body is not a deep recursion."""
        block = value.op.parent if isinstance(value, OpResult) and self._is_computed(value.op) else None
        first = None if block is None else block.first_op
        if block is not None and first is not None and once("a long body", first, _begins_long_body):
            for each in backward_slice(value, block, self.statement.scalars):
                self._scalar(each)
        return self._scalar(value)

    def _is_computed(self, op: Operation) -> bool:
        """Whether OP uses something else than scalars that the statement reads, or that are known."""
        return not all(each in self.statement.scalars or each in self._known for each in op.operands)

    def _access(self, operand: SSAValue, index: tuple[Index, ...]) -> Pieces:
        return mapped(self.kinds_of(operand), lambda part: self._points(operand, index, part))

    def _points(self, operand: SSAValue, index: tuple[Index, ...], part: Part) -> Part:
        """The loop points at which the element of OPERAND at INDEX is in PART."""
        return part if isinstance(part, bool) else self.statement.points_at(operand, index, part)

    def _scalar(self, value: SSAValue) -> Pieces:
        if value not in self._known:
            allowed = kinds_of_type(value.type)
            self._known[value] = merged((kinds & allowed or allowed, part) for kinds, part in self._of(value))
        return self._known[value]

    def _of(self, value: SSAValue) -> Pieces:
        if not _has_kinds(value.type):
            return UNKNOWN
        source = self.statement.source
        if value in source.accumulators:
            if value is not source.accumulator:
                return UNKNOWN
            return merged((*mapped(self.initially(value), self._not_growing), (ANYTHING, self.accumulated)))
        access = self.statement.scalars.get(value)
        return self._operation(value) if access is None else self._access(*access)

    def _not_growing(self, part: Part) -> Part:
        return difference(part, self.accumulated, lambda: self.statement.domain)

    def _operation(self, value: SSAValue) -> Pieces:
        if not isinstance(value, OpResult):
            return UNKNOWN
        op = value.op
        if questions.constant_fill.answers(type(op)):
            return everywhere(constant_kinds(op))
        rule = questions.vanishing(op)
        if rule is Vanishing.BY_CONDITION:
            return self._select(value, *op.operands[1:])
        if (truth := self.statement.conditions.get(value)) is not None:
            return self._split(truth, everywhere(INTEGERS & ~ZERO), everywhere(ZERO))
        if (known := self._less_zero_point(op)) is not None:
            return known
        of_kinds = questions.number_kinds(op) or (None if rule is None else _by_rule(op, rule))
        if of_kinds is None:
            return UNKNOWN
        return self._applied(op, of_kinds, [self._scalar(operand) for operand in op.operands])

    def _less_zero_point(self, op: Operation) -> Pieces | None:
        """The kinds of `x - z`, of an element x of a constant and a constant z; None for anything else.

        Both may be widened alike before: numbers that are equal then were equal.
        """
        if questions.subtracts(op) != "addi":
            return None
        x, z = map(self.statement.scalars.get, literals.before_widening(*op.operands))
        if x is None or z is None:
            return None
        found = literals.zeros_without(x[0].owner, z[0].owner)
        return None if found is None else mapped(found, lambda part: self._points(*x, part))

    def _applied(self, op: Operation, of_kinds: Callable[..., Kinds], operands: Sequence[Pieces]) -> Pieces:
        """The kinds that OP makes of those of OPERANDS, finite ones if it may be assumed and matters."""

        def of(*operands: Kinds) -> Kinds:
            found = of_kinds(*operands)
            if _is_settled(found):
                return found
            if excluding is None:
                return found
            missing, excluded, is_result = excluding
            possible = of_kinds(*(kinds & ~excluded or kinds for kinds in operands))
            if is_result:
                possible = possible & ~excluded or possible
            if not _is_settled(possible):
                return found
            if missing:
                self.needs.add(missing)
            return possible

        excluding = self._excluding(op)
        return combined(of, operands)

    def _excluding(self, op: Operation) -> tuple[frozenset[str], Kinds, bool] | None:
        """What may be excluded: the flags that OP lacks for it, kinds of operands, whether of results, too.

        Of products that are operands that are not finite; of other operations, NaN.
        """
        stated = questions.fastmath(op)
        if stated is None:
            return None
        is_product = questions.vanishing(op) is Vanishing.IF_ANY_OPERAND or questions.factors(op)
        missing = (FINITE_FLAGS if is_product else _NO_NAN) - stated
        if not missing <= self.assumed:
            return None
        return missing, NOT_FINITE if is_product else NAN, not is_product

    def _select(self, value: SSAValue, if_true: SSAValue, if_false: SSAValue) -> Pieces:
        yes, no = self._scalar(if_true), self._scalar(if_false)
        split = self.statement.conditions.get(value)
        return merged((*yes, *no)) if split is None else self._split(split, yes, no)

    def _split(self, condition: Condition, yes: Pieces, no: Pieces) -> Pieces:
        """YES where CONDITION holds, and NO elsewhere."""
        return merged(
            (kinds, intersection(self._where(where), part))
            for cases, branch in ((condition.true, yes), (condition.false, no))
            for where in cases
            for kinds, part in branch
        )

    def _where(self, conjunction: Conjunction) -> Part:
        return self.statement.points_where(conjunction) if conjunction else True


def _begins_long_body(first: Operation) -> bool:
    """Whether the block that FIRST begins has more operations than are followed by recursion."""
    block = first.parent
    assert block is not None
    return next(islice(block.ops, limits.RECURSIVE_BODY, None), None) is not None


def _is_settled(kinds: Kinds) -> bool:
    """Whether a number of KINDS is known to be a zero, or the infinity that an exponential makes one of."""
    return is_zero(kinds) or kinds == NEGATIVE_INFINITY


def _by_rule(op: Operation, rule: Vanishing) -> Callable[..., Kinds]:
    return _product_of(op) if rule is Vanishing.IF_ANY_OPERAND else zero_of_zeros


def _product_of(op: Operation) -> Callable[..., Kinds]:
    return integer_product if kinds_of_type(op.results[0].type) == INTEGERS else product


def computed(
    statement: Statement,
    kinds_of: Callable[[SSAValue], Pieces],
    assumed: frozenset[str],
    image: Callable[[Part], Part],
) -> tuple[Pieces, Evaluation]:
    """The kinds of the elements that STATEMENT computes, and the evaluation of its scalars.

    IMAGE takes loop points to result elements.
    """
    evaluation = Evaluation(statement, kinds_of, assumed)
    accumulator = statement.source.accumulator
    if accumulator is None or not statement.has_initial(accumulator):
        return mapped(evaluation.yielded(), image), evaluation
    points, initial = evaluation.passed(), evaluation.initially(accumulator)
    if any(is_zero(kinds) and is_zero(old) and kinds & ~old for kinds, _ in points for old, _ in initial):
        initial = merged((ZEROS if is_zero(kinds) else kinds, part) for kinds, part in initial)
        evaluation = Evaluation(statement, kinds_of, assumed, initial, needs=evaluation.needs)
        points = evaluation.passed()
    growing = image(reduce(union, _growing(points, initial), False))
    if growing is not False:
        back = growing if isinstance(growing, bool) else statement.points_of(growing)
        evaluation = Evaluation(statement, kinds_of, assumed, initial, back, evaluation.needs)
    return mapped(evaluation.yielded(), image), evaluation


def _growing(after: Pieces, before: Pieces) -> Iterator[Part]:
    """Where a number AFTER may be of a kind that it was not of BEFORE."""
    for kinds, part in after:
        for old, where in before:
            if kinds & ~old:
                yield intersection(part, where)
