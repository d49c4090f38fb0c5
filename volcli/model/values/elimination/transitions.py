"""One iteration of a loop as a relation: the states before it, and those before the next one.

A state of a counted loop is its induction variable and the values that it carries; of an scf.while, the
arguments of its first region. States are dimensions of isl sets here, what is defined outside of the loop are
parameters. What is unknown in an iteration (a loaded value) is projected out: it is another one each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import islpy as isl
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.language.expressions import Atom, Expression, parameter, substitute
from volcli.language.programs.blocks import is_inside
from volcli.limits import values as limits
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.argument_elements import Token, conflicts, is_fresh
from volcli.model.values.terms.constraint_set import Kept, Known, intersection
from volcli.model.values.terms.variables import Variable, integers_of, like, own, variables_of
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class Going:
    """A value that goes around a loop: an argument or one of its sizes, what it is first, what follows."""

    state: Variable
    initial: Expression
    following: Expression


def goings(arguments: Iterable[tuple[SSAValue, SSAValue, SSAValue]], elimination: Elimination) -> list[Going]:
    """All integers and unknown sizes among (argument, initial value, next value)."""
    resolve = elimination.definitions.resolve
    found: list[Going] = []
    for argument, initial, following in arguments:
        for state in integers_of(argument):
            for variable in variables_of(state):
                first, then = like(variable, initial), like(variable, following)
                found.append(Going(variable, resolve(own(first)), resolve(own(then))))
    return found


class Family:
    """The values that go around one loop OP, and which of them have to be looked at together.

    The loop goes on while all expressions of CONDITION are not negative; COUNTER is its induction variable.
    Without one, the state NUMBER may tell iterations apart: the other states are what they are in each.
    """

    def __init__(
        self,
        op: Operation,
        members: Sequence[Going],
        condition: Sequence[Expression],
        counter: Counter | None,
        elimination: Elimination,
        number: Variable | None = None,
    ) -> None:
        self._number = number
        self.op = op
        self.members: Mapping[Variable, Going] = {member.state: member for member in members}
        self.condition = tuple(condition)
        self.counter = counter
        self._definitions = elimination.definitions
        self._sources = {going.state: self._inside(going) for going in members}

    def counters(self) -> list[Variable]:
        """What grows, or shrinks, by a constant in each iteration, and so is never the same again."""
        if self.counter is not None:
            return [self.counter.variable]
        steps = {
            state: self._forwarded(going.following) - own(state) for state, going in self.members.items()
        }
        return [state for state, step in steps.items() if step.is_constant and step.constant]

    def _forwarded(self, expression: Expression) -> Expression:
        """EXPRESSION with what the first region of an scf.while forwards for the arguments of the second."""

        def leaf(atom: Atom) -> Expression | None:
            if not isinstance(atom, Variable) or not isinstance(atom.value, BlockArgument):
                return None
            known = self._definitions.definition(atom).alternatives
            if atom in self.members or len(known) != 1 or len(known[0].zero) != 1:
                return None
            form = own(atom) - known[0].zero[0]
            return None if atom in variables_of(form) else form

        return substitute(expression, leaf)

    def _inside(self, going: Going) -> set[Variable]:
        """What of an iteration, but for its number, the next value of GOING depends on."""
        met: set[Variable] = set()
        expressions = (going.following, *self.condition)
        stack = [v for e in expressions for v in variables_of(e)]
        while stack:
            variable = stack.pop()
            if variable in met or not is_inside(variable.value, self.op) or self._is_counter(variable):
                continue
            met.add(variable)
            if variable not in self.members:
                stack += self._definitions.definition(variable).references
        return {v for v in met if v in self.members or self._is_free(v)}

    def _is_counter(self, variable: Variable) -> bool:
        return self.counter is not None and variable == self.counter.variable

    def _is_free(self, variable: Variable) -> bool:
        """Whether VARIABLE may be different for the same states: what has a formula is not."""
        definition = self._definitions.definition(variable)
        return definition.is_leaf or definition.points is not None or definition.induction is not None

    def tokens(self, *, past: bool) -> frozenset[Token]:
        """The elements of arguments that what goes around depends on: in all iterations, or in PAST ones."""
        inside = {v for sources in self._sources.values() for v in sources}
        return frozenset(
            replace(token, within=self.op, past=past)
            for variable in inside
            for token in self._definitions.definition(variable).tokens
        )

    def needed(self, states: Iterable[Variable]) -> list[Variable]:
        """STATES and all that their next values depend on, through any number of iterations, in order."""
        met = set(states)
        stack = list(met)
        while stack:
            new = (self._sources[stack.pop()] & self.members.keys()) - met
            met |= new
            stack += new
        return [state for state in self.members if state in met]

    def inner_sources(self, state: Variable) -> list[Variable]:
        """What is no state, and the next values of STATE depend on, through any number of iterations."""
        return [source for source in self._all_sources(state) if source not in self.members]

    def together(self, state: Variable, *, numbered: bool = True) -> list[Variable]:
        """The states up to STATE that have to do with it, in order: they depend on something in common.

        The others are independent, for given values from outside of the loop and a given iteration; if it is
        not NUMBERED, for any.
        """
        group, common = {state}, self._all_sources(state)
        if numbered and self._number is not None and self._number in self.members:
            group.add(self._number)
            common |= self._all_sources(self._number)
        grown = True
        while grown:
            grown = False
            for other in self.members.keys() - group:
                if self._all_sources(other) & common:
                    group.add(other)
                    common |= self._all_sources(other)
                    grown = True
        before = [other for other in self.members if other in group]
        return before[: before.index(state) + 1]

    def _all_sources(self, state: Variable) -> set[Variable]:
        needed = self.needed([state])
        return {*needed, *(source for member in needed for source in self._sources[member])}


@dataclass(frozen=True, eq=False)
class Counter:
    """The induction variable of a loop: `first`, `first + step`, ..."""

    variable: Variable
    first: Expression
    step: Expression


class Transition:
    """One iteration of a loop, for some of the states that go around it."""

    def __init__(self, family: Family, states: Sequence[Variable], elimination: Elimination) -> None:
        self.family = family
        self.states = tuple(states)
        self._elimination = elimination
        counter = family.counter
        self._columns = self.states if counter is None else (*self.states, counter.variable)

    def reached(self, steps: int | None) -> Known:
        """The states before each iteration and behind the last, of which there are at most so many STEPS."""
        first, step = self._first(), self._step()
        own_names = [self._elimination.name(v) for v in self._columns]
        relation = _with_dims(isl.Map.from_domain(isl.Set.from_params(step.points)), DIM.in_, own_names)
        relation = _with_dims(relation, DIM.out, self._next_names())
        repeated = self._repeated(relation)
        states = _with_dims(isl.Set.from_params(first.points), DIM.set, own_names)
        known = self._elimination.reachable.of(states, relation, steps, limits.REACHED_STATES)
        points = _with_names(known.points, own_names)
        exact = first.exact and step.exact and known.exact and repeated is None
        return Known(points, exact, first.because or step.because or repeated or known.because)

    def going_on(self) -> Known:
        """Where an iteration begins, as far as that is said of states and of what is outside."""
        return self._elimination.conjunction((), self.family.condition)

    def _next_names(self) -> list[str]:
        return [f"n{position}" for position in range(len(self._columns))]

    def _first(self) -> Known:
        equations = [own(state) - self.family.members[state].initial for state in self.states]
        if (counter := self.family.counter) is not None:
            equations.append(own(counter.variable) - counter.first)
        return self._in_range(self._elimination.conjunction(equations, ()))

    def _step(self) -> Known:
        """A relation of the columns, by their names, to the names of those that follow."""
        following = [self.family.members[state].following for state in self.states]
        if (counter := self.family.counter) is not None:
            following.append(own(counter.variable) + counter.step)
        named = [
            parameter(n) - self._elimination.named(e)
            for n, e in zip(self._next_names(), following, strict=True)
        ]
        known = intersection(self._elimination.conjunction(named, ()), self.going_on())
        return self._in_range(self._elimination.onto(self._kept(), known, self._decisive()))

    def _decisive(self) -> dict[Variable, None]:
        """What the next states, and whether there are some, are computed from."""
        following = (self.family.members[state].following for state in self.states)
        return dict.fromkeys(v for e in (*following, *self.family.condition) for v in variables_of(e))

    def _repeated(self, step: isl.Map) -> str | None:
        """Which element another iteration may read, too: then it is not as independent as it is taken for.

        A state that each STEP moves by one number is never the same again.
        """
        tokens = self._elimination.tokens(self._decisive(), self._kept())
        if not tokens:
            return None
        moves = step.deltas()
        fixed = [moves.plain_get_val_if_fixed(DIM.set, k) for k in range(moves.dim(DIM.set))]
        moving = (v for v, by in zip(self._columns, fixed, strict=True) if by.is_int() and not by.is_zero())
        counters = dict.fromkeys((*self.family.counters(), *moving))
        for token in tokens:
            name = self._elimination.definitions.name_of(token.value)
            if not any(is_fresh(token, self.family.op, own(counter)) for counter in counters):
                return f"{name} may be the same element in two iterations"
            if conflicts((token,), tokens):
                return f"{name} may be an element that another value is computed from"
        return None

    def _kept(self) -> Kept:
        """The states, and what is defined outside of the loop."""
        op, members, counter = self.family.op, self.family.members, self.family.counter
        iterator = None if counter is None else counter.variable
        return Kept(("state", id(op)), lambda v: v in members or v == iterator or not is_inside(v.value, op))

    def _in_range(self, known: Known) -> Known:
        """KNOWN with the numbers that variables from outside of the loop lie between."""
        facts: list[Expression] = []
        for variable in self._elimination.variables_of(known.points):
            if variable in self._columns:
                continue
            low, high = self._elimination.definitions.range(variable)
            facts += [own(variable) - low] if low is not None else []
            facts += [high - own(variable)] if high is not None else []
        return intersection(known, self._elimination.conjunction((), facts))


SetOrMap = TypeVar("SetOrMap", isl.Set, isl.Map)


def _with_dims(points: SetOrMap, kind: isl.dim_type, names: Sequence[str]) -> SetOrMap:
    """POINTS with one more dimension for each of NAMES, which are parameters if they occur."""
    for name in names:
        end = points.dim(kind)
        position = points.find_dim_by_name(DIM.param, name)
        if position < 0:
            points = points.add_dims(kind, 1)
        else:
            points = points.move_dims(kind, end, DIM.param, position, 1)
    return points


def _with_names(points: isl.Set, names: Sequence[str]) -> isl.Set:
    """POINTS as a set of parameters: each dimension is one, with the name."""
    for name in names:
        points = points.set_dim_name(DIM.set, 0, name).move_dims(
            DIM.param, points.dim(DIM.param), DIM.set, 0, 1
        )
    return points.params()
