"""Element-wise bodies: which accesses a yielded scalar is computed from.

The body of a linalg op, of tensor.pad and of tensor.generate computes scalars from its block arguments,
from values captured from outside, and from `tensor.extract` at indices of the loops. What the yielded
scalar depends on is the backward slice from it, refined three times:

* a selection or a branch on a condition that is affine in the loops splits the loop points;
* an integer factor that is a number of the loops leaves out the loop points where it is 0;
* any other product is remembered for its factors: where it is known to be 0 they do not matter, but for what
  sees the sign of a zero, which needs to know that, too (`volcli.language.questions.use_through`).

Example: `yield (in * w + acc)` depends on `in` and `w` (both in the product in * w) and on `acc`.

Where numbers of the loops decide beside data whether that data matters, in a way that is not followed, the
reads stay and are no longer exact: `x * (i < 2 ? 1.0 : 0.0)` with a factor that was cast from a truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ShapedType, i1
from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import ANY, Expression, Index, Value
from volcli.language.interface import operation_name, refused
from volcli.language.loops import Choice
from volcli.language.programs.backward_slices import operands_first
from volcli.language.programs.element_numbers import is_computed, is_made_of_loops, number_of
from volcli.language.programs.loop_numbers import LoopNumbers, involves_loops, is_index_like
from volcli.language.programs.uses import Uses, merged, opaque, restricted, through
from volcli.language.questions import Vanishing
from volcli.language.reads import (
    Access,
    Condition,
    Disjunction,
    Read,
    Use,
    captured_values,
    element_type,
    is_number,
    rank_of,
)
from volcli.language.unchanged import cached_method

__all__ = ["Body", "Uses", "is_index_like"]


@dataclass
class Body:
    """The dependences of the scalars of one block.

    `is_parametric` says that what is yielded depends on a size beside its reads, `is_opaque` that it depends
    on an operation without a case, which may compute data from nothing.
    `arguments` maps block arguments to what they stand for: an access (an operand's element) or an
    expression over the loops (the index arguments of tensor.pad and tensor.generate). `states` are those
    arguments that hold what earlier loop points have left of their elements.
    """

    block: Block
    arguments: Mapping[SSAValue, Access | Expression | Condition]
    states: frozenset[SSAValue] = frozenset()
    scalars: dict[SSAValue, Access] = field(default_factory=dict[SSAValue, Access])
    conditions: dict[SSAValue, Condition] = field(default_factory=dict[SSAValue, Condition])
    inexact: str | None = None
    is_parametric: bool = False
    is_opaque: bool = False
    _uses: dict[SSAValue, Uses] = field(default_factory=dict[SSAValue, Uses])
    _followed: set[SSAValue] = field(default_factory=set[SSAValue])
    """The results of branches whose conditions split the loop points."""
    _deciding: dict[Expression, None] = field(default_factory=dict[Expression, None])

    def __post_init__(self) -> None:
        self.numbers = LoopNumbers(self.block, self.arguments, self.states)

    def reads(self, *yielded: SSAValue) -> tuple[Read, ...]:
        """The reads that the scalars YIELDED are computed from."""
        for value in yielded:
            for inside in self._in_order(value):
                if isinstance(inside, OpResult) and self.numbers.is_inside(inside):
                    if is_number(inside):
                        self.numbers.expression(inside)
                    self._uses[inside] = self._uses_of(inside)
        uses = merged([self._of(value) for value in yielded])
        return tuple(Read(access, where, each) for (access, where), each in uses.items())

    @property
    def deciding(self) -> tuple[Expression, ...]:
        """The expressions whose signs decide what is read or yielded."""
        return tuple(self._deciding)

    def _note(self, *disjunctions: Disjunction) -> None:
        """What is yielded depends on DISJUNCTIONS, even if it is constants that they choose from."""
        self._deciding.update((e, None) for each in disjunctions for where in each for e in where)

    def _in_order(self, value: SSAValue) -> list[SSAValue]:
        """VALUE and what it is computed from in the body and its branches, operands first."""

        def before(current: SSAValue) -> Sequence[SSAValue]:
            if current in self._uses or current in self.arguments or not self.numbers.is_inside(current):
                return ()
            return self._operands(current) if isinstance(current, OpResult) else ()

        return operands_first(value, before)

    def _operands(self, value: OpResult) -> Sequence[SSAValue]:
        """What VALUE is computed from: of branches, the truths that decide and what may be chosen."""
        alternatives = self._choices(value)
        if not alternatives:
            return (*value.op.operands, *captured_values(value.op))
        return (*value.op.operands, *(c.value for c in alternatives))

    @staticmethod
    def _choices(value: OpResult) -> Sequence[Choice]:
        """The values of the branches that VALUE's operation chooses from; of other operations none."""
        if not value.op.regions:
            return ()
        alternatives = questions.choices(value.op)
        return () if alternatives is None else alternatives[value.index]

    def _of(self, value: SSAValue) -> Uses:
        """The uses of VALUE: an operation of the block, an argument, or a captured value."""
        known = self._uses.get(value)
        if known is not None:
            return known
        argument = self.arguments.get(value)
        if isinstance(argument, Expression | Condition):
            return {}
        access = argument or Access(value, (ANY,) * rank_of(value))
        self.scalars[value] = access
        if not access.is_exact:
            self.inexact = "a tensor is used whole inside a body"
        return {(access, ()): (Use(),)}

    def _uses_of(self, value: OpResult) -> Uses:
        from xdsl.dialects.tensor import DimOp, ExtractOp

        op = value.op
        is_valid = op not in refused
        if is_valid and isinstance(op, ExtractOp):
            return self._extracted(op)
        if is_valid and isinstance(op, DimOp):
            self.is_parametric = True
            return {}
        if alternatives := self._choices(value):
            return self._branches(value, alternatives)
        has_case = questions.element_reads.answers(type(op)) or questions.index_value.answers(type(op))
        if not (is_valid and has_case):
            self.is_opaque = True
            self._over_approximates(f"{operation_name(op)} has no case")
        rule = questions.vanishing(op)
        if rule is Vanishing.BY_CONDITION:
            return self._select(op)
        self._note_truths(op)
        if rule is Vanishing.IF_ANY_OPERAND:
            return merged([self._multiplied(op, 0), self._multiplied(op, 1)])
        if self._may_hide(op, rule):
            self._over_approximates(f"{operation_name(op)} of data and a number of the loops")
        operands = [through(op, k, self._of(operand)) for k, operand in enumerate(op.operands)]
        return merged([*operands, *(opaque(self._of(captured)) for captured in captured_values(op))])

    def _note_truths(self, op: Operation) -> None:
        """Where the operands of OP that are truths over the loops hold: elsewhere they are the number 0."""
        for truth in op.operands:
            is_selected = (
                isinstance(truth, OpResult) and questions.vanishing(truth.op) is Vanishing.BY_CONDITION
            )
            if truth.type == i1 and not is_selected and (split := self.numbers.condition(truth)) is not None:
                self.conditions[truth] = split
                self._note(split.true, split.false)

    def _over_approximates(self, reason: str) -> None:
        self.inexact = self.inexact or reason

    # -- elements --------------------------------------------------------------------------------------

    def _extracted(self, op: Operation) -> Uses:
        """The element, and the indices that are data themselves (a gather)."""
        tensor, *indices = op.operands
        if self.numbers.is_inside(tensor) and tensor not in self.arguments:
            self._over_approximates("an element of a tensor that the body computes")
            return merged([self._of(operand) for operand in op.operands])
        access = Access(tensor, tuple(self._index(i) for i in indices))
        self.scalars[op.results[0]] = access
        unknown = [i for i, e in zip(indices, access.index, strict=True) if e is ANY]
        for index in unknown:
            self._over_approximates(self._why_unknown(index))
        return {(access, ()): (Use(),), **merged([self._of(i) for i in unknown])}

    def _why_unknown(self, index: SSAValue) -> str:
        if self._is_data(index) or not isinstance(index, OpResult):
            return "an element is selected by data"
        return f"an index, the result of {operation_name(index.op)}, is not affine"

    def _is_data(self, value: SSAValue) -> bool:
        """Whether data takes part in VALUE: an element, or a captured scalar that is not a parameter."""
        states = [self.arguments[state] for state in self.states]
        return any(access in states or self._is_source(access.operand) for access, _ in self._of(value))

    def _is_source(self, operand: SSAValue) -> bool:
        if isinstance(operand.type, ShapedType):
            return number_of(operand) is None
        if operand in self.arguments:
            return True
        if isinstance(operand, OpResult) and questions.constant_fill.answers(type(operand.op)):
            return False
        return self.numbers.expression(operand) is None

    def _index(self, value: SSAValue) -> Index:
        expression = self.numbers.expression(value)
        return ANY if expression is None else expression

    # -- selections ------------------------------------------------------------------------------------

    def _select(self, op: Operation) -> Uses:
        chosen, if_true, if_false = op.operands
        split = self.numbers.condition(chosen)
        if split is None:
            if self._is_structural(chosen):
                self._over_approximates(f"a condition of {operation_name(op)} is not affine in the loops")
            return merged([self._of(value) for value in op.operands])
        self.conditions[op.results[0]] = split
        self._note(split.true, split.false)
        return merged(
            [restricted(self._of(if_true), where) for where in split.true]
            + [restricted(self._of(if_false), where) for where in split.false]
        )

    def _branches(self, value: OpResult, alternatives: Sequence[Choice]) -> Uses:
        """Each branch where its condition holds; all of them, and what decides, if that is not affine."""
        op = value.op
        split = [self.numbers.when(choice.when) for choice in alternatives]
        if any(where is None for where in split):
            if any(self._is_structural(operand) for operand in op.operands):
                self._over_approximates(f"a condition of {operation_name(op)} is not affine in the loops")
            return merged([self._of(v) for v in (*op.operands, *(c.value for c in alternatives))])
        self._followed.add(value)
        self._note(*(disjunction or () for disjunction in split))
        return merged([
            restricted(self._of(choice.value), where)
            for choice, disjunction in zip(alternatives, split, strict=True)
            for where in disjunction or ()
        ])  # fmt: skip

    # -- factors ---------------------------------------------------------------------------------------

    def _multiplied(self, op: Operation, position: int) -> Uses:
        """The uses of the factor at POSITION of the product OP where the other factor is not 0."""
        uses, factor = self._of(op.operands[position]), op.operands[1 - position]
        number = self.numbers.expression(factor) if is_number(factor) else None
        if number is None or not involves_loops(number):
            if self._is_structural(factor) and uses:
                self._over_approximates("a factor depends on the loops")
            return through(op, position, uses)
        if self._is_data(op.operands[position]) and self._may_mask(op, op.operands[position]):
            self._over_approximates(f"{operation_name(op)} of data and a number of the loops")
        signs = ((number - 1,),) if factor.type == i1 else ((number - 1,), (-number - 1,))
        return merged([restricted(uses, where) for where in signs])

    def _may_mask(self, op: Operation, operand: SSAValue) -> bool:
        """Whether the bits that a mask leaves of OPERAND may be the same for all data: 1 of x + x."""
        is_bitwise = questions.combines(op) == "andi" and op.results[0].type != i1
        return is_bitwise and operand not in self.arguments and operand not in self.scalars

    def _may_hide(self, op: Operation, rule: Vanishing | None) -> bool:
        """Whether an operand of OP that is made from the loops may make another one not matter.

        It may not in sums, and not where integers are compared.
        """
        made = [self._is_structural(operand) for operand in op.operands]
        if not any(made):
            return False
        data = [self._is_data(operand) for operand in op.operands]
        if not any(m and any(data[:k] + data[k + 1 :]) for k, m in enumerate(made)):
            return False
        if any(is_number(o) for o in op.operands):
            return not (_is_linear(op) or (_compares(op) and op.operands[0].type != i1))
        return rule is not Vanishing.IF_ALL_OPERANDS and not _compares(op)

    def _converted(self, value: SSAValue) -> SSAValue | None:
        """The number that VALUE is in another type."""
        if not isinstance(value, OpResult) or len(value.op.operands) != 1:
            return None
        number, before = map(self.numbers.expression, (value, value.op.operands[0]))
        return value.op.operands[0] if number == before else None

    @cached_method
    def _is_structural(self, value: SSAValue) -> bool:
        """Whether VALUE is made from the loops, beyond the elements that they select."""
        number = self.numbers.expression(value) if is_number(value) else None
        element = self.arguments.get(value)
        if isinstance(element, Access) and number is None:
            return value not in self.states and is_made_of_loops(element.operand)
        if isinstance(element, Access):
            return is_computed(element.operand)
        if number is not None:
            if involves_loops(number):
                return True
            if (same := self._converted(value)) is not None:
                return self._is_structural(same)
            if not (self.numbers.is_inside(value) and _is_computed(value)):
                return False
            if not self._is_data(value):  # x - x is 0, and not made from the loops
                return True
        if value in self.scalars or not isinstance(value, OpResult) or not self.numbers.is_inside(value):
            return False
        operands = self._operands(value)
        is_split = value in self.conditions or value in self._followed
        if is_split and (value.op.regions or questions.vanishing(value.op) is Vanishing.BY_CONDITION):
            operands = operands[len(value.op.operands) if value.op.regions else 1 :]
        made = [self._is_structural(operand) for operand in operands]
        if _compares(value.op) and not all(made) and any(map(self._is_data, operands)):
            return any(m and self._is_data(o) for m, o in zip(made, operands, strict=True))
        return any(made)


def _is_computed(value: SSAValue) -> bool:
    """Whether VALUE is the result of an operation on others, and no constant as it is written."""
    return isinstance(value, OpResult) and len(value.op.operands) > 0


def _compares(op: Operation) -> bool:
    """Whether OP gives a truth of numbers that are none; those of tensors without dimensions, too."""
    if element_type(op.results[0].type) != i1 or len(op.operands) != 2:
        return False
    return element_type(op.operands[0].type) != i1


def _is_linear(op: Operation) -> bool:
    """Whether OP's result is a linear form in its operands: each of them matters."""
    stated = questions.index_value(op)
    return stated is not None and all(isinstance(atom, Value) for atom, _ in stated.terms)
