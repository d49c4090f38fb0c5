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
from itertools import islice, product

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    Index,
    NotAffine,
    Parameter,
    Value,
    loop,
    maximum,
    parameter,
    substitute,
)
from volcli.language.loops import Induction
from volcli.language.reads import Conjunction
from volcli.limits import memory as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.terms.variables import Disjunct, Variable, own
from volcli.model.values.why.matrices import Matrix
from volcli.model.values.why.systems import all_of, with_equalities, without_extrema
from volcli.presburger.relations.relation import Relation
from volcli.presburger.tableaus.given import with_parameters
from volcli.presburger.tableaus.projection import without_redundant_locals
from volcli.presburger.tableaus.tableau import Column, Role, Tableau

_NOT_AFFINE = "it has an index or a bound that is not an affine function of the loops"


class NoTableau(Exception):
    """An access whose relation is not known, or no union of few polyhedra; the text says why."""


def access_tableaus(memory: Memory, site: Site, mark: str = "") -> tuple[Tableau, ...]:
    """The relation of SITE as the union of tableaus; MARK goes after the names of its induction variables.

    Symbols have the names of the relation's parameters as keys. Raises NoTableau.
    """
    relation = memory.instances.relation(site)
    if not relation.exact:
        raise NoTableau(relation.because or "it is not known in full")
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
        self._kept = memory.instances.domains.of(site.op).kept
        self._chosen: dict[Variable, None] = {}

    def tableaus(self) -> tuple[Tableau, ...]:
        """One for each choice of what has several."""
        systems = [self._of_access()]
        for position, level in enumerate(self._site.levels):
            assert level.induction is not None, "an exact relation knows its loops"
            systems.append(self._in_loop(level.induction, position))
        factors = reversed(self._bounds.places.holding(self._site.op))
        conditions = [tuple(map(self._conjunction, f.condition)) for f in factors if f.condition != ((),)]
        conditions += self._choices()
        system = all_of(systems)
        forms = (
            form for chosen in product(*conditions) for form in without_extrema(all_of((system, *chosen)))
        )
        made = list(map(self._matrix, islice(forms, limits.TABLEAU_CASES)))
        inhabited = [tableau for tableau in made if not tableau.points_with_locals().is_empty()]
        if len(made) == limits.TABLEAU_CASES or len(inhabited) > limits.TABLEAU_PIECES:
            raise NoTableau(f"its relation is a union of more than {limits.TABLEAU_PIECES} polyhedra")
        known = self._relation.points.params()
        return tuple(self._with_parameters(inhabited, known)) or tuple(made[:1])

    # -- the system ------------------------------------------------------------------------------------

    def _of_access(self) -> Disjunct:
        """The `m<k>` are the indices, and the access's own loops are within their extents."""
        place = self._site.place
        inside: list[Expression] = []
        for k, extent in enumerate(place.extents):
            inside += [loop(k), self._closed(extent) - 1 - loop(k)]
        inside += [self._closed(each) for each in place.where]
        index = (self._closed(each) - parameter(f"m{k}") for k, each in enumerate(place.index))
        return Disjunct(tuple(index), tuple(inside))

    def _in_loop(self, induction: Induction, position: int) -> Disjunct:
        """The iterations of one loop."""
        variable = own(Value(induction.variable))
        lower, upper = (tuple(map(self._closed, side)) for side in (induction.lower, induction.upper))
        step = self._closed(induction.step)
        if not step.is_constant or step.constant < 1:
            raise NoTableau(
                f"the step of {self._bounds.name_of(induction.variable)} is not a positive number"
            )
        inside = (*(variable - e for e in lower), *(e - 1 - variable for e in upper))
        count = parameter(f"s{position}")
        zero = () if step.constant == 1 else (variable - maximum(*lower) - step.constant * count,)
        return Disjunct(zero, inside)

    def _conjunction(self, conjunction: Conjunction) -> Disjunct:
        return with_equalities(self._all_closed(Disjunct((), conjunction)))

    def _choices(self) -> list[tuple[Disjunct, ...]]:
        """What is said of values that are one of several: each is visited before what it is chosen from."""
        found: list[tuple[Disjunct, ...]] = []
        met = 0
        while met < len(self._chosen):
            variable = list(self._chosen)[met]
            met += 1
            alternatives = self._bounds.definitions.definition(variable).alternatives
            found.append(tuple(map(self._all_closed, alternatives)))
        return found

    def _all_closed(self, stated: Disjunct) -> Disjunct:
        zero, nonnegative = (tuple(map(self._closed, side)) for side in (stated.zero, stated.nonnegative))
        return Disjunct(zero, nonnegative)

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
        """A VARIABLE that is not a parameter: what it equals, or itself if it is one of several choices."""
        definition = self._bounds.definitions.definition(variable)
        if definition.expression is not None:
            return self._closed(definition.expression)
        if not definition.exact or definition.points is not None:
            raise NoTableau(definition.because or _NOT_AFFINE)
        self._chosen.setdefault(variable)
        return own(variable)

    # -- the matrix ------------------------------------------------------------------------------------

    def _matrix(self, system: Disjunct) -> Tableau:
        made = Matrix(self._column, self._mark)
        for level in self._site.levels:
            assert level.variable is not None
            made.column(Value(level.variable))
        for k in range(len(self._site.place.index)):
            made.add(Parameter(f"m{k}"), Column(f"m{k}", f"m{k}", Role.RANGE, has_value=False))
        made.system(system)
        chosen = {self._column(variable).key for variable in self._chosen}
        return without_redundant_locals(made.tableau(), chosen)

    def _column(self, variable: Variable) -> Column:
        name, text = self._bounds.elimination.name(variable), self._bounds.texts.of_variable(variable)
        if any(level.variable is variable.value for level in self._site.levels):
            return Column(name + self._mark, text + self._mark, Role.DOMAIN)
        if variable in self._chosen:
            return Column(name + self._mark, text + self._mark, Role.LOCAL, has_value=False)
        return Column(name, text, Role.SYMBOL)

    def _symbol(self, name: str) -> Column:
        return self._column(self._bounds.elimination.variable(name))

    def _with_parameters(self, made: list[Tableau], known: isl.Set) -> Iterator[Tableau]:
        """Each of MADE, with what is known of parameters beside what it says itself."""
        for tableau in made:
            beside = known.gist(tableau.points().params()).coalesce()
            for part in beside.get_basic_sets():
                yield with_parameters(tableau, part, self._symbol, self._mark)
