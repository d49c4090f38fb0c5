"""What is known of the elements of a function, given what is known of its sizes in one segment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.contents.contents import MemorySteps
from volcli.model.volumes.domains.given import GivenFact
from volcli.model.volumes.domains.parts import Volume
from volcli.model.volumes.knowledge.dimension_names import dimension_names
from volcli.model.volumes.knowledge.literals import has_literal_zeros
from volcli.model.volumes.knowledge.narrowing import Narrowing
from volcli.model.volumes.knowledge.sparsity import ElementFlow
from volcli.model.volumes.maps.composed import VolumeUse, words
from volcli.model.volumes.maps.element_map import FunctionMaps
from volcli.model.volumes.relations.relations import Relations
from volcli.presburger.measures.widths import within_words


class VolumesView:
    """The element maps, element facts and regions of a function whose sizes are those of STORE.

    Its elements are what the DECLARED facts of the user say, and its MEMORY is made if something asks for it.
    """

    def __init__(
        self, store: Sizes, declared: Sequence[GivenFact] = (), memory: Callable[[], Memory] | None = None
    ) -> None:
        self._memory = memory
        self.store = store
        self.declared = declared

    def assumptions(self) -> tuple[str, ...]:
        """The names of the assumptions that what is said here may rest on."""
        return (*self.store.assumptions(), *dict.fromkeys(each.text for each in self.declared))

    @cached_property
    def contradictions(self) -> Mapping[GivenFact, str]:
        """The facts of the user that cannot be, each with the reason: nothing is concluded from them."""
        if not self.declared:
            return {}
        flow = ElementFlow(self.store, self.relations, declared=self.declared, memory=self._steps)
        for each in self.declared:
            flow.facts(each.value)
        return flow.contradictions

    @cached_property
    def _usable(self) -> Sequence[GivenFact]:
        """The facts of the user that are used."""
        return [each for each in self.declared if each not in self.contradictions]

    @cached_property
    def relations(self) -> Relations:
        return Relations(self.store)

    @cached_property
    def flow(self) -> ElementFlow:
        return ElementFlow(self.store, self.relations, declared=self._usable, memory=self._steps)

    @cached_method
    def flow_from(self, data: frozenset[SSAValue]) -> ElementFlow:
        """The element facts if the elements of DATA alone are data."""
        return ElementFlow(self.store, self.relations, declared=self._usable, data=data, memory=self._steps)

    @cached_property
    def maps(self) -> FunctionMaps:
        return FunctionMaps(self.store, self.relations, self.narrowing, self._steps)

    @cached_property
    def _steps(self) -> MemorySteps | None:
        return None if self._memory is None else MemorySteps(self.store, self._memory, self.relations)

    @cached_property
    def narrowing(self) -> Narrowing | None:
        """What is not read for zeros that constants' numbers and facts of the user say; None without any."""
        if not self._usable and not has_literal_zeros(self.store.blocks):
            return None
        usable, steps = self._usable, self._steps
        numbers = ElementFlow(self.store, self.relations, declared=usable, splats=False, memory=steps)
        return Narrowing(numbers)

    def of_memory(self, value: SSAValue) -> tuple[str | None, tuple[str, ...]]:
        """Why it is not known what VALUE, memory, contains; and what is assumed, where memory is followed."""
        if self._steps is None or not self._steps.is_used:
            return None, ()
        found = self.maps.to_inputs(value)
        return found.unknown, found.stated

    @cached_property
    def dimension_names(self) -> Mapping[SSAValue, tuple[str, ...]]:
        return dimension_names(self.store, self.relations)

    def names_of_dimensions(self, value: SSAValue) -> tuple[str, ...]:
        """The dimension names of VALUE: the iterators' where they are known, else d0, d1, ..."""
        return self.dimension_names.get(value) or tuple(f"d{d}" for d in range(rank_of(value)))

    def context(self, value: SSAValue) -> isl.Set:
        """What is known of the parameters where VALUE is computed, and is defined."""
        return self.maps.context(value)

    def volume(self, value: SSAValue) -> Volume:
        """VALUE as a volume, for the parameter values that are possible."""
        domain = self.store.domain(value).intersect_params(self.context(value))
        domain = within_words(domain, *words(self.store, domain))
        return Volume(self.maps.volume_name(VolumeUse(value)), self.names_of_dimensions(value), domain)
