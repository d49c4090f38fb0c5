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

Index arithmetic is taken not to overflow, as in MLIR's own value bounds; that of narrower integers wraps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import (
    Atom,
    Dim,
    Expression,
    Loop,
    Mod,
    NotAffine,
    Value,
    constant,
    dim_of,
    maximum,
    substitute,
    value_of,
)
from volcli.interface import operation_name
from volcli.loops import Carried, Choice, Induction, While
from volcli.model.bounds.ranges import Range, range_of
from volcli.reads import Conjunction, Disjunction

Variable = Value | Dim

_MOST_TERMS = 64
"""A linear form of more terms is a variable of its own, or chains of sums would grow quadratically."""
_LARGE_MODULUS = 2**7
"""Remainders by so much stand for wrapping around, and most often nothing does."""


@dataclass(frozen=True)
class Alternative:
    """All `zero` expressions are 0, and all `nonnegative` ones at least 0."""

    zero: tuple[Expression, ...] = ()
    nonnegative: Conjunction = ()

    def expressions(self) -> Iterator[Expression]:
        yield from self.zero
        yield from self.nonnegative


@dataclass(frozen=True, eq=False)
class Definition:
    """What is known of a variable: one of the alternatives holds.

    `expression` is what it equals, where that is one expression. `is_leaf` says that nothing in the function
    determines it; `because` why it is not known better, for people. `exact` says that the alternatives are
    all there is to know.
    """

    alternatives: tuple[Alternative, ...]
    references: tuple[Variable, ...] = ()
    expression: Expression | None = None
    is_leaf: bool = False
    exact: bool = True
    because: str | None = None
    choices: tuple[tuple[Disjunction, Expression], ...] = ()
    induction: Induction | None = None
    points: Callable[[], isl.Set] | None = None
    """The alternatives as a set over the variables' names, where no list of alternatives says them."""


@dataclass
class LoopOf:
    """A carried value or a loop's result, and the loop operation that it belongs to."""

    op: Operation
    carried: Carried | None = None
    state: While | None = None


@dataclass(eq=False)
class Definitions:
    """The definitions of one function's variables, each made when first asked for.

    `recurrence` gives what a value that goes around a loop is: the rest of the engine knows how to find out.
    Where it `stops`, nothing is asked but whether it is a constant: the stop condition of MLIR's bounds.
    """

    function: Operation
    name_of: Callable[[SSAValue], str]
    recurrence: Callable[[Variable, LoopOf], Definition]
    stops: Callable[[Variable], bool] = lambda _: False
    numbers: tuple[dict[SSAValue, int], dict[Operation, int]] | None = None
    _order: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _places: dict[Operation, int] = field(default_factory=dict[Operation, int])
    _linear: dict[Variable, Expression] = field(default_factory=dict["Variable", Expression])
    _known: dict[Variable, Definition] = field(default_factory=dict["Variable", Definition])
    _ranges: dict[Variable, Range] = field(default_factory=dict["Variable", Range])
    _equal: dict[Expression, Variable] = field(default_factory=dict[Expression, "Variable"])
    _masks: dict[Variable, int] = field(default_factory=dict["Variable", int])
    _bits: dict[Variable, int] = field(default_factory=dict["Variable", int])
    _sizes: dict[Operation, Sequence[questions.Sizes] | None] = field(
        default_factory=dict[Operation, Sequence[questions.Sizes] | None]
    )
    _open: set[Variable] = field(default_factory=set["Variable"])
    _arguments: dict[SSAValue, Induction | LoopOf] = field(default_factory=dict[SSAValue, Induction | LoopOf])

    def __post_init__(self) -> None:
        if self.numbers is None:
            number(self.function, self._order, self._places)
            self.numbers = self._order, self._places
        self._order, self._places = self.numbers

    def suppose(self, variable: Variable, same: Variable, facts: Conjunction) -> None:
        """VARIABLE is SAME, and all that is known of it are FACTS; to be said before anything is asked."""
        self._linear[variable] = Expression(((same, 1),), 0)
        self._known[variable] = unknown(variable, facts, f"{self.name_of(variable.value)} is supposed")

    # -- order and dependence --------------------------------------------------------------------------

    def order(self, variable: Variable) -> tuple[int, int]:
        """Definitions refer to variables of a lower order only."""
        return self._order.get(variable.value, -1), variable.dimension if isinstance(variable, Dim) else -1

    def place(self, op: Operation) -> int:
        """When OP has run, in the order of the text; a loop runs before what is in it, and ends behind it."""
        return self._places.get(op, -1)

    def position(self, value: SSAValue) -> int:
        """When VALUE is complete."""
        return self._order.get(value, -1)

    def bit(self, variable: Variable) -> int:
        """The bit of VARIABLE in masks."""
        return 1 << self._bits.setdefault(variable, len(self._bits))

    def slice_mask(self, variable: Variable) -> int:
        """One bit for each variable that VARIABLE is computed from, and its own."""
        known = self._masks.get(variable)
        if known is None:
            known = self.bit(variable)
            for reference in self.definition(variable).references:
                known |= self.slice_mask(reference)
            self._masks[variable] = known
        return known

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
                inner = self.resolve(numerator)
                low, high = range_of(inner, self.range)
                is_inside = low is not None and high is not None and low // divisor == high // divisor
                return (
                    inner - divisor * (low // divisor) if is_inside and low is not None else inner % divisor
                )
            case Loop():
                raise NotAffine("a loop of an operation")
            case _:
                return None

    def _linear_form(self, variable: Variable) -> Expression:
        own = Expression(((variable, 1),), 0)
        if isinstance(variable, Dim):
            kind = variable.value.type
            if isinstance(kind, ShapedType) and variable.dimension < len(kind.get_shape()):
                declared = kind.get_shape()[variable.dimension]
                if declared != DYNAMIC_INDEX:
                    return constant(declared)
        stops = self.stops(variable)
        if stops and isinstance(variable.value, OpResult) and variable.value.op.operands:
            return own
        stated = self._stated(variable)
        if stated is None or (stops and not stated.is_constant):
            return own
        if (
            all(isinstance(atom, Value | Dim) for atom, _ in stated.terms)
            and len(stated.terms) <= _MOST_TERMS
        ):
            return stated
        first = self._equal.setdefault(stated, variable)
        if first is not variable:
            return Expression(((first, 1),), 0)
        self._known[variable] = defined_by(variable, stated)
        return own

    def _stated(self, variable: Variable) -> Expression | None:
        """What the operation says that VARIABLE equals, resolved."""
        if not isinstance(variable.value, OpResult):
            return None
        try:
            if isinstance(variable, Dim):
                stated = self._stated_size(variable.value, variable.dimension)
            else:
                stated = stated_value(variable.value)
            return None if stated is None else self.resolve(stated)
        except NotAffine:
            return None

    def _stated_size(self, result: OpResult, dimension: int) -> Expression | None:
        op = result.op
        if op not in self._sizes:
            try:
                self._sizes[op] = questions.result_sizes(op)
            except NotAffine:
                self._sizes[op] = None
        stated = self._sizes[op]
        if stated is None or dimension >= len(stated[result.index]):
            return None
        return stated[result.index][dimension]

    # -- definitions -----------------------------------------------------------------------------------

    def definition(self, variable: Variable) -> Definition:
        """What is known of VARIABLE, which is its own linear form."""
        known = self._known.get(variable)
        if known is None:
            self._open.add(variable)
            self._known[variable] = unknown(variable, (), "it is being worked out")
            ranges, masks = len(self._ranges), len(self._masks)
            known = self._known[variable] = self._define(variable)
            self._open.discard(variable)
            # What was found meanwhile took the variable for unknown.
            _forget_since(self._ranges, ranges)
            _forget_since(self._masks, masks)
        return known

    def is_open(self, variable: Variable) -> bool:
        """Whether the definition of VARIABLE is being worked out; until then it counts as unknown."""
        return variable in self._open

    def _define(self, variable: Variable) -> Definition:
        value = variable.value
        if self.stops(variable):
            return unknown(variable, (), f"{self.name_of(value)} is where the bound stops")
        if isinstance(value, BlockArgument):
            return self._argument(variable, value)
        assert isinstance(value, OpResult)
        try:
            found = self._chosen(variable, value) or self._of_loop(variable, value.op, value)
            found = found or self._of_condition(variable, value)
        except NotAffine as error:
            return unknown(variable, self._facts(variable, value), str(error))
        if found is not None:
            return found
        name = operation_name(value.op)
        return unknown(variable, self._facts(variable, value), f"{self.name_of(value)} is a result of {name}")

    def _facts(self, variable: Variable, value: SSAValue) -> Conjunction:
        """What holds of a value that its operation does not determine."""
        stated: Sequence[Conjunction] | None = None
        if isinstance(value, OpResult):
            table = questions.size_bounds if isinstance(variable, Dim) else questions.value_facts
            try:
                stated = table(value.op)
                if stated is not None and isinstance(variable, Value):
                    return tuple(self.resolve(fact) for fact in stated[value.index])
            except NotAffine:
                pass
        return ()

    def _chosen(self, variable: Variable, value: OpResult) -> Definition | None:
        choices = questions.choices(value.op)
        if choices is None or value.index >= len(choices):
            return None
        made: list[tuple[Disjunction, Expression]] = []
        for choice in choices[value.index]:
            made.append((self._conditions(choice.when), self._of_choice(variable, choice)))
        own = Expression(((variable, 1),), 0)
        alternatives = tuple(
            Alternative((own - chosen,), conjunction) for when, chosen in made for conjunction in when
        )
        if len(made) == 1 and made[0][0] == ((),):
            return defined_by(variable, made[0][1])
        return Definition(alternatives, references_of(alternatives, variable), choices=tuple(made))

    def _of_choice(self, variable: Variable, choice: Choice) -> Expression:
        if isinstance(variable, Dim):
            return self.resolve(dim_of(choice.value, variable.dimension))
        return self.resolve(value_of(choice.value))

    def _conditions(self, when: Disjunction) -> Disjunction:
        return tuple(tuple(self.resolve(e) for e in conjunction) for conjunction in when)

    def _of_condition(self, variable: Variable, value: OpResult) -> Definition | None:
        """An i1 that is an affine condition: 1 where it is true, 0 where it is false."""
        stated = questions.condition(value.op)
        if stated is None or isinstance(variable, Dim):
            return None
        own = Expression(((variable, 1),), 0)
        choices = tuple(
            (self._conditions(when), constant(truth)) for when, truth in ((stated.true, 1), (stated.false, 0))
        )
        alternatives = tuple(Alternative((own - chosen,), c) for when, chosen in choices for c in when)
        return Definition(alternatives, references_of(alternatives, variable), choices=choices)

    # -- loops -----------------------------------------------------------------------------------------

    def _argument(self, variable: Variable, argument: BlockArgument) -> Definition:
        owner = argument.block.parent_op()
        text = self.name_of(argument)
        if owner is None or owner is self.function:
            if owner is not None and argument.block is not owner.regions[0].blocks[0]:
                return unknown(variable, (), f"{text} is an argument of a block that others branch to")
            return unknown(variable, (), f"{text} is an argument of the function")
        try:
            found = self._of_loop(variable, owner, argument)
        except NotAffine as error:
            return unknown(variable, (), str(error))
        name = operation_name(owner)
        return found or unknown(variable, (), f"{text} is an argument of a block of {name}")

    def loop_of(self, value: SSAValue, op: Operation) -> Induction | LoopOf | None:
        """What VALUE, an argument or a result of OP, is in the loop OP."""
        if value not in self._arguments:
            self._enter_loop(op)
        return self._arguments.get(value)

    def _enter_loop(self, op: Operation) -> None:
        loop = questions.loop(op)
        if isinstance(loop, While):
            for value in (*loop.before, *loop.after, *loop.results):
                self._arguments[value] = LoopOf(op, state=loop)
        elif loop is not None:
            for induction in loop.inductions:
                self._arguments[induction.variable] = induction
            for carried in loop.carried:
                self._arguments[carried.argument] = LoopOf(op, carried)
                self._arguments[carried.result] = LoopOf(op, carried)

    def _of_loop(self, variable: Variable, op: Operation, value: SSAValue) -> Definition | None:
        match self.loop_of(value, op):
            case Induction() as induction:
                return self._induction(variable, induction)
            case LoopOf() as part:
                return self.recurrence(variable, part)
            case _:
                return None

    def _induction(self, variable: Variable, induction: Induction) -> Definition:
        """`l <= x < u` and `(x - l) mod step = 0`; with an unknown step, the last is not said."""
        own = Expression(((variable, 1),), 0)
        lower = tuple(self.resolve(e) for e in induction.lower)
        upper = tuple(self.resolve(e) for e in induction.upper)
        step = self.resolve(induction.step)
        inside = (*(own - e for e in lower), *(e - 1 - own for e in upper))
        zero: tuple[Expression, ...] = ()
        if is_positive(step) and step.constant > 1:
            start = lower[0] if len(lower) == 1 else maximum(*lower)
            zero = ((own - start) % step.constant,)
        alternative = Alternative(zero, inside)
        because = (
            None if step.is_constant else f"the step of {self.name_of(variable.value)} is not a constant"
        )
        return Definition(
            (alternative,),
            references_of((alternative,), variable),
            exact=step.is_constant,
            because=because,
            induction=Induction(induction.variable, lower, upper, step, induction.sequential),
        )

    # -- ranges ----------------------------------------------------------------------------------------

    def range(self, variable: Variable) -> Range:
        """A least and a greatest number that VARIABLE lies between; None where there is none."""
        known = self._ranges.get(variable)
        if known is None:
            form = self.linear(variable)
            if form.single_atom != variable:
                return range_of(form, self.range)
            self._ranges[variable] = natural_range(variable)
            known = self._ranges[variable] = self._range(variable)
        return known

    def _range(self, variable: Variable) -> Range:
        low, high = natural_range(variable)
        definition = self.definition(variable)
        found: Range = (None, None)
        if definition.expression is not None:
            found = range_of(definition.expression, self.range)
        elif definition.choices:
            found = hull([range_of(chosen, self.range) for when, chosen in definition.choices if when])
        elif definition.induction is not None:
            found = self._range_of_induction(definition.induction)
        else:
            found = self._range_of_facts(variable, definition)
        return tightest(low, found[0], max), tightest(high, found[1], min)

    def _range_of_induction(self, induction: Induction) -> Range:
        lows = [low for e in induction.lower if (low := range_of(e, self.range)[0]) is not None]
        highs = [high - 1 for e in induction.upper if (high := range_of(e, self.range)[1]) is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        step = induction.step
        single = len(induction.lower) == 1 and induction.lower[0].is_constant
        if low is not None and high is not None and high >= low and single and is_positive(step):
            high -= (high - low) % step.constant
        return low, high

    def _range_of_facts(self, variable: Variable, definition: Definition) -> Range:
        """Facts of the form `x - c >= 0` and `c - x >= 0`."""
        low: int | None = None
        high: int | None = None
        if len(definition.alternatives) == 1:
            for fact in definition.alternatives[0].nonnegative:
                if fact.terms == ((variable, 1),):
                    low = tightest(low, -fact.constant, max)
                elif fact.terms == ((variable, -1),):
                    high = tightest(high, fact.constant, min)
        return low, high


def is_positive(step: Expression) -> bool:
    """Whether STEP is a positive number: one that is not makes a loop undefined."""
    return step.is_constant and step.constant > 0


def _forget_since(cache: dict[Variable, Range] | dict[Variable, int], size: int) -> None:
    while len(cache) > size:
        cache.popitem()


def number(function: Operation, order: dict[SSAValue, int], places: dict[Operation, int]) -> None:
    """Number all values and operations of a function in the order in which they are complete."""

    def block_values(block: Block) -> None:
        for argument in block.args:
            order[argument] = len(order) + len(places)
        for op in block.ops:
            for region in op.regions:
                for inner in region.blocks:
                    block_values(inner)
            places[op] = len(order) + len(places)
            for result in op.results:
                order[result] = len(order) + len(places)

    for region in function.regions:
        for block in region.blocks:
            block_values(block)


def stated_value(result: OpResult) -> Expression | None:
    """What the operation says of an index or integer result; in its exact, wrapping form where it has one."""
    kind = result.type
    if not isinstance(kind, IndexType | IntegerType):
        return None
    is_wide = isinstance(kind, IndexType) or width_of(kind) in (1, 64)
    stated = questions.value_of_result(result) if is_wide else None
    return stated if stated is not None else questions.wrapped_value(result.op)


def defined_by(variable: Variable, expression: Expression) -> Definition:
    """The definition `variable = expression`."""
    alternative = Alternative((Expression(((variable, 1),), 0) - expression,))
    return Definition((alternative,), references_of((alternative,), variable), expression)


def unknown(variable: Variable, facts: Conjunction, because: str) -> Definition:
    """A variable of which nothing but FACTS and its type is known."""
    own = Expression(((variable, 1),), 0)
    low, high = natural_range(variable)
    natural = [own - low] if low is not None else []
    natural += [high - own] if high is not None else []
    alternative = Alternative((), (*natural, *facts))
    return Definition((alternative,), references_of((alternative,), variable), is_leaf=True, because=because)


def natural_range(variable: Variable) -> Range:
    """Sizes are not negative, and integers of N bits in [-2^(N-1), 2^(N-1)); of one bit 0 or 1."""
    if isinstance(variable, Dim):
        return 0, None
    kind: Attribute = variable.value.type
    width = width_of(kind) if isinstance(kind, IntegerType) else 64
    if width >= 64:
        return None, None
    half = 2 ** (width - 1)
    return (-half, half - 1) if width > 1 else (0, 1)


def width_of(kind: Any) -> int:
    """The number of bits of an integer type."""
    return int(kind.width.data)


def references_of(alternatives: Sequence[Alternative], variable: Variable) -> tuple[Variable, ...]:
    """The variables in ALTERNATIVES beside VARIABLE."""
    found: dict[Variable, None] = {}
    for alternative in alternatives:
        for expression in alternative.expressions():
            found.update(dict.fromkeys(variables_of(expression)))
    found.pop(variable, None)
    return tuple(found)


def variables_of(expression: Expression) -> Iterator[Variable]:
    """The variables in EXPRESSION."""
    for atom in expression.atoms():
        if isinstance(atom, Value | Dim):
            yield atom


def hull(ranges: Sequence[Range]) -> Range:
    """The smallest range around all RANGES."""
    lows = [low for low, _ in ranges]
    highs = [high for _, high in ranges]
    low = None if not lows or None in lows else min(x for x in lows if x is not None)
    high = None if not highs or None in highs else max(x for x in highs if x is not None)
    return low, high


def tightest(left: int | None, right: int | None, choose: Callable[[int, int], int]) -> int | None:
    """The tighter of two bounds, of which each may be missing."""
    if left is None or right is None:
        return right if left is None else left
    return choose(left, right)
