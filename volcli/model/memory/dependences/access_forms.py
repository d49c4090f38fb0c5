"""Forms of accesses: their dependences are decided by these, and by the difference of their offsets.

Accesses have one form if they are in loops with the same iterations, and their elements of a buffer differ by
an offset:

    affine.for %i = 0 to 9 { store %m[%i]; load %m[%i + 1]; store %m[%i + 4]; load %m[%i + 5] }

The loads have one form and the stores another. The second load is as far from the second store as the first
one from the first: they have the same distances at each depth. A loop that was unrolled has many such pairs,
and so have the layers of a network, each of them with other buffers in other loops.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import sub

from volcli.model.memory.accesses.instances import Instances, Site
from volcli.model.memory.accesses.partners import Partners
from volcli.model.memory.accesses.strides import Strides
from volcli.model.memory.buffers.buffers import Alias, Origin, Root
from volcli.model.memory.dependences.answers import DependenceVerdict, Distances
from volcli.model.memory.dependences.meetings import Meetings

FoundAtDepths = tuple[tuple[int, Distances], ...]
"""The depths at which there are dependences, or may be, and their distances."""


@dataclass(frozen=True, eq=False)
class _AccessForm:
    """The number of a form, that of its buffer, and the offset."""

    number: int
    buffer: int
    offset: tuple[int, ...]


class AccessForms:
    """The forms of one function's accesses, numbered as they are first met.

    FIND says what there is at given depths between two accesses, and MADE_IN in how many loops a buffer is
    made anew.
    """

    def __init__(
        self,
        instances: Instances,
        meetings: Meetings,
        partners: Partners,
        strides: Strides,
        made_in: Callable[[Root], int],
        find: Callable[[Site, Site, Sequence[int]], FoundAtDepths],
    ) -> None:
        self._find = find
        self._strides = strides
        self._made_in = made_in
        self._instances = instances
        self._meetings = meetings
        self._partners = partners
        self._forms: dict[int, _AccessForm | None] = {}
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[Hashable, FoundAtDepths] = {}

    def found(self, source: Site, sink: Site, common: int, *, carried: bool) -> FoundAtDepths:
        """What there is of a pair in COMMON loops, CARRIED by these or not.

        What is proved is found once for all pairs like it.
        """
        pair = self._pair(source, sink)
        key = pair, common, carried
        known = None if pair is None else self._known.get(key)
        if known is None:
            known = self._find(source, sink, range(1, common + 1) if carried else (common + 1,))
            if pair is not None and all(each.verdict is DependenceVerdict.DEPENDENT for _, each in known):
                self._known[key] = known
        return known

    def _pair(self, source: Site, sink: Site) -> Hashable | None:
        """The same for pairs that have the same distances at each depth; None if that is not known."""
        one, other = self._of(source), self._of(sink)
        if one is None or other is None or one.buffer != other.buffer:
            return None
        return one.number, other.number, *map(sub, one.offset, other.offset)

    def _of(self, site: Site) -> _AccessForm | None:
        try:
            return self._forms[site.number]
        except KeyError:
            found = self._forms[site.number] = self._found(site)
            return found

    def _found(self, site: Site) -> _AccessForm | None:
        root = site.place.root
        if self._partners.alias(root, root) is not Alias.SAME:
            return None
        relation = self._instances.relation(site)
        if not relation.exact or relation.unstable:
            return None
        # two iterations of a loop whose step is a value are compared by that
        loops = site.levels if self._strides.of(site.levels) else None
        box = self._meetings.form(site, relation.offset)
        is_anew = root.origin in (Origin.ALLOCATION, Origin.UNKNOWN)
        made = (self._made_in(root), None if root.origin is Origin.ALLOCATION else root) if is_anew else None
        number = self._numbers.setdefault((relation.key, loops, box, made), len(self._numbers))
        buffer = self._numbers.setdefault(root, len(self._numbers))
        return _AccessForm(number, buffer, relation.offset)
