"""The access relation of an access as a matrix of constraints, read off the program.

    affine.for %i = 0 to 9 { affine.load %m[%i - 2] }       1 -1 -2  = 0        m0 = %i - 2
                                                            1  0  0 >= 0        %i >= 0
                                                           -1  0  8 >= 0        %i <= 8

Columns are the induction variables around the access, the indices into the buffer, parameters, and locals: a
quotient `q = e floordiv c` is `0 <= e - c * q < c`, steps are `%i = l + c * s`, and an operation's own loops
are locals too. Rows are in the order of mlir-opt's dumps: indices, the loops from the outside, conditions.
What else is known of parameters comes last: sizes are not negative, for example.

A minimum in an index, a disjunction in a condition: where one matrix does not say it, several do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    Index,
    NotAffine,
    Value,
    loop,
    maximum,
    parameter,
    substitute,
)
from volcli.language.loops import Induction
from volcli.language.reads import Conjunction
from volcli.limits import memory as limits
from volcli.model.memory.accesses.instances import Relation, Site
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.steps.extrema import System, without_extrema
from volcli.model.values.terms.variables import Variable, own
from volcli.model.values.why.matrices import Matrix
from volcli.presburger.tableaus.given import with_parameters
from volcli.presburger.tableaus.projection import without_redundant_locals
from volcli.presburger.tableaus.tableau import Column, Role, Tableau

_Case = tuple[Conjunction, Conjunction]
"""What is 0, and what is at least 0."""

_NOT_AFFINE = "it has an index or a bound that is no affine function of the loops"


class NoTableau(Exception):
    """An access whose relation is not known, or no union of few polyhedra; the text says why."""


def access_tableaus(memory: Memory, site: Site, mark: str = "") -> tuple[Tableau, ...]:
    """The relation of SITE as the union of tableaus; MARK goes behind the names of its induction variables.

    Symbols have the names of the relation's parameters as keys. Raises NoTableau.
    """
    relation = memory.instances.relation(site)
    if not relation.exact:
        raise NoTableau(relation.because or "not all is known of it")
    if relation.unstable:
        raise NoTableau(memory.instances.instability(relation.unstable))
    return _Reader(memory, site, relation, mark).tableaus()


class _Reader:
    """Reads one access."""

    def __init__(self, memory: Memory, site: Site, relation: Relation, mark: str) -> None:
        self._bounds = memory.bounds
        self._relation = relation
        self._site = site
        self._mark = mark
        self._kept = memory.instances.domain(site.op).kept
        self._chosen: dict[Variable, None] = {}

    def tableaus(self) -> tuple[Tableau, ...]:
        """One for each choice of what has several."""
        system = self._of_access()
        for position, level in enumerate(self._site.levels):
            assert level.induction is not None, "an exact relation knows its loops"
            system = self._in_loop(system, level.induction, position)
        factors = reversed(self._bounds.places.holding(self._site.op))
        conditions = [tuple(map(self._conjunction, f.condition)) for f in factors if f.condition != ((),)]
        conditions += self._choices()
        forms = (form for chosen in product(*conditions) for form in without_extrema(_all_of(system, chosen)))
        made = list(map(self._matrix, islice(forms, limits.TABLEAU_CASES)))
        inhabited = [tableau for tableau in made if not tableau.points_with_locals().is_empty()]
        if len(made) == limits.TABLEAU_CASES or len(inhabited) > limits.TABLEAU_PIECES:
            raise NoTableau(f"its relation is a union of more than {limits.TABLEAU_PIECES} polyhedra")
        known = self._relation.points.params()
        return tuple(self._with_parameters(inhabited, known)) or tuple(made[:1])

    # -- the system ------------------------------------------------------------------------------------

    def _of_access(self) -> System:
        place = self._site.place
        inside: list[Expression] = []
        for k, extent in enumerate(place.extents):
            inside += [loop(k), self._closed(extent) - 1 - loop(k)]
        inside += [self._closed(each) for each in place.where]
        return System(tuple(map(self._closed, place.index)), (), tuple(inside))

    def _in_loop(self, system: System, induction: Induction, position: int) -> System:
        """SYSTEM in the iterations of one loop."""
        variable = own(Value(induction.variable))
        lower, upper = (tuple(map(self._closed, side)) for side in (induction.lower, induction.upper))
        step = self._closed(induction.step)
        if not step.is_constant or step.constant < 1:
            raise NoTableau(
                f"the step of {self._bounds.name_of(induction.variable)} is not a positive number"
            )
        inside = (*(variable - e for e in lower), *(e - 1 - variable for e in upper))
        if step.constant == 1:
            return system.and_also(nonnegative=inside)
        count = parameter(f"s{position}")
        return system.and_also((variable - maximum(*lower) - step.constant * count,), inside)

    def _conjunction(self, conjunction: Conjunction) -> _Case:
        closed = [self._closed(each) for each in conjunction]
        zero = [e for k, e in enumerate(closed) if -e in closed[k + 1 :]]
        return tuple(zero), tuple(e for e in closed if e not in zero and -e not in zero)

    def _choices(self) -> list[tuple[_Case, ...]]:
        """What is said of values that are one of several: each is met before what it is chosen from."""
        found: list[tuple[_Case, ...]] = []
        met = 0
        while met < len(self._chosen):
            variable = list(self._chosen)[met]
            met += 1
            alternatives = self._bounds.definitions.definition(variable).alternatives
            found.append(
                tuple((self._all_closed(a.zero), self._all_closed(a.nonnegative)) for a in alternatives)
            )
        return found

    def _all_closed(self, expressions: Conjunction) -> Conjunction:
        return tuple(map(self._closed, expressions))

    def _closed(self, index: Index) -> Expression:
        """INDEX over induction variables, parameters, choices and the access's loops; raises NoTableau."""
        if not isinstance(index, Expression):
            raise NoTableau(_NOT_AFFINE)
        try:
            resolved = self._bounds.definitions.resolve_beside_loops(index)
            variables = self._bounds.elimination.all_variables([resolved])
            replaced: dict[Atom, Expression] = {
                v: self._form(v) for v in variables if not self._kept.contains(v)
            }
            return substitute(resolved, replaced.get) if replaced else resolved
        except NotAffine as error:
            raise NoTableau(str(error)) from None

    def _form(self, variable: Variable) -> Expression:
        """A VARIABLE that is no parameter: what it equals, or itself if it is one of several choices."""
        definition = self._bounds.definitions.definition(variable)
        if definition.expression is not None:
            return self._closed(definition.expression)
        if not definition.exact or definition.points is not None:
            raise NoTableau(definition.because or _NOT_AFFINE)
        self._chosen.setdefault(variable)
        return own(variable)

    # -- the matrix ------------------------------------------------------------------------------------

    def _matrix(self, system: System) -> Tableau:
        made = Matrix(self._column, self._mark)
        for level in self._site.levels:
            assert level.variable is not None
            made.column(Value(level.variable))
        for k, expression in enumerate(system.index):
            made.index(Column(f"m{k}", f"m{k}", Role.RANGE, has_value=False), expression)
        for expression in system.zero:
            made.zero(expression)
        for expression in system.nonnegative:
            made.nonnegative(expression)
        chosen = {self._column(variable).key for variable in self._chosen}
        return without_redundant_locals(made.tableau(), chosen)

    def _column(self, variable: Variable) -> Column:
        name, text = self._bounds.elimination.name(variable), self._bounds.texts.of_variable(variable)
        if any(level.variable is variable.value for level in self._site.levels):
            return Column(name + self._mark, text + self._mark, Role.DOMAIN)
        if variable in self._chosen:
            return Column(name + self._mark, text + self._mark, Role.LOCAL, has_value=False)
        return Column(name, text, Role.SYMBOL)

    def _with_parameters(self, made: list[Tableau], known: isl.Set) -> Iterator[Tableau]:
        """Each of MADE, with what is known of parameters beside what it says itself."""
        for tableau in made:
            beside = known.gist(tableau.points().params()).coalesce()
            for part in beside.get_basic_sets():
                yield self._labelled(with_parameters(tableau, part))

    def _labelled(self, tableau: Tableau) -> Tableau:
        """TABLEAU with the names that people know in place of keys, and with the mark behind new locals."""

        def named(column: Column) -> Column:
            if column.role is Role.SYMBOL:
                return self._column(self._bounds.elimination.variable(column.key))
            is_new = column.role is Role.LOCAL and column.key.startswith("g")
            name = column.key + self._mark
            return replace(column, key=name, label=name) if is_new else column

        return replace(tableau, columns=tuple(map(named, tableau.columns)))


def _all_of(system: System, conditions: tuple[_Case, ...]) -> System:
    for zero, nonnegative in conditions:
        system = system.and_also(zero, nonnegative)
    return system
