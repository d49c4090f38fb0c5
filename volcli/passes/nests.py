"""nests: which loops may be interchanged and tiled, and which may be fused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from volcli.model.function import FunctionModel
from volcli.model.memory.facts import NestFact
from volcli.model.memory.legality import Legality
from volcli.model.memory.loops import Loops
from volcli.passes.base import Pass, Unit
from volcli.passes.selection import operation_place


@dataclass(frozen=True)
class Nests(Pass):
    """Say which rewritings of loops keep every dependence.

    Loops that are perfectly nested may be interchanged and tiled if no dependence that one of them carries
    goes back along another one. Two loops in a row with the same bounds may be fused if the second never
    needs what a later iteration of the first does. An innermost loop that carries nothing nearer than some
    distance may run as many iterations at a time.
    """

    name = "nests"
    summary = "loops that may be interchanged, tiled and fused"

    def apply(self, unit: Unit) -> None:
        """One fact for each band of loops, and one for each pair that could be fused."""
        for model in unit.models():
            unit.facts.extend(_facts(unit, model, Legality(Loops(model.memory))))


def _facts(unit: Unit, model: FunctionModel, legality: Legality) -> Iterator[NestFact]:
    for band in legality.bands():
        names = tuple(model.name_of(v) for level in band.levels if (v := level.variable) is not None)
        yield NestFact(operation_place(unit, model, band.levels[0].op), names, "tile", "yes", None)
    for answer, count in legality.vectors():
        names = tuple(model.name_of(v) for level in answer.levels if (v := level.variable) is not None)
        where = operation_place(unit, model, answer.op)
        yield NestFact(where, names, "vectorise", "yes", f"{count} iterations at a time")
    for fusion in legality.fusions():
        names = tuple(
            model.name_of(v)
            for op in (fusion.second, fusion.first)
            for level in model.memory.nests.of_operation(op)
            if (v := level.variable) is not None
        )
        where = operation_place(unit, model, fusion.second)
        yield NestFact(where, names, "fuse", fusion.legal.value, fusion.because)
