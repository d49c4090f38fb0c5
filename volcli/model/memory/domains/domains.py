"""Iteration domains: in which iterations of the loops around it an operation runs.

affine.for %i = 0 to %n { affine.if (%i - 5 >= 0) { ... } }         [n] -> { [i] : 5 <= i < n }
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

import islpy as isl
from xdsl.ir import Block, Operation

from volcli.language.atoms import WHOLE
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    LoopIndex,
    NotAffine,
    Value,
    constant,
    loop,
    substitute,
)
from volcli.model.memory.boxes.boxes import Box, box_of
from volcli.model.memory.buffers.nests import Level, LoopLevels
from volcli.model.memory.domains.allocated import allocated_sizes
from volcli.model.memory.domains.determined import Determination
from volcli.model.memory.domains.domain import Domain, NestBounds, ReachedIterations, StatedBefore, equated
from volcli.model.memory.domains.grids import Grids, within
from volcli.model.values.contexts.factors import Factor
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.constraint_set import Kept, Known, always, intersection, simple
from volcli.model.values.terms.variables import Disjunct, Variable
from volcli.presburger.measures.first_solution import TooLong
from volcli.presburger.sets.build import DIM


class Domains:
    """The iteration domains of one function's blocks, each made when first asked for."""

    def __init__(self, bounds: BoundsStore, nests: LoopLevels) -> None:
        self.determined = Determination(bounds, nests)
        self._bounds = bounds
        self._nests = nests
        self._sizes = allocated_sizes(bounds)
        self._domains: dict[tuple[Block | None, int, int], Domain] = {}
        self._said_before: dict[tuple[Factor, ...], StatedBefore] = {}
        self._reached: dict[Hashable, ReachedIterations] = {}
        self._reached_at: dict[Hashable, ReachedIterations] = {}
        self._boxes: dict[tuple[tuple[Level, ...], bool], Box | None] = {}
        self.grids = Grids()
        self._alike: dict[Hashable, Domain] = {}

    def of(self, op: Operation) -> Domain:
        """The iterations of the loops around OP in which it runs."""
        factors, sizes = self._bounds.places.holding(op), self._sizes_before(op)
        key = op.parent, len(factors), len(sizes)
        known = self._domains.get(key)
        if known is None:
            known = self._domains[key] = self._domain(op, factors, sizes)
        return known

    def between_bounds(self, op: Operation, loop: Operation) -> isl.Set:
        """The iterations of the loops around OP that their bounds allow, where LOOP, one of these, runs.

        What decides in LOOP whether OP runs has no part in that:

            if %c { parallel %i < %n { if %i > 4 { op } } }              [c, n] -> { [i] : 0 <= i < n and c }
        """
        places = self._bounds.places
        around = dict.fromkeys(places.holding(loop))
        factors = [each for each in places.holding(op) if each.is_induction or each in around]
        return self._domain(op, factors, self._sizes_before(loop)).points

    def is_of_loops(self, op: Operation) -> bool:
        """Whether nothing but the bounds of the loops around OP says in which iterations it runs."""
        levels, factors = self._nests.levels(op.parent), self._bounds.places.holding(op)
        return self._is_of_loops(levels, factors) and not self._sizes_before(op)

    def is_entered(self, op: Operation) -> bool:
        """Whether some execution gets to OP, as loops in a box say, and nothing else says when it runs."""
        levels, factors = self._nests.levels(op.parent), self._bounds.places.context((op,))
        found = self.box(op, divided=True) if self._is_of_loops(levels, factors) else None
        try:
            return found is not None and found.first(constant(0)) is not None
        except TooLong:
            return False

    def moment(self, op: Operation) -> Hashable:
        """The same for operations of a block that run in the same iterations, after the same ones."""
        return self._bounds.places.moment(op), len(self._sizes_before(op))

    def reached(self, op: Operation) -> ReachedIterations:
        """In which iterations OP may be reached, as far as what has run before it says: see `History`."""
        places, levels = self._bounds.places, self._nests.levels(op.parent)
        moment = places.moment(op)
        known = self._reached_at.get(moment)
        if known is None:
            known = self._reached_at[moment] = self._reached_in(op, levels)
        return known

    def _reached_in(self, op: Operation, levels: tuple[Level, ...]) -> ReachedIterations:
        places = self._bounds.places
        held = dict.fromkeys(places.holding(op))
        before = tuple(f for f in places.context((op,)) if f not in held and not f.is_induction)
        said = self._said(before)
        key = (before, levels if said.known is not always() else tuple(x.variable is None for x in levels))
        known = self._reached.get(key)
        if known is None:
            known = self._reached[key] = self._reached_behind(levels, before, said)
        return known

    def _said(self, before: tuple[Factor, ...]) -> StatedBefore:
        """What the factors that are said BEFORE a place say together."""
        said = self._said_before.get(before)
        if said is not None:
            return said
        known, name = always(), self._bounds.elimination.name
        doubts: list[tuple[frozenset[str], bool, str]] = []
        for factor in before:
            condition = self._bounds.places.factors.condition(factor)
            if not condition.exact:
                about = frozenset(map(name, factor.variables))
                doubts.append((about, factor.is_of_everything, condition.because or ""))
            if not condition.points.plain_is_universe():
                known = intersection(known, condition)
        said = self._said_before[before] = StatedBefore(known, tuple(doubts))
        return said

    def _reached_behind(
        self, levels: tuple[Level, ...], before: tuple[Factor, ...], said: StatedBefore
    ) -> ReachedIterations:
        if said.known is always():
            return ReachedIterations(self._over_levels(said.known.points, levels), said.doubts)
        kept = self.determined.kept(levels)
        mentioned = dict.fromkeys(v for each in before for v in each.variables if not kept.contains(v))
        points = self._onto(kept, said.known, mentioned, levels).points
        return ReachedIterations(self._over_levels(points, levels), said.doubts)

    def _sizes_before(self, op: Operation) -> list[Expression]:
        """The sizes of the buffers that are allocated whenever OP runs: a negative one has no meaning."""
        found: dict[Expression, None] = {}
        current: Operation | None = op
        while current is not None and self._sizes:
            now = self._bounds.definitions.place(current)
            found.update((size, None) for place, size in self._sizes.get(current.parent, ()) if place < now)
            current = current.parent_op()
        return [*found]

    def _domain(self, op: Operation, factors: Sequence[Factor], sizes: Sequence[Expression]) -> Domain:
        levels = self._nests.levels(op.parent)
        elimination = self._bounds.elimination
        ranges = {k: found for k, level in enumerate(levels) if (found := self._constant_range(level))}
        is_of_loops = not sizes and self._is_of_loops(levels, factors)
        if len(ranges) == len(levels) and is_of_loops:
            return self._product(levels, tuple(ranges.values()))
        nest = None if sizes else self._nest(levels, factors)
        alike = None if nest is None else self._alike.get(nest)
        if alike is not None:
            return replace(alike, kept=self.determined.kept(levels))
        variables = {k: Value(v) for k, level in enumerate(levels) if (v := level.variable) is not None}
        kept = self.determined.kept(levels)
        known = elimination.conjunction((), sizes)
        mentioned: dict[Variable, None] = dict.fromkeys(elimination.all_variables(sizes))
        for k, variable in variables.items():
            if k not in ranges:
                known = intersection(known, elimination.defined(variable))
                mentioned.update(dict.fromkeys(self._bounds.definitions.definition(variable).references))
        for factor in factors:
            if factor.condition != ((),):
                condition = elimination.union([Disjunct((), c) for c in factor.condition])
                known = intersection(known, condition)
            mentioned.update(dict.fromkeys(v for v in factor.variables if not kept.contains(v)))
        known = self._onto(kept, known, mentioned, levels)
        known = simple(self.determined.with_facts(known, kept, mentioned))
        doubts = (level.because or self.determined.doubt(level) for level in levels)
        doubt = next((each for each in doubts if each is not None), None)
        because = doubt or known.because
        exact = known.exact and doubt is None
        points = self._over_levels(known.points, levels)
        for k, iterations in ranges.items():
            points = within(points, k, iterations)
        is_known = exact and because is None
        is_whole = is_known and nest is not None and is_of_loops and not nest.is_open
        found = Domain(points, kept, exact, because, is_whole, known.exact)
        if nest is not None and (is_known or not nest.is_open):
            self._alike[nest] = found
        return found

    def _onto(
        self, kept: Kept, known: Known, mentioned: Iterable[Variable], levels: Sequence[Level]
    ) -> Known:
        """KNOWN over what is KEPT, with what is known of MENTIONED variables, and of what remains.

        That a size of which a condition speaks is not negative, for one, and what is assumed of an argument;
        of the variables of LEVELS their loops say it.
        """
        elimination = self._bounds.elimination
        known = elimination.onto(kept, known, mentioned)
        iterations = {Value(v) for level in levels if (v := level.variable) is not None}
        remaining = [v for v in elimination.variables_of(known.points) if v not in iterations]
        return elimination.onto(kept, known, remaining)

    def _nest(self, levels: Sequence[Level], factors: Sequence[Factor]) -> NestBounds | None:
        """The same for nests with the same iterations; None if it does not show which ones are."""
        own = {Value(v) for level in levels if (v := level.variable) is not None}
        others = [each for each in factors if not (each.is_induction and own.issuperset(each.variables))]
        if not all(self._is_outside(variable) for each in others for variable in each.variables):
            return None
        iterations: dict[Atom, Expression] = {
            Value(v): loop(k) for k, level in enumerate(levels) if (v := level.variable) is not None
        }
        resolve = self._bounds.definitions.resolve
        found: list[Hashable] = []
        is_open = bool(others)
        for level in levels:
            if level.induction is None:
                return None
            bounds = level.induction.lower, level.induction.upper, (level.induction.step,)
            try:
                placed = [[substitute(resolve(e), iterations.get) for e in each] for each in bounds]
            except NotAffine:
                return None
            atoms = [atom for each in placed for e in each for atom in e.atoms() if isinstance(atom, WHOLE)]
            free = [atom for atom in atoms if not isinstance(atom, LoopIndex)]
            if not all(isinstance(atom, Value | Dim) and self._is_outside(atom) for atom in free):
                return None
            is_open = is_open or bool(free)
            found.append((level.induction.variable.type, *map(tuple, placed)))
        return NestBounds(tuple(found), tuple(others), is_open)

    def _is_outside(self, variable: Variable) -> bool:
        """Whether VARIABLE is defined outside of all loops: so it is kept by all domains, or by none."""
        return not self.determined.levels(variable)

    @staticmethod
    def _is_of_loops(levels: Sequence[Level], factors: Sequence[Factor]) -> bool:
        """Whether FACTORS say nothing but that the variables of LEVELS are inside of their loops."""
        own = {Value(v) for level in levels if (v := level.variable) is not None}
        return all(factor.is_induction and own.issuperset(factor.variables) for factor in factors)

    def box(self, op: Operation, *, loosely: bool = False, divided: bool = False) -> Box | None:
        """The iterations of the loops around OP as numbers in ranges; None if more than that says which.

        LOOSELY, assertions do not count, nor what else ends an execution: it runs in all of these as far as
        the execution gets. The bounds of loops may be DIVIDED: `box_of`.
        """
        levels = self._nests.levels(op.parent)
        if (levels, divided) not in self._boxes:
            self._boxes[levels, divided] = self._box(levels, divided=divided)
        found = self._boxes[levels, divided]
        if found is None:
            return None
        factors = self._bounds.places.guards(op) if loosely else self._bounds.places.holding(op)
        is_more = not loosely and bool(self._sizes_before(op))
        return found if not is_more and self._is_of_loops(levels, factors) else None

    def _box(self, levels: Sequence[Level], *, divided: bool) -> Box | None:
        inductions = [level.induction for level in levels if level.induction is not None]
        if len(inductions) < len(levels):
            return None
        return box_of(inductions, self._bounds.definitions.resolve, divided=divided)

    def _product(self, levels: tuple[Level, ...], ranges: tuple[range, ...]) -> Domain:
        """The domain of LEVELS, whose iterations are RANGES."""
        return Domain(
            self.grids.points(ranges), self.determined.kept(levels), exact=True, because=None, is_whole=True
        )

    def _constant_range(self, level: Level) -> range | None:
        """The iterations of LEVEL, if its bounds and its step are constant."""
        if level.induction is None:
            return None
        resolve = self._bounds.definitions.resolve
        lower, upper = ([resolve(e) for e in each] for each in (level.induction.lower, level.induction.upper))
        step = resolve(level.induction.step)
        if not all(e.is_constant for e in (*lower, *upper, step)) or step.constant <= 0:
            return None
        return range(max(e.constant for e in lower), min(e.constant for e in upper), step.constant)

    def _over_levels(self, points: isl.Set, levels: Sequence[Level]) -> isl.Set:
        """A set over names as one over the iterations of LEVELS; where there is no name, over 0, 1, 2, ..."""
        result = isl.Set.from_params(points).add_dims(DIM.set, len(levels))
        for position, level in enumerate(levels):
            if level.variable is None:
                result = result.lower_bound_val(DIM.set, position, isl.Val.zero(isl.DEFAULT_CONTEXT))
                continue
            result = equated(result, DIM.set, position, self._bounds.elimination.name(Value(level.variable)))
        return result
