"""What goes around loops: the values of carried variables, from one iteration to the next.

Let a carried variable be a_0 = init and a_{k+1} = y(a_k, i_k), and the loop run T times. Then

    y = a                 a_k = init, and so is the result
    y = a + d             a_k = init + d * k, with k = (i - l) / step; the result is init + d * T
    T is a small number   a_0, ..., a_T one after the other, as sets
    y is affine           the transitive closure of the relation { [i, a] -> [i + step, y(a, i)] }, where isl
                          finds it exactly
    y = a + e, e in R     a_k - init lies between k * min R and k * max R
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import (
    Dim,
    Expression,
    NotAffine,
    Value,
    constant,
    dim_of,
    maximum,
    parameter,
    value_of,
)
from volcli.interface import operation_name
from volcli.loops import Carried, Induction, Loop
from volcli.model.bounds.definitions import (
    Alternative,
    Definition,
    LoopOf,
    Variable,
    defined_by,
    natural_range,
    references_of,
    unknown,
    variables_of,
)
from volcli.model.bounds.elimination import Elimination, Kept, Known, intersection, simple
from volcli.model.bounds.ranges import range_of
from volcli.presburger.build import DIM
from volcli.reads import captured_values, rank_of

_MOST_ITERATIONS = 32
_MOST_STATES = 4


@dataclass(frozen=True, eq=False)
class Transition:
    """One iteration of a loop: what is carried before it, and what is yielded.

    `points` relates the induction variable and the carried `states` to the `nexts`, names of what is yielded,
    and to what is defined outside of the loop.
    """

    loop: Operation
    induction: Induction
    variable: Variable
    states: tuple[Variable, ...]
    initial: tuple[Expression, ...]
    nexts: tuple[str, ...]
    known: Known


class Recurrences:
    """The definitions of carried variables and of the results of loops."""

    def __init__(self, elimination: Elimination) -> None:
        self._elimination = elimination
        self._definitions = elimination.definitions

    def define(self, variable: Variable, part: LoopOf) -> Definition:
        """What VARIABLE, an argument or a result of a loop, is."""
        because = f"it goes around {operation_name(part.op)}"
        loop = questions.loop(part.op)
        if part.carried is None or not isinstance(loop, Loop):
            return _unknown(variable, because, self._captured(part.op))
        carried = part.carried
        initial = self._of(variable, carried.initial)
        step = self._of(variable, carried.yielded) - self._of(variable, carried.argument)
        if step == constant(0):
            return defined_by(variable, initial)
        if len(loop.inductions) != 1:
            return _unknown(variable, because, self._captured(part.op))
        return self._counted(variable, carried, loop, part.op, initial, step)

    def _counted(
        self,
        variable: Variable,
        carried: Carried,
        loop: Loop,
        op: Operation,
        initial: Expression,
        step: Expression,
    ) -> Definition:
        induction = loop.inductions[0]
        count = self._count(induction, is_result=variable.value is carried.result)
        if count is None:
            because = "the step of the loop is not a constant"
            return _unknown(variable, because, self._captured(op))
        if step.is_constant:
            return defined_by(variable, initial + count * step.constant)
        try:
            transition = self._transition(variable, carried, loop, op)
            found = None if transition is None else self._by_steps(variable, carried, transition)
        except NotAffine:
            found = None
        return found or self._by_range(variable, op, initial, count, step)

    def _of(self, like: Variable, value: SSAValue) -> Expression:
        atom = dim_of(value, like.dimension) if isinstance(like, Dim) else value_of(value)
        return self._definitions.resolve(atom)

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

    # -- bounded increments ----------------------------------------------------------------------------

    def _by_range(
        self, variable: Variable, op: Operation, initial: Expression, count: Expression, step: Expression
    ) -> Definition:
        because = "what its loop adds in each iteration is not a constant"
        low, high = range_of(step, self._definitions.range)
        own = Expression(((variable, 1),), 0)
        facts = [own - initial - count * low] if low is not None else []
        facts += [initial + count * high - own] if high is not None else []
        if not facts:
            return _unknown(variable, because, self._captured(op))
        least, greatest = natural_range(variable)
        facts += [own - least] if least is not None else []
        facts += [greatest - own] if greatest is not None else []
        alternative = Alternative((), tuple(facts))
        references = dict.fromkeys((*references_of((alternative,), variable), *self._captured(op)))
        references.pop(variable, None)
        return Definition((alternative,), tuple(references), exact=False, because=because)

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

    # -- relations -------------------------------------------------------------------------------------

    def _transition(
        self, variable: Variable, carried: Carried, loop: Loop, op: Operation
    ) -> Transition | None:
        """One iteration as a relation, of the carried variables that VARIABLE depends on."""
        family = {self._state(variable, c): c for c in loop.carried if self._fits(variable, c)}
        states = self._needed(self._state(variable, carried), family)
        if states is None:
            return None
        induction = loop.inductions[0]
        iterator = Value(induction.variable)
        kept = Kept(("state", id(op)), lambda v: v == iterator or v in family or not is_inside(v.value, op))
        nexts = tuple(f"n{position}" for position in range(len(states)))
        yields = [self._of(state, family[state].yielded) for state in states]
        equations = [
            parameter(name) - self._elimination.named(e) for name, e in zip(nexts, yields, strict=True)
        ]
        known = self._elimination.conjunction(equations, ())
        known = self._elimination.onto(kept, known, [v for e in yields for v in variables_of(e)])
        initial = tuple(self._of(state, family[state].initial) for state in states)
        return Transition(op, induction, iterator, tuple(states), initial, nexts, known)

    def _state(self, like: Variable, carried: Carried) -> Variable:
        argument = carried.argument
        return Dim(argument, like.dimension) if isinstance(like, Dim) else Value(argument)

    @staticmethod
    def _fits(like: Variable, carried: Carried) -> bool:
        return type(carried.argument.type) is type(like.value.type)

    def _needed(self, first: Variable, family: dict[Variable, Carried]) -> list[Variable] | None:
        """FIRST and the carried variables that it depends on, through any number of iterations."""
        needed = {first: None}
        pending = [first]
        while pending:
            yielded = self._of(first, family[pending.pop()].yielded)
            for variable in self._slice(yielded, family):
                if variable in family and variable not in needed:
                    needed[variable] = None
                    pending.append(variable)
        return list(needed) if len(needed) <= _MOST_STATES else None

    def _slice(self, expression: Expression, stop: dict[Variable, Carried]) -> set[Variable]:
        met = set(variables_of(expression))
        stack = list(met)
        while stack:
            variable = stack.pop()
            if variable in stop:
                continue
            new = set(self._definitions.definition(variable).references) - met
            met |= new
            stack += new
        return met

    def _by_steps(self, variable: Variable, carried: Carried, transition: Transition) -> Definition | None:
        """By all iterations, if their number is small and known; else by the transitive closure."""
        resolve = self._definitions.resolve
        induction = transition.induction
        lower, upper = [resolve(e) for e in induction.lower], [resolve(e) for e in induction.upper]
        if len(lower) != 1 or len(upper) != 1:
            return None
        step = resolve(induction.step).constant
        count = (upper[0] - lower[0]).ceildiv(step)
        is_result = variable.value is carried.result
        if count.is_constant and count.constant <= _MOST_ITERATIONS:
            known = self._unrolled(transition, lower[0], step, max(count.constant, 0), is_result=is_result)
        else:
            return None
        return self._defined(variable, transition, known)

    def _unrolled(
        self, transition: Transition, lower: Expression, step: int, count: int, *, is_result: bool
    ) -> Known:
        """The states before each iteration, with the induction variable; or those behind the last."""
        iterator = parameter(self._elimination.name(transition.variable))
        own = [parameter(self._elimination.name(state)) for state in transition.states]
        equations = [
            name - self._elimination.named(e) for name, e in zip(own, transition.initial, strict=True)
        ]
        before = self._elimination.conjunction(equations, ())
        met: Known | None = None
        for iteration in range(count):
            at = iterator - self._elimination.named(lower + iteration * step)
            here = intersection(before, self._elimination.conjunction((at,), ()))
            met = here if met is None else _union(met, here)
            before = self._after(transition, intersection(here, transition.known))
        if is_result:
            return before
        return simple(met) if met is not None else Known(isl.Set.empty(before.points.get_space()))

    def _after(self, transition: Transition, known: Known) -> Known:
        points = known.points
        for variable in (transition.variable, *transition.states):
            points = _without(points, self._elimination.name(variable))
        for name, state in zip(transition.nexts, transition.states, strict=True):
            position = points.find_dim_by_name(DIM.param, name)
            if position >= 0:
                points = points.set_dim_name(DIM.param, position, self._elimination.name(state))
        return simple(Known(points, known.exact, known.because))

    def _defined(self, variable: Variable, transition: Transition, known: Known) -> Definition:
        """The definition of VARIABLE by what is known of the first state (its own); the others go."""
        points = known.points
        first, *others = (self._elimination.name(state) for state in transition.states)
        for name in others:
            points = _without(points, name)
        position = points.find_dim_by_name(DIM.param, first)
        if position >= 0 and self._elimination.name(variable) != first:
            points = points.set_dim_name(DIM.param, position, self._elimination.name(variable))
        exact = known.exact and not others
        because = known.because or (None if exact else "several values go around its loop together")
        references = tuple(v for v in self._elimination.variables_of(points) if v != variable)
        return Definition((), references, exact=exact, because=because, points=_constantly(points))


def _constantly(points: isl.Set) -> Callable[[], isl.Set]:
    return lambda: points


def _unknown(variable: Variable, because: str, references: Iterable[Variable] = ()) -> Definition:
    """Nothing is known of VARIABLE but that it depends on REFERENCES in some way."""
    found = unknown(variable, (), because)
    others = tuple(r for r in dict.fromkeys(references) if r != variable)
    return Definition(found.alternatives, others, is_leaf=True, exact=False, because=because)


def _union(left: Known, right: Known) -> Known:
    because = left.because or right.because
    return Known(left.points.union(right.points), left.exact and right.exact, because)


def _without(points: isl.Set, name: str) -> isl.Set:
    position = points.find_dim_by_name(DIM.param, name)
    return points if position < 0 else points.project_out(DIM.param, position, 1)


def is_number(value: SSAValue) -> bool:
    """Whether VALUE is of index or integer type."""
    return isinstance(value.type, IndexType | IntegerType)


def is_inside(value: SSAValue, op: Operation) -> bool:
    """Whether VALUE is defined in a region of OP."""
    block: Block | None = None
    if isinstance(value, BlockArgument):
        block = value.block
    elif isinstance(value, OpResult):
        block = value.op.parent
    while block is not None:
        parent = block.parent_op()
        if parent is op:
            return True
        block = None if parent is None else parent.parent
    return False
