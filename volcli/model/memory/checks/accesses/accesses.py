"""Whether accesses and slices stay inside the memref or tensor that they name.

An access `m[index(i, l)]` in iterations i of the loops around it, with the operation's own loops l, is out of
bounds at

    { [i] -> [index, sizes, l] : index_k < 0 or index_k >= sizes_k for some k }

and a slice where its first or its last element is, if it has one. All of it is exact: if that set is empty,
the access is proved in bounds; if it is not, one of its points is an example.

    affine.for %i = 0 to 9 { affine.load %m[%i - 2] : memref<9xf32> }      out of bounds at i = 0: index -2

(MLIR's `test-memref-bound-check` asks the same of static sizes. Erratum E004-2: both examples of "MemRef
dependence checks in MLIR" go outside of their buffers.)
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace

import islpy as isl

from volcli.language.expressions import Expression
from volcli.language.unchanged import cached_method
from volcli.limits import memory as limits
from volcli.model.memory.checks.accesses.elements import relation_of
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict, Outside
from volcli.model.memory.checks.answers.conditions import said
from volcli.model.memory.checks.plain.inside import Placed, PlainAccesses
from volcli.model.memory.checks.plain.unknown_sizes import UnknownSizes
from volcli.model.memory.checks.stated.outside import Points, failing, one_cause
from volcli.model.memory.checks.stated.stated import StatedAccess, stated_accesses
from volcli.model.memory.checks.stated.steps import certainly
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.domains.domain import ReachedIterations
from volcli.model.memory.occurrence.certainty import (
    CallArguments,
    CertainIterations,
    calls_of,
    certainty,
    first_point,
    plain_example,
    why_uncertain,
    without_unknown,
)
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.measures.points import coordinates
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets.unwieldy import Allowance, is_dear


class AccessChecks:
    """The checks of one function."""

    def __init__(self, memory: Memory, *, operations: int = DEFAULT_OPERATIONS) -> None:
        self._memory = memory
        self._operations = operations
        self._allowance = Allowance(operations)
        self._known: dict[Hashable, AccessAnswer] = {}
        self._sizes = UnknownSizes(memory)
        self._plain = PlainAccesses(memory, operations)
        self._conditions: dict[CallArguments, str | None] = {}
        self._stated: dict[Hashable, AccessAnswer] = {}

    def all(self) -> list[AccessAnswer]:
        """All accesses with an index, and all slices, in the order of the text."""
        return [self._once(each) for each in stated_accesses(self._memory)]

    # -- answers ---------------------------------------------------------------------------------------

    def _once(self, stated: StatedAccess) -> AccessAnswer:
        """The answer, which is the same for all that state the same where the same holds."""
        what = stated.indices, stated.sizes, stated.extents, stated.where, stated.partial
        key = what, self._memory.instances.domains.moment(stated.site.op)
        known = self._stated.get(key)
        if known is not None:
            return replace(known, site=stated.site, slice=stated.slice)
        placed = self._plain.placed(stated)
        found = self._plain.in_box(stated, placed) or self._named(stated, placed)
        if found.verdict is not AccessVerdict.UNKNOWN:
            self._stated[key] = found
        return found

    def _named(self, stated: StatedAccess, placed: Placed | None) -> AccessAnswer:
        """The answer; with the assumption about index arithmetic without which it is another one."""
        found = self._answer(stated, placed)
        if found.verdict is not AccessVerdict.IN_BOUNDS:
            return found
        assumed = self._memory.assumptions(lambda memory: self._is_inside(memory, stated))
        return replace(found, assumptions=assumed) if assumed else found

    def _is_inside(self, memory: Memory, stated: StatedAccess) -> bool:
        checks = self._like(memory)
        placed = checks._plain.placed(stated)
        found = checks._plain.in_box(stated, placed) or checks._answer(stated, placed)
        return found.verdict is AccessVerdict.IN_BOUNDS

    def _answer(self, stated: StatedAccess, placed: Placed | None) -> AccessAnswer:
        found = (
            self._by_size(stated, placed)
            or self._plain.in_range(stated)
            or self._plain.in_loops(stated, placed)
            or self.of(stated)
        )
        if found.verdict is AccessVerdict.UNKNOWN and self._is_inside_by_products(stated):
            return AccessAnswer(stated.site, stated.slice, AccessVerdict.IN_BOUNDS)
        trials, levels = self._memory.trials, stated.site.levels
        is_unknown = found.verdict is AccessVerdict.UNKNOWN and found.outside is not None
        if is_unknown and trials is not None and trials.concern(levels):
            for memory, given in trials.all():
                tried = self._like(memory).of(stated)
                if tried.verdict is AccessVerdict.OUT_OF_BOUNDS and tried.witness is not None:
                    return self._shown(found, stated, tried.witness, given)
        return found

    def _is_inside_by_products(self, stated: StatedAccess) -> bool:
        """Whether each index is proved to be in bounds where products stop sets: `i * b + j < n * b`."""
        if stated.extents:
            return False  # indices over the operation's own loops are not claimed of
        claims, op = self._memory.bounds.claims, stated.site.op
        return all(
            isinstance(number, Expression)
            and claims.is_proved_of_products({"index": number, "size": size}, _INSIDE, op)
            for index in stated.indices
            for number, size in zip(index, stated.sizes, strict=True)
        )

    @cached_method
    def _like(self, memory: Memory) -> AccessChecks:
        """The checks of a MEMORY of some executions."""
        return AccessChecks(memory, operations=self._operations)

    def _shown(
        self, found: AccessAnswer, stated: StatedAccess, witness: Outside, given: Mapping[str, int]
    ) -> AccessAnswer:
        """What was FOUND, with a WITNESS for arguments as GIVEN; for which ones it is so, as far as known."""
        example = replace(witness, parameters={**given, **witness.parameters})
        verdict = AccessVerdict.OUT_OF_BOUNDS
        shown = replace(found, verdict=verdict, witness=example, because=None, exact=False)
        assert self._memory.trials is not None
        assert found.outside is not None
        surely = self._like(self._memory.trials.dense).surely(stated)
        if surely is None:
            return shown
        runs = without_unknown(self._memory, relation_of(self._memory, stated).elements().domain()).params()
        calls = CallArguments(surely, without_unknown(self._memory, found.outside).params(), runs)
        is_always = bool(runs.is_subset(surely))
        condition = None if is_always else self._condition(calls.may, runs)
        return replace(shown, always=is_always, condition=condition, calls=calls)

    def surely(self, stated: StatedAccess) -> isl.Set | None:
        """The arguments for which some iteration is certainly out of bounds, where MEMORY is of dense loops.

        None if that is not known. What has run before lets pass less if it is dense, too.
        """
        try:
            with budget(self._operations):
                relation = relation_of(self._memory, stated)
                reached = self._memory.instances.domains.reached(stated.site.op)
                runs, fails = self._runs_and_fails(stated, relation, reached)
                outside = fails.iterations()
                if not relation.exact or reached.doubt(outside) is not None:
                    return None
                certain = self._certain(outside, runs, relation, stated)
                found = certainly(self._memory, certain.forced, stated.site)
                return certainty(self._memory, found, isl.Set.universe(found.get_space())).forced
        except BudgetExceeded:
            return None

    def _by_size(self, stated: StatedAccess, placed: Placed | None) -> AccessAnswer | None:
        """That an access is out of bounds for some arguments, where but one size of these decides that."""
        if placed is None or self._memory.instances.domains.reached(stated.site.op).doubts:
            return None
        try:
            with budget(self._operations):
                found = self._sizes.overrun(stated, *placed)
                if found is None:
                    return None
                if found.calls not in self._conditions:
                    self._conditions[found.calls] = self._condition(found.calls.may, found.calls.runs)
        except BudgetExceeded:
            return None
        return AccessAnswer(
            stated.site,
            stated.slice,
            AccessVerdict.OUT_OF_BOUNDS,
            found.outside,
            Outside(found.iteration, found.index, found.dimension, found.size, found.parameters),
            condition=self._conditions[found.calls],
            calls=found.calls,
        )

    def of(self, stated: StatedAccess) -> AccessAnswer:
        """The answer by integer sets: one for all accesses that say the same of the same iterations."""
        try:
            with budget(self._operations):
                relation = relation_of(self._memory, stated)
                reached = self._memory.instances.domains.reached(stated.site.op)
                key = relation.key, relation.offset, stated.rank, len(stated.indices), reached
                known = self._known.get(key)
                if known is None:
                    with self._allowance.of(is_dear=is_dear(relation.points)):
                        known = self._known[key] = self._within_budget(stated, relation, reached)
                return replace(known, site=stated.site, slice=stated.slice)
        except BudgetExceeded as error:
            unknown = AccessVerdict.UNKNOWN
            return AccessAnswer(stated.site, stated.slice, unknown, because=error.reason)

    def _within_budget(
        self, stated: StatedAccess, relation: Relation, reached: ReachedIterations
    ) -> AccessAnswer:
        site, is_slice = stated.site, stated.slice
        runs, fails = self._runs_and_fails(stated, relation, reached)
        if fails.relation.is_empty():
            return AccessAnswer(site, is_slice, AccessVerdict.IN_BOUNDS, failing=0, total=runs.count())
        outside = fails.iterations()
        if not relation.exact:
            because = relation.because or "it is not known exactly"
            return AccessAnswer(site, is_slice, AccessVerdict.UNKNOWN, lambda: outside, because=because)
        if (because := reached.doubt(outside)) is not None:
            return AccessAnswer(site, is_slice, AccessVerdict.UNKNOWN, lambda: outside, because=because)
        certain = self._certain(outside, runs, relation, stated)
        if certain.points.is_empty():
            because = why_uncertain(self._memory, outside)
            return AccessAnswer(site, is_slice, AccessVerdict.UNKNOWN, lambda: outside, because=because)
        return AccessAnswer(
            site,
            is_slice,
            AccessVerdict.OUT_OF_BOUNDS,
            lambda: outside,
            self._witness(
                one_cause(fails.relation, certain.points, stated) if certain.always else fails.relation,
                certain.points,
                stated,
                self._share(relation),
            ),
            certain.always,
            None if certain.always else self._condition(certain.possible, runs.iterations()),
            fails.count(),
            runs.count(),
            calls=calls_of(self._memory, certain, runs.iterations()),
        )

    def _runs_and_fails(
        self, stated: StatedAccess, relation: Relation, reached: ReachedIterations
    ) -> tuple[Points, Points]:
        """All that RELATION says of what is REACHED, and the part that is out of bounds."""
        return Points(relation.elements().intersect_domain(reached.points), stated), Points(
            failing(relation, stated).intersect_domain(reached.points), stated
        )

    def _certain(
        self, outside: isl.Set, runs: Points, relation: Relation, stated: StatedAccess
    ) -> CertainIterations:
        with budget(self._share(relation)):
            return certainty(self._memory, outside, runs.iterations(), stated.site.levels)

    def _share(self, relation: Relation) -> int:
        """What it may cost to tell which iterations are certain, and which is the first one."""
        share = self._operations // limits.CERTAIN_SHARE
        return share // limits.DEAR_CERTAIN_SHARE if is_dear(relation.points) else share

    def _witness(self, fails: isl.Map, certain: isl.Set, stated: StatedAccess, operations: int) -> Outside:
        point = plain_example(self._memory, certain.intersect(fails.domain()), operations)
        depth, rank = len(stated.site.levels), stated.rank
        found = fails.intersect_domain(isl.Set.from_point(point)).wrap().flatten()
        numbers = coordinates(first_point(found))
        sizes = numbers[depth + len(stated.indices) * rank :][:rank]
        for start in range(depth, depth + len(stated.indices) * rank, rank):
            index = numbers[start : start + rank]
            for dimension, (position, size) in enumerate(zip(index, sizes, strict=True)):
                if not 0 <= position < size:
                    parameters = self._memory.bounds.texts.of_point(point)
                    return Outside(numbers[:depth], index, dimension, size, parameters)
        raise AssertionError("a witness that is inside")

    def _condition(self, outside: isl.Set, runs: isl.Set) -> str | None:
        """What the arguments must be for being in bounds; None if they cannot be, or that is long to say."""
        inside = outside.params().complement()
        if inside.intersect(runs.params()).is_empty():
            return None
        inside = inside.gist(runs.params()).coalesce()
        text, _ = said(self._memory, inside)
        return text if len(text) <= limits.ACCESS_TEXT else None


_INSIDE = isl.Set("[index, size] -> { : 0 <= index < size }")
