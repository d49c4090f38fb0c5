"""volumes: what each value is as a set of elements, and which other one it is a slice of."""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from volcli.facts.names import FactNames
from volcli.facts.volumes import BoxText, VolumeFact
from volcli.language.expressions import loop
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.model.volumes.domains.packing import packed_index
from volcli.model.volumes.domains.parts import as_set, whatever
from volcli.model.volumes.maps.composed import ViewOf, VolumeUse, view_of, words
from volcli.passes.assumed import asked
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import report_limits
from volcli.passes.names import names_in
from volcli.passes.selection import names, where
from volcli.presburger.expressions.clamped import clamped
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.presburger.measures import box
from volcli.presburger.measures.widths import within_words
from volcli.presburger.sets import build
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import parameters_of_space
from volcli.presburger.sets.shared import once


@dataclass(frozen=True)
class Volumes(Pass):
    """Say what each tensor is as a volume (IMPACT 2023, section 4.1).

    A scalar has rank 0; an array is a box of elements from 0 on; a volume of another domain is one of which
    elements are declared to be zero. A view has elements of one other value and computes none; it is a slice
    if it has an offset and a stride along each dimension; otherwise the reason is stated. For a domain
    that is not a box, the hull is given, and the position of an element if the rows are packed.
    """

    name = "volumes"
    summary = "arrays, views and slices, and non-rectangular domains"
    by_function = True

    of: tuple[str, ...] = option((), help="the values, with their %; default: every tensor")

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            for value in model.values():
                if isinstance(value.type, TensorType) and names(unit, self.of, value):
                    unit.facts.append(volume_fact(unit, model, value))
        report_limits(unit)


_Answer = tuple[NamedSet, str, BoxText | None, bool, ViewOf | None, str | None, FactNames]
"""The domain, the kind, the hull, whether it is a box, what it is a view of, the packed index, and names."""


def volume_fact(unit: Unit, model: FunctionModel, value: SSAValue) -> VolumeFact:
    """What VALUE, a tensor, is."""
    at, name = where(unit, model, value), model.name_of(value)
    followed, (copy,) = model.elements(value)
    found, reason, needed = asked(
        unit, followed, copy, at.place, lambda view: _volume(unit, followed, view, copy), _content
    )
    if found is None:
        return VolumeFact(at, name, "volume", None, None, False, reason=reason)
    domain, kind, hull, is_box, view, packed, known = found
    source = None if view is None else model.name_of(view.source)
    cut = None if view is None or view.slice is None else _texts(view.slice)
    why = None if view is None else view.reason
    return VolumeFact(at, name, kind, domain, hull, is_box, source, cut, packed, why, known, needed)


def _volume(unit: Unit, model: FunctionModel, view: VolumesView, value: SSAValue) -> _Answer:
    volume, facts = view.volume(value), view.flow.facts(value)
    own = view.store.domain(value)
    domain = as_set(whatever(volume.domain, _foreign(volume.domain, own)), own)
    domain = within_words(domain, *words(view.store, domain))
    if facts.declared:
        domain = domain.intersect(as_set(facts.nonzero, domain)).coalesce()
    is_box, hull = once("hull", _hull, domain)
    found = view_of(value, view.relations, view.store, view.context(value))
    is_array = is_box and hull is not None and all(low == "0" for low in hull.offset)
    kind = "scalar" if volume.rank == 0 else "array" if is_array or domain.is_empty() else "volume"
    if found is not None and volume.rank:
        kind = "view" if found.slice is None else "slice"
    packed = None if is_box else packed_index(domain.gist_params(view.context(value)), volume.dimensions)
    known = names_in(unit, model, view, [VolumeUse(value)], [domain])
    return NamedSet.of(volume.named(domain)), kind, hull, is_box, found, packed, known


def _foreign(domain: isl.Set, own: isl.Set) -> list[str]:
    """The parameters of DOMAIN that are none of its OWN sizes: those of other values."""
    return [name for name in parameters_of_space(domain) if name not in parameters_of_space(own)]


def _hull(domain: isl.Set) -> tuple[bool, BoxText | None]:
    """Whether DOMAIN is a box, and the least box around it: many values of a program are of one size."""
    hull = None
    if box.is_bounded(domain) and not domain.is_empty():
        ends = [_ends(domain, d) for d in range(domain.dim(isl.dim_type.set))]
        hull = BoxText(tuple(low for low, _ in ends), tuple(size for _, size in ends))
    return box.is_hyperrectangle(domain), hull


def _ends(domain: isl.Set, dimension: int) -> tuple[str, str]:
    """The least index along DIMENSION, and how many there are up to the greatest one."""
    line = box.along(domain, dimension)
    behind = line.apply(build.relation(1, (loop(0) + 1,)))
    low, end = clamped(line, lower=True), clamped(behind, lower=False)
    return "?" if low is None else str(low), "?" if low is None or end is None else str(end - low)


def _texts(found: SliceParameters) -> BoxText:
    parts = (found.offsets, found.sizes, found.strides)
    return BoxText(*(tuple(map(str, each)) for each in parts))


def _content(found: _Answer) -> object:
    """What an answer says: the domain, and what it is of another value."""
    domain, kind, hull, is_box, view, packed, _ = found
    return domain.text, kind, hull, is_box, None if view is None else (view.slice, view.reason), packed
