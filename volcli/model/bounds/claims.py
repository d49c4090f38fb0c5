"""Claims about several numbers: whether one holds in all executions, with a witness where it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from volcli.expressions import Expression
from volcli.model.bounds.answers import Comparison, Verdict
from volcli.model.bounds.known import NOTHING, Kept, Known, without
from volcli.model.bounds.places import Place
from volcli.model.bounds.queries import Queries
from volcli.model.bounds.texts import Texts, coordinates
from volcli.presburger.budget import BudgetExceeded, budget


class Claims:
    """Claims about numbers, each under a name: sets without dimensions, over parameters of these names.

    `leaves` are what a witness speaks of, with iterations; `parameters` what a precondition does.
    """

    def __init__(self, queries: Queries, texts: Texts, leaves: Kept, parameters: Kept) -> None:
        self._queries = queries
        self._texts = texts
        self._leaves = leaves
        self._parameters = parameters

    def decide(
        self,
        numbers: Mapping[str, Expression],
        holds: isl.Set,
        fails: isl.Set,
        places: Sequence[Place],
    ) -> Comparison:
        """Whether a claim holds in all executions that reach all PLACES.

        It is true in HOLDS, and false in FAILS; where these two leave something out, it is not known there.
        """
        try:
            known = self._queries.parameters(numbers, places, NOTHING)
            with budget(self._queries.operations):
                return self._decided(known, numbers, holds, fails, places)
        except BudgetExceeded as error:
            return Comparison(Verdict.UNKNOWN, because=error.reason)

    def example(
        self, numbers: Mapping[str, Expression], points: isl.Set, places: Sequence[Place]
    ) -> tuple[dict[str, int], dict[str, int]] | None:
        """An execution in which the NUMBERS lie in POINTS: its leaves and iterations; and all coordinates.

        None if there is none, or if what is known of the numbers is not exact.
        """
        known = self._queries.executions(numbers, places, self._leaves)
        with budget(self._queries.operations):
            point = known.points.intersect(points).sample_point()
            if not known.exact or point.is_void():
                return None
            return self._texts.of_point(point), coordinates(point)

    def _decided(
        self,
        known: Known,
        numbers: Mapping[str, Expression],
        holds: isl.Set,
        fails: isl.Set,
        places: Sequence[Place],
    ) -> Comparison:
        possible = known.points
        if possible.is_empty():
            return Comparison(Verdict.PROVED, never=True, because="never executed")
        if possible.is_subset(holds):
            return Comparison(Verdict.PROVED)
        never = possible.is_subset(fails)
        if never or (known.exact and not possible.is_disjoint(fails)):
            return self._refuted(numbers, holds, fails, places, never=never)
        because = known.because or "what is claimed is not an affine condition"
        precondition = self._precondition(numbers, holds, places)
        return Comparison(Verdict.UNKNOWN, precondition=precondition, because=because)

    def _refuted(
        self,
        numbers: Mapping[str, Expression],
        holds: isl.Set,
        fails: isl.Set,
        places: Sequence[Place],
        *,
        never: bool,
    ) -> Comparison:
        try:
            found = self.example(numbers, fails, places)
            precondition = None if never else self._precondition(numbers, holds, places)
        except BudgetExceeded as error:
            return Comparison(Verdict.REFUTED, never, because=error.reason)
        return Comparison(Verdict.REFUTED, never, None if found is None else found[0], precondition)

    def _precondition(
        self, numbers: Mapping[str, Expression], holds: isl.Set, places: Sequence[Place]
    ) -> str | None:
        """The weakest condition on the parameters under which it holds, or its places are not reached.

        None if then no execution reaches them.
        """
        known = self._queries.parameters(numbers, places, self._parameters)
        possible, wrong = known.points, known.points.subtract(holds)
        for name in numbers:
            possible, wrong = without(possible, name), without(wrong, name)
        if possible.is_subset(wrong):
            return None
        natural = self._queries.facts(wrong).intersect(self._queries.assumed())
        return self._texts.of_set(natural.subtract(wrong).coalesce().gist(natural))
