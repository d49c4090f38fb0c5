"""What relations are made of: statements over loop points, and the reads at them.

A case's alternative, resolved over the function's parameters, is a `Statement`: a set of loop points and, for
each, the result element and the operand elements that it is computed from
(`volcli.model.volumes.relations.relations`).

For each element of a result the first alternative applies that reaches it. What an alternative is left with
is mostly all that it reaches, as for the parts of a concatenation. Then its sets stay as they are, which is
cheaper than to intersect them with all that no earlier part has taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import Expression, Index, loops
from volcli.language.reads import Alternative, Around, Condition, Use
from volcli.limits import volumes as limits
from volcli.model.stated_effects import not_ordered
from volcli.model.volumes.domains.parts import Part, as_set, intersection
from volcli.presburger.sets import build
from volcli.presburger.sets.shared import once


@dataclass(frozen=True, eq=False)
class ResolvedRead:
    """`operand[index(l)]` at the loop points of `where` (None: at all loop points of the statement)."""

    operand: SSAValue
    index: tuple[Index, ...]
    where: tuple[Expression, ...]
    uses: tuple[Use, ...]
    is_pointwise: bool = False
    """Each loop point reads the element of the same index, and the operand has no other elements."""


@dataclass(frozen=True, eq=False)
class Statement:
    """One alternative over parameters: `R[element(l)]` from `reads` over the loop points of `domain`.

    `scalars` says which element each scalar of the body stands for; `unit_loops` are the loops of extent 1;
    `spreads` says that the elements are written with a stride;
    `covers` says that every element of the result is reached, so that no later alternative applies;
    `complete` that no bound of `domain` is missing, so that none applies to the elements of its points.
    """

    source: Alternative
    element: tuple[Expression, ...]
    domain: isl.Set
    reads: tuple[ResolvedRead, ...]
    scalars: Mapping[SSAValue, tuple[SSAValue, tuple[Index, ...]]]
    conditions: Mapping[SSAValue, Condition]
    unit_loops: frozenset[int]
    spreads: bool
    covers: bool
    complete: bool
    is_identity: bool
    around: tuple[Around, ...]
    """What lies around operands, over parameters."""
    selectors: tuple[str, ...]
    """The parameters that decide which elements are read where; not those that only say how large R is."""

    def has_initial(self, accumulator: SSAValue | None) -> bool:
        """Whether it is known what ACCUMULATOR is at first, and it is used."""
        return accumulator in self.scalars or (accumulator is not None and self.source.start is not None)

    def elements_reading(self, read: ResolvedRead, elements: isl.Set) -> isl.Set:
        """The result elements for which READ reads one of ELEMENTS."""
        if self.is_identity:
            return self.points_reading(read, elements)

        def image(_: isl.Set, part: isl.Set) -> isl.Set:
            return self.relation(read).intersect_range(part).domain().coalesce()

        return once(("reading", self.element, read.index, read.where), image, self.domain, elements)

    def relation(self, read: ResolvedRead) -> isl.Map:
        """`{ R[element(l)] -> operand[index(l)] }` over the loop points at which READ reads."""
        count = self.source.loops

        def over(domain: isl.Set) -> isl.Map:
            points = build.relation(count, read.index).intersect_domain(points_where(domain, read.where))
            return points if self.is_identity else points.apply_domain(build.relation(count, self.element))

        return once(("relation", self.element, read.index, read.where), over, self.domain)

    def elements(self, points: isl.Set) -> isl.Set:
        """The result elements of the loop POINTS."""
        if self.is_identity:
            return points
        to_element = build.relation(self.source.loops, self.element)

        def image(part: isl.Set) -> isl.Set:
            return part.apply(to_element)

        return once(("image", self.source.loops, self.element), image, points)

    def points_of(self, elements: isl.Set) -> isl.Set:
        """The loop points whose result element is one of ELEMENTS."""
        if self.is_identity:
            return elements.intersect(self.domain)
        to_element = build.relation(self.source.loops, self.element)
        return elements.apply(to_element.reverse()).intersect(self.domain)

    def points_reading(self, read: ResolvedRead, elements: isl.Set) -> isl.Set:
        """The loop points at which READ reads one of ELEMENTS."""
        if read.is_pointwise:
            return elements
        return self.points_at(read.operand, read.index, elements, read.where)

    def points_at(
        self,
        operand: SSAValue,
        index: tuple[Index, ...],
        elements: isl.Set,
        where: tuple[Expression, ...] = (),
    ) -> isl.Set:
        """The loop points l of the domain with `index(l)` in ELEMENTS and WHERE >= 0."""
        if not where and index == loops(self.source.loops):
            return self.domain.intersect(elements)

        def found(domain: isl.Set, part: isl.Set) -> isl.Set:
            points = part.apply(build.relation(self.source.loops, index).reverse())
            return points.intersect(points_where(domain, where))

        return once(("points", index, where), found, self.domain, elements)

    def points_where(self, where: tuple[Expression, ...]) -> isl.Set:
        """The loop points at which all expressions in WHERE are >= 0."""
        return points_where(self.domain, where)


def without_order(
    op: Operation, of: Alternative, element: Sequence[Expression], domain: isl.Set
) -> str | None:
    """Why an ELEMENT that OP computes may be any of several points of DOMAIN, if that is so."""
    if not of.unordered:
        return None
    reached = build.relation(of.loops, element).intersect_domain(domain)
    reached = reached.project_out(build.DIM.in_, of.unordered, of.loops - of.unordered)
    return None if reached.is_injective() else not_ordered(op)


def points_where(domain: isl.Set, where: tuple[Expression, ...]) -> isl.Set:
    """The points of DOMAIN at which all expressions in WHERE are >= 0."""
    return domain.intersect(build.nonnegative(domain.dim(build.DIM.set), where)) if where else domain


@dataclass(frozen=True, eq=False)
class ResultRelation:
    """The statements of one result, in order: for each element the first one that reaches it applies."""

    result: OpResult
    statements: tuple[Statement, ...]
    inexact: str | None
    parametric: bool
    opaque: bool
    loaded: tuple[str, ...] = ()
    """The parameters that select elements and are computed from data (`language.programs.provenance`)."""
    sized: str | None = None
    """Which size, if any, rests on data that the elements depend on: the reads of that data are inexact."""


class Remaining:
    """The elements that the statements so far have left of a result's DOMAIN."""

    def __init__(self, domain: Callable[[], isl.Set]) -> None:
        self.rest: Part = True
        self._domain = domain
        self._taken: list[isl.Set] = []
        self._is_free = True
        self._image: isl.Set | None = None
        self._takes = True

    def enter(self, statement: Statement) -> None:
        """STATEMENT comes next."""
        self._image = None if statement.covers else statement.elements(statement.domain)
        self._is_free = self.rest is True
        self._takes = statement.complete
        if self._image is not None and not self._is_free:
            self._is_free = once("subset", isl.Set.is_subset, self._image, self._rest_set())

    def leave(self) -> None:
        """The statement has taken what it reaches; nothing, where that is not certain."""
        if not self._takes:
            return
        if self._image is None:
            self.rest = False
            return
        self.rest = once("left", _left, self._rest_set(), self._image)
        self._taken.append(self._image)

    def of(self, part: Part) -> Part:
        """Those of PART that are left to the statement that was entered."""
        if self._is_free or part is False:
            return part
        few = len(self._taken) <= limits.COMPARED_REMAINDERS
        if part is not True and few and all(_is_disjoint(part, taken) for taken in self._taken):
            return part
        return intersection(part, self.rest)

    def of_map(self, relation: isl.Map) -> isl.Map:
        """The same of a relation from elements."""
        return relation if self._is_free else relation.intersect_domain(self._rest_set())

    def _rest_set(self) -> isl.Set:
        return as_set(self.rest, self._domain())


def _is_disjoint(part: isl.Set, taken: isl.Set) -> bool:
    return once("disjoint", isl.Set.is_disjoint, part, taken)


def _left(elements: isl.Set, taken: isl.Set) -> isl.Set:
    return elements.subtract(taken).coalesce()
