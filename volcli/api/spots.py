"""The operation at a place of the text, as a question of the API: `program.at(line, column)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from volcli.api.function import Function
from volcli.api.values import FunctionValue
from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.facts.fact import Fact
from volcli.language.interface import operation_name
from volcli.limits import printing as limits
from volcli.passes.base import Unit

BY_PLACE = (
    "infer-shapes,value-bounds,allocations,dependences{loops-only=true},memory-flow,check-accesses,check-races,"
    "sparsity-regions,structural-zeros"
)
"""The passes whose facts are shown place by place: in an editor, and by `explain FILE:LINE`."""


@dataclass(frozen=True, eq=False, repr=False)
class Spot:
    """The operation at a place of the text: its `values` are its results, and the arguments of its regions.

    `facts` and `diagnostics` are those of its place that passes have found; `function` is None outside of all
    functions.
    """

    place: Place
    op: str
    function: Function | None
    values: tuple[FunctionValue, ...]
    facts: tuple[Fact, ...]
    diagnostics: tuple[Diagnostic, ...]

    def __repr__(self) -> str:
        names = ", ".join(value.name for value in self.values)
        return f"<Spot {self.place.line}:{self.place.column} {self.op}{': ' * bool(names)}{names}>"


def spots_at(units: Sequence[Unit], file: str, line: int, column: int | None) -> list[Spot]:
    """The operations that begin in LINE of FILE; with a COLUMN the last that begins at or before it.

    Raises UsageError (V010).
    """
    places = [
        (unit.parsed.written_at(op), unit, op)
        for unit in units
        for op in unit.parsed.module.walk()
        if op is not unit.parsed.module
    ]
    there: dict[int, tuple[Place, Unit, Operation]] = {}
    for found in places:
        if found[0].line == line and found[0].file == file:
            # The first of those at one place: what the text leaves out is where the operation around it is.
            there.setdefault(found[0].column, found)
    if not there:
        nearest = sorted({place.line for place, _, _ in places}, key=lambda n: (abs(n - line), n))[
            : limits.NEAREST_LINES
        ]
        note = f"operations begin in lines {', '.join(map(str, sorted(nearest)))}" if nearest else None
        at = Place(file, line, column or 1)
        raise UsageError(Diagnostic("V010", "no operation begins in this line", at, note))
    if column is None:
        return [_spot(*found) for _, found in sorted(there.items())]
    before = [each for each in there if each <= column]
    return [_spot(*there[max(before, default=min(there))])]


def _spot(place: Place, unit: Unit, op: Operation) -> Spot:
    """The operation OP, which begins at PLACE."""
    around = [model.function for model in unit.models() if model.function.is_ancestor(op)]
    of = around[0] if around else op
    entries = [region.blocks[0] for region in op.regions if region.blocks]
    values = [*op.results, *(argument for block in entries for argument in block.args)]
    return Spot(
        place,
        operation_name(op),
        Function(unit, of) if around else None,
        tuple(FunctionValue(unit, of, value) for value in values),
        tuple(fact for fact in unit.facts if unit.operation(fact.where) is op),
        tuple(said for said in unit.diagnostics if said.place == place),
    )
