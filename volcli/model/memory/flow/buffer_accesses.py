"""The accesses to one buffer as relations `{ [iteration] -> [made, element] }`.

`made` are the iterations of the loops that the buffer is allocated in: each has a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial

import islpy as isl

from volcli.language.expressions import loops
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.dependences.pair_distances import unknown_memory
from volcli.model.memory.flow.iteration_numbers import IterationNumbers
from volcli.model.memory.flow.schedules import expanded
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


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
        self.own = own
        self.relations = {
            **{site: self._own(site, position) for position, site in enumerate(own)},
            **{site: self._other(site) for site in may_be},
        }

    def may_be(self, iterations: isl.Set) -> bool:
        """Whether ITERATIONS are some for arguments that there are: of an i1, 0 and 1."""
        parameters = iterations.params()
        return not parameters.intersect(self._memory.bounds.assumed_of(parameters)).is_empty()

    @property
    def because(self) -> str | None:
        """Why not all of it is exact."""
        return next((each.because for each in self.relations.values() if not each.exact), None)

    @cached_property
    def writes(self) -> list[Site]:
        """All that may write to the buffer."""
        return [site for site in self.relations if site.is_write]

    @cached_property
    def reads(self) -> list[Site]:
        """All that may read it."""
        return [site for site in self.relations if not site.is_write]

    def _own(self, site: Site, position: int) -> Relation:
        instances = self._memory.instances
        if self.digits is None and not site.place.extents:
            relation = instances.relation(site)
            if relation.is_numeric and len(relation.offset) == self.rank:
                points, key = partial(self._made, relation, site), (relation.key, relation.offset)
                return Relation(points, key, exact=self._doubt is None, because=self._doubt, is_numeric=True)
        relation = expanded(instances, site, () if self.digits is None else self.digits.of(position))
        if len(relation.offset) != self.rank:
            return self._anywhere(site, relation, "a view of another rank")
        because = relation.because or self._doubt
        if relation.unstable:
            because = because or instances.instability(relation.unstable)
        points = self._with_made(self.numbers.numbered(relation.stable(), site))
        exact = relation.exact and because is None
        return Relation(points, exact=exact, because=None if exact else because or "it is not exact")

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

    def _other(self, site: Site) -> Relation:
        """What goes to another buffer, which may be this one."""
        relation, other = expanded(self._memory.instances, site), site.place.root
        if other.origin is Origin.ESCAPED:
            return self._anywhere(site, relation, other.because or "it has escaped")
        unknown = other if other.origin is Origin.UNKNOWN else self._root
        return self._anywhere(site, relation, self._memory.of_pairs.may_be_same(unknown))

    def _anywhere(self, site: Site, relation: Relation, because: str) -> Relation:
        inside = self.numbers.numbered(relation.elements(), site).domain().project_out_all_params()
        target = isl.Set.universe(build.space((), self.made + self.rank))
        points = isl.Map.from_domain_and_range(inside, target)
        return Relation(points, exact=False, because=because)
