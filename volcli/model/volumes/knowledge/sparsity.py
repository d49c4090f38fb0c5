"""Facts on elements, forward through the use-def graph, and the sparsity regions they partition.

IMPACT 2023, sections 5.2 and 5.3. For each volume:

* `reaching`: the elements whose number depends on data, that is on an element of a function argument;
* `signs`: other elements, zeros of which the sign depends on data: what can tell +0 from -0 reaches it;
* `pieces`: the kinds of numbers that the elements may be (`volcli.model.volumes.knowledge.number_kinds`);
* `boundaries`: per boundary halfspace, the elements that depend on a constant beyond it.

An element fact "depends on an element with property P" travels through an operation as the image of P
under the inverse element map, which is what intersecting the range of the composed program map with P and
taking the domain gives (lemma A.5), one operation at a time. The regions of a volume are then

* dense: depends on data and touches no boundary (I_D in the paper),
* sparse of degree k: depends on data and touches k boundary halfspaces (Sp1: edges, Sp2: corners),
* static: does not depend on data (erratum E000-3: the elements that reach no dense input).

A product that is known to be 0 does not depend on its factors' numbers. What rests on flags that operations
lack is listed in `needs`; `ElementFlow.under` computes the facts that rest on fewer of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import islpy as isl
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.kinds import ANYTHING, Kinds
from volcli.language.memory import is_memref
from volcli.language.reads import Use
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.contents.buffer_contents import BufferContents
from volcli.model.volumes.contents.contents import MemorySteps
from volcli.model.volumes.domains.given import GivenFact
from volcli.model.volumes.domains.parts import (
    Part,
    as_set,
    difference,
    intersection,
    is_empty,
    normalised,
    union,
    union_of,
    whatever,
)
from volcli.model.volumes.knowledge import boundaries as edges
from volcli.model.volumes.knowledge.boundaries import GAPS, Halfspace, Track
from volcli.model.volumes.knowledge.element_facts import CIRCULAR, DATA, ElementFacts, add_fresh
from volcli.model.volumes.knowledge.knowing import facts_of_memory, knowing
from volcli.model.volumes.knowledge.literals import constant_pieces
from volcli.model.volumes.knowledge.number_kinds import (
    FINITE_FLAGS,
    Evaluation,
    computed,
    kinds_of_type,
)
from volcli.model.volumes.knowledge.pieces import Pieces, either_zero, everywhere, merged
from volcli.model.volumes.relations.relations import Relations, ResolvedRead, ResultRelation, Statement
from volcli.model.volumes.relations.statements import Remaining


@dataclass
class _Found:
    """The facts of a result, of the statements so far."""

    needs: set[frozenset[str]]
    reaching: list[Part] = field(default_factory=list[Part])
    signs: list[Part] = field(default_factory=list[Part])
    pieces: list[tuple[Kinds, Part]] = field(default_factory=list[tuple[Kinds, Part]])
    touched: dict[Halfspace, list[Part]] = field(default_factory=dict[Halfspace, list[Part]])


class ElementFlow:
    """The element facts of all values of one function, computed once each, in program order.

    The operations are taken to carry the `assumed` fastmath flags beside their own, and elements to be what
    `declared` facts of the user say; `contradictions` are those that cannot be, each with the reason. Unless
    `splats` is set, the number that all elements of a constant are is not looked at. Data are the elements of
    the values `data` alone, and other arguments are unknown constants; None: of all arguments.
    """

    def __init__(
        self,
        store: Sizes,
        relations: Relations,
        assumed: frozenset[str] = FINITE_FLAGS,
        declared: Sequence[GivenFact] = (),
        *,
        splats: bool = True,
        data: frozenset[SSAValue] | None = None,
        memory: MemorySteps | None = None,
    ) -> None:
        self.memory = memory
        self.store = store
        self.relations = relations
        self.assumed = assumed
        self.declared = declared
        self.splats = splats
        self.data = data
        self.contradictions: dict[GivenFact, str] = {}
        self._facts: dict[SSAValue, ElementFacts] = {}
        self._under: dict[frozenset[str], ElementFlow] = {assumed: self}
        self._more: ElementFlow | None = None
        """The same values, with more flags assumed."""

    def under(self, assumed: frozenset[str]) -> ElementFlow:
        """The same values, with no more than the flags ASSUMED."""
        if assumed not in self._under:
            self._under[assumed] = fewer = ElementFlow(
                self.store,
                self.relations,
                assumed,
                self.declared,
                splats=self.splats,
                data=self.data,
                memory=self.memory,
            )
            fewer._more = self if assumed <= self.assumed else None
        return self._under[assumed]

    def facts(self, value: SSAValue) -> ElementFacts:
        """The facts of VALUE; those of everything before it are computed on the way."""
        known = self._facts.get(value) or self._needing_no_more(value)
        if known is None:
            pending = self._pending(value)
            self._facts.update(dict.fromkeys(pending, CIRCULAR))  # until they are known
            for needed in pending:
                self._facts[needed] = self._of(needed)
            known = self._facts[value]
        return known

    def _needing_no_more(self, value: SSAValue) -> ElementFacts | None:
        """The facts of VALUE under more flags, if they rest on none but those that are assumed here."""
        known = None if self._more is None else self._more.facts(value)
        return None if known is None or any(not flags <= self.assumed for flags in known.needs) else known

    def _pending(self, value: SSAValue) -> list[SSAValue]:
        """The values that VALUE's facts need and that have none yet, operands first."""
        order: list[SSAValue] = []
        seen: set[SSAValue] = set()
        stack: list[tuple[SSAValue, bool]] = [(value, False)]
        while stack:
            current, expanded = stack.pop()
            if expanded:
                order.append(current)
            elif current not in seen and current not in self._facts and not self._needing_no_more(current):
                seen.add(current)
                stack.append((current, True))
                stack.extend((operand, False) for operand in self._operands(current))
        return order

    def _operands(self, value: SSAValue) -> Iterable[SSAValue]:
        is_data = self.data is not None and value in self.data
        is_inner = isinstance(value, OpResult) and not is_constant(value.op)
        if is_data or not (is_inner or is_memref(value)):
            return ()
        if (found := self._in_memory(value)) is not None:
            sources = () if isinstance(found, str) else found.sources
            return [source for source, _ in sources if not is_memref(source)]
        assert isinstance(value, OpResult), "memory is a step"
        statements = self.relations.of(value).statements
        scalars = [operand for s in statements for operand, _ in s.scalars.values()]
        return [read.operand for s in statements for read in s.reads] + scalars

    def _in_memory(self, value: SSAValue) -> BufferContents | str | None:
        """What VALUE is computed from, if it is or comes from memory, or why that is not known."""
        return self.memory.of(value) if self.memory is not None and self.memory.is_step(value) else None

    # -- one value -------------------------------------------------------------------------------------

    def _of(self, value: SSAValue) -> ElementFacts:
        found = self._by_program(value)
        given = [each for each in self.declared if each.value is value]
        return knowing(found, given, self.store, self.contradictions.setdefault) if given else found

    def _by_program(self, value: SSAValue) -> ElementFacts:
        is_data = self.data is None or value in self.data
        if (found := self._in_memory(value)) is not None:
            domain = self.store.domain(value)
            return facts_of_memory(value, found, domain, self.facts, self._is_data)
        if self.data is not None and is_data:
            return replace(DATA, pieces=everywhere(kinds_of_type(value.type)))
        if isinstance(value, BlockArgument):
            entry = self.store.blocks and value.block is self.store.blocks[0]
            if entry:
                return ElementFacts(is_data, everywhere(kinds_of_type(value.type)))
            return ElementFacts(True, inexact="control flow between blocks")
        assert isinstance(value, OpResult)
        if is_constant(value.op):
            return ElementFacts(False, constant_pieces(value.op, splats=self.splats))
        relation = self.relations.of(value)
        if value.op in self.relations.without_case:
            return self._unknown(relation)
        inexact = relation.inexact or self._inherited(relation)
        if relation.opaque or (relation.parametric and self.relations.provenance.asks_loaded_size(value.op)):
            return replace(DATA, inexact=inexact)
        return self._computed(relation, inexact)

    def _is_data(self, source: SSAValue) -> bool:
        """Whether what SOURCE contained before the function is data."""
        return self.data is None or source in self.data

    def _unknown(self, relation: ResultRelation) -> ElementFacts:
        """An unknown operation: its result is data, and may touch what its operands touch."""
        touched: dict[Halfspace, Part] = {}
        for operand in self._operands(relation.result):
            for boundary in self.facts(operand).boundaries:
                moved = edges.transported(boundary, (), self.store.name_of(operand))
                touched[moved] = True
        return ElementFacts(True, boundaries=touched, inexact=relation.inexact)

    def _inherited(self, relation: ResultRelation) -> str | None:
        reasons = (self.facts(r.operand).inexact for s in relation.statements for r in s.reads)
        return next((reason for reason in reasons if reason), None)

    def reading(self, statement: Statement) -> tuple[Callable[[ResolvedRead], Part], frozenset[str]]:
        """The loop points of STATEMENT at which some use of a read is not a factor of a zero; and needed
        flags.

        That an operand is 0, and no factor, does not make it irrelevant: a shift by 0 depends on that 0.
        """
        _, evaluation = computed(
            statement, self._pieces_of, self.assumed, lambda points: self._image(statement, points)
        )
        alive = {id(r): self._alive(evaluation, tuple(map(_multiplied, r.uses))) for r in statement.reads}
        needs = frozenset(flag for flags in evaluation.needs for flag in flags)
        return lambda read: alive[id(read)], needs

    def _pieces_of(self, value: SSAValue) -> Pieces:
        return self.facts(value).pieces

    def _computed(self, relation: ResultRelation, inexact: str | None) -> ElementFacts:
        found = _Found(needs=self._inherited_needs(relation))
        remaining = Remaining(lambda: self.store.domain(relation.result))
        for statement in relation.statements:
            remaining.enter(statement)
            self._add(statement, remaining, found)
            remaining.leave()
        undefined = normalised(remaining.rest, lambda: self.store.domain(relation.result))
        return self._facts_of(relation, found, undefined, inexact)

    def _inherited_needs(self, relation: ResultRelation) -> set[frozenset[str]]:
        operands = {r.operand for s in relation.statements for r in s.reads}
        return {flags for operand in operands for flags in self.facts(operand).needs}

    def _add(self, statement: Statement, remaining: Remaining, found: _Found) -> None:
        """What STATEMENT says of the elements that are REMAINING for it."""
        pieces, evaluation = computed(
            statement, self._pieces_of, self.assumed, lambda points: self._image(statement, points)
        )
        reached, zero_sign = self._reaching(statement, evaluation)
        found.reaching.append(remaining.of(reached))
        found.pieces += [(kinds, remaining.of(part)) for kinds, part in pieces]
        if zero_sign:
            found.signs.append(remaining.of(either_zero(pieces)))
        found.needs |= evaluation.needs
        for boundary, points in (*self._touched(statement), *self._around(statement)):
            kept = remaining.of(points)
            if kept is points or not is_empty(kept):
                found.touched.setdefault(boundary, []).append(kept)

    def _facts_of(
        self, relation: ResultRelation, found: _Found, undefined: Part, inexact: str | None
    ) -> ElementFacts:
        def domain() -> isl.Set:
            return self.store.domain(relation.result)

        reaching = normalised(union_of(found.reaching), domain)
        signs = difference(union_of(found.signs), reaching, domain)
        signs = normalised(whatever(signs, relation.loaded), domain)
        pieces = self._merged((*found.pieces, (ANYTHING, undefined)), relation, domain)
        unions = {b: whatever(union_of(parts), relation.loaded) for b, parts in found.touched.items()}
        touched = {b: normalised(part, domain) for b, part in unions.items()}
        periods = self._periods(relation)
        if not isinstance(reaching, bool):
            periods = add_fresh(domain(), reaching, touched, periods)
        operands = {r.operand for s in relation.statements for r in s.reads} if self.declared else ()
        declared = frozenset(name for operand in operands for name in self.facts(operand).declared)
        needs = frozenset(found.needs)
        return ElementFacts(reaching, pieces, signs, touched, periods, inexact, needs, declared)

    @staticmethod
    def _merged(pieces: Pieces, relation: ResultRelation, domain: Callable[[], isl.Set]) -> Pieces:
        """PIECES, in one of which each element lies; of one kind they are everything."""
        kinds = {each for each, part in pieces if part is not False}
        if len(kinds) == 1:
            return everywhere(*kinds)
        return merged((k, normalised(whatever(part, relation.loaded), domain)) for k, part in pieces)

    def _reaching(self, statement: Statement, evaluation: Evaluation) -> tuple[Part, bool]:
        """The elements that read data, and whether the sign of a zero may depend on data.

        What a read finds in `signs` counts as data on the ways on which the sign is seen.
        """
        found: Part = False
        zero_sign = False
        for read in statement.reads:
            facts = self.facts(read.operand)
            if facts.reaching is False and facts.signs is False:
                continue
            alive = self._alive(evaluation, read.uses)
            zero_sign |= alive is not True or facts.signs is not False
            found = union(found, self._read_elements(statement, read, facts.reaching, alive))
            seeing = [use for use in read.uses if use.sees_sign]
            if seeing and facts.signs is not False:
                alive = self._alive(evaluation, seeing)
                found = union(found, self._read_elements(statement, read, facts.signs, alive))
        return found, zero_sign

    def _alive(self, evaluation: Evaluation, uses: Sequence[Use]) -> Part:
        """The loop points at which some of USES is in no product that is known to be 0."""
        if any(not use.products for use in uses):
            return True
        return reduce(union, (evaluation.alive(use.products) for use in uses), False)

    def _read_elements(self, statement: Statement, read: ResolvedRead, part: Part, alive: Part) -> Part:
        """The result elements for which READ reads one of PART at a loop point of ALIVE."""
        if part is False:
            return False
        if alive is True and not isinstance(part, bool):
            return statement.elements_reading(read, part)
        return self._image(statement, intersection(self._points(statement, read, part), alive))

    def _touched(self, statement: Statement) -> Iterable[tuple[Halfspace, Part]]:
        for read in statement.reads:
            facts = self.facts(read.operand)
            if not facts.boundaries:
                continue
            track = self._tracks(statement, read)
            name = self.store.name_of(read.operand)
            for boundary, elements in facts.boundaries.items():
                image = self._read_elements(statement, read, elements, True)
                if image is elements or not is_empty(image):
                    yield edges.transported(boundary, track, name), image

    def _around(self, statement: Statement) -> Iterable[tuple[Halfspace, Part]]:
        """What lies around operands that are data, as padding: the elements that read it."""
        for each in statement.around:
            if self.facts(each.operand).reaching is False:
                continue
            image = self._image(statement, statement.points_where((each.outside,)))
            if isinstance(image, bool) or is_empty(image):
                continue
            track = edges.tracks(statement.element, each.positions, statement.unit_loops)
            own = Halfspace(each.dimension, each.side) if each.side else GAPS
            yield edges.transported(own, track, self.store.name_of(each.operand)), image

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


def is_constant(op: Operation) -> bool:
    """Whether OP is a constant: it has a case of `constant_fill`, whatever that answers."""
    return questions.constant_fill.answers(type(op))


def _multiplied(use: Use) -> Use:
    """USE with those of its products alone that have other factors."""
    return replace(use, products=tuple(p for p in use.products if len(p.factors) > 1))
