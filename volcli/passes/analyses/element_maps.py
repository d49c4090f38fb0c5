"""element-maps: which input elements each element of a value depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.ir import Block, OpResult, SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.maps import MapFact
from volcli.facts.names import FactNames
from volcli.language import questions
from volcli.language.memory import is_memref
from volcli.language.reads import is_number
from volcli.model.function import FunctionModel
from volcli.model.symbols import called_by
from volcli.model.view import VolumesView
from volcli.model.volumes.knowledge.regions import in_order
from volcli.model.volumes.maps.composed import ElementMap, VolumeUse
from volcli.passes.assumed import asked
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import report_limits
from volcli.passes.names import names_in
from volcli.passes.selection import selected, where
from volcli.presburger.sets.named import NamedMap, NamedUnionMap


@dataclass(frozen=True)
class ElementMaps(Pass):
    """The volume element map of a value (IMPACT 2023, sections 4.2 and 4.3).

    By default from the function's results to its arguments and constants: the lenient composition of the
    operations' maps. Each use of a scalar constant is a volume of its own, named after the constant and the
    user (`cst0_pad0`). An operation without a case makes the map over-approximate, and it says so. Of a value
    in a loop, the variables of the loops around it are parameters; of a scalar in the body of a structured
    operation, the loop points are the elements. What is multiplied by a zero that a number of a constant or a
    fact of the user says is not read.
    """

    name = "element-maps"
    summary = "which input elements each element of a value depends on"
    by_function = True

    of: tuple[str, ...] = option(
        (), help="the values, with their %; 'all' for every value; default: results and written memory"
    )
    to: tuple[str, ...] = option(
        ("inputs",),
        help="'inputs' of the function, 'operands' of the defining operation, or values, with their %",
    )

    def apply(self, unit: Unit) -> None:
        for to in self.to:
            if to not in ("inputs", "operands") and not to.startswith("%"):
                message = f"{self.name}: option 'to' is 'inputs', 'operands' or a value, not '{to}'"
                raise UsageError(Diagnostic("V002", message))
        for model, value in selected(unit, self.of, memory=True):
            for to in self.to:
                if (target := _target(unit, model, to)) is not None:
                    unit.facts.append(map_fact(unit, model, value, target))
        report_limits(unit)


def _target(unit: Unit, model: FunctionModel, to: str) -> str | SSAValue | None:
    """What TO names in the function of MODEL; None if it has no such value."""
    return unit.parsed.names.find(model.function, to) if to.startswith("%") else to


def map_fact(unit: Unit, model: FunctionModel, value: SSAValue, to: str | SSAValue = "inputs") -> MapFact:
    """The element map of VALUE TO the function's inputs, its operation's operands, or another value."""
    at, name = where(unit, model, value), model.name_of(value)
    target = to if isinstance(to, str) else model.name_of(to)
    others = [to] if isinstance(to, SSAValue) else _passed(model, value) if to == "operands" else []
    followed, (start, *ends) = model.elements(value, *others, last=to != "operands")
    end = to if isinstance(to, str) and not ends else ends
    reason = _why_none(model, followed, value, (start, to, *ends)) if isinstance(to, SSAValue) else None
    if reason is not None:
        return MapFact(at, name, None, (), False, reason, to=target)
    result, reason, needed = asked(
        unit, followed, start, at.place, lambda view: _map(unit, followed, view, start, end), _content
    )
    if result is None:
        return MapFact(at, name, None, (), False, reason, to=target)
    element_map, whole, pieces, names = result
    if element_map.unknown is not None:
        reason = f"{name} is memory: {element_map.unknown}"
        return MapFact(at, name, None, (), False, reason, to=target)
    if followed.has_control_flow:
        reason = "control flow between blocks"
    assumed = (*needed, *element_map.stated)
    inexact, flags = element_map.inexact or reason, in_order(element_map.assumes)
    return MapFact(at, name, whole, pieces, inexact is None, inexact, names, target, assumed, flags)


def _passed(model: FunctionModel, value: SSAValue) -> Sequence[SSAValue]:
    """What is passed to the call that VALUE is a result of, if it is one that is followed."""
    if model.followed is model or not isinstance(value, OpResult) or called_by(value.op) is None:
        return ()
    return () if value in model.elements(value, last=False)[1] else value.op.operands


def _why_none(
    model: FunctionModel, followed: FunctionModel, value: SSAValue, copies: Sequence[SSAValue]
) -> str | None:
    """Why there is no map from VALUE to the second of COPIES, the third in FOLLOWED; None if there is one."""
    start, to, end = copies
    if is_memref(to) and isinstance(to, OpResult):
        return f"{model.name_of(to)} is memory: a map to what it contains at some time is not known"
    if is_number(to):
        return f"{model.name_of(to)} is a number: it may select elements, and is a parameter of maps"
    if not followed.owns(end) and not _is_around(end, start):
        return f"{model.name_of(to)} is inside a region that {model.name_of(value)} is not in"
    # From one block to another, values go through arguments, which are inputs here.
    return "control flow between blocks" if followed.has_control_flow else None


def _is_around(outer: SSAValue, inner: SSAValue) -> bool:
    """Whether the block of OUTER is that of INNER, or one around it."""
    block = _block(inner)
    while block is not None and block is not _block(outer):
        around = block.parent_op()
        block = None if around is None else around.parent
    return block is not None


def _block(value: SSAValue) -> Block | None:
    return (
        value.op.parent
        if isinstance(value, OpResult)
        else value.owner
        if isinstance(value.owner, Block)
        else None
    )


def _map(
    unit: Unit, model: FunctionModel, view: VolumesView, value: SSAValue, to: str | Sequence[SSAValue]
) -> tuple[ElementMap, NamedUnionMap, tuple[NamedMap, ...], FactNames]:
    maps = view.maps
    if not isinstance(to, str):
        found = maps.to_values(value, to)
    else:
        found = maps.to_inputs(value) if to == "inputs" else maps.of_operation(value)
    is_passed_on = unit.parsed.names.is_passed_on
    found = replace(found, targets={u: r for u, r in found.targets.items() if not is_passed_on(u.volume)})
    names = {v: view.names_of_dimensions(v) for v in (value, *(use.volume for use in found.targets))}
    if found.points is not None:
        names[value] = _names_of_loops(value, found.points)
    whole = maps.in_context(found)
    known = names_in(
        unit, model, view, dict.fromkeys((VolumeUse(value), *found.targets)), whole.targets.values()
    )
    pieces = tuple(map(NamedMap.of, maps.named(maps.gist(found), names)))
    return found, NamedUnionMap.of(maps.union_map(whole, names)), pieces, known


def _names_of_loops(scalar: SSAValue, points: isl.Set) -> tuple[str, ...]:
    """The names of the loops of the operation that SCALAR is computed in."""
    block = _block(scalar)
    around = None if block is None else block.parent_op()
    iterators = None if around is None else questions.iterator_names(around)
    return tuple(iterators or (f"d{d}" for d in range(points.dim(isl.dim_type.set))))


def _content(found: tuple[ElementMap, NamedUnionMap, tuple[NamedMap, ...], FactNames]) -> object:
    """What an answer says: the map where the sizes are what is known of them, and whether it is exact."""
    element_map, _, pieces, _ = found
    return [piece.text for piece in pieces], element_map.inexact, element_map.assumes
