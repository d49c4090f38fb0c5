"""element-maps: which input elements each element of a value depends on."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.maps import MapFact
from volcli.facts.names import FactNames
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.model.volumes.element_map import ElementMap, VolumeUse
from volcli.model.volumes.regions import in_order
from volcli.passes.assumed import asked
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import report_limits
from volcli.passes.names import names_in
from volcli.passes.selection import selected, where
from volcli.presburger.named import NamedMap, NamedUnionMap


@dataclass(frozen=True)
class ElementMaps(Pass):
    """The volume element map of a value (IMPACT 2023, sections 4.2 and 4.3).

    By default from the function's results to its arguments and constants: the lenient composition of the
    operations' maps. Each use of a scalar constant is a volume of its own, named after the constant and the
    user (`cst0_pad0`). An operation without a case makes the map over-approximate, and it says so.
    """

    name = "element-maps"
    summary = "which input elements each element of a value depends on"
    by_function = True

    of: str = option("", help="the value, with its %; 'all' for every value; default: the function's results")
    to: str = option("inputs", help="'inputs' of the function, or 'operands' of the defining operation")

    def apply(self, unit: Unit) -> None:
        if self.to not in ("inputs", "operands"):
            message = f"{self.name}: option 'to' is 'inputs' or 'operands', not '{self.to}'"
            raise UsageError(Diagnostic("V002", message))
        for model, value in selected(unit, self.of):
            unit.facts.append(map_fact(unit, model, value, self.to))
        report_limits(unit)


def map_fact(unit: Unit, model: FunctionModel, value: SSAValue, to: str | SSAValue = "inputs") -> MapFact:
    """The element map of VALUE TO the function's inputs, its operation's operands, or another value."""
    at, name = where(unit, model, value), model.name_of(value)
    target = to if isinstance(to, str) else model.name_of(to)
    if (reason := _why_none(model, value, to)) is not None:
        return MapFact(at, name, None, (), False, reason, to=target)
    result, reason, needed = asked(
        unit, model, value, at.place, lambda view: _map(unit, model, view, value, to), _content
    )
    if result is None:
        return MapFact(at, name, None, (), False, reason, to=target)
    element_map, whole, pieces, names = result
    if model.has_control_flow:
        reason = "control flow between blocks"
    inexact, flags = element_map.inexact or reason, in_order(element_map.assumes)
    return MapFact(at, name, whole, pieces, inexact is None, inexact, names, target, needed, flags)


def _why_none(model: FunctionModel, value: SSAValue, to: str | SSAValue) -> str | None:
    """Why there is no map from VALUE; None if there is one."""
    if not model.owns(value):
        return "the value is inside a region"
    if isinstance(to, str):
        return None
    if not model.owns(to):
        return f"{model.name_of(to)} is inside a region"
    if isinstance(to.type, IndexType | IntegerType):
        return f"{model.name_of(to)} is a number: it may select elements, and is a parameter of maps"
    # From one block to another, values go through arguments, which are inputs here.
    return "control flow between blocks" if model.has_control_flow else None


def _map(
    unit: Unit, model: FunctionModel, view: VolumesView, value: SSAValue, to: str | SSAValue
) -> tuple[ElementMap, NamedUnionMap, tuple[NamedMap, ...], FactNames]:
    maps = view.maps
    if isinstance(to, SSAValue):
        found = maps.to_value(value, to)
    else:
        found = maps.to_inputs(value) if to == "inputs" else maps.of_operation(value)
    names = {v: view.names_of_dimensions(v) for v in (value, *(use.volume for use in found.targets))}
    whole = maps.in_context(found)
    known = names_in(
        unit, model, view, dict.fromkeys((VolumeUse(value), *found.targets)), whole.targets.values()
    )
    pieces = tuple(map(NamedMap.of, maps.named(maps.gist(found), names)))
    return found, NamedUnionMap.of(maps.union_map(whole, names)), pieces, known


def _content(found: tuple[ElementMap, NamedUnionMap, tuple[NamedMap, ...], FactNames]) -> object:
    """What an answer says: the map where the sizes are what is known of them, and whether it is exact."""
    element_map, _, pieces, _ = found
    return [piece.text for piece in pieces], element_map.inexact, element_map.assumes
