"""Accesses as facts speak of them: shared by what is said of dependences, flow and races."""

from __future__ import annotations

from volcli.facts.ends import End
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.memory.instances import Site
from volcli.model.memory.naming import relation_named, site_text
from volcli.passes.base import Unit
from volcli.presburger.budget import BudgetExceeded, budget
from volcli.presburger.named import NamedMap


class Ends:
    """The accesses of one function; the relation of each is named once."""

    def __init__(self, unit: Unit, model: FunctionModel) -> None:
        self._unit = unit
        self._model = model
        self._relations: dict[int, NamedMap | None] = {}

    def of(self, site: Site) -> End:
        """SITE with its place, its number and its access relation."""
        place, text = self._unit.parsed.written_at(site.op), site_text(self._model.memory, site)
        return End(operation_name(site.op), place, site.number, text, self._relation(site))

    def _relation(self, site: Site) -> NamedMap | None:
        if site.number not in self._relations:
            try:
                with budget(self._model.operations):
                    self._relations[site.number] = relation_named(self._model.memory, site)
            except BudgetExceeded:
                self._relations[site.number] = None
        return self._relations[site.number]
