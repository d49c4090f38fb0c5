"""What each index value and each size is: one definition per variable, stated in the variables before it.

A *variable* is the value of an SSA value of index or integer type, or the size of one dimension of a shaped
value. Where its operation determines it as a linear form of other variables, that form takes its place
wherever it occurs (`linear`), so that only what is not linear remains a variable of its own, with a
definition:

    x = e            e has minima, maxima, divisions or products of variables
    x = a_k if c_k   one of several choices (arith.select, scf.if)
    l <= x < u       an induction variable, in steps from l
    x >= 0, ...      what is known of a value that nothing determines: a function's argument, a load

Definitions refer to variables that come before: `order` numbers the values by where they are complete (the
result of a loop after its body). Equal expressions are one variable.

Index arithmetic on what is not bounded is taken not to overflow, as in MLIR's own value bounds; what is large
whatever the arguments are (`overflows`) and narrower integers wrap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language.expressions import Atom, Dim, Expression, Value, substitute
from volcli.language.reads import Conjunction, Disjunction, is_number
from volcli.limits import values as limits
from volcli.model.symbols import entry_of
from volcli.model.values.definitions.cases import Cases
from volcli.model.values.definitions.definedness import EVERYWHERE, partly
from volcli.model.values.definitions.intervals import Intervals, IntervalsOf32Bits
from volcli.model.values.definitions.linear_forms import LinearForms
from volcli.model.values.definitions.loop_states import LoopStates
from volcli.model.values.definitions.resolver import CallResults, Recurrence
from volcli.model.values.definitions.variable_ranges import Effort, VariableRanges
from volcli.model.values.outline.outline import Outline
from volcli.model.values.terms.argument_elements import Elements
from volcli.model.values.terms.executions import Executions
from volcli.model.values.terms.ranges import Interval, range_of, tightest
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.tables import Cuts, Table
from volcli.model.values.terms.variables import (
    Definition,
    Disjunct,
    Variable,
    defined_by,
    own,
    unknown,
    variables_of,
)


class Definitions:
    """The definitions of one function's variables, each made when first asked for.

    Values that go around a loop are defined by RECURRENCE; such *states* depend on each other, and on
    themselves: it is there that the SOLVER cuts cycles. CALLS define what called functions return, and ENDS
    knows what variables lie between where intervals do not suffice; all three are made when they are asked.
    Of EXECUTIONS, a loop with a symbolic step may run through all numbers, or be in its first iteration.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        executions: Executions,
        like: Definitions | None = None,
        *,
        recurrence: Callable[[], Recurrence],
        calls: Callable[[], CallResults],
        ends: Callable[[Variable], Interval],
    ) -> None:
        self.function = function
        self.executions = executions
        self.name_of = name_of
        self.stops = executions.stops
        self.outline = Outline(function, name_of) if like is None else like.outline
        self.numbering = self.outline.numbering
        self.is_long = len(self.numbering) >= limits.CHAIN_FUNCTION and executions.are_whole
        most = limits.LONG_EFFORT if self.is_long else limits.EFFORT
        self.effort = Effort(
            most, f"budget: the sets of this function's values have more than {most} constraints"
        )
        self._like = like
        self._ends = ends
        self._solver = cache(Solver)
        self._recurrence = cache(recurrence)
        self._calls = cache(calls)
        self._bits: dict[Hashable, int] = {}

    @property
    def solver(self) -> Solver:
        """The solver that cuts cycles of states."""
        return self._solver()

    @property
    def recurrence(self) -> Recurrence:
        """The definitions of loop-carried values."""
        return self._recurrence()

    @property
    def calls(self) -> CallResults:
        """The results of calls."""
        return self._calls()

    @cached_property
    def _forms(self) -> LinearForms:
        return LinearForms(
            self.outline,
            self.solver,
            self.range,
            self._ends,
            self.executions,
            self._gives_up if self.is_long else None,
            self.range_of_32_bits,
        )

    @cached_property
    def intervals(self) -> Intervals:
        """What numbers lie between by what operations say alone: the same in all stores."""
        return Intervals(self.outline) if self._like is None else self._like.intervals

    @cached_property
    def _intervals_of_32_bits(self) -> IntervalsOf32Bits:
        return IntervalsOf32Bits(self.outline) if self._like is None else self._like._intervals_of_32_bits

    @property
    def elements(self) -> Elements:
        """Which values are elements of the function's arguments."""
        return self._forms.elements

    @cached_property
    def _masks(self) -> Table[Variable, int]:
        return Table()

    @cached_property
    def _cases(self) -> Cases:
        return Cases(self)

    @cached_property
    def _ranges(self) -> VariableRanges:
        return VariableRanges(self)

    @cached_property
    def _known(self) -> Cuts[Variable, Definition]:
        return Cuts(LoopStates(self._cases, self._ranges))

    def suppose(
        self, variable: Variable, same: Variable, facts: Conjunction, because: str = "it is supposed"
    ) -> None:
        """VARIABLE is SAME, and all that is known of it are FACTS; to be said before anything is asked."""
        self._forms.suppose(variable, same)
        free = self.is_argument(variable.value)
        self._known.complete[variable] = unknown(variable, (facts,), because, free=free)

    def fix(self, variable: Variable, number: int) -> None:
        """VARIABLE is NUMBER; to be said before anything is asked."""
        self._forms.fix(variable, number)

    def is_argument(self, value: SSAValue) -> bool:
        """Whether VALUE is an argument of the function."""
        return isinstance(value, BlockArgument) and value.block is entry_of(self.function)

    # -- order and dependence --------------------------------------------------------------------------

    def order(self, variable: Variable) -> tuple[int, int]:
        """Definitions refer to variables of a lower order only."""
        return self.position(variable.value), variable.dimension if isinstance(variable, Dim) else -1

    def place(self, op: Operation) -> int:
        """When OP has run, in the order of the text; a loop runs before what is in it, and ends after it."""
        return self.numbering.place(op)

    def position(self, value: SSAValue) -> int:
        """When VALUE is complete."""
        return self.numbering.position(value)

    def bit(self, variable: Variable) -> int:
        """The bit of VARIABLE in masks."""
        return 1 << self._bits.setdefault(variable, len(self._bits))

    def slice_mask(self, variable: Variable) -> int:
        """One bit for each variable that VARIABLE is computed from, and its own."""
        known = self._masks.complete.get(variable)
        return self.solver.answer(self._masks, variable, self._mask, variable) if known is None else known

    def _mask(self, variable: Variable) -> int:
        definition = self.definition(variable)
        found = self.bit(variable) | self.token_mask(definition)
        for reference in definition.references:
            found |= self.slice_mask(reference)
        return found

    def token_mask(self, definition: Definition) -> int:
        """One bit for each argument of which elements are read: two of them may be the same one."""
        mask = 0
        for token in definition.tokens:
            mask |= 1 << self._bits.setdefault(token.root, len(self._bits))
        return mask

    def slice_of(
        self, variables: Iterable[Variable], but: Callable[[Variable], bool] = lambda _: False
    ) -> list[Variable]:
        """VARIABLES and all that they are computed from, each once, BUT for some and what is after them."""
        met = dict.fromkeys(variables)
        pending = list(met)
        while pending:
            new = [r for r in self.definition(pending.pop()).references if r not in met and not but(r)]
            met.update(dict.fromkeys(new))
            pending += new
        return list(met)

    def mask(self, variables: Sequence[Variable]) -> int:
        """The slices of all VARIABLES together."""
        result = 0
        for variable in variables:
            result |= self.slice_mask(variable)
        return result

    # -- definitions -----------------------------------------------------------------------------------

    def linear(self, variable: Variable) -> Expression:
        """VARIABLE as a linear form over variables that have definitions."""
        return self._forms.form(variable).linear

    def resolve(self, expression: Expression) -> Expression:
        """EXPRESSION over variables that have definitions."""
        return self._forms.resolve(expression)

    def resolve_beside_loops(self, expression: Expression) -> Expression:
        """The same of an EXPRESSION that may speak of an operation's own loops, which stay."""

        def leaf(atom: Atom) -> Expression | None:
            return self.linear(atom) if isinstance(atom, Value | Dim) else None

        return expression if expression.is_constant else substitute(expression, leaf)

    def definition(self, variable: Variable) -> Definition:
        """What is known of VARIABLE."""
        known = self._known.complete.get(variable)
        if known is not None:
            return known
        for state in self._cases.states_around(variable.value):
            self.solver.solve(self._known, state)
        if self._cases.is_state(variable.value):
            return self.solver.solve(self._known, variable)
        return self.solver.answer(self._known, variable, self._define, variable)

    def is_set(self, variable: Variable) -> bool:
        """Whether VARIABLE is already defined, and by a set: in terms of others that go around its loop."""
        known = self._known.complete.get(variable)
        if known is None and variable in self._known.provisional:
            known, _ = self._known.provisional[variable]
        return known is not None and known.points is not None

    def _gives_up(self, variable: Variable) -> bool:
        """Whether an interval is all that is known of VARIABLE, as it is computed from what has no set."""
        value = variable.value
        if not (self.effort.is_spent and isinstance(variable, Value)):
            return False
        if not isinstance(value, OpResult) or self.intervals.ends(value) is None:
            return False
        numbers = (each for each in value.op.operands if is_number(each))
        gives_up = any(
            self._has_no_set(v) for each in numbers for v in variables_of(self.linear(Value(each)))
        )
        if gives_up:
            self.effort.give_up(variable)
        return gives_up

    def _has_no_set(self, variable: Variable) -> bool:
        """Whether VARIABLE is computed from others, and no set says how."""
        if self.effort.has_set(variable):
            return False
        return self.effort.is_given_up(variable) or bool(self.definition(variable).references)

    def _define(self, variable: Variable) -> Definition:
        """The definition of VARIABLE, which is not a state: what it is stated to be, or a case of its own."""
        form = self._forms.form(variable)
        if self.is_long and self.effort.is_given_up(variable):
            return self._within_interval(variable)
        if form.stated is not None:
            return self._stated(variable, form.stated, form.where)
        if form.linear.single_atom != variable:
            return defined_by(variable, form.linear)
        return self._cases.define(variable)

    def _within_interval(self, variable: Variable) -> Definition:
        """What is known of VARIABLE, which is given up: its interval."""
        low, high = self.intervals.of(variable)
        self._ranges.suppose(variable, (low, high))
        facts = [] if low is None else [own(variable) - low]
        facts += [] if high is None else [high - own(variable)]
        alternatives = (Disjunct((), tuple(facts)),)
        return Definition(
            alternatives, is_leaf=True, exact=False, because=self.effort.because, may_be_poison=True
        )

    def _stated(self, variable: Variable, stated: Expression, where: Disjunction) -> Definition:
        """The definition `variable = stated`, WHERE its operation gives it a number."""
        found = defined_by(variable, stated)
        if where == EVERYWHERE:
            return found
        because = f"{self.name_of(variable.value)} is not defined for all numbers"
        return partly(replace(found, expression=None, because=because), variable, where)

    def where(self, variable: Variable) -> Disjunction:
        """Where the operation of VARIABLE gives it a number."""
        return self._forms.where(variable)

    def range(self, variable: Variable) -> Interval:
        """A least and a greatest number that VARIABLE lies between; None where there is none."""
        return self._ranges.of(variable)

    def range_of_32_bits(self, variable: Variable) -> Interval:
        """The same, two numbers, if what nothing bounds has 32 bits."""
        low, high = self.range(variable)
        least, greatest = self._intervals_of_32_bits.between(variable)
        return tightest(low, least, max), tightest(high, greatest, min)

    def takes_all(self, variable: Variable) -> bool:
        """Whether VARIABLE takes each number of its range: its first operand does, which it may be.

        `a xor b` is any number, for a and b that are free and different: it is a for b = 0.
        """
        unit = self.definition(variable).unit
        if unit is None or unit.first.single_atom == unit.second.single_atom:
            return False
        for atom in (unit.first.single_atom, unit.second.single_atom):
            if not isinstance(atom, Variable) or not self.definition(atom).is_lone:
                return False
        low, high = range_of(unit.second, self.range)
        is_unit = (low is None or low <= unit.number) and (high is None or unit.number <= high)
        return is_unit and range_of(unit.first, self.range) == self.range(variable)
