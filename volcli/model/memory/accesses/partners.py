"""Which accesses may go to one buffer: sites by their buffers first, and pairs only within these.

Of n accesses to b buffers that are all different, each is compared with the n / b others of its buffer. What
is assumed of the other pairs is a matter of their buffers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice

from volcli.limits import memory as limits
from volcli.model.memory.accesses.nearby import Nearby, Windows
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias, alias, is_single
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.layouts import layout_of


class Partners:
    """The alias classes of one function's buffers; each two buffers are compared once.

    WINDOWS, where they are given, state which accesses to one buffer can share an element.
    """

    def __init__(self, windows: Windows | None = None) -> None:
        self.alias: Callable[[Root, Root], Alias] = cache(alias)
        self._windows = windows

    def pairs(self, sites: Sequence[Site]) -> Iterator[tuple[Site, Site]]:
        """The pairs of SITES, in their order, that may go to one element, and of which one writes.

        An access is a pair with itself, too, if it writes.
        """
        partners = self._partners(by_buffer(sites))
        for source in sites:
            is_write = source.is_write
            for sink in partners[source.place.root](source):
                if is_write or sink.is_write:
                    yield source, sink

    def _partners(
        self, groups: Mapping[Root, Sequence[Site]]
    ) -> dict[Root, Callable[[Site], Sequence[Site]]]:
        """Per buffer, the accesses that may share an element with a given one."""
        several = [root for root in groups if not is_single(root)]
        found: dict[Root, Callable[[Site], Sequence[Site]]] = {}
        for root, own in groups.items():
            others = (other for other in (several if is_single(root) else groups) if other != root)
            near = [other for other in others if self.alias(root, other) in (Alias.SAME, Alias.UNKNOWN)]
            sites = sorted(chain.from_iterable(groups[other] for other in near), key=_number)
            found[root] = self._around(own, sites)
        return found

    def _around(self, own: Sequence[Site], others: Sequence[Site]) -> Callable[[Site], Sequence[Site]]:
        """The accesses to one buffer, OWN, and OTHERS that may go to it, which may share an element."""
        root = own[0].place.root
        if self._windows is not None and len(own) >= limits.PARTNERS and self.alias(root, root) is Alias.SAME:
            nearby = Nearby(self._windows, own)
            return lambda source: sorted((*nearby.of(source), *others), key=_number)
        everything = sorted((*own, *others), key=_number)
        writes = [site for site in everything if site.is_write]
        return lambda source: everything if source.is_write else writes

    def assumptions(
        self,
        sites: Sequence[Site],
        different: Callable[[Root, Root], str],
        laid_out: Callable[[Sequence[Site]], tuple[str, ...]],
    ) -> tuple[str, ...]:
        """What is assumed of pairs of SITES of which one writes, in the order of these.

        That two buffers are DIFFERENT memory, or that one which is LAID OUT in an unknown way is injective.
        """
        groups = by_buffer(sites)
        found: list[tuple[int, int, str]] = []
        for one, left in groups.items():
            for other, right in groups.items():
                if one == other:
                    if layout_of(one.value.type).assumed:
                        pairs = ((a, b) for a in left for b in right if a.is_write or b.is_write)
                        said = ((a, b, text) for a, b in pairs for text in laid_out((a, b)))
                        found += ((a.number, b.number, text) for a, b, text in islice(said, 1))
                elif self.alias(one, other) is Alias.ASSUMED_DISTINCT:
                    pair = _first_pair(left, right)
                    if pair is not None:
                        found.append((pair[0].number, pair[1].number, different(one, other)))
        return tuple(dict.fromkeys(text for _, _, text in sorted(found)))


def _number(site: Site) -> int:
    return site.number


def by_buffer(sites: Sequence[Site]) -> dict[Root, list[Site]]:
    """SITES by the buffer that they go to, in their order."""
    groups: dict[Root, list[Site]] = {}
    for site in sites:
        groups.setdefault(site.place.root, []).append(site)
    return groups


def _first_pair(left: Sequence[Site], right: Sequence[Site]) -> tuple[Site, Site] | None:
    """The first pair of which one writes, by the access on the LEFT and then by the one on the RIGHT."""
    if left[0].is_write:
        return left[0], right[0]
    sink = next((each for each in right if each.is_write), None)
    if sink is not None:
        return left[0], sink
    source = next((each for each in left if each.is_write), None)
    return None if source is None else (source, right[0])
