"""structural-zeros: how many multiplications of an operation have a factor that is always zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation, OpResult

from volcli.facts.names import FactNames
from volcli.facts.zeros import LiveRow, ZerosFact
from volcli.language import questions
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.model.volumes.knowledge.live import LivePoints, live, products_of
from volcli.model.volumes.knowledge.regions import in_order
from volcli.passes.assumed import asked
from volcli.passes.base import Pass, Unit, option
from volcli.passes.limits import report_limits
from volcli.passes.names import names_in
from volcli.passes.selection import names as is_named
from volcli.passes.selection import where
from volcli.presburger.measures import box
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import named_set
from volcli.presburger.sets.shared import once

_Answer = tuple[NamedSet, int | None, tuple[LiveRow, ...], str | None, FactNames]
"""The loop points, how many, those that contribute, why that is inexact, and names."""


@dataclass(frozen=True)
class StructuralZeros(Pass):
    """Count the multiplications of structured operations that have a factor which is structurally zero.

    A factor is structurally zero if it is zero whatever the data is: padding, what lies between the elements
    of a strided slice, what a mask leaves out, and what a declared domain (volcli.domain) does. A loop point
    of the operation at which that makes every result what it was before contributes nothing, and may be left
    out. 0 * x is 0 for integers and for finite x; else the answer names the fastmath flags that it needs.
    """

    name = "structural-zeros"
    summary = "how many multiplications have a factor that is always zero"
    by_function = True

    of: tuple[str, ...] = option(
        (), help="the values, with their %; default: each result of an operation that multiplies"
    )

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            for result, products in _multiplying(model):
                if is_named(unit, self.of, result):
                    unit.facts.extend(_fact(unit, model, result, products))
        report_limits(unit)


def _multiplying(model: FunctionModel) -> Iterator[tuple[OpResult, int]]:
    """The first results of the operations whose body multiplies, and how many times it does."""
    for value in model.values():
        if isinstance(value, OpResult) and value.index == 0 and (products := products_of(value.op)):
            yield value, products


def _fact(unit: Unit, model: FunctionModel, result: OpResult, products: int) -> Iterator[ZerosFact]:
    """The multiplications of RESULT's operation, PRODUCTS at each loop point; nothing if it has none."""
    at, name = where(unit, model, result), model.name_of(result)
    followed, (copy,) = model.elements(result)
    assert isinstance(copy, OpResult), "a copy of an operation's result"
    answer, reason, needed = asked(
        unit, followed, copy, at.place, lambda view: _zeros(unit, followed, view, copy), _content
    )
    if answer is None:
        yield ZerosFact(at, name, None, None, products, (), False, reason)
    for loops, count, rows, inexact, names in answer or ():
        yield ZerosFact(at, name, loops, count, products, rows, inexact is None, inexact, names, needed)


def _zeros(unit: Unit, model: FunctionModel, view: VolumesView, result: OpResult) -> list[_Answer]:
    """The answer, if there is one: RESULT may be that of another operation than a structured one."""
    levels = _levels(view, result.op)
    if not levels:
        return []
    context = view.context(result)
    domain = levels[0].domain.intersect_params(context)

    def named(points: isl.Set) -> NamedSet:
        names = questions.iterator_names(result.op) or [f"d{d}" for d in range(domain.dim(isl.dim_type.set))]
        return NamedSet.of(named_set(points, None, tuple(names)))

    def row(found: LivePoints) -> LiveRow:
        points = found.points.intersect_params(context)
        return LiveRow(
            in_order(found.needs), named(points), named(points.gist(domain)), once("count", box.count, points)
        )

    rows: list[LiveRow] = []
    least = domain
    for found in levels:
        if not least.is_subset(found.points):
            rows.append(row(found))
            least = found.points
    printed = (domain, *(found.points for found in levels))
    known = names_in(unit, model, view, (), printed)
    return [(named(domain), once("count", box.count, domain), tuple(rows), levels[-1].inexact, known)]


def _levels(view: VolumesView, op: Operation) -> list[LivePoints]:
    """The loop points of OP that contribute, as flags are stated, and as they need flags that are not."""
    strongest = live(view.flow, op, True)
    if strongest is None:
        return []
    certain = live(view.flow, op) if strongest.needs else None
    return [strongest] if certain is None else [certain, strongest]


def _content(found: list[_Answer]) -> object:
    """What an answer says: the loop points that contribute, and whether that is exact."""
    return [
        ([(row.assumes, row.gist.text, row.count) for row in rows], loops.text, count, inexact)
        for loops, count, rows, inexact, _ in found
    ]
