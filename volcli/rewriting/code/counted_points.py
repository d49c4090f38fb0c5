"""Loops over the points of nests, which may be numbered as they come: a number is carried from loop to loop.

%end = scf.for %i = %l to %u step %c1 iter_args(%k = %start) -> (index) {
  ...                                        point %i has the number %k
  %next = arith.addi %k, %c1 : index
  scf.yield %next : index
}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Region, SSAValue

from volcli.language.expressions import substitute, value_of
from volcli.rewriting.code.index_code import IndexCode, Known
from volcli.rewriting.ground.builder import Builder
from volcli.symbolic.scanning import ScanLoop, ScanNest

Numbers = Sequence[SSAValue]
"""The number of a point; none, if points are not numbered."""
Visit = Callable[[Builder, Known, Numbers], None]
"""Makes what is done at a point: its coordinates are KNOWN, and it may have a number."""


@dataclass
class CountedPoints:
    """Makes loops, with the numbers of INDEX, that VISIT points."""

    index: IndexCode
    visit: Visit

    def nest(self, builder: Builder, nest: ScanNest, known: Known, count: Numbers) -> Numbers:
        """COUNT and how many points the loops of NEST have."""
        if not nest.guard:
            return self._loops(builder, nest.loops, known, count)
        holds = self.index.holds(builder, nest.guard, known)
        then, otherwise = Block(), Block()
        inside = builder.inside(then)
        with self.index.block():
            total = self._loops(inside, nest.loops, known, count)
        inside.operation("scf.yield", total)
        regions = [Region([then]), Region([otherwise] if count else [])]
        if count:
            builder.inside(otherwise).operation("scf.yield", count)
        return builder.operation("scf.if", [holds], results=_indices(count), regions=regions).results

    def _loops(self, builder: Builder, loops: Sequence[ScanLoop], known: Known, count: Numbers) -> Numbers:
        if not loops:
            self.visit(builder, known, count)
            return [builder.make("arith.addi", [each, self.index.constant(1)]) for each in count]
        loop, *rest = loops
        if loop.value is not None:
            value = substitute(loop.value, known.get)
            return self._loops(builder, rest, {**known, loop.variable: value}, count)
        lower = self.index.lower(builder, [loop.lower], known)
        end = self.index.end(builder, [loop.upper], known)
        block = Block(arg_types=[IndexType(), *_indices(count)])
        variable, *inner = block.args
        inside = builder.inside(block)
        with self.index.block():
            total = self._loops(inside, rest, {**known, loop.variable: value_of(variable)}, inner)
        inside.operation("scf.yield", total)
        operands = [lower, end, self.index.constant(1), *count]
        made = builder.operation("scf.for", operands, results=_indices(count), regions=[Region([block])])
        return made.results


def _indices(count: Numbers) -> list[IndexType]:
    return [IndexType() for _ in count]
