"""Linear forms: what the operations say of index values and sizes, over the variables that remain.

Where an operation determines a variable as a linear form of others, that form takes its place. Else the
variable stands for itself, and what its operation states, if that is one expression, is its definition. Equal
expressions are one variable, the first in the program (`congruence`); so are reads of one element.

    %a = arith.addi %n, %c1      n + 1
    %m = arith.maxsi %a, %c4     m, which is max(n + 1, 4)
    %k = arith.maxsi %c4, %a     m
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import OpResult

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    LoopIndex,
    Mod,
    NotAffine,
    Value,
    constant,
    substitute,
)
from volcli.language.reads import Disjunction
from volcli.limits import values as limits
from volcli.limits.widths import ALL_BITS
from volcli.model.symbols import entry_of
from volcli.model.values.definitions.definedness import EVERYWHERE, ResultDefinedness
from volcli.model.values.definitions.overflows import NUMBERS_OF_64_BITS, Overflows, ordinary, unwrapped
from volcli.model.values.outline.outline import Outline
from volcli.model.values.terms.argument_elements import Elements
from volcli.model.values.terms.executions import Executions
from volcli.model.values.terms.ranges import Interval, is_within, range_of_multiple
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.tables import Table
from volcli.model.values.terms.variables import Variable, own

_LARGE_MODULUS = 2**7
"""Remainders by so much stand for wrapping around, and most often nothing does."""


@dataclass(frozen=True, eq=False)
class LinearForm:
    """A linear form; if it is the variable itself, the expression that this is STATED to be, and WHERE."""

    linear: Expression
    stated: Expression | None = None
    where: Disjunction = EVERYWHERE


class LinearForms:
    """The linear forms of the variables of a function by its OUTLINE; RANGE knows what they lie between.

    ENDS knows it by sets, which cost more, OF_32_BITS where arguments have 32 bits. Where EXECUTIONS stop,
    only constants are known. Of what is given up (GIVES_UP), if anything is, nothing is stated.
    """

    def __init__(
        self,
        outline: Outline,
        solver: Solver,
        range: Callable[[Variable], Interval],
        ends: Callable[[Variable], Interval],
        executions: Executions,
        gives_up: Callable[[Variable], bool] | None,
        of_32_bits: Callable[[Variable], Interval],
    ) -> None:
        self._outline = outline
        self._executions = executions
        self._solver = solver
        self._range = range
        self._gives_up = gives_up
        trusted = executions.trusts_products
        self._overflows = Overflows(outline, range, solver, ends, of_32_bits, trusted=trusted)
        self._definedness = ResultDefinedness(self.resolve, range)
        self._forms: Table[Variable, LinearForm] = Table()

    @cached_property
    def elements(self) -> Elements:
        """Which values are elements of the function's arguments, or of constants."""
        outline = self._outline
        return Elements(outline.function, outline.unwritten, self.resolve, self._solver)

    def suppose(self, variable: Variable, same: Variable) -> None:
        """VARIABLE is SAME; to be said before anything is asked."""
        self._forms.complete[variable] = LinearForm(own(same))

    def fix(self, variable: Variable, number: int) -> None:
        """VARIABLE is NUMBER; to be said before anything is asked."""
        self._forms.complete[variable] = LinearForm(constant(number))

    def form(self, variable: Variable) -> LinearForm:
        """The linear form of VARIABLE, over variables that have definitions."""
        known = self._forms.complete.get(variable)
        return self._solver.answer(self._forms, variable, self._form, variable) if known is None else known

    def resolve(self, expression: Expression) -> Expression:
        """EXPRESSION over variables that have definitions."""
        return expression if expression.is_constant else substitute(expression, self._leaf)

    def _leaf(self, atom: Atom) -> Expression | None:
        match atom:
            case Value() | Dim():
                return self.form(atom).linear
            case Mod(numerator, divisor) if divisor >= _LARGE_MODULUS:
                is_number = isinstance(numerator.single_atom, Value | Dim)
                return unwrapped(self.resolve(numerator), divisor, self._range, is_number=is_number)
            case LoopIndex():
                raise NotAffine("a loop of an operation")
            case _:
                return None

    def _form(self, variable: Variable) -> LinearForm:
        if isinstance(variable, Dim):
            kind = variable.value.type
            if isinstance(kind, ShapedType) and variable.dimension < len(kind.get_shape()):
                declared = kind.get_shape()[variable.dimension]
                if declared != DYNAMIC_INDEX:
                    return LinearForm(constant(declared))
        stops = self._executions.stops(variable)
        if stops and isinstance(variable.value, OpResult) and variable.value.op.operands:
            return LinearForm(own(variable))
        if self._gives_up is not None and self._gives_up(variable):
            return LinearForm(own(variable))
        stated = self._stated(variable)
        if stated is None and isinstance(variable, Value):
            is_argument = variable.value.owner is entry_of(self._outline.function)
            numbers = () if is_argument else self.elements.numbers(variable.value)
            if len(numbers) == 1:
                return LinearForm(constant(numbers[0]))
            first = self._first(variable)
            if first != variable:
                return LinearForm(self.form(first).linear)
        if stated is None or (stops and not stated.is_constant):
            return LinearForm(own(variable))
        if (where := self.where(variable)) != EVERYWHERE:
            return LinearForm(own(variable), stated, where) if where else LinearForm(own(variable))
        is_linear = all(isinstance(atom, Value | Dim) for atom, _ in stated.terms)
        if is_linear and len(stated.terms) <= limits.LINEAR_TERMS:
            return LinearForm(stated)
        first = self._first(variable)
        return LinearForm(own(variable), stated) if first == variable else LinearForm(self.form(first).linear)

    def _first(self, variable: Variable) -> Variable:
        """The first variable of the program that is computed as VARIABLE is, and does not stop."""
        same = self._outline.congruence.until(variable)
        usable = (
            each for each in same if not self._executions.stops(each) and self.where(each) == EVERYWHERE
        )
        return next(usable, variable)

    def where(self, variable: Variable) -> Disjunction:
        """Where the operation of VARIABLE gives it a number; nowhere, if that is too much to say."""
        if not isinstance(variable, Value) or not isinstance(variable.value, OpResult):
            return EVERYWHERE
        try:
            return self._definedness.where(variable.value)
        except NotAffine:
            return ()

    # -- what operations state -------------------------------------------------------------------------

    def _stated(self, variable: Variable) -> Expression | None:
        """What the operation says that VARIABLE equals, resolved."""
        if not isinstance(variable.value, OpResult):
            return None
        try:
            if isinstance(variable, Dim):
                sizes = self._outline.sizes(variable.value.op)[variable.value.index]
                size = sizes[variable.dimension] if variable.dimension < len(sizes) else None
                return None if size is None else self._overflows.size(self.resolve(size))
            stated = self._outline.value(variable.value)
            if stated is None:
                return None
            number = self.resolve(stated)
            if variable.value in self._executions.wrapping:
                return (number + ALL_BITS // 2) % ALL_BITS - ALL_BITS // 2
            ends = range_of_multiple(number, self.resolve, lambda v: ordinary(self._range(v)))
            return (
                number
                if is_within(ends, NUMBERS_OF_64_BITS)
                else self._overflows.wrapped(variable.value, number)
            )
        except NotAffine:
            return None
