"""What operations demand: they are only defined if it holds, so it holds wherever they have run.

    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x?xf32>) outs(%o : tensor<?x?xf32>)

says dim(%o, 0) = 4 and dim(%o, 1) = dim(%b, 1). Infer-shapes takes these for true of the whole function, if
each execution of it comes by the operation; so do bounds and claims, unless something may end it before (a
call, an assertion, a loop without bounds). A
computed size, as of tensor.empty(%n), is not negative behind its operation, nor is a divisor 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Block, Operation

from volcli import questions
from volcli.expressions import Expression, NotAffine, Product, dim_of
from volcli.model.bounds.factors import Factor, Factors
from volcli.model.bounds.ranges import range_of
from volcli.model.stated_effects import has_unknown_effects, is_assertion
from volcli.reads import Conjunction


class Agreement:
    """What is demanded of sizes, at each place of one function."""

    def __init__(self, factors: Factors) -> None:
        self._factors = factors
        self._definitions = factors.definitions
        self._entry = self._definitions.function.regions[0].blocks[0]

    def factors(self, block: Block | None, time: int, certain_before: int | None) -> Iterator[Factor]:
        """What an execution that has got to TIME in BLOCK relies on.

        The equalities of the first block, at a time before CERTAIN_BEFORE, hold everywhere: nothing may end
        the execution before it. They all hold in the blocks behind it.
        """
        ends = [each for each in (certain_before, self._first_end) if each is not None]
        is_behind = block is not None and not self._is_in_entry(block)
        for demanded, factor in self._demands.get(self._entry, ()):
            if is_behind or not ends or demanded < min(ends):
                yield factor
        while block is not None:
            yield from (factor for demanded, factor in self._demands.get(block, ()) if demanded < time)
            parent = block.parent_op()
            if parent is None or parent is self._definitions.function:
                return
            block, time = parent.parent, self._definitions.place(parent)

    def _is_in_entry(self, block: Block) -> bool:
        """Whether BLOCK is the function's first block, or inside of an operation of that."""
        while (parent := block.parent_op()) is not None and parent is not self._definitions.function:
            if parent.parent is None:
                return True
            block = parent.parent
        return block is self._entry

    @cached_property
    def _first_end(self) -> int | None:
        """The time of the first operation that may not return: a call, or a condition that may not hold."""
        function = self._definitions.function
        ends = (
            self._definitions.place(op)
            for op in function.walk()
            if op is not function and (has_unknown_effects(op) or is_assertion(op))
        )
        return min(ends, default=None)

    @cached_property
    def times(self) -> list[int]:
        """When operations have run that demand that sizes agree, in order."""
        return sorted(time for held in self._demands.values() for time, _ in held)

    @cached_property
    def _demands(self) -> Mapping[Block, list[tuple[int, Factor]]]:
        found: dict[Block, list[tuple[int, Factor]]] = defaultdict(list)
        for op in self._definitions.function.walk():
            if op.parent is None or questions.assumptions.answers(type(op)):
                continue
            time = self._definitions.place(op)
            try:
                found[op.parent] += [(time, factor) for factor in self._equalities(op)]
            except (NotAffine, RecursionError):  # what has no linear form demands nothing that can be said
                continue
        return found

    def demands(self, op: Operation) -> Iterator[Factor]:
        """What holds behind OP: that its sizes are not negative, and what it demands of its operands."""
        yield from self._sizes(op)
        try:
            for condition in questions.demands(op) or ():
                factor = self._factors.of(condition, by=op)
                if not any(map(self._always, factor.condition)):
                    yield factor
        except NotAffine:
            return

    def _sizes(self, op: Operation) -> Iterator[Factor]:
        """Sizes are not negative, or what makes them is undefined: `tensor.empty(%n)` has run, so %n >= 0.

        A size that is not known exactly says no more of the values that it is computed from.
        """
        if op is self._definitions.function:
            return
        for result in op.results:
            shape = result.type.get_shape() if isinstance(result.type, ShapedType) else ()
            for dimension in (d for d, size in enumerate(shape) if size == DYNAMIC_INDEX):
                size = self._definitions.resolve(dim_of(result, dimension))
                if self._may_be_negative(size):
                    yield self._factors.of(((size,),), by=op)

    def _always(self, conjunction: Conjunction) -> bool:
        """Whether the ranges of variables alone say that CONJUNCTION holds."""
        lows = (range_of(each, self._definitions.range)[0] for each in conjunction)
        return all(low is not None and low >= 0 for low in lows)

    def _may_be_negative(self, size: Expression) -> bool:
        low, _ = range_of(size, self._definitions.range)
        if low is not None and low >= 0:
            return False
        variables = self._definitions.slice_of(self._factors.elimination.all_variables([size]))
        known = [self._definitions.definition(variable) for variable in variables]
        expressions = [size, *(e for each in known for a in each.alternatives for e in a.expressions())]
        products = (atom for e in expressions for atom in e.atoms() if isinstance(atom, Product))
        return all(each.exact for each in known) and next(products, None) is None

    def _equalities(self, op: Operation) -> Iterator[Factor]:
        try:
            stated = questions.size_facts(op) or ()
        except NotAffine:
            return
        for fact in stated:
            difference = fact.left - fact.right
            factor = self._factors.of(((difference, -difference),))
            if factor.variables:
                yield factor
