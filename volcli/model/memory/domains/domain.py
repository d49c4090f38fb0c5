"""What is known of the iterations in which a place runs, and of those in which it may be reached."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import islpy as isl

from volcli.model.values.contexts.factors import Factor
from volcli.model.values.terms.constraint_set import Kept, Known
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_in


@dataclass(frozen=True, eq=False)
class Domain:
    """When the operations of a block run, as a set of iterations; `kept` is what it may speak of.

    `is_whole`: the bounds of the loops depend on nothing but the loops around, and there is no more to know
    of their variables. `within_loops`: it is exact but for how often loops under conditions run.
    """

    points: isl.Set
    kept: Kept
    exact: bool
    because: str | None
    is_whole: bool = False
    within_loops: bool = True

    @cached_property
    def is_parametric(self) -> bool:
        """Whether it depends on parameters, and is not empty: other iterations run for other numbers."""
        parameters = self.points.dim(DIM.param)
        return bool(self.points.involves_dims(DIM.param, 0, parameters)) and not self.points.is_empty()


@dataclass(frozen=True, eq=False)
class ReachedIterations:
    """The iterations in which a place may be reached, `points`; what more may hold there are the `doubts`.

    A doubt is about variables with these names, or about all of them; and why it is not known.
    """

    points: isl.Set
    doubts: tuple[tuple[frozenset[str], bool, str], ...]

    @cached_property
    def is_everywhere(self) -> bool:
        """Whether it shows at once that these are all iterations."""
        return bool(self.points.plain_is_universe())

    def doubt(self, points: isl.Set) -> str | None:
        """Why it is unknown whether POINTS are reached; None if nothing more has to do with them."""
        names = set(parameters_in(points))
        found = (
            because for about, is_of_all, because in self.doubts if is_of_all or not names.isdisjoint(about)
        )
        return next(found, None)


@dataclass(frozen=True)
class NestBounds:
    """The bounds of loops over the loops around, and what else holds in them, of variables outside.

    It is open if it speaks of variables: more may be known of these than what is here.
    """

    bounds: tuple[Hashable, ...]
    others: tuple[Factor, ...]
    is_open: bool


@dataclass(frozen=True, eq=False)
class StatedBefore:
    """What `before` says where it is known, and what of it is not: the `doubts` of `ReachedIterations`.

    Where nothing is known, it is `always()`, and says nothing of the iterations of any loops.
    """

    known: Known
    doubts: tuple[tuple[frozenset[str], bool, str], ...]


MapOrSet = TypeVar("MapOrSet", isl.Map, isl.Set)


def equated(points: MapOrSet, kind: isl.dim_type, position: int, name: str) -> MapOrSet:
    """POINTS where a dimension is the parameter NAME, which is then spoken of no more."""
    column = points.find_dim_by_name(DIM.param, name)
    if column < 0:
        return points
    return points.equate(DIM.param, column, kind, position).project_out(DIM.param, column, 1)
