"""sparsity-regions: which elements of a value depend on data, on constants around the data, or on neither."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.ir import SSAValue

from volcli.facts.names import FactNames
from volcli.facts.regions import RegionRow, RegionsFact
from volcli.language.expressions import Expression, constant
from volcli.language.reads import rank_of
from volcli.limits import volumes as limits
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.model.volumes.domains.counts import count_of
from volcli.model.volumes.knowledge.regions import Region, reached_by_data, reaching_all, regions_of
from volcli.model.volumes.knowledge.sparsity import ElementFlow
from volcli.model.volumes.maps.composed import VolumeUse, words
from volcli.model.volumes.maps.inner_values import definitions_before
from volcli.passes.assumed import asked
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import limited, report_limits
from volcli.passes.names import names_in
from volcli.passes.selection import selected, where
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.widths import within_words
from volcli.presburger.sets.named import NamedSet

_Answer = tuple[NamedSet, tuple[RegionRow, ...], int, str | None, FactNames, str | None]
"""The domain, the regions, how many boundaries reach every element, why it is inexact, and names.

Last the value before it whose elements boundaries tell apart, if here they do not.
"""


@dataclass(frozen=True)
class SparsityRegions(Pass):
    """Partition a value's index domain into dense, sparse and static regions (IMPACT 2023, section 5.3).

    Dense elements depend on data, and not on constants around it. Sparse elements depend on both; their
    degree is the number of boundary halfspaces that they touch (edges 1, corners 2), and where constants
    lie between the data (a strided insert_slice) they are split by phase. Static elements depend on no
    data. The regions are disjoint and cover the domain; each has its set and its count. Data are the elements
    of the arguments, or of the values of `relative-to`: other arguments are then unknown constants.
    """

    name = "sparsity-regions"
    summary = "the dense, sparse and static regions of a value"
    by_function = True

    of: tuple[str, ...] = option(
        (), help="the values, with their %; 'all' for every value; default: results and written memory"
    )
    relative_to: tuple[str, ...] = option(
        (), help="the values, with their %, whose elements are data; default: the function's arguments"
    )

    def apply(self, unit: Unit) -> None:
        for model, value in selected(unit, self.of, memory=True):
            named = [unit.parsed.names.find(model.function, name) for name in self.relative_to]
            data = tuple(each for each in named if each is not None)
            if len(data) == len(named):
                unit.facts.append(regions_fact(unit, model, value, data))
        report_limits(unit)


def regions_fact(
    unit: Unit, model: FunctionModel, value: SSAValue, relative_to: Sequence[SSAValue] = ()
) -> RegionsFact:
    """The regions of VALUE, where the elements of the values RELATIVE_TO are data (none: of arguments)."""
    at, name = where(unit, model, value), model.name_of(value)
    data = tuple(map(model.name_of, relative_to))
    if not all(map(model.owns, (value, *relative_to))):
        return RegionsFact(at, name, None, (), False, "the value is inside a region", relative_to=data)
    followed, (start, *given) = model.elements(value, *relative_to)
    result, reason, needed = asked(
        unit, followed, start, at.place, lambda view: _regions(unit, followed, view, start, given), _content
    )
    if result is None:
        return RegionsFact(at, name, None, (), False, reason, relative_to=data)
    domain, rows, common, inexact, names, last = result
    memory, spent = limited(unit, at.place, lambda: followed.view(start).of_memory(start))
    unknown, assumed = memory or (spent, ())
    if unknown is not None:
        return RegionsFact(at, name, None, (), False, f"{name} is memory: {unknown}", relative_to=data)
    needed = (*needed, *assumed)
    return RegionsFact(at, name, domain, rows, inexact is None, inexact, names, needed, common, data, last)


def _regions(
    unit: Unit, model: FunctionModel, view: VolumesView, value: SSAValue, relative_to: Sequence[SSAValue]
) -> _Answer:
    flow = view.flow_from(frozenset(relative_to)) if relative_to else view.flow
    facts = flow.facts(value)
    volume = view.volume(value)
    names = volume.dimensions

    def named(points: isl.Set) -> NamedSet:
        return NamedSet.of(volume.named(points))

    def row(region: Region) -> RegionRow:
        gist = region.points.gist(volume.domain)
        phase = tuple((names[d], residue, modulus) for d, residue, modulus in region.phase)
        count = _count(view, value, region)
        number = count.constant if count is not None and count.is_constant else None
        return RegionRow(region.kind, region.degree, named(region.points), named(gist), number, phase,
                         region.zero, region.assumes, region.zero_assumes,
                         None if count is None or count.is_constant else str(count))  # fmt: skip

    found = [
        replace(region, points=within_words(region.points, *words(view.store, region.points)))
        for region in regions_of(flow, value, volume.domain)
    ]
    known = names_in(
        unit, model, view, [VolumeUse(value)], (volume.domain, *(region.points for region in found))
    )
    common = reaching_all(facts, volume.domain)
    last = None
    if common and len(found) == 1:
        with suppress(BudgetExceeded), budget(limits.TOLD_APART_OPERATIONS):
            last = _last_told_apart(view, flow, value)
    return named(volume.domain), tuple(map(row, found)), common, facts.inexact, known, last


def _last_told_apart(view: VolumesView, flow: ElementFlow, value: SSAValue) -> str | None:
    """The last value that VALUE is computed from of which some elements, but not all, touch a boundary."""
    wanted = {value}
    for result in definitions_before(value):
        if result not in wanted:
            continue
        wanted.update(result.op.operands)
        if result is not value and rank_of(result):
            reaching, dense = reached_by_data(flow.facts(result), view.store.domain(result))
            if not dense.is_empty() and not reaching.is_subset(dense):
                return view.store.name_of(result)
    return None


def _content(found: _Answer) -> object:
    """What an answer says: the regions as people read them, and whether they are exact."""
    _, rows, common, inexact, _, _ = found
    return [row.cells() for row in rows], common, inexact


def _count(view: VolumesView, value: SSAValue, region: Region) -> Expression | None:
    """The number of elements, which may depend on parameters."""
    if region.count is not None:
        return constant(region.count)
    return count_of(region.points, view.context(value))
