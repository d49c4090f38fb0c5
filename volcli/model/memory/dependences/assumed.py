"""What is assumed of memory: that two buffers are apart, and that a layout does not overlap itself."""

from __future__ import annotations

from collections.abc import Sequence

from volcli.language.expressions import Expression
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.partners import Partners
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.aliases import Alias
from volcli.model.memory.buffers.buffers import Root
from volcli.model.memory.buffers.effects import (
    KnownCallers,
)
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.dependences.memory_names import MemoryNames
from volcli.model.values.store.store import BoundsStore

DIFFERENT = "are different memory"
"""What is assumed of two buffers of which it is unknown whether they are one."""


class MemoryAssumptions:
    """The assumptions about the buffers of one function; CALLERS know whether each call fulfils them."""

    def __init__(
        self, bounds: BoundsStore, names: MemoryNames, partners: Partners, callers: KnownCallers | None
    ) -> None:
        self._bounds = bounds
        self._names = names
        self._partners = partners
        self._callers = callers
        self._laid_out: dict[Root, bool] = {}

    def of(self, sites: Sequence[Site]) -> tuple[str, ...]:
        """What is assumed of all pairs of SITES of which one writes."""
        return self._partners.assumptions(sites, self.apart, self.layout)

    def of_pair(self, source: Site, sink: Site) -> tuple[str, ...]:
        """What is assumed of SOURCE and SINK."""
        first, second = source.place.root, sink.place.root
        match self._partners.alias(first, second):
            case Alias.SAME:
                return self.layout((source, sink))
            case Alias.ASSUMED_DISTINCT:
                return (self.apart(first, second),)
            case Alias.DISTINCT | Alias.UNKNOWN:
                return ()

    @cached_method
    def apart(self, first: Root, second: Root) -> str:
        """What is assumed of two buffers that may be one; or that all callers see to it."""
        values = sorted((first.value, second.value), key=self._bounds.definitions.position)
        text = f"{' and '.join(map(self._names.memref, values))} {DIFFERENT}"
        is_passed = self._callers is not None and self._callers.pass_apart(
            self._bounds.function, first, second
        )
        return f"{text}, as in all calls of the function" if is_passed else text

    def layout(self, sites: Sequence[Site]) -> tuple[str, ...]:
        """What is assumed of the layout of one buffer, where SITES go to different indices of it."""
        root = sites[0].place.root
        is_assumed = self._laid_out.get(root)
        if is_assumed is None:
            is_assumed = self._laid_out[root] = layout_of(root.value.type).assumed
        if not is_assumed:
            return ()
        indices = {site.place.index for site in sites}
        is_one = len(indices) == 1 and all(isinstance(e, Expression) and e.is_constant for e in indices.pop())
        return (
            () if is_one else (f"the layout of {self._bounds.name_of(root.value)} does not overlap itself",)
        )
