"""What an access states, as a relation from iterations to elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import ANY, Atom, Expression, Index, substitute
from volcli.limits import memory as limits
from volcli.model.memory.domains.domain import equated
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.unwieldy import within


@dataclass(frozen=True)
class Stated:
    """What an access states: the element over what is kept, or what is `implied` of an index of it.

    It has own loops, from 0 to `extents`, and goes to elements only `where` expressions are not negative.
    """

    index: tuple[Index, ...]
    extents: tuple[Index, ...]
    where: tuple[Expression, ...]
    implied: tuple[tuple[int, Expression], ...]

    def over(self, place: Callable[[Atom], Expression | None]) -> Stated:
        """The same over iterations and parameters, as PLACE puts them for variables."""

        def placed(expression: Index) -> Index:
            return substitute(expression, place) if isinstance(expression, Expression) else ANY

        where = (e for each in self.where if isinstance(e := placed(each), Expression))
        return Stated(
            tuple(map(placed, self.index)), tuple(map(placed, self.extents)), tuple(where), self.implied
        )

    def relation(self, iterations: isl.Set, facts: isl.Set, equal: Mapping[str, int]) -> isl.Map:
        """`{ [i] -> [element] }` in ITERATIONS, where FACTS hold of parameters.

        Those that are EQUAL to the coordinate of an iteration are spoken of no more.
        """
        count, own = iterations.dim(DIM.set), len(self.extents)
        extents = [(count + k, e) for k, e in enumerate(self.extents) if isinstance(e, Expression)]
        with budget(limits.INDEX_OPERATIONS):
            points = build.relation(count + own, self.index)
        if extents or self.where:
            points = points.intersect_domain(build.domain(count + own, tuple(extents), self.where))
        points = points.project_out(DIM.in_, count, own)
        with within(limits.DEAR_RELATION, points, iterations, facts):
            points = points.intersect_domain(iterations).intersect_params(facts)
        for name, k in equal.items():
            points = equated(points, DIM.in_, k, name)
        for k, _ in self.implied:
            points = equated(points, DIM.out, k, implied_name(k))
        return points


def implied_name(position: int) -> str:
    """The parameter that stands for the index at POSITION."""
    return f"q{position}"
