"""Accesses as facts speak of them: shared by what is said of dependences, flow and races."""

from __future__ import annotations

from collections.abc import Hashable

from volcli.facts.ends import End
from volcli.facts.fact import Where
from volcli.language.interface import operation_name
from volcli.language.unchanged import cached_method
from volcli.model.function import FunctionModel
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.naming import relation_named, site_text
from volcli.passes.base import Unit
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.named import NamedMap


class Ends:
    """The accesses of one function; the relation of each is named once."""

    def __init__(self, unit: Unit, model: FunctionModel) -> None:
        self._unit = unit
        self._model = model
        self._relations: dict[tuple[Hashable, ...], NamedMap | None] = {}

    @cached_method
    def where(self, site: Site) -> Where:
        """What facts about SITE say of its operation."""
        return self._unit.where(self._model, site.op)

    @cached_method
    def of(self, site: Site) -> End:
        """SITE with its place, its number and its access relation."""
        place, text = self._unit.parsed.written_at(site.op), site_text(self._model.memory, site)
        return End(operation_name(site.op), place, site.number, text, self._relation(site))

    def _relation(self, site: Site) -> NamedMap | None:
        """The relation of SITE, which accesses that are alike share."""
        memory = self._model.memory
        if site.is_escaped or site.number >= len(memory.sites):
            return None
        key = memory.instances.relation(site), id(site.levels), site.place.root  # levels are kept
        if key not in self._relations:
            self._relations[key] = self._named(site)
        return self._relations[key]

    def _named(self, site: Site) -> NamedMap | None:
        try:
            with budget(self._model.operations):
                return relation_named(self._model.memory, site)
        except BudgetExceeded:
            return None
