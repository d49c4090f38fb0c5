"""index-costs: what index values, conditions and the bounds of loops cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from volcli.facts.cost import CostFact
from volcli.language.instructions import cycles, in_order
from volcli.language.interface import operation_name
from volcli.model.costs import Cost, Costs
from volcli.model.function import FunctionModel
from volcli.passes.base import Pass, Unit


@dataclass(frozen=True)
class IndexCosts(Pass):
    """Say how many instructions it takes to compute index values and the bounds of loops, as it is written.

    One fact for each number that something else than index arithmetic uses, for the bounds of each loop, and
    for each operation that computes subscripts or a condition by a map of its own; then one for the function,
    with each operation once. Cycles are those of table 5.2 of P. Suriana's thesis: 1 for a sum, 3 for a
    product, 24 for a quotient, 1 for a remainder, 2 for a comparison, a minimum or a maximum.
    """

    name = "index-costs"
    summary = "the instructions of index arithmetic and of bounds of loops"
    by_function = True

    def apply(self, unit: Unit) -> None:
        """One fact for each cost, and one for each function."""
        for model in unit.models():
            unit.facts.extend(self._facts(unit, model))

    def _facts(self, unit: Unit, model: FunctionModel) -> Iterator[CostFact]:
        costs = Costs(model.function)
        for each in costs.all():
            found = each.instructions
            yield CostFact(unit.where(model, each.op), _name(model, each), in_order(found), cycles(found))
        total = costs.total()
        if cycles(total):
            where = unit.where(model, model.function)
            yield CostFact(where, f"@{model.name}", in_order(total), cycles(total))


def _name(model: FunctionModel, cost: Cost) -> str:
    """`%e`, `bounds of %i, %j` or `'affine.load'`."""
    if cost.value is not None:
        return model.name_of(cost.value)
    if cost.loop is not None:
        return f"bounds of {', '.join(model.name_of(i.variable) for i in cost.loop.inductions)}"
    return f"'{operation_name(cost.op)}'"
