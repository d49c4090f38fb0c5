"""Which pairs of accesses have the same distances: unrolled and tiled code has few different ones.

The distances of two accesses to one buffer depend on their relations, on the difference of their offsets, on
how many loops are around both, and on how many of these make the buffer anew. In

    for %i { store %m[%i]; load %m[%i]; store %m[%i + 1]; load %m[%i + 1] }

the first two accesses are a pair like the last two.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import sub

from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.accesses.strides import Strides
from volcli.model.memory.buffers.buffers import Origin
from volcli.model.memory.dependences.pair_distances import PairDistances

_NOT_ONE_BUFFER = (Origin.UNKNOWN, Origin.ESCAPED)


class EqualPairs:
    """The pairs of accesses of one function, by what their distances depend on."""

    def __init__(self, instances: Instances, strides: Strides, of_pairs: PairDistances) -> None:
        self._instances = instances
        self._strides = strides
        self._of_pairs = of_pairs

    def key(self, source: Site, sink: Site) -> Hashable:
        """The same for pairs with the same distances, if the first access of each runs first."""
        first, second = self._alike(source), self._alike(sink)
        left, right = source.place.root, sink.place.root
        if first is None or second is None or (left is not right and left != right):
            return source.number, sink.number
        common = self._of_pairs.common(source, sink)
        return first[0], second[0], tuple(map(sub, first[1], second[1])), common

    @cached_method
    def _alike(self, site: Site) -> tuple[Hashable, tuple[int, ...]] | None:
        """The relation of SITE and in how many loops its buffer is made; its offset.

        None if distances depend on more than that.
        """
        relation, root = self._instances.relation(site), site.place.root
        is_known = relation.key is not None and relation.exact and not relation.unstable
        if not is_known or root.origin in _NOT_ONE_BUFFER or self._strides.of(site.levels):
            return None
        made = self._of_pairs.made_in(root) if root.origin is Origin.ALLOCATION else 0
        return (relation.key, made), relation.offset
