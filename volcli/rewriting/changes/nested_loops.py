"""Loops over positions as nests over what positions are counted by, in a copy of a function.

    for k = 0 to n * m { S(k floordiv m, k mod m) }     for i = 0 to n { for j = 0 to m { S(i, j) } }
    for k = 0 to n * m step m { S(k) }                  for t = 0 to n { S(t * m) }

i * m + j with 0 <= j < m is each of 0, ..., n * m - 1 once, and in this order: both do the same, if m >= 0 is
known. With n = 2 and m = 3, k = 5 is i = 1 and j = 2. An element of a view that collapses dimensions is one
of its base, by quotients. So sets of integers, which know no products, know all of such a function.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint

from volcli.equivalence.congruence.numbering import has_flags
from volcli.frontend.parse.parser import ParsedModule
from volcli.language import questions
from volcli.language.expressions import (
    Dim,
    Expression,
    NotAffine,
    Value,
    constant,
    has_cases,
    has_product,
    value_of,
)
from volcli.language.interface import operation_name
from volcli.language.loops import Induction, Loop
from volcli.language.reads import Disjunction
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import only_computes
from volcli.rewriting.changes.product_forms import ProductForms
from volcli.rewriting.code.index_code import IndexCode
from volcli.rewriting.code.loop_code import FOR, PARALLEL, loop_operation, separate
from volcli.rewriting.ground.bound_uses import carried_first, is_counted, loops_in, variable_of
from volcli.rewriting.ground.builder import Builder
from volcli.symbolic.fourier_motzkin import coefficient
from volcli.symbolic.polynomials import exact_quotient, factors


def results_in(function: Operation) -> Iterator[OpResult]:
    """The results of all operations in FUNCTION."""
    return (result for op in function.walk() for result in op.results)


def is_quotient(result: OpResult) -> bool:
    """Whether RESULT is determined by a division that is no expression."""
    if not isinstance(result.type, IndexType) or not questions.determined.answers(type(result.op)):
        return False
    with suppress(NotAffine):
        return questions.value_of_result(result) is None
    return True


def is_choice(result: OpResult) -> bool:
    """Whether RESULT is an index that a condition chooses."""
    return operation_name(result.op) == "arith.select" and isinstance(result.type, IndexType)


class PositionNests:
    """The loops and the quotients of MODEL's function, a copy that is of the program PARSED."""

    def __init__(self, parsed: ParsedModule, model: FunctionModel) -> None:
        self.model = model
        self._context = parsed.context
        self._forms = ProductForms(model.bounds)
        self._quotients = [each for each in results_in(model.function) if each.uses and is_quotient(each)]

    def takes_quotients(self) -> bool:
        """Put polynomials in the place of quotients; whether there are any."""
        has_taken = False
        for result in self._quotients:
            form = self._forms.determined(result)
            if form is not None:
                builder = Builder.before(result.op, self._context)
                result.replace_all_uses_with(IndexCode(builder).number(builder, form, {}))
                has_taken = True
        for op in dict.fromkeys(result.op for result in self._quotients):
            if not any(result.uses for result in op.results) and self._is_defined(op):
                op.detach()
                op.erase()
        return has_taken

    def _is_defined(self, op: Operation) -> bool:
        """Whether all that the quotient OP demands holds wherever it runs: its divisor is not 0, say."""
        if has_flags(op):
            return False
        try:
            demanded = [*(questions.demands(op) or ()), *(questions.requires(op) or ())]
        except NotAffine:
            return False
        return all(self._holds(each, op) for each in demanded)

    def _holds(self, stated: Disjunction, at: Operation) -> bool:
        """Whether one of the cases STATED holds wherever AT runs."""
        proves = self.model.bounds.proves
        return any(all(proves(e, ">=", 0, at=at) for e in case) for case in stated)

    def simplifies(self) -> bool:
        """Make one of these changes; whether there is any."""
        return self.chooses() or self.takes_quotients() or self.counts() or self.separates() or self.splits()

    def chooses(self) -> bool:
        """Put an operand in the place of a choice that is always the same; whether there is any."""
        has_chosen = False
        for result in filter(is_choice, list(results_in(self.model.function))):
            decides, *operands = result.op.operands
            stated = questions.condition(decides.op) if isinstance(decides, OpResult) else None
            cases = () if stated is None else (stated.true, stated.false)
            for case, operand in zip(cases, operands, strict=False):
                if result.uses and self._holds(case, result.op):
                    result.replace_all_uses_with(operand)
                    has_chosen = True
        return has_chosen

    def cancels(self) -> None:
        """Put in the place of sums of products what is none: k for i * m + k - i * m."""
        for result in list(results_in(self.model.function)):
            if not isinstance(result.type, IndexType) or not result.uses or not only_computes(result.op):
                continue
            form = self._forms.form(value_of(result))
            if has_cases(form) or has_product(form):
                continue
            if form.single_atom != Value(result) and not form.is_constant:
                builder = Builder.before(result.op, self._context)
                result.replace_all_uses_with(IndexCode(builder).number(builder, form, {}))

    def counts(self) -> bool:
        """Let a loop in whole steps that are values count them; whether there is one."""
        for op in loops_in(self.model.function):
            own = self._induction(op)
            if own is None or operation_name(op) != FOR:
                continue
            low, end, step = (self._forms.form(each) for each in (own.lower[0], own.upper[0], own.step))
            number = None if step.is_constant else exact_quotient(end - low, step)
            if number is not None and self.model.bounds.proves(step, ">=", 1, at=op):
                self._count(op, number)
                return True
        return False

    def _count(self, op: Operation, number: Expression) -> None:
        """Let the loop OP run from 0 to NUMBER."""
        builder = Builder.before(op, self._context)
        low, _, step, *initial = op.operands
        end = IndexCode(builder).number(builder, number, {})
        variable = variable_of(op)
        inside = Builder(op, self._context, InsertPoint.at_start(op.regions[0].block))
        moved = inside.make("arith.muli", [step, variable])
        self._replace(variable, inside.make("arith.addi", [moved, low]), moved)
        op.operands = [builder.constant(0), end, builder.constant(1), *initial]

    def separates(self) -> bool:
        """Make loops in one another of a parallel loop over several variables, one of them over positions."""
        for op in loops_in(self.model.function):
            if operation_name(op) != PARALLEL or op.results:
                continue
            variables = op.regions[0].block.args
            if len(variables) > 1 and any(any(self._inner_sizes(op, each)) for each in variables):
                separate(op, self._context)
                return True
        return False

    def splits(self, factor: int | None = None) -> bool:
        """Make a nest of a loop over positions; whether there is one.

        If a FACTOR of its end is chosen, that is the inner size, though nothing is divided by it.
        """
        for op in loops_in(self.model.function):
            own = self._induction(op)
            if own is None or (operation_name(op) == PARALLEL and op.results):
                continue
            low, end, step = (self._forms.form(each) for each in (own.lower[0], own.upper[0], own.step))
            if (low, step) != (constant(0), constant(1)):
                continue
            sizes = self._inner_sizes(op, variable_of(op)) if factor is None else _factors(end)[factor:][:1]
            for inner in sizes:
                outer = exact_quotient(end, inner)
                if outer not in (None, constant(1)) and self.model.bounds.proves(inner, ">=", 0, at=op):
                    assert outer is not None
                    self._split(op, outer, inner)
                    return True
        return False

    def _induction(self, op: Operation) -> Induction | None:
        """What the variable of the loop OP, an index with one bound on each side, runs through."""
        counted = questions.loop(op) if is_counted(op) else None
        if not isinstance(counted, Loop) or not isinstance(variable_of(op).type, IndexType):
            return None
        (own,) = counted.inductions
        is_plain = len(own.lower) == len(own.upper) == 1 and "unsignedCmp" not in op.properties
        return own if is_plain else None

    def _inner_sizes(self, op: Operation, positions: SSAValue) -> Iterator[Expression]:
        """By what the POSITIONS that a variable of the loop OP runs through are divided inside."""
        variable = Value(positions)
        for result in self._quotients:
            for numerator, divisor in self._forms.quotients(result) if op.is_ancestor(result.op) else ():
                with suppress(NotAffine):  # other functions of the position
                    factor = coefficient(numerator, variable)
                    size = None if factor == constant(0) else exact_quotient(divisor, factor)
                    if size not in (None, constant(0), constant(1)) and not self._is_inside(op, size):
                        yield size

    @staticmethod
    def _is_inside(op: Operation, form: Expression) -> bool:
        """Whether FORM speaks of values that are made in the loop OP."""
        values = [atom.value for atom in form.atoms() if isinstance(atom, Value | Dim)]
        return any(op.is_ancestor(value.owner) for value in values)

    def _split(self, op: Operation, outer: Expression, inner: Expression) -> None:
        """Make of the loop OP a nest with OUTER times INNER iterations."""
        builder = Builder.before(op, self._context)
        index = IndexCode(builder)
        number, size = (index.number(builder, each, {}) for each in (outer, inner))
        zero, one = builder.constant(0), builder.constant(1)
        kind = PARALLEL if operation_name(op) == PARALLEL else FOR
        region, carried = op.regions[0], carried_first(op)
        last = region.block.last_op
        assert last is not None
        yielded = list(last.operands)
        last.detach()
        last.erase()
        around = Block(arg_types=[IndexType(), *(each.type for each in carried)])
        body = Region(around)
        inside = builder.inside(around)
        operands = [zero, size, one, *around.args[1:]]
        made = loop_operation(
            inside, inside.inside(region.block), kind, operands, op.detach_region(region), yielded
        )
        start = Builder(op, self._context, InsertPoint.at_start(made.regions[0].block))
        row = start.make("arith.muli", [around.args[0], size])
        position = start.make("arith.addi", [row, variable_of(made)])
        self._replace(variable_of(made), position, position)
        results = list(made.results)
        nest = loop_operation(builder, inside, kind, [zero, number, one, *carried], body, results)
        for old, new in zip(op.results, nest.results, strict=True):
            old.replace_all_uses_with(new)
        op.detach()
        op.erase()

    @staticmethod
    def _replace(variable: SSAValue, value: SSAValue, beside: SSAValue) -> None:
        """Let VALUE stand for VARIABLE, but where BESIDE is computed from that."""
        for use in list(variable.uses):
            if use.operation is not beside.owner:
                use.operation.operands[use.index] = value


def _factors(end: Expression) -> list[Expression]:
    """The factors of END, if there are several."""
    _, found = factors(end)
    return [each for each, power in found for _ in range(power)] if len(found) > 1 else []
