"""Which variables are one number for given parameters and a given iteration, and which are unknown values.

A variable is *determined* at an iteration if its definition gives it one value there: the states that a loop
reaches, `{ [p, i] -> [x] }`, are single-valued. What a loop carries out of loaded data is not: of

    %r = scf.for %i = 0 to 10 iter_args(%k = 0) { yield %k + 1 if the element at %i is positive, else %k }

nothing but `0 <= %r <= 10` is known. It is *one* unknown value of these. To project it away would say that it
is all of them ("for some value of %r" is taken for "in each run"). So it remains a parameter of what is said,
as a loaded value does: `[r] -> { [] : r = 1 }`. Sets over such parameters hold for each value of them.

What is defined inside of a loop is another one in each of its iterations, and can be spoken of only there:
the result of an scf.while is a function of what is outside of it, or it is a parameter itself.
"""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl
from xdsl.ir import Block, OpResult

from volcli.language.expressions import Value, has_product
from volcli.language.interface import operation_name
from volcli.language.programs.known_loops import is_while
from volcli.language.unchanged import cached_method
from volcli.model.memory.buffers.nests import Level, LoopLevels
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.constraint_set import Kept, Known, always, intersection
from volcli.model.values.terms.variables import Variable
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import is_function, parameters_of_space


class Determination:
    """The variables of one function that parameters and iterations determine, and those that remain."""

    def __init__(self, bounds: BoundsStore, nests: LoopLevels) -> None:
        self._bounds = bounds
        self._nests = nests

    @cached_method
    def kept(self, levels: tuple[Level, ...]) -> Kept:
        """What relations may speak of inside of LEVELS: their iterations, and unknown values."""
        own = frozenset(Value(v) for level in levels if (v := level.variable) is not None)
        return Kept(("iterations", levels), lambda v: v in own or self._remains(v, levels))

    def _remains(self, variable: Variable, levels: tuple[Level, ...]) -> bool:
        """Whether VARIABLE is an unknown value that is the same one throughout an iteration of LEVELS."""
        around = self.levels(variable)
        is_visible = around == levels[: len(around)]
        return is_visible and (
            self._bounds.definitions.definition(variable).is_leaf or self.is_open(variable)
        )

    def levels(self, variable: Variable) -> tuple[Level, ...]:
        """The loops that VARIABLE is defined inside of."""
        owner = variable.value.owner
        return self._nests.levels(owner if isinstance(owner, Block) else owner.parent)

    def is_open(self, variable: Variable) -> bool:
        """Whether VARIABLE has a definition that leaves several values for one iteration."""
        return not self._is_determined(variable)

    @cached_method
    def _is_determined(self, variable: Variable) -> bool:
        definition = self._bounds.definitions.definition(variable)
        if definition.induction is not None or self._is_number(variable):
            return True  # a part of the iteration
        if definition.is_leaf:
            # A parameter as it is, but where it has to do with others in a way that is not known in full.
            return definition.exact or not definition.references
        if definition.expression is not None:
            # A formula; but of a product little more is known than what it is computed from.
            return not has_product(definition.expression) or self._is_single(variable)
        if definition.points is None and definition.exact and not _is_while_result(variable):
            return True  # a choice, whose condition is a variable
        return self._is_single(variable)

    def _is_number(self, variable: Variable) -> bool:
        """Whether VARIABLE numbers the iterations of a loop around it."""
        return any(level.number is variable.value for level in self.levels(variable))

    def _is_single(self, variable: Variable) -> bool:
        """Whether the set of VARIABLE has one value for each of what it depends on."""
        elimination, kept = self._bounds.elimination, self.kept(self.levels(variable))
        name = elimination.name(variable)
        if is_function(elimination.joint(frozenset((variable,)), kept).points, name):
            return True
        where = self._where_computed(variable)
        return where is not None and is_function(where.points, name)

    def _where_computed(self, variable: Variable) -> Known | None:
        """What is known of VARIABLE, a state of a loop in a branch, where that is taken.

        Elsewhere it may be any number, which nothing depends on. None if it always runs.
        """
        bounds, value = self._bounds, variable.value
        points = bounds.definitions.definition(variable).points
        if points is None or not isinstance(value, OpResult) or not bounds.elimination.may_not_run(value):
            return None
        known, mentioned = Known(points.points), dict.fromkeys(points.names)
        for factor in bounds.places.guards(value.op):
            known = intersection(known, bounds.places.factors.condition(factor))
            mentioned.update(dict.fromkeys(factor.variables))
        mentioned.pop(variable, None)
        return bounds.elimination.onto(self.kept(self.levels(variable)), known, mentioned)

    def with_facts(self, known: Known, kept: Kept, spoken: Iterable[Variable]) -> Known:
        """KNOWN with what is known of unknown values, in terms of what is KEPT: of those SPOKEN of, too.

        That these may be fewer than is known makes nothing of it less exact: it holds for each of them.
        """
        met: set[Variable] = set()
        points, pending = known.points, list(spoken)
        while pending := [v for v in (*pending, *self._bounds.elimination.variables_of(points))
                          if v not in met and self.is_open(v) and kept.contains(v)]:  # fmt: skip
            for variable in dict.fromkeys(pending):
                met.add(variable)
                facts = self._bounds.elimination.joint(frozenset((variable,)), kept)
                points = points.intersect(facts.points)
        if not met:
            return known
        return Known(points, known.exact, known.because)

    @cached_method
    def doubt(self, level: Level) -> str | None:
        """Why the iterations that LEVEL may have need not be all that it has; None if they are.

        Those of a loop that goes on as long as something holds follow from each other. They are known if that
        is determined by the state of the loop. (Whether loops inside of it end is asked by `reached`.)
        """
        if level.number is None:
            return None
        number = Value(level.number)
        name = operation_name(level.op)
        definition = self._bounds.definitions.definition(number)
        if definition.points is None or not definition.exact:
            because = definition.because or "it depends on too much"
            return f"how often {name} runs its regions is unknown: {because}"
        if not all(map(self._follows, self._bounds.definitions.recurrence.inner_sources(number, level.op))):
            return f"how often {name} runs its regions depends on what is read in it"
        return None

    def _follows(self, variable: Variable) -> bool:
        """Whether VARIABLE is a function of the state of the loop that it is computed in."""
        definition = self._bounds.definitions.definition(variable)
        return not definition.is_leaf and definition.induction is None and not self.is_open(variable)

    def because(self, variable: Variable) -> str:
        """Why VARIABLE is not known."""
        made = self._bounds.definitions.definition(variable).expression
        if made is not None and has_product(made):
            return f"{self._bounds.texts.of_variable(variable)} is a product of two unknowns"
        return f"{self._bounds.texts.of_variable(variable)} is not a function of the arguments and iterations"

    def open_names(self, points: isl.Map | isl.Set) -> tuple[str, ...]:
        """The names of the unknown values with a definition that POINTS depends on."""
        find = self._bounds.elimination.find
        found: list[str] = []
        for position, name in enumerate(parameters_of_space(points)):
            variable = find(name)
            if (
                variable is not None
                and points.involves_dims(DIM.param, position, 1)
                and self.is_open(variable)
            ):
                found.append(name)
        return tuple(found)

    def may_not_be(self, names: Iterable[str]) -> bool:
        """Whether one of these is there only if a loop ends that runs as long as a condition holds."""
        return any(_is_while_result(self._bounds.elimination.variable(name)) for name in names)

    def possible(self, names: Iterable[str]) -> isl.Set:
        """What the values with these NAMES may be together, in terms of other unknown values: parameters."""
        result = isl.Set.universe(build.space((), 0)).params()
        for name in names:
            variable = self._bounds.elimination.variable(name)
            kept = self.kept(self.levels(variable))
            result = result.intersect(self.with_facts(always(), kept, [variable]).points)
        return result


def _is_while_result(variable: Variable) -> bool:
    """Whether VARIABLE is what a loop leaves behind that runs as long as a condition holds."""
    return isinstance(variable.value, OpResult) and is_while(variable.value.op)
