"""What operations demand of sizes: they are only defined if it holds, so it holds wherever they have run.

    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x?xf32>) outs(%o : tensor<?x?xf32>)

says dim(%o, 0) = 4 and dim(%o, 1) = dim(%b, 1). Infer-shapes takes these for true of the whole function, if
each execution of it comes by the operation; so do bounds and claims, unless something may end it before. A
computed size, as of tensor.empty(%n), is not negative behind its operation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, Operation

from volcli import questions
from volcli.expressions import NotAffine
from volcli.model.bounds.factors import Factor, Factors
from volcli.model.bounds.ranges import range_of
from volcli.model.bounds.variables import integers_of


@dataclass(frozen=True, eq=False)
class Demand:
    """What an operation demands, by the TIME when it has run; `is_equality` of sizes, or of one size."""

    time: int
    factor: Factor
    is_equality: bool


class Agreement:
    """What is demanded of sizes, at each place of one function."""

    def __init__(self, factors: Factors) -> None:
        self._factors = factors
        self._definitions = factors.definitions
        self._entry = self._definitions.function.regions[0].blocks[0]

    def factors(self, block: Block | None, time: int, certain_before: int | None) -> Iterator[Factor]:
        """What an execution that has got to TIME in BLOCK relies on.

        The equalities of the first block, at a time before CERTAIN_BEFORE, hold everywhere.
        """
        for demand in self._demands.get(self._entry, ()):
            if demand.is_equality and (certain_before is None or demand.time < certain_before):
                yield demand.factor
        while block is not None:
            yield from (d.factor for d in self._demands.get(block, ()) if d.time < time)
            parent = block.parent_op()
            if parent is None or parent is self._definitions.function:
                return
            block, time = parent.parent, self._definitions.place(parent)

    @cached_property
    def times(self) -> list[int]:
        """When operations have run that demand something, in order."""
        return sorted(demand.time for held in self._demands.values() for demand in held)

    @cached_property
    def _demands(self) -> Mapping[Block, list[Demand]]:
        found: dict[Block, list[Demand]] = defaultdict(list)
        for op in self._definitions.function.walk():
            if op.parent is None or questions.assumptions.answers(type(op)):
                continue
            time = self._definitions.place(op)
            try:
                found[op.parent] += [Demand(time, factor, True) for factor in self._equalities(op)]
                found[op.parent] += [Demand(time, factor, False) for factor in self._sizes(op)]
            except (NotAffine, RecursionError):  # what has no linear form demands nothing that can be said
                continue
        return found

    def _sizes(self, op: Operation) -> Iterator[Factor]:
        """That the sizes of the results of OP are not negative, where their forms do not tell."""
        if op.regions or not questions.result_sizes.answers(type(op)):
            return
        for result in op.results:
            if not isinstance(result.type, ShapedType):
                continue
            for number in integers_of(result):
                form = self._definitions.resolve(number)
                low, _ = range_of(form, self._definitions.range)
                if low is None or low < 0:
                    yield self._factors.of(((form,),))

    def _equalities(self, op: Operation) -> Iterator[Factor]:
        for fact in questions.size_facts(op) or ():
            difference = fact.left - fact.right
            factor = self._factors.of(((difference, -difference),))
            if factor.variables:
                yield factor
