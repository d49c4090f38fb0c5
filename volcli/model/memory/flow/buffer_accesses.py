"""The accesses to one buffer as relations `{ [iteration] -> [made, element] }`.

`made` are the iterations of the loops that the buffer is allocated in: each has a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import islpy as isl

from volcli.language.expressions import loops
from volcli.model.memory.accesses.relations import Relation, Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.dependences.pair_distances import unknown_memory
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.memory.flow.schedules import expanded, stable
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class AccessRelation:
    """`{ [i, l] -> [made, element] }`, at most if not exact.

    `made` are the iterations of the loops that the buffer is allocated in: it is another one in each. KEY is
    the same for those of which it is known before there are points that these are equal: of which numbers say
    where they go.
    """

    site: Site
    make: Callable[[], isl.Map]
    exact: bool
    because: str | None
    key: Hashable = None

    @cached_property
    def points(self) -> isl.Map:
        """The relation itself, made when it is first asked for."""
        return self.make()


class BufferAccesses:
    """The accesses that go to one buffer, OWN, and those that MAY_BE to it; iterations by their NUMBERS."""

    def __init__(
        self,
        memory: Memory,
        root: Root,
        own: Sequence[Site],
        may_be: Sequence[Site],
        numbers: IterationNumbers,
    ) -> None:
        self.numbers = numbers
        self._memory = memory
        self._root = root
        self.digits = memory.delinearisation.of_buffer(own)
        self.rank = len(own[0].place.index if self.digits is None else self.digits.of(0))
        made = memory.of_pairs.made_in(root)
        self.made = made if root.origin is Origin.ALLOCATION else 0
        is_doubted = root.origin is Origin.UNKNOWN and made > 0
        self._doubt = f"{memory.bounds.name_of(root.value)}: {unknown_memory(root)}" if is_doubted else None
        self.own = [self._own(site, position) for position, site in enumerate(own)]
        self.all = [*self.own, *(self._other(site) for site in may_be)]

    @property
    def because(self) -> str | None:
        """Why not all of it is exact."""
        return next((access.because for access in self.all if not access.exact), None)

    @cached_property
    def writes(self) -> list[AccessRelation]:
        """All that may write to the buffer."""
        return [access for access in self.all if access.site.is_write]

    @cached_property
    def reads(self) -> list[AccessRelation]:
        """All that may read it."""
        return [access for access in self.all if not access.site.is_write]

    def _own(self, site: Site, position: int) -> AccessRelation:
        if self.digits is None and not site.place.extents:
            relation = self._memory.instances.relation(site)
            if relation.is_numeric and len(relation.offset) == self.rank:
                points = partial(self._made, relation, site)
                key = relation.key, relation.offset
                return AccessRelation(site, points, self._doubt is None, self._doubt, key)
        digits = () if self.digits is None else self.digits.of(position)
        points, relation = expanded(self._memory.instances, site, digits)
        if points.dim(DIM.out) != self.rank:
            return self._anywhere(site, points, "a view of another rank")
        because = relation.because or self._doubt
        if relation.unstable:
            because = because or self._memory.instances.instability(relation.unstable)
            points = stable(points, relation)
        points = self._with_made(self.numbers.numbered(points, site))
        exact = relation.exact and because is None
        because = None if exact else because or "it is not exact"
        return AccessRelation(site, lambda: points, exact, because)

    def _made(self, relation: Relation, site: Site) -> isl.Map:
        """The points of RELATION, that of SITE, without redundant constraints: isl's hash removes these."""
        points = self._with_made(self.numbers.numbered(relation.elements(), site))
        hash(points)
        return points

    def _with_made(self, points: isl.Map) -> isl.Map:
        """POINTS with the iterations in which the buffer is made."""
        if not self.made:
            return points
        return build.relation(points.dim(DIM.in_), loops(self.made)).flat_range_product(points)

    def _other(self, site: Site) -> AccessRelation:
        """What goes to another buffer, which may be this one."""
        points, _ = expanded(self._memory.instances, site)
        other = site.place.root
        if other.origin is Origin.ESCAPED:
            return self._anywhere(site, points, other.because or "it has escaped")
        unknown = other if other.origin is Origin.UNKNOWN else self._root
        return self._anywhere(site, points, self._memory.of_pairs.may_be_same(unknown))

    def _anywhere(self, site: Site, points: isl.Map, because: str) -> AccessRelation:
        inside = self.numbers.numbered(points, site).domain().project_out_all_params()
        target = isl.Set.universe(build.space((), self.made + self.rank))
        return AccessRelation(site, lambda: isl.Map.from_domain_and_range(inside, target), False, because)
