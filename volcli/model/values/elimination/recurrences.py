"""What goes around loops: the values of carried variables, from one iteration to the next.

Let a carried variable be a_0 = init and a_{k+1} = y(a_k, i_k), and the loop run T times. Then

    y = a                 a_k = init, and so is the result
    y = a + d             a_k = init + d * k, with k = (i - l) / step; the result is init + d * T
    otherwise             the states reached from (l, init) by { [i, a] -> [i + step, y(a, i)] : i < u };
                          a is what they are where i < u, the result what they are where not
    y = a + e, e in R     a_k - init lies between k * min R and k * max R, if these are not found exactly

Values that go around together are told apart by a chain: the definition of the second says what it is for
each value of the first, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, Value, constant, dim_of, maximum, value_of
from volcli.language.interface import operation_name
from volcli.language.loops import Carried, Induction, Loop, While
from volcli.language.programs.blocks import is_inside
from volcli.language.programs.known_loops import iteration_of, known_loop
from volcli.language.reads import captured_values, is_number, rank_of
from volcli.limits import values as limits
from volcli.limits.widths import UNBOUNDED
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.elimination.transitions import (
    Counter,
    Family,
    Going,
    Transition,
    goings,
)
from volcli.model.values.terms.argument_elements import Token
from volcli.model.values.terms.constraint_set import Kept, Known, intersection, simple
from volcli.model.values.terms.ranges import range_of
from volcli.model.values.terms.tables import Table
from volcli.model.values.terms.variables import (
    Definition,
    Disjunct,
    LoopOf,
    PointSet,
    Variable,
    defined_by,
    integers_of,
    like,
    natural_range,
    own,
    references_of,
    unknown,
    variables_of,
)
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import is_function, without


class Recurrences:
    """The definitions of carried variables and of the results of loops."""

    def __init__(self, elimination: Elimination) -> None:
        self._elimination = elimination
        self._definitions = elimination.definitions
        self._solver = elimination.definitions.solver
        self._families: Table[Operation, Family] = Table()
        self._reached: Table[tuple[Operation, tuple[Variable, ...]], Known] = Table()

    def define(self, variable: Variable, part: LoopOf) -> Definition:
        """What VARIABLE, an argument or a result of a loop, is."""
        loop = known_loop(part.op)
        try:
            if isinstance(loop, While):
                return self._of_while(variable, loop, part.op)
            if part.carried is not None and isinstance(loop, Loop):
                return self._of_counted(variable, part.carried, loop, part.op)
        except NotAffine:
            pass
        return self._unknown(variable, part.op, f"it is carried by {operation_name(part.op)}")

    def _unknown(self, variable: Variable, op: Operation, because: str) -> Definition:
        """Nothing is known of VARIABLE but that it depends on what OP sees in some way."""
        found = unknown(variable, ((),), because)
        others = tuple(r for r in dict.fromkeys(self._captured(op)) if r != variable)
        return Definition(found.alternatives, others, is_leaf=True, exact=False, because=because)

    def _captured(self, op: Operation) -> list[Variable]:
        """The variables from outside of a loop that what goes around it may depend on."""
        found: dict[Variable, None] = {}
        for value in (*op.operands, *captured_values(op)):
            atoms: list[Expression] = [dim_of(value, d) for d in range(rank_of(value))]
            if is_number(value):
                atoms.append(value_of(value))
            for atom in atoms:
                found.update(dict.fromkeys(variables_of(self._definitions.resolve(atom))))
        return list(found)

    def _like(self, variable: Variable, value: SSAValue) -> Expression:
        """VALUE, or the same one of its sizes as VARIABLE is."""
        return self._definitions.resolve(own(like(variable, value)))

    # -- counted loops ---------------------------------------------------------------------------------

    def _of_counted(self, variable: Variable, carried: Carried, loop: Loop, op: Operation) -> Definition:
        formula = self._formula_of_counted(variable, carried, loop)
        if formula is not None:
            return formula
        if len(loop.inductions) != 1:
            return self._unknown(variable, op, f"it is carried by {operation_name(op)}")
        induction = loop.inductions[0]
        is_result = variable.value is carried.result
        count = self._count(induction, is_result=is_result)
        if count is None:
            return self._unknown(variable, op, "the step of the loop is not a constant")
        initial, increment = self._first_and_increment(variable, carried)
        facts = self._by_range(variable, initial, count, increment)
        try:
            with budget(limits.RECURRENCE_OPERATIONS):
                family = self._family(loop, induction, op)
                found = self._by_relation(variable, carried, family, is_result=is_result)
                if found is not None and not found.exact:
                    found = intersection(found, self._elimination.conjunction((), facts))
                if found is not None:
                    return self._defined(variable, found, family.tokens(past=not is_result))
        except BudgetExceeded:
            pass
        because = "the increment of its loop is not constant"
        if not facts:
            return self._unknown(variable, op, because)
        alternative = Disjunct((), tuple(facts))
        references = dict.fromkeys((*references_of((alternative,), variable), *self._captured(op)))
        references.pop(variable, None)
        return Definition((alternative,), tuple(references), exact=False, because=because)

    def _first_and_increment(self, variable: Variable, carried: Carried) -> tuple[Expression, Expression]:
        increment = self._like(variable, carried.yielded) - self._like(variable, carried.argument)
        return self._like(variable, carried.initial), increment

    def _formula_of_counted(self, variable: Variable, carried: Carried, loop: Loop) -> Definition | None:
        initial, increment = self._first_and_increment(variable, carried)
        if increment == constant(0):
            return defined_by(variable, initial)
        if not increment.is_constant or len(loop.inductions) != 1:
            return None
        count = self._count(loop.inductions[0], is_result=variable.value is carried.result)
        return None if count is None else defined_by(variable, initial + count * increment.constant)

    def _count(self, induction: Induction, *, is_result: bool) -> Expression | None:
        """How many iterations have run: before the one of the induction variable, or all."""
        resolve = self._definitions.resolve
        step = resolve(induction.step)
        if not step.is_constant or step.constant < 1:
            return None
        start = maximum(*(resolve(e) for e in induction.lower))
        if not is_result:
            return (resolve(value_of(induction.variable)) - start) // step
        end = -maximum(*(-resolve(e) for e in induction.upper))
        return maximum((end - start).ceildiv(step), constant(0))

    def _by_range(
        self, variable: Variable, initial: Expression, count: Expression, increment: Expression
    ) -> list[Expression]:
        """What is not negative, if in each of COUNT iterations as much is added as INCREMENT can be."""
        low, high = range_of(increment, self._definitions.range)
        facts = [own(variable) - initial - count * low] if low is not None and low > -UNBOUNDED else []
        facts += [initial + count * high - own(variable)] if high is not None and high < UNBOUNDED else []
        least, greatest = natural_range(variable)
        facts += [own(variable) - least] if least is not None else []
        facts += [greatest - own(variable)] if greatest is not None else []
        return facts

    def _family(self, loop: Loop, induction: Induction, op: Operation) -> Family:
        """What goes around a counted loop and has no formula."""
        return self._solver.answer(self._families, op, self._counted_family, loop, induction, op)

    def _counted_family(self, loop: Loop, induction: Induction, op: Operation) -> Family:
        resolve = self._definitions.resolve
        first = maximum(*(resolve(e) for e in induction.lower))
        counter = Counter(Value(induction.variable), first, resolve(induction.step))
        condition = [resolve(e) - 1 - own(counter.variable) for e in induction.upper]
        around = goings(((c.argument, c.initial, c.yielded) for c in loop.carried), self._elimination)
        members = [each for each in around if self._is_member(each, constant_step=True)]
        return Family(op, members, condition, counter, self._elimination)

    def _is_member(self, going: Going, *, constant_step: bool = False) -> bool:
        """Whether GOING has no formula; or had none when it was defined, by the states before it.

        These states would be defined by it else, and it by them.
        """
        increment = going.following - own(going.state)
        has_formula = increment.is_constant if constant_step else increment == constant(0)
        return not has_formula or self._definitions.is_set(going.state)

    def _by_relation(
        self, variable: Variable, carried: Carried, family: Family, *, is_result: bool
    ) -> Known | None:
        """What the states that are reached say of VARIABLE, and of those before it in the chain."""
        state = like(variable, carried.argument)
        chain, known = self._chain(state, family)
        if known is None:
            return None
        counter = family.counter
        assert counter is not None
        going_on = self._elimination.conjunction((), family.condition)
        if not is_result:
            return self._only(intersection(known, going_on), chain, family.members.keys())
        if going_on.exact:
            known = Known(_difference(known.points, going_on.points), known.exact, known.because)
        else:
            known = Known(known.points, False, going_on.because)
        known = self._only(known, chain, {*family.members, counter.variable})
        points = known.points
        for member in chain:
            result = variable if member == state else self._result(member, family.op)
            points = _renamed(points, self._elimination.name(member), self._elimination.name(result))
        return Known(points, known.exact, known.because)

    def _chain(self, state: Variable, family: Family) -> tuple[list[Variable], Known | None]:
        """STATE and those before it that it has to do with; and what is reached of them, if they are few."""
        chain = family.together(state)
        needed = family.needed(chain)
        if len(needed) <= limits.LOOP_STATES:
            known = self._all_reached(needed, family)
            fewer = [] if known.exact else family.together(state, numbered=False)
            if fewer and len(fewer) < len(chain):
                without_number = self._all_reached(family.needed(fewer), family)
                if without_number.exact:
                    return fewer, without_number
            return chain, known
        needed = family.needed([state])
        if len(needed) > limits.LOOP_STATES:
            return [state], None
        known = self._all_reached(needed, family)
        because = known.because or f"more than {limits.LOOP_STATES} values go around its loop together"
        return [state], Known(known.points, False, because)

    def _all_reached(self, states: Sequence[Variable], family: Family) -> Known:
        transition = Transition(family, states, self._elimination)
        key = family.op, tuple(states)
        return self._solver.answer(self._reached, key, transition.reached, self._most_steps(family))

    def _most_steps(self, family: Family) -> int | None:
        """The largest number of iterations, if interval arithmetic finds one."""
        counter = family.counter
        if counter is None:
            return None
        # c >= 0 is said of i, for each bound: c + i - first is how far the loop goes.
        ends = [e + own(counter.variable) - counter.first for e in family.condition]
        counts = [range_of(e // counter.step + 1, self._definitions.range)[1] for e in ends]
        return (
            max(min((c for c in counts if c is not None), default=-1), 0)
            if any(c is not None for c in counts)
            else None
        )

    def _only(self, known: Known, chain: Sequence[Variable], among: Iterable[Variable]) -> Known:
        """KNOWN without those variables AMONG some that are not in CHAIN."""
        points = known.points
        for variable in among:
            if variable not in chain:
                points = without(points, self._elimination.name(variable))
        return simple(Known(points, known.exact, known.because))

    def _result(self, state: Variable, op: Operation) -> Variable:
        """The loop's result that STATE becomes."""
        loop = questions.loop(op)
        assert isinstance(loop, Loop)
        return next(like(state, c.result) for c in loop.carried if c.argument is state.value)

    def _defined(self, variable: Variable, known: Known, tokens: frozenset[Token]) -> Definition:
        """The definition of VARIABLE by what is KNOWN of it and of others, computed from TOKENS."""
        names = {v: self._elimination.name(v) for v in self._elimination.variables_of(known.points)}
        references = tuple(v for v in names if v != variable)
        points = PointSet(known.points, names)
        return Definition(
            (), references, exact=known.exact, because=known.because, points=points, tokens=tokens
        )

    # -- while -----------------------------------------------------------------------------------------

    def _of_while(self, variable: Variable, loop: While, op: Operation) -> Definition:
        """Of the first region: what is reached; of the second and behind: what is forwarded from there."""
        condition = self._definitions.resolve(value_of(loop.condition))
        for value, forwarded in zip(loop.after, loop.forwarded, strict=True):
            if value is variable.value:
                equation = own(variable) - self._like(variable, forwarded)
                alternative = Disjunct((equation,), (condition - 1,))
                return Definition((alternative,), references_of((alternative,), variable))
        if any(value is variable.value for value in loop.results):
            return self._result_of_while(variable, loop, -condition, op)
        initial, following = self._first_and_next(variable, loop)
        if following == own(variable):
            return defined_by(variable, initial)
        found = self._by_condition(variable, loop, condition - 1, op)
        return found or self._unknown(variable, op, f"too much goes around {operation_name(op)} together")

    def _result_of_while(
        self, variable: Variable, loop: While, ended: Expression, op: Operation
    ) -> Definition:
        """What is forwarded in the last iteration, where ENDED is not negative, in terms of what is outside.

        It is another iteration than that of which the variables inside speak. The results before it that are
        not determined by what is outside are of the same one.
        """
        try:
            with budget(limits.RECURRENCE_OPERATIONS):
                chain = [*self._open_results(variable, loop), variable]
                last = {v: f for r, f in zip(loop.results, loop.forwarded, strict=True)
                        for v in chain if v.value is r}  # fmt: skip
                values = [self._like(result, last[result]) for result in chain]
                zero = [own(result) - value for result, value in zip(chain, values, strict=True)]
                known = self._elimination.conjunction(zero, (ended,))
                kept = Kept(("behind", id(op)), lambda v: not is_inside(v.value, op))
                inside = self._elimination.all_variables([*values, ended])
                tokens = self._elimination.tokens(inside, kept)
                read = frozenset(replace(token, within=op, past=False) for token in tokens)
                return self._defined(variable, simple(self._elimination.onto(kept, known, inside)), read)
        except BudgetExceeded as error:
            return self._unknown(variable, op, error.reason)

    def _open_results(self, variable: Variable, loop: While) -> list[Variable]:
        """The results of LOOP before VARIABLE that are not determined by what is outside of it, in order."""
        results = [v for r in loop.results for number in integers_of(r) for v in variables_of(number)]
        before = results[: results.index(variable)]
        found: list[Variable] = []
        for each in before:
            if self._definitions.linear(each).single_atom == each:
                points = self._definitions.definition(each).points
                if points is not None and not is_function(points.points, points.names[each]):
                    found.append(each)
        if len(found) > limits.LOOP_STATES:
            raise NotAffine(f"more than {limits.LOOP_STATES} results depend on its last iteration")
        return found

    def _first_and_next(self, variable: Variable, loop: While) -> tuple[Expression, Expression]:
        """What VARIABLE, an argument of the first region, is first, and what it is after an iteration."""
        return next(
            (self._like(variable, first), self._like(variable, then))
            for argument, first, then in zip(loop.before, loop.initial, loop.yielded, strict=True)
            if argument is variable.value
        )

    def _by_condition(
        self, variable: Variable, loop: While, condition: Expression, op: Operation
    ) -> Definition | None:
        """What is reached while CONDITION is not negative."""
        try:
            with budget(limits.RECURRENCE_OPERATIONS):
                family = self._solver.answer(self._families, op, self._while_family, loop, condition, op)
                chain, known = self._chain(variable, family)
                if known is None:
                    return None
                known = self._only(known, chain, family.members)
                return self._defined(variable, known, family.tokens(past=True))
        except BudgetExceeded:
            return None

    def inner_sources(self, state: Variable, op: Operation) -> list[Variable]:
        """What of an iteration of the scf.while OP, beside its states, decides how STATE goes on."""
        loop = known_loop(op)
        assert isinstance(loop, While)
        condition = self._definitions.resolve(value_of(loop.condition)) - 1
        family = self._solver.answer(self._families, op, self._while_family, loop, condition, op)
        return family.inner_sources(state)

    def _while_family(self, loop: While, condition: Expression, op: Operation) -> Family:
        """What goes around an scf.while and changes."""
        around = goings(zip(loop.before, loop.initial, loop.yielded, strict=True), self._elimination)
        members = [each for each in around if self._is_member(each)]
        number = iteration_of(loop)
        return Family(
            op, members, (condition,), None, self._elimination, None if number is None else Value(number)
        )


def _difference(points: isl.Set, other: isl.Set) -> isl.Set:
    """POINTS that are not in the OTHER set.

    isl's difference asks of each piece whether something is left of it, which is dear where it has divisions:
    of a half-space, it is an intersection.
    """
    outside = other.complement()
    return points.intersect(outside) if outside.n_basic_set() == 1 else points.subtract(other)


def _renamed(points: isl.Set, old: str, new: str) -> isl.Set:
    position = points.find_dim_by_name(DIM.param, old)
    return points if position < 0 else points.set_dim_name(DIM.param, position, new)
