"""layers: of each operation on tensors what it reaches of the inputs, its border, and what it multiplies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.dialects.builtin import TensorType
from xdsl.ir import OpResult, SSAValue

from volcli.facts.layers import FieldDimension, FieldMove, LayerFact, NetworkFact, ReceptiveField
from volcli.language.expressions import Expression, constant
from volcli.language.reads import bytes_of_element
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.model.volumes.domains.counts import count_of
from volcli.model.volumes.knowledge.live import live, products_of
from volcli.model.volumes.knowledge.regions import in_order, reached_by_data
from volcli.model.volumes.maps.receptive_fields import ReceptiveFields
from volcli.model.volumes.maps.windows import ReceptiveWindow, Windows
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import limited, report_limits
from volcli.passes.selection import names, where
from volcli.presburger.sets.shared import once


@dataclass(frozen=True)
class Layers(Pass):
    """Tabulate a network: for each operation on tensors, its receptive fields, border and multiplications.

    Towards each input, the field is how many indices one element reaches along each dimension, the stride by
    how many they move from one element to the next one, and the offset where those of element 0 begin (before
    0: in the padding). The border are the elements that depend on data and on padding, and padding those that
    depend on no data. Multiplications are those of the body at all loop points, and zero is the share of
    them with a factor that is structurally zero (pass `structural-zeros`). Layers that reach what their
    operand reaches, and multiply nothing, have no row. Numbers may depend on sizes that cancel in a share.
    """

    name = "layers"
    summary = "receptive fields, borders and multiplications, layer by layer"
    by_function = True

    of: tuple[str, ...] = option((), help="the values, with their %; default: every tensor")

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            unit.facts.extend(_network(unit, model, self.of))
        report_limits(unit)


def _network(unit: Unit, model: FunctionModel, of: tuple[str, ...]) -> Iterator[LayerFact | NetworkFact]:
    """One fact for each tensor that depends on an argument, and the sum."""
    fields: dict[VolumesView, ReceptiveFields] = {}
    layers: dict[SSAValue, LayerFact] = {}
    for value in model.values():
        if not isinstance(value, OpResult) or not isinstance(value.type, TensorType):
            continue
        followed, (copy,) = model.elements(value)
        view = followed.view(copy)
        found = fields.setdefault(view, ReceptiveFields(view.store, view.relations))
        fact = None if found.is_fixed(copy) else _layer(unit, model, view, value, found)
        if fact is None:
            continue
        before = (layers[operand] for operand in value.op.operands if operand in layers)
        is_shown = fact.multiplications is not None or not any(_says_the_same(fact, one) for one in before)
        layers[value] = replace(fact, shown=is_shown)
        if names(unit, of, value):
            yield layers[value]
    if layers and not of:
        yield _total(unit, model, list(layers.values()))


def _says_the_same(one: LayerFact, other: LayerFact) -> bool:
    """Whether ONE and OTHER reach the same, and are affected by padding alike."""
    return (one.fields, one.border, one.padding) == (other.fields, other.border, other.padding)


def _layer(
    unit: Unit, model: FunctionModel, view: VolumesView, value: OpResult, fields: ReceptiveFields
) -> LayerFact | None:
    """What VALUE adds, or what stands for it where calls are followed; None if it depends on no argument."""
    at, (_, (copy,)) = where(unit, model, value), model.elements(value)
    reached, reason = limited(unit, at.place, lambda: fields.of(copy))
    if not reached:
        return None
    towards = tuple(_field(model.followed, view, source, windows) for source, windows in reached.items())
    counts, inexact = limited(unit, at.place, lambda: _affected(view, copy))
    numbers, unknown = limited(unit, at.place, lambda: _multiplied(view, copy))
    border, padding, inexact = counts or (None, None, inexact)
    multiplications, zeros, assumes, unknown = numbers or (None, None, (), unknown)
    sizes = model.shapes.sizes(value)
    return LayerFact(
        at, model.name_of(value), sizes, towards, border, padding, multiplications, zeros,
        bytes_of_element(value.type), assumes, reason or inexact or unknown, shown=True,
        assumptions=view.assumptions(),
    )  # fmt: skip


def _field(model: FunctionModel, view: VolumesView, source: SSAValue, windows: Windows) -> ReceptiveField:
    """What WINDOWS towards SOURCE say."""
    sizes = [size.constant if size.is_constant else None for size in view.store.sizes(source)]
    dims = tuple(_dimension(window, size) for window, size in zip(windows, sizes, strict=True))
    exact = all(window is not None and window.exact for window in windows)
    return ReceptiveField(model.name_of(source), dims, exact)


def _dimension(window: ReceptiveWindow | None, size: int | None) -> FieldDimension:
    if window is None:
        return FieldDimension(size, whole=True)
    ends = window.ends[0]
    if not window.moves and ends is not None:
        low, high = max(ends.low, 0), ends.high if size is None else min(ends.high, size - 1)
        reached = min(max(0, high - low + 1), window.size)
        return FieldDimension(reached, whole=reached == size, offset=window.offset)
    is_whole = size is not None and window.size >= size
    moves = tuple(FieldMove(each.along, each.step, each.period) for each in window.moves)
    return FieldDimension(window.size, is_whole, moves, window.offset)


def _affected(view: VolumesView, value: SSAValue) -> tuple[Expression | None, Expression | None, str | None]:
    """How many elements of VALUE depend on data and padding, and how many on no data; why that is inexact."""
    facts, context = view.flow.facts(value), view.context(value)
    domain = view.store.domain(value).intersect_params(context)
    reaching, dense = reached_by_data(facts, domain)
    every, some, inner = (once("layer", count_of, each, context) for each in (domain, reaching, dense))
    border = None if some is None or inner is None else some - inner
    return border, None if every is None or some is None else every - some, facts.inexact


def _multiplied(
    view: VolumesView, value: SSAValue
) -> tuple[Expression | None, Expression | None, tuple[str, ...], str | None]:
    """How often VALUE's operation multiplies, how often by a structural zero, and under which flags."""
    if not isinstance(value, OpResult) or value.index or not (products := products_of(value.op)):
        return None, None, (), None
    found = live(view.flow, value.op, assume_finite=True)
    if found is None:
        return None, None, (), None
    context = view.context(value)

    def number(points: isl.Set) -> Expression | None:
        return once("layer", count_of, points.intersect_params(context), context)

    every = number(found.domain)
    some = every if found.is_everything else number(found.points)
    if every is None:
        return None, None, (), "the loop points are not counted"
    zeros = None if some is None else (every - some) * products
    is_needed = zeros is None or not zeros.is_constant or zeros.constant != 0
    return every * products, zeros, in_order(found.needs) if is_needed else (), found.inexact


def _total(unit: Unit, model: FunctionModel, layers: list[LayerFact]) -> NetworkFact:
    zero = constant(0)
    known = [layer for layer in layers if layer.multiplications is not None]
    return NetworkFact(
        unit.where(model, model.function),
        len(layers),
        sum((layer.multiplications or zero for layer in layers), zero),
        sum((layer.zeros or zero for layer in layers), zero),
        sum((layer.bytes or zero for layer in layers), zero),
        tuple(dict.fromkeys(flag for layer in layers for flag in layer.assumes)),
        sum(layer.zeros is None for layer in known),
    )
