"""Facts on elements, forward through the use-def graph, and the sparsity regions they partition.

IMPACT 2023, sections 5.2 and 5.3. For each volume:

* `reaching`: the elements that depend on data, that is on an element of a function argument;
* `nonzero`: the elements that may be another number than 0;
* `boundaries`: per boundary halfspace, the elements that depend on a constant beyond it.

An element fact "depends on an element with property P" travels through an operation as the image of P
under the inverse element map, which is what intersecting the range of the composed program map with P and
taking the domain gives (lemma A.5), one operation at a time. The regions of a volume are then

* dense: depends on data and touches no boundary (I_D in the paper),
* sparse of degree k: depends on data and touches k boundary halfspaces (Sp1: edges, Sp2: corners),
* static: does not depend on data (erratum E000-3: the elements that reach no dense input).

A product with an element known to be 0 does not depend on its other factor; that holds for finite data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import islpy as isl
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.model import boundaries as edges
from volcli.model.boundaries import GAPS, Boundaries, Halfspace, Track
from volcli.model.nonzeros import nonzero_points
from volcli.model.parts import Part, as_set, intersection, normalised, union, whatever
from volcli.model.relations import Relations, ResolvedRead, ResultRelation, Statement
from volcli.model.store import FunctionStore
from volcli.presburger import box


@dataclass(frozen=True, eq=False)
class ElementFacts:
    """What is known of the elements of one volume; `inexact` says why a part over-approximates."""

    reaching: Part
    nonzero: Part = True
    boundaries: Boundaries = field(default_factory=dict[Halfspace, isl.Set])
    periods: tuple[int, ...] = ()
    inexact: str | None = None
    assumes_finite: bool = False

    @property
    def is_uniform(self) -> bool:
        """Whether all elements are alike, so that no integer set is needed."""
        return isinstance(self.reaching, bool) and isinstance(self.nonzero, bool) and not self.boundaries


DATA = ElementFacts(reaching=True)
CONSTANT = ElementFacts(reaching=False)
ZERO = ElementFacts(reaching=False, nonzero=False)
CIRCULAR = ElementFacts(reaching=True, inexact="a value that depends on itself")


class ElementFlow:
    """The element facts of all values of one function, computed once each, in program order."""

    def __init__(self, store: FunctionStore, relations: Relations) -> None:
        self.store = store
        self.relations = relations
        self._facts: dict[SSAValue, ElementFacts] = {}

    def facts(self, value: SSAValue) -> ElementFacts:
        """The facts of VALUE; those of everything before it are computed on the way."""
        known = self._facts.get(value)
        if known is None:
            pending = self._pending(value)
            self._facts.update(dict.fromkeys(pending, CIRCULAR))  # until they are known
            for needed in pending:
                self._facts[needed] = self._of(needed)
            known = self._facts[value]
        return known

    def _pending(self, value: SSAValue) -> list[SSAValue]:
        """The values that VALUE's facts need and that have none yet, operands first."""
        order: list[SSAValue] = []
        seen: set[SSAValue] = set()
        stack: list[tuple[SSAValue, bool]] = [(value, False)]
        while stack:
            current, expanded = stack.pop()
            if expanded:
                order.append(current)
            elif current not in seen and current not in self._facts:
                seen.add(current)
                stack.append((current, True))
                stack.extend((operand, False) for operand in self._operands(current))
        return order

    def _operands(self, value: SSAValue) -> Iterable[SSAValue]:
        if not isinstance(value, OpResult) or is_constant(value.op):
            return ()
        statements = self.relations.of(value).statements
        scalars = [operand for s in statements for operand, _ in s.scalars.values()]
        return [read.operand for s in statements for read in s.reads] + scalars

    # -- one value -------------------------------------------------------------------------------------

    def _of(self, value: SSAValue) -> ElementFacts:
        if isinstance(value, BlockArgument):
            entry = self.store.blocks and value.block is self.store.blocks[0]
            return DATA if entry else ElementFacts(True, inexact="control flow between blocks")
        assert isinstance(value, OpResult)
        if is_constant(value.op):
            return ZERO if questions.constant_fill(value.op) == 0 else CONSTANT
        relation = self.relations.of(value)
        if value.op in self.relations.without_case:
            return self._unknown(relation)
        inexact = relation.inexact or self._inherited(relation)
        if relation.parametric:
            return replace(DATA, inexact=inexact)
        uniform = self._uniform(relation)
        if uniform is not None:
            return replace(uniform, periods=self._periods(relation), inexact=inexact)
        return self._mixed(relation, inexact)

    def _unknown(self, relation: ResultRelation) -> ElementFacts:
        """An operation that nobody knows: its result is data, and may touch what its operands touch."""
        domain = self.store.domain(relation.result)
        touched: dict[Halfspace, isl.Set] = {}
        for operand in self._operands(relation.result):
            for boundary in self.facts(operand).boundaries:
                moved = edges.transported(boundary, (), self.store.name_of(operand))
                touched[moved] = domain
        return ElementFacts(True, boundaries=touched, inexact=relation.inexact)

    def _inherited(self, relation: ResultRelation) -> str | None:
        reasons = (self.facts(r.operand).inexact for s in relation.statements for r in s.reads)
        return next((reason for reason in reasons if reason), None)

    def _uniform(self, relation: ResultRelation) -> ElementFacts | None:
        """What holds of all elements alike, if all operands are uniform and one statement covers."""
        if len(relation.statements) > 1 or not all(s.covers for s in relation.statements):
            return None
        if not relation.statements:
            return CONSTANT
        (statement,) = relation.statements
        operands = [self.facts(read.operand) for read in statement.reads]
        if not all(facts.is_uniform for facts in operands):
            return None
        nonzero = nonzero_points(statement, self._nonzero_of, statement.source.yields)
        if not isinstance(nonzero, bool):
            return None
        data = [r for r, facts in zip(statement.reads, operands, strict=True) if facts.reaching]
        alive = [self._alive(statement, read, nonzero) for read in data]
        if not all(isinstance(part, bool) for part in alive) or any(read.where for read in data):
            return None
        assumes_finite = False in alive or self._inherits_finite(relation)
        return ElementFacts(True in alive, nonzero, assumes_finite=assumes_finite)

    def _alive(self, statement: Statement, read: ResolvedRead, nonzero: Part) -> Part:
        """The loop points at which some use of what READ reads is not multiplied by 0.

        The accumulator may have become nonzero only where the result's elements are among NONZERO.
        """
        if () in read.annihilators:
            return True
        accumulated = nonzero if isinstance(nonzero, bool) else statement.points_of(nonzero)

        def all_may_be_nonzero(factors: Sequence[SSAValue]) -> Part:
            parts = (nonzero_points(statement, self._nonzero_of, f, accumulated) for f in factors)
            return reduce(intersection, parts, True)

        return reduce(union, map(all_may_be_nonzero, read.annihilators), False)

    def _nonzero_of(self, value: SSAValue) -> Part:
        return self.facts(value).nonzero

    # -- the general case ------------------------------------------------------------------------------

    def _mixed(self, relation: ResultRelation, inexact: str | None) -> ElementFacts:
        domain = self.store.domain(relation.result)
        reaching: Part = False
        nonzero: Part = False
        touched: dict[Halfspace, isl.Set] = {}
        remaining: isl.Set | None = None
        assumes_finite = False
        for statement in relation.statements:
            points = nonzero_points(statement, self._nonzero_of, statement.source.yields)
            unlike_zero = self._image(statement, points)
            reached, finite = self._reaching(statement, unlike_zero)
            assumes_finite |= finite
            reaching = union(reaching, _within(reached, remaining))
            nonzero = union(nonzero, _within(unlike_zero, remaining))
            for boundary, points in self._touched(statement):
                kept = intersection(points, True if remaining is None else remaining)
                if not isinstance(kept, bool) and (kept is points or not kept.is_empty()):
                    both = union(touched.get(boundary, False), kept)
                    touched[boundary] = as_set(both, domain)
            if not statement.covers:
                image = statement.elements(statement.domain)
                remaining = (domain if remaining is None else remaining).subtract(image).coalesce()
        reaching = normalised(reaching, lambda: domain)
        touched = {b: as_set(whatever(points, relation.loaded), domain) for b, points in touched.items()}
        nonzero = normalised(whatever(nonzero, relation.loaded), lambda: domain)
        periods = self._periods(relation)
        if not isinstance(reaching, bool):
            periods = self._add_fresh(domain, reaching, touched, periods)
        return ElementFacts(reaching, nonzero, touched, periods, inexact,
                            assumes_finite or self._inherits_finite(relation))  # fmt: skip

    def _inherits_finite(self, relation: ResultRelation) -> bool:
        return any(self.facts(r.operand).assumes_finite for s in relation.statements for r in s.reads)

    def _reaching(self, statement: Statement, nonzero: Part) -> tuple[Part, bool]:
        """The elements that read data, and whether some data was multiplied by 0."""
        found: Part = False
        assumes_finite = False
        for read in statement.reads:
            part = self.facts(read.operand).reaching
            if part is False:
                continue
            alive = self._alive(statement, read, nonzero)
            if alive is True and not isinstance(part, bool):
                found = union(found, statement.elements_reading(read, part))
                continue
            assumes_finite |= alive is not True
            points = intersection(self._points(statement, read, part), alive)
            found = union(found, self._image(statement, points))
        return found, assumes_finite

    def _touched(self, statement: Statement) -> Iterable[tuple[Halfspace, isl.Set]]:
        for read in statement.reads:
            facts = self.facts(read.operand)
            if not facts.boundaries:
                continue
            track = self._tracks(statement, read)
            name = self.store.name_of(read.operand)
            for boundary, elements in facts.boundaries.items():
                image = statement.elements_reading(read, elements)
                if image is elements or not image.is_empty():
                    yield edges.transported(boundary, track, name), image

    def _points(self, statement: Statement, read: ResolvedRead, part: Part) -> Part:
        if isinstance(part, bool):
            return statement.points_where(read.where) if part and read.where else part
        return statement.points_reading(read, part)

    def _image(self, statement: Statement, points: Part) -> Part:
        if points is False or (points is True and statement.covers):
            return points
        inside = as_set(points, statement.domain)
        return inside if statement.is_identity else statement.elements(inside).coalesce()

    # -- boundaries ------------------------------------------------------------------------------------

    def _tracks(self, statement: Statement, read: ResolvedRead) -> tuple[Track | None, ...]:
        return edges.tracks(statement.element, read.index, statement.unit_loops)

    def _periods(self, relation: ResultRelation) -> tuple[int, ...]:
        rank = len(self.store.sizes(relation.result))
        found: list[list[int]] = []
        for statement in relation.statements:
            for read in statement.reads:
                periods = self.facts(read.operand).periods or (1,) * len(read.index)
                if not statement.spreads and not any(p > 1 for p in periods):
                    continue
                moved = [1] * rank
                for period, track in zip(periods, self._tracks(statement, read), strict=True):
                    if track is not None:
                        moved[track.dimension] = track.period(period)
                found.append(moved)
        return edges.merged_periods(found, rank) if found else ()

    def _add_fresh(
        self, domain: isl.Set, reaching: isl.Set, touched: dict[Halfspace, isl.Set], periods: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Boundaries of constants that no earlier boundary explains, and the period of the data in them."""
        fresh = domain.subtract(reaching)
        for points in touched.values():
            fresh = fresh.subtract(points)
        if fresh.is_empty():
            return periods
        others = domain.subtract(fresh).coalesce()
        for boundary, points in edges.fresh_boundaries(fresh.coalesce(), others).items():
            known = touched.get(boundary)
            touched[boundary] = points if known is None else known.union(points).coalesce()
        own = box.strides(others) if GAPS in touched else (1,) * domain.dim(isl.dim_type.set)
        return edges.merged_periods([own, *([periods] if periods else [])], len(own))


def is_constant(op: Operation) -> bool:
    """Whether OP is a constant: it has a case of `constant_fill`, whatever that answers."""
    return questions.constant_fill.answers(type(op))


def _within(part: Part, remaining: isl.Set | None) -> Part:
    return part if remaining is None else intersection(part, remaining)
