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
result of a loop behind its body). Equal expressions are one variable.

Index arithmetic on what is not bounded is taken not to overflow, as in MLIR's own value bounds; what is large
whatever the arguments are (`overflows`) and narrower integers wrap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Loop,
    Mod,
    NotAffine,
    Value,
    constant,
    substitute,
)
from volcli.language.reads import Conjunction
from volcli.model.entry import entry_of
from volcli.model.values.cases import Cases, Recurrence
from volcli.model.values.elements import Elements
from volcli.model.values.numbering import Numbering
from volcli.model.values.overflows import Overflows
from volcli.model.values.ranges import Range, range_of
from volcli.model.values.requirements import stated_sizes
from volcli.model.values.variable_ranges import VariableRanges
from volcli.model.values.variables import Definition, Variable, defined_by, own, unknown, width_of

_MOST_TERMS = 64
"""A linear form of more terms is a variable of its own, or chains of sums would grow quadratically."""
_LARGE_MODULUS = 2**7
"""Remainders by so much stand for wrapping around, and most often nothing does."""
_ALL_BITS = 2**64
"""The remainder by this is the unsigned number of an index."""


class Definitions:
    """The definitions of one function's variables, each made when first asked for.

    What a value is that goes around a loop is said by what `go_around` is given.
    Where it `stops`, nothing is asked but whether it is a constant: the stop condition of MLIR's bounds.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        stops: Callable[[Variable], bool] = lambda _: False,
        numbering: Numbering | None = None,
    ) -> None:
        self.function = function
        self.name_of = name_of
        self.stops = stops
        self.numbering = Numbering(function) if numbering is None else numbering
        self.elements = Elements(function, self.resolve)
        self._cases = Cases(self)
        self._ranges = VariableRanges(self)
        self._overflows = Overflows(function, self.range)
        self._linear: dict[Variable, Expression] = {}
        self._equal: dict[Expression, Variable] = {}
        self._known: dict[Variable, Definition] = {}
        self._open: set[Variable] = set()
        self._around: dict[Variable, Operation] = {}
        self._open_loops: list[Operation] = []
        self._hasty: set[Variable] = set()
        self._retried: set[Variable] = set()
        self._masks: dict[Variable, int] = {}
        self._bits: dict[Hashable, int] = {}
        self._sizes: dict[Operation, Sequence[questions.Sizes]] = {}

    def go_around(self, recurrence: Recurrence) -> None:
        """From now on, RECURRENCE says what goes around loops."""
        self._cases.recurrence = recurrence

    def go_into(self, returned: Callable[[Operation, Sequence[SSAValue]], Range]) -> None:
        """From now on, RETURNED says what the values lie between that a called function returns."""
        self._cases.returned = returned

    def suppose(
        self, variable: Variable, same: Variable, facts: Conjunction, because: str = "it is supposed"
    ) -> None:
        """VARIABLE is SAME, and all that is known of it are FACTS; to be said before anything is asked."""
        self._linear[variable] = own(same)
        self._known[variable] = unknown(variable, (facts,), because, free=self.is_argument(variable.value))

    def is_argument(self, value: SSAValue) -> bool:
        """Whether VALUE is an argument of the function."""
        return isinstance(value, BlockArgument) and value.block is entry_of(self.function)

    # -- order and dependence --------------------------------------------------------------------------

    def order(self, variable: Variable) -> tuple[int, int]:
        """Definitions refer to variables of a lower order only."""
        return self.position(variable.value), variable.dimension if isinstance(variable, Dim) else -1

    def place(self, op: Operation) -> int:
        """When OP has run, in the order of the text; a loop runs before what is in it, and ends behind it."""
        return self.numbering.place(op)

    def position(self, value: SSAValue) -> int:
        """When VALUE is complete."""
        return self.numbering.position(value)

    def bit(self, variable: Variable) -> int:
        """The bit of VARIABLE in masks."""
        return 1 << self._bits.setdefault(variable, len(self._bits))

    def slice_mask(self, variable: Variable) -> int:
        """One bit for each variable that VARIABLE is computed from, and its own."""
        known = self._masks.get(variable)
        if known is None:
            definition = self.definition(variable)
            known = self.bit(variable) | self.token_mask(definition)
            for reference in definition.references:
                known |= self.slice_mask(reference)
            self._masks[variable] = known
        return known

    def token_mask(self, definition: Definition) -> int:
        """One bit for each argument of which elements are read: two of them may be the same one."""
        mask = 0
        for token in definition.tokens:
            mask |= 1 << self._bits.setdefault(token.root, len(self._bits))
        return mask

    def slice_of(
        self, variables: Iterable[Variable], but: Callable[[Variable], bool] = lambda _: False
    ) -> list[Variable]:
        """VARIABLES and all that they are computed from, each once, BUT for some and what is behind them."""
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

    # -- linear forms ----------------------------------------------------------------------------------

    def linear(self, variable: Variable) -> Expression:
        """VARIABLE as a linear form over variables that have definitions."""
        known = self._linear.get(variable)
        if known is None:
            known = self._linear[variable] = self._linear_form(variable)
        return known

    def resolve(self, expression: Expression) -> Expression:
        """EXPRESSION over variables that have definitions."""
        if expression.is_constant:
            return expression
        return substitute(expression, self._leaf)

    def _leaf(self, atom: Atom) -> Expression | None:
        match atom:
            case Value() | Dim():
                return self.linear(atom)
            case Mod(numerator, divisor) if divisor >= _LARGE_MODULUS:
                is_number = isinstance(numerator.single_atom, Value | Dim)
                return self._wrapped(self.resolve(numerator), divisor, is_number=is_number)
            case Loop():
                raise NotAffine("a loop of an operation")
            case _:
                return None

    def _wrapped(self, inner: Expression, divisor: int, *, is_number: bool) -> Expression:
        """`inner mod divisor`: without the remainder where INNER lies between two multiples of DIVISOR.

        Numbers of the program have 64 bits and a sign: %d mod 2^64 is %d if %d >= 0. So is INNER itself if it
        IS_NUMBER; else it is made of such numbers, and (max(%a, 2^64 - 2) + 2^63) mod 2^64 has two values.
        """
        if divisor != _ALL_BITS:
            low, high = range_of(inner, self.range)
        elif is_number:
            low, high = _of_64_bits(range_of(inner, self.range))
        else:
            low, high = range_of(inner, lambda variable: _of_64_bits(self.range(variable)))
        if low is None or high is None or low // divisor != high // divisor:
            return inner % divisor
        return inner - divisor * (low // divisor)

    def _linear_form(self, variable: Variable) -> Expression:
        if isinstance(variable, Dim):
            kind = variable.value.type
            if isinstance(kind, ShapedType) and variable.dimension < len(kind.get_shape()):
                declared = kind.get_shape()[variable.dimension]
                if declared != DYNAMIC_INDEX:
                    return constant(declared)
        stops = self.stops(variable)
        if stops and isinstance(variable.value, OpResult) and variable.value.op.operands:
            return own(variable)
        stated = self._stated(variable)
        if stated is None and isinstance(variable, Value):
            numbers = self.elements.numbers(variable.value)
            if len(numbers) == 1:
                return constant(numbers[0])
            first = Value(self.elements.first(variable.value))
            if first != variable:
                return self.linear(first)
        if stated is None or (stops and not stated.is_constant):
            return own(variable)
        if (
            all(isinstance(atom, Value | Dim) for atom, _ in stated.terms)
            and len(stated.terms) <= _MOST_TERMS
        ):
            return stated
        first = self._equal.setdefault(stated, variable)
        if first is not variable:
            return own(first)
        self._known[variable] = defined_by(variable, stated)
        return own(variable)

    def _stated(self, variable: Variable) -> Expression | None:
        """What the operation says that VARIABLE equals, resolved."""
        if not isinstance(variable.value, OpResult):
            return None
        try:
            if isinstance(variable, Dim):
                stated = self._stated_size(variable.value, variable.dimension)
            else:
                stated = stated_value(variable.value)
            if stated is None or isinstance(variable, Dim):
                return None if stated is None else self.resolve(stated)
            return self._overflows.wrapped(variable.value, self.resolve(stated))
        except NotAffine:
            return None

    def _stated_size(self, result: OpResult, dimension: int) -> Expression | None:
        op = result.op
        if op not in self._sizes:
            self._sizes[op] = stated_sizes(op)
        stated = self._sizes[op][result.index]
        return stated[dimension] if dimension < len(stated) else None

    # -- definitions -----------------------------------------------------------------------------------

    def definition(self, variable: Variable) -> Definition:
        """What is known of VARIABLE, which is its own linear form."""
        if variable not in self._known:
            self._cases.enter(variable.value)
        if variable not in self._known and self._around.get(variable) in self._open_loops:
            return unknown(variable, ((),), "it is being worked out", free=True)
        if variable not in self._known:
            self._work_out(variable)
        return self._known[variable]

    def settle(self, variable: Variable, definition: Definition) -> None:
        """Set what VARIABLE is, unless that is known."""
        self._known.setdefault(variable, definition)

    def around(self, carried: Sequence[tuple[Variable, Operation]]) -> None:
        """Find out what the CARRIED variables of loops are, which have no formula; the outermost's first.

        Meanwhile, nothing is known of what the same loop carries.
        """
        self._around.update(carried)
        self._go_around([variable for variable, _ in carried])

    def _go_around(self, carried: Iterable[Variable]) -> None:
        for variable in carried:
            if variable not in self._known:
                self._work_out(variable)

    def _work_out(self, variable: Variable) -> None:
        loop = self._around.get(variable)
        self._open_loops += [] if loop is None else [loop]
        self._open.add(variable)
        # A state is given in its iteration; of anything else that is open, more holds than is known yet.
        is_state = loop is not None
        self._known[variable] = unknown(variable, ((),), "it is being worked out", free=is_state)
        ranges, masks = len(self._ranges), len(self._masks)
        try:
            known = self._cases.define(variable)
        finally:
            del self._known[variable]
            self._open.discard(variable)
            if loop is not None:
                self._open_loops.pop()
            # What was found meanwhile took the variable for unknown.
            self._ranges.forget_since(ranges)
            while len(self._masks) > masks:
                self._masks.popitem()
        self._known[variable] = known
        if self._open:
            if not known.exact:
                self._hasty.add(variable)
        else:
            self._forget_hasty()

    def _forget_hasty(self) -> None:
        """Forget what was not found exactly while something else was unknown: more can be said now."""
        again = self._hasty - self._retried
        self._retried |= self._hasty
        self._hasty.clear()
        for variable in again:
            del self._known[variable]
        self._go_around([variable for variable in self._around if variable in again] if again else [])

    @property
    def is_settled(self) -> bool:
        """Whether no definition is being worked out."""
        return not self._open

    def is_open(self, variable: Variable) -> bool:
        """Whether the definition of VARIABLE is being worked out; until then it counts as unknown."""
        return variable in self._open

    def range(self, variable: Variable) -> Range:
        """A least and a greatest number that VARIABLE lies between; None where there is none."""
        return self._ranges.of(variable)

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


def stated_value(result: OpResult) -> Expression | None:
    """What the operation says of an index or integer result; in its exact, wrapping form where it has one."""
    kind = result.type
    if not isinstance(kind, IndexType | IntegerType):
        return None
    is_wide = isinstance(kind, IndexType) or width_of(kind) in (1, 64)
    stated = questions.value_of_result(result) if is_wide else None
    return stated if stated is not None else questions.wrapped_value(result.op)


def _of_64_bits(known: Range) -> Range:
    """The range of a number of 64 bits with a sign, of which KNOWN bounds are known."""
    low, high = known
    return -_ALL_BITS // 2 if low is None else low, _ALL_BITS // 2 - 1 if high is None else high
