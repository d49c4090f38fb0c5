"""nests: which loops may be interchanged and tiled, and which may be fused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.facts.nests import NestFact
from volcli.model.function import FunctionModel
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.loops.fusions import Fusions
from volcli.model.memory.loops.legality import Legality
from volcli.model.memory.loops.loops import Loops, named_assumptions
from volcli.passes.base import Pass, Unit, option


@dataclass(frozen=True)
class Nests(Pass):
    """Say which rewritings of loops keep every dependence and every effect.

    Loops that are perfectly nested may be interchanged and tiled if no dependence that one of them carries
    goes back along another one. Two loops in a row with the same bounds may be fused if the second never
    needs what a later iteration of the first does; into a parallel loop, if it never needs what another
    iteration does. An innermost loop that carries nothing nearer than some distance may run as many
    iterations at a time. What calls, prints or frees keeps its order, and what allocates between two loops
    keeps them apart. Two arguments are taken to be different memory, as in mlir-opt; what needs that says so.
    """

    name = "nests"
    summary = "loops that may be interchanged, tiled and fused"
    by_function = True

    assume_noalias_args: bool = option(
        False, help="assume that arguments are different memory, without stating it"
    )

    def apply(self, unit: Unit) -> None:
        """One fact for each band of loops, and one for each pair that could be fused."""
        for model in unit.models():
            unit.facts.extend(self._facts(unit, model, model.loops))

    def _facts(self, unit: Unit, model: FunctionModel, loops: Loops) -> Iterator[NestFact]:
        legality = Legality(loops)
        for band in legality.bands():
            assumed, where = self._assumed(band.assumptions), unit.where(model, band.levels[0].op)
            yield NestFact(where, _names(model, band.levels), "tile", "yes", None, assumed)
        for answer, count in legality.vectors():
            assumed, where = self._assumed(answer.assumptions), unit.where(model, answer.op)
            yield NestFact(where, _names(model, answer.levels), "vectorise", "yes", None, assumed, count)
        for fusion in Fusions(loops).all():
            assumed, where = self._assumed(fusion.assumptions), unit.where(model, fusion.second)
            of = [model.memory.nests.of_operation(op) for op in (fusion.second, fusion.first)]
            names = _names(model, [level for levels in of for level in levels])
            yield NestFact(where, names, "fuse", fusion.legal.value, fusion.because, assumed)

    def _assumed(self, assumptions: tuple[str, ...]) -> tuple[str, ...]:
        return named_assumptions(assumptions, noalias=self.assume_noalias_args)


def _names(model: FunctionModel, levels: Sequence[Level]) -> tuple[str, ...]:
    """The names of their induction variables."""
    return tuple(model.name_of(v) for level in levels if (v := level.variable) is not None)
