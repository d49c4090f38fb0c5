"""element-maps: which input elements each element of a value depends on."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.model.element_map import ElementMap, Use
from volcli.model.facts import MapFact, Names
from volcli.model.function import FunctionModel
from volcli.model.view import View
from volcli.passes.assumed import asked
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import report_limits
from volcli.passes.names import names_in
from volcli.passes.selection import selected, where


@dataclass(frozen=True)
class ElementMaps(Pass):
    """The volume element map of a value (IMPACT 2023, sections 4.2 and 4.3).

    By default from the function's results to its arguments and constants: the lenient composition of the
    operations' maps. Each use of a scalar constant is a volume of its own, named after the constant and the
    user (`cst0_pad0`). An operation without a case makes the map over-approximate, and it says so.
    """

    name = "element-maps"
    summary = "which input elements each element of a value depends on"

    of: str = option("", help="the value, with its %; 'all' for every value; default: the function's results")
    to: str = option("inputs", help="'inputs' of the function, or 'operands' of the defining operation")

    def apply(self, unit: Unit) -> None:
        if self.to not in ("inputs", "operands"):
            message = f"{self.name}: option 'to' is 'inputs' or 'operands', not '{self.to}'"
            raise UsageError(Diagnostic("V002", message))
        for model, value in selected(unit, self.of):
            unit.facts.append(self._fact(unit, model, value))
        report_limits(unit)

    def _fact(self, unit: Unit, model: FunctionModel, value: SSAValue) -> MapFact:
        at, name = where(unit, model, value), model.name_of(value)
        if not model.owns(value):
            return MapFact(at, name, "", (), False, "the value is inside a region")
        result, reason, needed = asked(
            unit, model, value, at.place, lambda view: self._map(unit, model, view, value), _content
        )
        if result is None:
            return MapFact(at, name, "", (), False, reason)
        element_map, text, pieces, names = result
        if model.has_control_flow:
            reason = "control flow between blocks"
        inexact = element_map.inexact or reason
        return MapFact(at, name, text, pieces, inexact is None, inexact, names, needed)

    def _map(
        self, unit: Unit, model: FunctionModel, view: View, value: SSAValue
    ) -> tuple[ElementMap, str, tuple[str, ...], Names]:
        maps = view.maps
        found = maps.to_inputs(value) if self.to == "inputs" else maps.of_operation(value)
        names = {v: view.names_of_dimensions(v) for v in (value, *(use.volume for use in found.targets))}
        whole = maps.in_context(found)
        known = names_in(
            unit, model, view, dict.fromkeys((Use(value), *found.targets)), whole.targets.values()
        )
        return found, str(maps.union_map(whole, names)), maps.lines(maps.gist(found), names), known


def _content(found: tuple[ElementMap, str, tuple[str, ...], Names]) -> object:
    """What an answer says: the map where the sizes are what is known of them, and whether it is exact."""
    element_map, _, pieces, _ = found
    return pieces, element_map.inexact
