"""Claims about several numbers: whether one holds in all executions, with a witness where it does not."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

import islpy as isl

from volcli.language.expressions import Expression
from volcli.limits import values as limits
from volcli.limits.widths import GREATEST, HALF, in_64_bits
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.contexts.factors import Reached
from volcli.model.values.elimination.texts import Texts, coordinates
from volcli.model.values.queries.claim import NumberClaim
from volcli.model.values.queries.queries import Queries
from volcli.model.values.terms.answers import NEVER, Comparison, Verdict
from volcli.model.values.terms.constraint_set import NOTHING, Kept, Known
from volcli.model.values.terms.variables import Variable, has_more_than_64_bits, variables_of
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import without
from volcli.presburger.sets.unwieldy import is_subset, price

if TYPE_CHECKING:  # polynomials are imported where something has to do with products
    from volcli.model.values.products.polynomial_claims import PolynomialClaims

NOWHERE = "false"
"""The condition that no parameters fulfil."""


class Claims:
    """Claims about numbers, each under a name: sets without dimensions, over parameters of these names.

    `leaves` are what a witness speaks of, with iterations; `parameters` what a precondition does.
    """

    def __init__(
        self,
        queries: Queries,
        texts: Texts,
        leaves: Kept,
        parameters: Kept,
        polynomials: Callable[[], PolynomialClaims],
    ) -> None:
        self.queries = queries
        self._texts = texts
        self._leaves = leaves
        self._parameters = parameters
        self._polynomials = polynomials

    def decide(
        self,
        numbers: Mapping[str, Expression],
        holds: isl.Set,
        fails: isl.Set,
        places: Sequence[ProgramPoint],
        given: isl.Set | None = None,
        *,
        are_values: bool = False,
    ) -> Comparison:
        """Whether a claim holds in all executions that reach all PLACES, and in which the numbers are GIVEN.

        It is true in HOLDS, and false in FAILS; where these two leave something out, it is not known there.
        If the numbers ARE VALUES of the program, what refutes it has 64 bits of each.
        """
        if given is not None:
            holds, fails = holds.union(given.complement()), fails.intersect(given)
        claim = NumberClaim(numbers, holds, fails, places)
        found = self._by_sets(claim, given)
        if are_values and found.verdict is Verdict.REFUTED:
            found = self._of_values(found, claim)
        if found.verdict is not Verdict.UNKNOWN:
            return found
        return self._polynomials().decide(claim, are_values=are_values) or found

    def _of_values(self, found: Comparison, claim: NumberClaim) -> Comparison:
        """What is FOUND, a refutation, of numbers that have 64 bits: where one has more, it overflows."""
        try:
            example = self.example(claim.numbers, claim.fails, claim.places)
        except BudgetExceeded:
            return found
        named = claim.numbers.items()
        wider = {name for name, number in named if any(map(has_more_than_64_bits, variables_of(number)))}
        narrow = {} if example is None else {k: n for k, n in example[1].items() if k not in wider}
        if self._has_64_bits(narrow):
            return found
        box = self._of_64_bits(claim.holds.union(claim.fails).union(claim.holds.complement()), wider)
        inside = replace(claim, holds=claim.holds.union(box.complement()), fails=claim.fails.intersect(box))
        again = self._by_sets(inside, box)
        return replace(found, witness=again.witness) if again.verdict is Verdict.REFUTED else again

    def is_proved_of_products(
        self, numbers: Mapping[str, Expression], holds: isl.Set, place: ProgramPoint
    ) -> bool:
        """Whether numbers that have to do with products are in HOLDS in all executions that reach PLACE."""
        found = self._polynomials().decide(NumberClaim(numbers, holds, holds.complement(), (place,)))
        return found is not None and found.verdict is Verdict.PROVED

    def is_proved(self, numbers: Mapping[str, Expression], holds: isl.Set, place: ProgramPoint) -> bool:
        """Whether it is known that NUMBERS are in HOLDS in all executions that reach PLACE.

        As `decide`, without looking for what refutes it, and for when it holds.
        """
        try:
            known = self.queries.parameters(numbers, (place,), NOTHING)
            with self._within(known.points, holds):
                if is_subset(known.points, holds):
                    return True
        except BudgetExceeded:
            pass
        return self._polynomials().is_proved(numbers, holds, place)

    def completed(
        self, expressions: Sequence[Expression], given: Mapping[Variable, int], place: ProgramPoint
    ) -> Mapping[Variable, int] | None:
        """Numbers of the variables in EXPRESSIONS in an execution that gets to PLACE with what is GIVEN.

        None if none are found.
        """
        variables = [v for each in expressions for v in variables_of(each)]
        if all(variable in given for variable in variables):
            return given
        return self._polynomials().completed(variables, given, place)

    def _by_sets(self, claim: NumberClaim, given: isl.Set | None) -> Comparison:
        try:
            reached = self.queries.reached(claim.places)
            if reached.never:
                return Comparison(Verdict.PROVED, never=True, because=reached.because)
            known = self.queries.parameters(claim.numbers, claim.places, NOTHING)
            with self._within(known.points, claim.holds):
                if given is not None:
                    known = replace(known, points=known.points.intersect(given))
                return self._decided(known, reached, claim)
        except BudgetExceeded as error:
            return Comparison(Verdict.UNKNOWN, because=error.reason)

    def occurring(
        self,
        numbers: Mapping[str, Expression],
        holds: isl.Set,
        places: Sequence[ProgramPoint],
        given: isl.Set,
    ) -> str | None:
        """When it is that a claim holds in some of the executions of PLACES in which the numbers are GIVEN.

        The condition on parameters for which there are such executions at all, NOWHERE if there are none;
        None if it is not known.
        """
        try:
            known = self.queries.parameters(numbers, places, self._parameters)
            with self._within(known.points, holds):
                there = known.points.intersect(given)
                where = there.intersect(holds)
                for name in numbers:
                    there, where = without(there, name), without(where, name)
                natural = self.queries.assumed().intersect(self.queries.demanded(places, self._parameters))
                natural = natural.intersect(self.queries.facts(there)).intersect(there)
                text = NOWHERE if where.is_empty() else self._texts.of_set(where.coalesce().gist(natural))
        except BudgetExceeded:
            return None
        return text if known.exact else None

    def is_reached(self, place: ProgramPoint) -> bool:
        """Whether it is certain that some execution gets to PLACE."""
        return self.queries.reached((place,)).verdict is Verdict.PROVED

    def example(
        self, numbers: Mapping[str, Expression], points: isl.Set, places: Sequence[ProgramPoint]
    ) -> tuple[dict[str, int], dict[str, int]] | None:
        """An execution in which the NUMBERS lie in POINTS: its leaves and iterations; and all coordinates.

        None if there is none, or if what is known of the numbers, or of their places, is not exact.
        """
        leaves: dict[str, int] = {}
        numbered: dict[str, int] = {}
        related, *unrelated = self.queries.executions(numbers, places, self._leaves)
        meant = Known(related.points.intersect(points), related.exact)
        for known in (meant, *unrelated):
            with self._within(known.points):
                point = known.points.sample_point()
                if not point.is_void() and not self._has_64_bits(coordinates(point)):
                    point = self._of_64_bits(known.points, ()).sample_point()
                    if point.is_void():
                        point = self._of_64_bits(known.points, numbers).sample_point()
            if not known.exact or point.is_void():
                return None
            leaves |= self._texts.of_point(point)
            numbered = numbered or coordinates(point)
        return leaves, numbered

    def _within(self, *points: isl.Set) -> AbstractContextManager[None]:
        """The budget of a query about POINTS."""
        return budget(self.queries.operations, times=price(*points))

    def _decided(self, known: Known, reached: Reached, claim: NumberClaim) -> Comparison:
        possible = known.points
        if possible.is_empty():
            return Comparison(Verdict.PROVED, never=True, because=NEVER)
        if is_subset(possible, claim.holds):
            return Comparison(Verdict.PROVED)
        never = is_subset(possible, claim.fails)
        is_somewhere = known.exact or not self.queries.may_be_poison(claim.numbers.values())
        is_refuted = (never and is_somewhere) or (known.exact and not possible.is_disjoint(claim.fails))
        if is_refuted and reached.verdict is Verdict.PROVED:
            return self._refuted(claim, never=never)
        because = reached.because if is_refuted else known.because
        because = because or "the claim is not an affine condition"
        return self._sufficient(Comparison(Verdict.UNKNOWN, because=because), claim)

    def _refuted(self, claim: NumberClaim, *, never: bool) -> Comparison:
        numbers, places = claim.numbers, claim.places
        try:
            found = self.example(numbers, claim.fails, places)
            if found is None and self.is_beyond(numbers, claim.fails, places):
                is_true = not never and self.is_beyond(numbers, claim.holds.complement(), places)
                return Comparison(Verdict.PROVED if is_true else Verdict.UNKNOWN)
        except BudgetExceeded as error:
            return Comparison(Verdict.REFUTED, never, because=error.reason)
        answer = Comparison(Verdict.REFUTED, never, None if found is None else found[0])
        return answer if never else self._sufficient(answer, claim)

    def is_beyond(
        self, numbers: Mapping[str, Expression], points: isl.Set, places: Sequence[ProgramPoint]
    ) -> bool:
        """Whether NUMBERS lie in POINTS only where something that they are made of has more than 64 bits."""
        related = next(self.queries.executions(numbers, places, self._leaves))
        with self._within(related.points):
            return bool(self._of_64_bits(related.points.intersect(points), numbers).is_empty())

    def _has_64_bits(self, numbers: Mapping[str, int]) -> bool:
        """Whether NUMBERS have 64 bits, but for those of wider variables."""
        return all(in_64_bits(each) or self._is_wider(name) for name, each in numbers.items())

    def _of_64_bits(self, points: isl.Set, numbers: Container[str]) -> isl.Set:
        """POINTS at which leaves and iterations have 64 bits; NUMBERS, which are computed, may have more.

        So may an i128, whose own bounds its definition states.
        """
        for position in range(points.dim(DIM.param)):
            name = points.get_dim_name(DIM.param, position)
            if name is None or (name not in numbers and not self._is_wider(name)):
                points = points.lower_bound_val(DIM.param, position, build.number(-HALF))
                points = points.upper_bound_val(DIM.param, position, build.number(GREATEST))
        return points

    def _is_wider(self, name: str) -> bool:
        variable = self._texts.elimination.find(name)
        return variable is not None and has_more_than_64_bits(variable)

    def _sufficient(self, answer: Comparison, claim: NumberClaim) -> Comparison:
        """ANSWER with a condition on the parameters under which it holds, or its places are not reached.

        The weakest one, if all sets are exact; none if then no execution reaches them, or it costs too much.
        """
        numbers, places = claim.numbers, claim.places
        try:
            known = self.queries.parameters(numbers, places, self._parameters)
            unrelated = self.queries.unrelated(numbers, places, self._parameters)
            most = min(self.queries.operations, limits.CONDITION_OF_A_CLAIM)
            with budget(most, times=price(known.points, *(each.points for each in unrelated))):
                possible, wrong = known.points, known.points.subtract(claim.holds)
                is_decided = wrong.is_subset(claim.fails)
                for name in numbers:
                    possible, wrong = without(possible, name), without(wrong, name)
                if possible.is_subset(wrong):
                    return answer
                natural = self.queries.assumed().intersect(self.queries.demanded(places, self._parameters))
                right = self._where_not(natural, [wrong, *(each.points for each in unrelated)])
                if right.is_empty():
                    return answer
                text = self._texts.of_set(right)
        except BudgetExceeded:
            return answer
        weakest = is_decided and all(each.exact for each in (known, *unrelated))
        return replace(answer, precondition=text, weakest=weakest)

    def _where_not(self, natural: isl.Set, wrong: Sequence[isl.Set]) -> isl.Set:
        """The NATURAL parameters that are not in all sets of WRONG, which share none."""
        for each in wrong:
            natural = natural.intersect(self.queries.facts(each))
        right = natural.subtract(wrong[0])
        for each in wrong[1:]:
            right = right.union(natural.subtract(each))
        return right.coalesce().gist(natural)
