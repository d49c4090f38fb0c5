"""Everything about one pair of accesses: relations, compositions, and the answer at each depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias, alias
from volcli.model.memory.dependences.answers import Dependence
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.steps.composition import AtDepth, Composition, at_depth, compose
from volcli.model.memory.steps.tableaus import NoTableau, access_tableaus
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.tableaus.tableau import Tableau

MARK = "'"
"""Behind the names of the sink's induction variables."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two accesses of one function, of which one writes."""

    memory: Memory
    source: Site
    sink: Site

    @property
    def common(self) -> int:
        """How many loops are around both."""
        return self.memory.common(self.source, self.sink)

    @cached_property
    def alias(self) -> Alias:
        """Whether they go to one buffer."""
        return alias(self.source.place.root, self.sink.place.root)

    @cached_property
    def dependences(self) -> tuple[Dependence, ...]:
        """The answer at each depth."""
        depths = range(1, self.common + 2)
        return tuple(self.memory.dependence(self.source, self.sink, depth) for depth in depths)

    def relations(self) -> tuple[tuple[Tableau, ...], tuple[Tableau, ...]]:
        """The access relations of both, as unions; raises NoTableau, and says of which one."""
        return self._tableaus(self.source, "source", ""), self._tableaus(self.sink, "sink", MARK)

    def _tableaus(self, site: Site, role: str, mark: str) -> tuple[Tableau, ...]:
        try:
            with budget():
                return access_tableaus(self.memory, site, mark)
        except (NoTableau, BudgetExceeded) as why:
            raise NoTableau(f"because of the {role}: {why}") from None

    def compositions(self) -> Iterator[tuple[Composition, tuple[AtDepth, ...]]]:
        """Each part of the source with each of the sink, as far as they have an element in common."""
        for source in (relations := self.relations())[0]:
            for sink in relations[1]:
                composition = compose(source, sink)
                depths = tuple(
                    at_depth(composition.composed, self.common, depth) for depth in range(1, self.common + 2)
                )
                yield composition, depths


def pairs_of_site(memory: Memory, site: Site) -> list[Pair]:
    """All pairs of SITE that may go to one buffer, it as the source before it as the sink."""
    others = [other for other in memory.sites if site.is_write or other.is_write]
    found = [Pair(memory, site, other) for other in others]
    found += [Pair(memory, other, site) for other in others if other is not site]
    return [pair for pair in found if pair.alias not in (Alias.DISTINCT, Alias.ASSUMED_DISTINCT)]


def pairs_between(memory: Memory, sources: Sequence[Site], sinks: Sequence[Site]) -> list[Pair]:
    """Each of SOURCES with each of SINKS; those of different buffers only if there are no others."""
    found = [
        Pair(memory, source, sink) for source in sources for sink in sinks if source.is_write or sink.is_write
    ]
    same = [pair for pair in found if pair.alias not in (Alias.DISTINCT, Alias.ASSUMED_DISTINCT)]
    return same or found
