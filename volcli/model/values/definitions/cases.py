"""The definition of each variable that no linear form replaces, by what kind of value it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import i1
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, NotAffine, Value, constant, dim_of, maximum, value_of
from volcli.language.interface import operation_name
from volcli.language.loops import Choice, Induction, While
from volcli.language.programs.known_loops import known_loop
from volcli.language.reads import Conjunction, Disjunction, is_number
from volcli.limits import values as limits
from volcli.model.symbols import entry_of
from volcli.model.values.definitions.definedness import EVERYWHERE, partly
from volcli.model.values.definitions.overflows import has_large_parts
from volcli.model.values.definitions.resolver import Resolver, is_positive
from volcli.model.values.terms.argument_elements import Token
from volcli.model.values.terms.executions import SymbolicSteps
from volcli.model.values.terms.ranges import Interval, range_of
from volcli.model.values.terms.variables import (
    Definition,
    Disjunct,
    LoopOf,
    UnitEquality,
    Variable,
    defined_by,
    integers_of,
    own,
    references_of,
    unknown,
    variables_of,
)


class Cases:
    """What a variable is: an argument, a leaf, one of several choices, in a loop or after it."""

    def __init__(self, definitions: Resolver) -> None:
        self._definitions = definitions
        self._name_of = definitions.name_of
        self._resolve = definitions.resolve
        self._arguments: dict[SSAValue, Induction | LoopOf] = {}
        self._entered: set[Operation] = set()

    def states_around(self, value: SSAValue) -> Iterator[Variable]:
        """What the loops around VALUE carry, the outermost first; of each loop once.

        Whatever is asked first in a nest of loops, its definitions are worked out in one order.
        """
        loops: list[Operation] = []
        op = value.owner.parent_op()
        while op is not None and op is not self._definitions.function and op not in self._entered:
            loops.insert(0, op)
            op = op.parent_op()
        self._entered.update(loops)
        for loop in loops:
            for state in self._states(loop):
                for number in integers_of(state):
                    yield from variables_of(self._resolve(number))

    @staticmethod
    def _states(op: Operation) -> Sequence[SSAValue]:
        """The values that go around the loop OP, as they are at the beginning of an iteration."""
        loop = known_loop(op)
        if isinstance(loop, While):
            return loop.before
        return () if loop is None else [each.argument for each in loop.carried]

    def is_state(self, value: SSAValue) -> bool:
        """Whether VALUE goes around a loop, from one iteration to the next one."""
        op = value.block.parent_op() if isinstance(value, BlockArgument) else None
        if op is None or op is self._definitions.function:
            return False
        try:
            part = self.loop_of(value, op)
        except NotAffine:
            return False
        if not isinstance(part, LoopOf):
            return False
        return part.state is None or any(value is state for state in part.state.before)

    def define(self, variable: Variable) -> Definition:
        """The definition of VARIABLE, which no linear form replaces."""
        value = variable.value
        if self._definitions.executions.stops(variable):
            because = f"{self._name_of(value)} is where the bound stops"
            return self._unknown(variable, ((),), because, free=True)
        if isinstance(value, BlockArgument):
            return self._argument(variable, value)
        assert isinstance(value, OpResult)
        try:
            found = self._chosen(variable, value) or self._of_loop(variable, value.op, value)
            found = found or self._of_condition(variable, value) or self._of_call(variable, value)
        except NotAffine as error:
            return self._unknown(variable, self._facts(variable, value), str(error))
        if found is not None:
            return found
        because = f"{self._name_of(value)} is a result of {operation_name(value.op)}"
        tokens = (
            self._definitions.elements.tokens(value) if isinstance(variable, Value) else frozenset[Token]()
        )
        found = self._unknown(
            variable, self._facts(variable, value), because, free=bool(tokens), tokens=tokens
        )
        return self._of_operation(found, value) if isinstance(variable, Value) else found

    def _of_operation(self, found: Definition, value: OpResult) -> Definition:
        """What is FOUND of VALUE, where its operation gives it a number, and what else it says."""
        unit, where = self._unit(value.op), self._definitions.where(Value(value))
        ends = () if unit is None else tuple(variables_of(unit.first + unit.second))
        known = tuple(dict.fromkeys((*found.references, *ends)))
        found = replace(found, unit=unit, references=known)
        return found if where == EVERYWHERE else partly(found, Value(value), where)

    def _of_call(self, variable: Variable, value: OpResult) -> Definition | None:
        """What a called function returns, or its size, where what is passed determines it."""
        called = questions.callee(value.op)
        if called is None:
            return None
        dimension = variable.dimension if isinstance(variable, Dim) else None
        if dimension is None and (not is_number(value) or value.type == i1):
            return None
        number = self._definitions.calls.value(value.op, called, value.index, dimension)
        if number is None or (dimension is None and self._may_wrap(value.op, number)):
            return None
        return defined_by(variable, self._resolve(number))

    def _may_wrap(self, call: Operation, number: Expression) -> bool:
        """Whether part of NUMBER, which the function called takes for small, may be large for what is passed.

        What the function computes of small numbers, without products and large factors, stays small.
        """
        outgrowing = self._definitions.outline.outgrowing
        return has_large_parts(number) or any(operand in outgrowing for operand in call.operands)

    def _unit(self, op: Operation) -> UnitEquality | None:
        """The second operand with which the result of OP equals its first operand."""
        number = questions.unit(op)
        if number is None:
            return None
        try:
            first, second = (self._resolve(value_of(operand)) for operand in op.operands)
        except NotAffine:
            return None
        return UnitEquality(first, second, number)

    def _unknown(
        self,
        variable: Variable,
        facts: Disjunction,
        because: str,
        *,
        free: bool = False,
        tokens: frozenset[Token] = frozenset(),
    ) -> Definition:
        """A variable of which nothing but FACTS is known, and its type, if that is asked for."""
        width = self._definitions.outline.width_facts(variable)
        within = tuple((*width, *each) for each in facts) if width else facts
        return unknown(variable, within, because, free=free, tokens=tokens)

    def _facts(self, variable: Variable, value: SSAValue) -> Disjunction:
        """What holds of a value that its operation does not determine."""
        if not isinstance(value, OpResult) or isinstance(variable, Dim):
            return ((),)
        try:
            cases = questions.value_cases(value.op)
            if cases is not None:
                return self._conditions(cases[value.index])
            numbers = self._definitions.elements.numbers(value)
            if numbers:
                return _among(own(variable), numbers)
            called = questions.callee(value.op)
            if called is not None:
                returned = tuple(values[value.index] for values in called.returned)
                return (_between(own(variable), self._definitions.calls.returned(called.function, returned)),)
            facts = questions.value_facts(value.op)
            return ((),) if facts is None else self._conditions((facts[value.index],))
        except NotAffine:
            return ((),)

    def _chosen(self, variable: Variable, value: OpResult) -> Definition | None:
        choices = questions.choices(value.op)
        if choices is None or value.index >= len(choices):
            return None
        made: list[tuple[Disjunction, Expression]] = []
        for choice in choices[value.index]:
            made.append((self._conditions(choice.when), self._of_choice(variable, choice)))
        made = self._possible(made)
        if len(made) > 1 and all(chosen == made[0][1] for _, chosen in made):
            made = [(((),), made[0][1])]
        alternatives = tuple(
            Disjunct((own(variable) - chosen,), conjunction) for when, chosen in made for conjunction in when
        )
        if len(made) == 1 and made[0][0] == ((),):
            return defined_by(variable, made[0][1])
        return Definition(alternatives, references_of(alternatives, variable), choices=tuple(made))

    def _possible(
        self, made: Sequence[tuple[Disjunction, Expression]]
    ) -> list[tuple[Disjunction, Expression]]:
        """What is MADE without what ranges exclude, as %n < 0 for a size; one choice alone is made always."""
        kept = [
            (tuple(c for c in when if not any(map(self._is_negative, c))), chosen) for when, chosen in made
        ]
        kept = [(when, chosen) for when, chosen in kept if when]
        return [(((),), kept[0][1])] if len(kept) == 1 else kept or list(made)

    def _is_negative(self, expression: Expression) -> bool:
        """Whether the range of EXPRESSION has no number that is at least 0."""
        high = range_of(expression, self._definitions.range)[1]
        return high is not None and high < 0

    def _of_choice(self, variable: Variable, choice: Choice) -> Expression:
        if isinstance(variable, Dim):
            return self._resolve(dim_of(choice.value, variable.dimension))
        return self._resolve(value_of(choice.value))

    def _conditions(self, when: Disjunction) -> Disjunction:
        return tuple(tuple(self._resolve(e) for e in conjunction) for conjunction in when)

    def _of_condition(self, variable: Variable, value: OpResult) -> Definition | None:
        """An i1 that is an affine condition: 1 where it is true, 0 where it is false."""
        stated = questions.condition(value.op)
        if stated is None or isinstance(variable, Dim):
            return None
        truths = ((self._conditions(stated.true), constant(1)), (self._conditions(stated.false), constant(0)))
        choices = tuple(self._possible(truths))
        if len(choices) == 1:
            return defined_by(variable, choices[0][1])
        alternatives = tuple(Disjunct((own(variable) - chosen,), c) for when, chosen in choices for c in when)
        return Definition(alternatives, references_of(alternatives, variable), choices=choices)

    def _argument(self, variable: Variable, argument: BlockArgument) -> Definition:
        owner = argument.block.parent_op()
        if owner is None or owner is self._definitions.function:
            text = self._name_of(argument)
            if owner is not None and argument.block is not entry_of(owner):
                return self._unknown(
                    variable, ((),), f"{text} is an argument of a block that others branch to"
                )
            return self._unknown(variable, ((),), f"{text} is an argument of the function", free=True)
        try:
            found = self._of_loop(variable, owner, argument)
        except NotAffine as error:
            return self._unknown(variable, ((),), str(error))
        if found is not None:
            return found
        because = f"{self._name_of(argument)} is an argument of a block of {operation_name(owner)}"
        tokens = self._definitions.elements.tokens(argument)
        return self._unknown(variable, ((),), because, free=bool(tokens), tokens=tokens)

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
        elif loop is None:
            indices = questions.indices(op)
            self._arguments.update({} if indices is None else {i.variable: i for i in indices.inductions})
        else:
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
                return self._definitions.recurrence.define(variable, part)
            case _:
                return None

    def _induction(self, variable: Variable, induction: Induction) -> Definition:
        """`l <= x < u` and `(x - l) mod step = 0`; of a step that is a value, that it is at least 1.

        A loop has no meaning for another step, so that this holds inside of it. That x - l is a multiple of
        it is not a linear constraint, and is not said, unless facts about the value leave one number: under
        s = 2, `(x - l) mod 2 = 0` and `s - 1 >= 0`, which keeps s and its assumptions in the definition.
        """
        lower = tuple(self._resolve(e) for e in induction.lower)
        upper = tuple(self._resolve(e) for e in induction.upper)
        written = self._resolve(induction.step)
        step = self._of_one_number(written)
        is_first = self._definitions.executions.steps is SymbolicSteps.FIRST and not step.is_constant
        is_unit = self._definitions.executions.steps is SymbolicSteps.UNIT and not step.is_constant
        if is_first:
            upper = (*upper, maximum(*lower) + 1)
        inside = (*(own(variable) - e for e in lower), *(e - 1 - own(variable) for e in upper))
        zero: tuple[Expression, ...] = ()
        if is_positive(step) and step.constant > 1:
            start = maximum(*lower)
            zero = ((own(variable) - start) % step.constant,)
        if not written.is_constant:
            inside = (*inside, written - 1)
        alternative = Disjunct(zero, inside)
        kind = "positive" if step.is_constant else "a constant"
        is_known = is_positive(step) or is_first or is_unit
        because = None if is_known else f"the step of {self._name_of(variable.value)} is not {kind}"
        return Definition(
            (alternative,),
            references_of((alternative,), variable),
            exact=is_known,
            because=because,
            induction=Induction(induction.variable, lower, upper, step, induction.sequential),
        )

    def _of_one_number(self, expression: Expression) -> Expression:
        """The number that EXPRESSION, over what is defined before, is by ranges; or EXPRESSION."""
        low, high = range_of(expression, self._definitions.range)
        return expression if low is None or low != high else constant(low)


def _between(number: Expression, ends: Interval) -> Conjunction:
    low, high = ends
    above = () if low is None else (number - low,)
    return above if high is None else (*above, high - number)


def _among(number: Expression, numbers: Sequence[int]) -> Disjunction:
    """NUMBER is one of NUMBERS, which ascend; or between the first and the last, if they are many."""
    if len(numbers) > limits.CASE_NUMBERS:
        return ((number - numbers[0], numbers[-1] - number),)
    return tuple((number - each, each - number) for each in numbers)
