"""Access relations: which element each iteration of the loops around an access goes to.

An access inside n loops is the relation `{ [i_1, ..., i_n] -> [element] : the access runs in iteration i }`.
It is over what the loops do not change: the function's arguments, sizes, values that were loaded before. A
value that is unknown and that is made inside of loops may be another one in each of their iterations: it is
*unstable*, and two iterations have it in common only if they are in the same iteration of these loops.

    affine.for %i = 0 to 9 { affine.load %m[%i - 2] }       { [i] -> [i - 2] : 0 <= i <= 8 }
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TypeGuard

import islpy as isl

from volcli.language.expressions import (
    ANY,
    Atom,
    Dim,
    Expression,
    FloorDiv,
    Index,
    LoopIndex,
    Mod,
    Monomial,
    NotAffine,
    Value,
    loop,
    parameter,
    substitute,
)
from volcli.language.unchanged import cached_method
from volcli.limits import memory as limits
from volcli.limits.widths import WRAPPED
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.accesses.stated import Stated, implied_name
from volcli.model.memory.boxes.boxes import Box
from volcli.model.memory.buffers.buffers import BufferIndex
from volcli.model.memory.buffers.nests import Level, LoopLevels
from volcli.model.memory.domains.domain import Domain
from volcli.model.memory.domains.domains import Domains
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.constraint_set import Kept, Known, always
from volcli.model.values.terms.variables import Variable
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.relations.contents import Contents
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

_NOT_AFFINE = "the element is not an affine function of the loops"


class Instances:
    """The relations of one function's accesses, each made when first asked for."""

    def __init__(self, bounds: BoundsStore, nests: LoopLevels, operations: int) -> None:
        self._operations = operations
        self._bounds = bounds
        self._nests = nests
        self.domains = Domains(bounds, nests)
        self.determined = self.domains.determined
        self._stated: dict[Hashable, Relation] = {}
        self._made: dict[Hashable, Relation] = {}
        self._contents = Contents()
        self._built: dict[tuple[Stated, int], isl.Map] = {}
        self._in_boxes: dict[Hashable, Relation | None] = {}

    @cached_method
    def relation(self, site: Site) -> Relation:
        """The elements that SITE goes to in each iteration."""
        return self._within_budget(site)

    def _within_budget(self, site: Site) -> Relation:
        """The relation of SITE; any element in any iteration, if that is too much to ask."""
        boxed = self._in_box(site)
        if boxed is not None:
            return boxed
        try:
            with budget(self._operations):
                return self._stated_of(site)
        except BudgetExceeded as error:
            rank = len(site.place.index)
            points = build.relation(len(site.levels), (ANY,) * rank)
            return Relation(points, site, (0,) * rank, exact=False, because=error.reason)

    # -- relations -------------------------------------------------------------------------------------

    def of_place(self, site: Site, place: BufferIndex) -> Relation:
        """What PLACE says, in each iteration in which SITE runs, in place of the element that it goes to."""
        return self._within_budget(replace(site, place=place))

    def _in_box(self, site: Site) -> Relation | None:
        """The relation of SITE, if numbers say all of it: with one iteration for each point of a box."""
        place = site.place
        box = self.domains.box(site.op, divided=True) if place.because is None else None
        if box is None:
            return None
        key = box, place.index, place.extents, place.where
        if key not in self._in_boxes:
            self._in_boxes[key] = self._of_box(site, box)
        return self._in_boxes[key]

    def _stated_of(self, site: Site) -> Relation:
        domain, place = self.domains.of(site.op), site.place
        stated = domain, place.index, place.extents, place.where, place.because
        known = self._stated.get(stated)
        if known is None:
            known = self._stated[stated] = self._of_stated(domain, place, site.levels)
        return known

    def _of_box(self, site: Site, box: Box) -> Relation | None:
        """The relation of an access whose BOX says all of it: there are no points before they are needed.

        Those are equal, but for their offsets, whose numbers are: in nests of all layers and buffers.
        """
        if (placed := self._placed_in(box, site.place, divided=True)) is None:
            return None
        whole, elements, index = placed
        offset = tuple(e.constant for e in index)
        linear = tuple(e - at for e, at in zip(elements, offset, strict=True))
        content = *whole.trips.items(), *whole.values.values(), linear, whole.conditions
        key = self._contents.number(content)
        if key not in self._made:
            self._made[key] = self._made_of_box(site, whole, index, linear, key)
        return self._made[key].at(offset)

    def _made_of_box(
        self, site: Site, box: Box, index: Sequence[Expression], elements: Sequence[Expression], key: int
    ) -> Relation:
        """The relation of SITE without offset: INDEX over variables, ELEMENTS over numbers of that KEY."""
        names: dict[Atom, Expression] = {
            Value(v): loop(k) for k, level in enumerate(site.levels) if (v := level.variable) is not None
        }
        over, ranges = tuple(substitute(e - e.constant, names.get) for e in index), box.ranges
        numbers = box.numbers(elements, is_function=not site.place.extents)
        is_numeric = len(box.trips) == len(site.levels)
        is_simple = is_numeric and all(isinstance(a, LoopIndex) for e in over for a, _ in e.terms)
        if ranges is not None and is_simple:
            made = partial(self.domains.grids.linear, ranges, over)
            return Relation(made, key, is_numeric=True, is_simple=True, numbers=numbers)
        return Relation(lambda: self._stated_of(site).points, key, is_numeric=is_numeric, numbers=numbers)

    def _of_stated(self, domain: Domain, place: BufferIndex, levels: Sequence[Level]) -> Relation:
        """What PLACE says in the iterations of DOMAIN: one relation for all accesses that say it there."""
        resolved = [self.resolved(each) for each in (*place.index, *place.extents, *place.where)]
        closed = [self._closed(each, domain.kept) for each in resolved]
        rank, count = len(place.index), len(place.index) + len(place.extents)
        implied = tuple((k, e) for k, e in enumerate(resolved[:rank]) if closed[k] is ANY and _is_implied(e))
        is_known = all(e is not ANY or k in dict(implied) for k, e in enumerate(closed))
        because = place.because or domain.because or (None if is_known else _NOT_AFFINE)
        offset = tuple(e.constant if isinstance(e, Expression) else 0 for e in closed[:rank])
        stated = Stated(
            tuple(e - e.constant if isinstance(e, Expression) else ANY for e in closed[:rank]),
            tuple(closed[rank:count]),
            tuple(e for e in closed[count:] if isinstance(e, Expression)),
            implied,
        )
        key = domain, stated, because
        known = self._made.get(key)
        if known is None:
            points, facts = self._points(levels, domain, stated)
            exact = domain.exact and because is None and facts.exact
            because = because or facts.because
            unstable = self._unstable(points)
            points, number = self._contents.of(points, (unstable, exact, because))
            known = self._made[key] = Relation(points, number, offset, unstable, exact, because)
        return known.at(offset)

    def placed(
        self, site: Site, place: BufferIndex, *, loosely: bool = False, divided: bool = False
    ) -> tuple[Box, list[Expression]] | None:
        """The index of PLACE over a box of iterations of SITE, and of its own loops.

        LOOSELY, also over numbers that stand for divisions, and where assertions may end the execution before
        (`Domains.box`); DIVIDED, over such numbers in bounds, too. None if there is no such box, or if
        something else says where it is accessed.
        """
        known = place.because is None
        box = self.domains.box(site.op, loosely=loosely, divided=divided) if known else None
        found = None if box is None else self._placed_in(box, place, divided=loosely or divided)
        return None if found is None else found[:2]

    def _placed_in(
        self, box: Box, place: BufferIndex, *, divided: bool
    ) -> tuple[Box, list[Expression], tuple[Expression, ...]] | None:
        """BOX with the own loops of PLACE, the index of that over the numbers there, and over variables.

        DIVIDED, over numbers that stand for divisions, too. None if something else says where it is accessed.
        """
        stated = (*place.extents, *place.where, *place.index)
        known = [e for each in stated if isinstance(e := self.resolved(each), Expression)]
        own, behind = len(place.extents), len(place.extents) + len(place.where)
        whole = box.with_loops(known[:own]) if len(known) == len(stated) else None
        if whole is None:
            return None
        placed = whole.placed(known[own:])
        if placed is None and divided:
            whole, placed = whole.with_quotients(known[own:]) or (whole, None)
        if placed is None or not all(map(whole.is_nonnegative, placed[: behind - own])):
            return None
        return whole, placed[behind - own :], tuple(known[behind:])

    def resolved(self, index: Index) -> Index:
        """INDEX over variables that have definitions, and over the access's own loops."""
        if not isinstance(index, Expression):
            return ANY
        try:
            return self._bounds.definitions.resolve_beside_loops(index)
        except NotAffine:
            return ANY

    def _closed(self, index: Index, kept: Kept) -> Index:
        """INDEX over what is KEPT and the access's own loops; ANY if it is not such a function.

        Of one that divides by large numbers again and again there is no set in any time: it is ANY, too, of
        which is known what the sets of its operands say.
        """
        if not isinstance(index, Expression):
            return ANY
        try:
            closed = self._bounds.closed.of(index, kept)
        except NotAffine:
            return ANY
        if closed is None or _divides_often(closed):
            return ANY
        return ANY if any(isinstance(atom, Monomial) for atom in closed.atoms()) else closed

    def _points(self, levels: Sequence[Level], domain: Domain, stated: Stated) -> tuple[isl.Map, Known]:
        """The relation that is stated, in the iterations of DOMAIN; what is known beside it."""
        names = {Value(v): k for k, level in enumerate(levels) if (v := level.variable) is not None}
        facts = self._facts(domain, stated, names)
        over = stated.over(lambda atom: self._placed(atom, names, len(levels)))
        key = over, id(domain.points)  # which stays, as its domain does
        is_alone = facts is always() and not stated.implied
        points = self._built.get(key) if is_alone else None
        if points is None:
            equal = {self._bounds.elimination.name(variable): k for variable, k in names.items()}
            points = over.relation(domain.points, facts.points, equal)
        if is_alone:
            self._built[key] = points
        return points, facts

    def _placed(self, atom: Atom, names: Mapping[Value, int], count: int) -> Expression | None:
        match atom:
            case Value() if atom in names:
                return loop(names[atom])
            case Value() | Dim():
                return parameter(self._bounds.elimination.name(atom))
            case LoopIndex(position):
                return loop(count + position)
            case _:
                return None

    def _facts(self, domain: Domain, stated: Stated, iterations: Container[Variable]) -> Known:
        """What is known of the values that are spoken of, and of the indices `q0`, ... that they imply."""
        elimination = self._bounds.elimination
        known = elimination.conjunction((parameter(implied_name(k)) - e for k, e in stated.implied), ())
        spoken = (*stated.index, *stated.extents, *stated.where, *(e for _, e in stated.implied))
        mentioned = elimination.all_variables(e for e in spoken if isinstance(e, Expression))
        if domain.is_whole:
            mentioned = [variable for variable in mentioned if variable not in iterations]
        known = elimination.onto(domain.kept, known, mentioned)
        return self.determined.with_facts(known, domain.kept, mentioned)

    def _unstable(self, points: isl.Map) -> tuple[tuple[str, int], ...]:
        """The parameters that are made inside of loops, and inside of how many; those with several values."""
        found: list[tuple[str, int]] = []
        for position in range(points.dim(DIM.param)):
            name = points.get_dim_name(DIM.param, position)
            assert name is not None
            variable = self._bounds.elimination.variable(name)
            depth = len(self.determined.levels(variable))
            is_unstable = depth > 0 or self.determined.is_open(variable)
            if is_unstable and points.involves_dims(DIM.param, position, 1):
                found.append((name, depth))
        return tuple(found)

    def instability(self, unstable: Sequence[tuple[str, int]]) -> str:
        """Why the last of UNSTABLE values is not known, or is another one in another iteration."""
        variables = (self._bounds.elimination.variable(name) for name, _ in unstable)
        variable = max(variables, key=self._bounds.definitions.order)
        known = self._bounds.definitions.definition(variable).because
        return known or self.determined.because(variable)


def _is_implied(index: Index) -> TypeGuard[Expression]:
    """Whether the definitions of its variables say what INDEX is."""
    return isinstance(index, Expression) and not any(isinstance(a, LoopIndex) for a in index.atoms())


def _divides_often(index: Expression) -> bool:
    """Whether there are many divisions by large numbers in INDEX, each as often as it stands there."""
    large = (a for a in index.atoms() if isinstance(a, FloorDiv | Mod) and a.divisor >= WRAPPED)
    return len(list(islice(large, limits.LARGE_DIVISORS + 1))) > limits.LARGE_DIVISORS
