"""What the names in printed sets and maps stand for: the way back from isl's names to the program's."""

from __future__ import annotations

from collections.abc import Iterable

import islpy as isl
from xdsl.ir import BlockArgument

from volcli.facts.names import FactNames, ParameterName, VolumeName
from volcli.language.expressions import Dim
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.model.volumes.maps.composed import VolumeUse
from volcli.passes.base import Unit
from volcli.passes.selection import where
from volcli.presburger.sets.names import is_name, parameters_of_space


def names_in(
    unit: Unit,
    model: FunctionModel,
    view: VolumesView,
    uses: Iterable[VolumeUse],
    printed: Iterable[isl.Set | isl.Map],
) -> FactNames:
    """The volumes USES, and the parameters in the PRINTED sets and relations."""
    used = sorted({name for each in printed for name in parameters_of_space(each.drop_unused_params())})
    return FactNames(
        tuple(_parameter(unit, model, view, name) for name in used),
        tuple(_volume(model, view, use) for use in uses),
    )


def _parameter(unit: Unit, model: FunctionModel, view: VolumesView, name: str) -> ParameterName:
    origin, provenance = view.store.origin(name), view.relations.provenance
    data = tuple(model.name_of(value) for value in provenance.data(origin))
    at, value = where(unit, model, origin.value), model.name_of(origin.value)
    if isinstance(origin, Dim):
        return ParameterName(name, "loaded" if data else "size", value, origin.dimension, at, data)
    kind = "argument" if isinstance(origin.value, BlockArgument) else "computed"
    return ParameterName(name, "loaded" if data else kind, value, None, at, data)


def _volume(model: FunctionModel, view: VolumesView, use: VolumeUse) -> VolumeName:
    named = map(model.name_of, () if use.user is None else use.user.results)
    user = next(filter(is_name, named), None)
    return VolumeName(view.maps.volume_name(use), model.name_of(use.volume), user)
