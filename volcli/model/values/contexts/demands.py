"""What operations demand: they are only defined if it holds, so it holds wherever they have run.

    %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x?xf32>) outs(%o : tensor<?x?xf32>)

says dim(%o, 0) = 4 and dim(%o, 1) = dim(%b, 1): behind it, and before it, too, if each execution comes by
it (see `segments`). A computed size, as of tensor.empty(%n), is not negative behind its operation, nor is a
divisor 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Block, Operation, OpResult

from volcli.language import questions
from volcli.language.expressions import Expression, Monomial, NotAffine, dim_of
from volcli.language.reads import Conjunction, Disjunction
from volcli.limits import values as limits
from volcli.model.symbols import entry_of
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.terms.constraint_set import NOTHING, Known, always
from volcli.model.values.terms.ranges import range_of
from volcli.model.values.terms.requirements import Requirement
from volcli.model.values.terms.variables import Disjunct, variables_of
from volcli.presburger.limits.budget import BudgetExceeded, budget


class Agreement:
    """What is demanded of sizes, at each place of one function."""

    def __init__(self, factors: Factors) -> None:
        self._factors = factors
        self._definitions = factors.definitions
        self._function = factors.definitions.function

    def factors(self, block: Block | None, time: int) -> Iterator[Factor]:
        """What an execution that has got to TIME in BLOCK relies on, or will before it may end.

        That is what operations of the first block demand in this segment or before; of other blocks around
        the place, those that have run.
        """
        if not self._demands:
            return
        segments = self._definitions.outline.segments
        segment, entry = segments.of(block, time), segments.entry
        for since, _, factor in self._demands.get(entry, ()):
            if since <= segment:
                yield factor
        while block is not None and block is not entry:
            yield from (factor for _, demanded, factor in self._demands.get(block, ()) if demanded < time)
            parent = block.parent_op()
            if parent is None or parent is self._function:
                return
            block, time = parent.parent, self._definitions.place(parent)

    def elsewhere(self) -> Iterator[tuple[int, Factor]]:
        """What the operations of the other blocks of the function demand, and when they have run."""
        others = {b for b in self._function.regions[0].blocks if b is not entry_of(self._function)}
        for op, required in self._definitions.outline.requiring() if others else ():
            if op.parent in others:
                yield from ((self._definitions.place(op), f) for f in self._equalities(required))

    @cached_property
    def times(self) -> list[int]:
        """When operations have run that demand that sizes agree, and those that may end the execution."""
        if not self._demands:
            return []
        demanded = (time for held in self._demands.values() for _, time, _ in held)
        return sorted((*demanded, *self._definitions.outline.segments.ends))

    @cached_property
    def _demands(self) -> Mapping[Block, list[tuple[int, int, Factor]]]:
        """Of each block: in which segment of the first block it is demanded first, when, and what."""
        found: dict[Block, dict[Disjunction, tuple[int, int, Factor]]] = defaultdict(dict)
        for op, required in self._definitions.outline.requiring():
            if op.parent is None or questions.assumptions.answers(type(op)):
                continue
            since, time = self._definitions.outline.segments.behind(op), self._definitions.place(op)
            for factor in self._equalities(required):
                _ = found[op.parent].setdefault(factor.condition, (since, time, factor))
        return {block: list(demands.values()) for block, demands in found.items()}

    def demands(self, op: Operation) -> Iterator[Factor]:
        """What holds behind OP: that its sizes are not negative, and what it demands of its operands."""
        yield from self._sizes(op)
        yield from filter(self._says_something, self._factors.without_poison(op))
        try:
            for condition in self.uncertain(op):
                if self._is_far(condition):
                    yield self._untold
                    continue
                factor = self._factors.of(condition, by=op)
                if self._says_something(factor):
                    yield factor
        except NotAffine:
            return

    def uncertain(self, op: Operation) -> list[Disjunction]:
        """What OP demands of its operands, but for what intervals say anyway in a long function."""
        demanded = list(questions.demands(op) or ())
        if not self._definitions.is_long:
            return demanded
        low = self._definitions.intervals.low
        return [c for c in demanded if not any(_is_certain(conjunction, low) for conjunction in c)]

    @cached_property
    def _untold(self) -> Factor:
        """That something more is demanded, of what is computed in many operations."""
        because = (
            f"budget: what is demanded there is computed in more than {limits.DEMANDED_OPERATIONS} operations"
        )
        return Factor(((),), (), known=Known(always().points, False, because), is_of_everything=True)

    def _is_far(self, condition: Disjunction) -> bool:
        """Whether CONDITION is about what many operations of a long function compute."""
        if not self._definitions.is_long:
            return False
        values = (v.value for c in condition for e in c for v in variables_of(e))
        met = dict.fromkeys(value.op for value in values if isinstance(value, OpResult))
        pending = list(met)
        while pending and len(met) <= limits.DEMANDED_OPERATIONS:
            new = [v.op for v in pending.pop().operands if isinstance(v, OpResult) and v.op not in met]
            met.update(dict.fromkeys(new))
            pending += new
        return len(met) > limits.DEMANDED_OPERATIONS

    def _says_something(self, factor: Factor) -> bool:
        """Whether FACTOR says more than is known anyway."""
        if factor.known is not None:
            return True
        return not any(map(self._always, factor.condition)) and not self._is_implied(factor)

    def _sizes(self, op: Operation) -> Iterator[Factor]:
        """Sizes are not negative, or what makes them is undefined: `tensor.empty(%n)` has run, so %n >= 0.

        A size that is not known exactly says no more of the values that it is computed from.
        """
        if op is self._function:
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

    def _is_implied(self, factor: Factor) -> bool:
        """Whether definitions say FACTOR, which relates several variables: one condition less to look at."""
        if len(factor.variables) < 2:
            return False
        elimination = self._factors.elimination
        if self._definitions.mask(factor.variables).bit_count() > limits.DEMAND_SLICE:
            return False
        try:
            with budget(limits.DEMAND_OPERATIONS):
                fails = Known(
                    elimination.union([Disjunct((), c) for c in factor.condition]).points.complement()
                )
                return bool(elimination.onto(NOTHING, fails, factor.variables).points.is_empty())
        except BudgetExceeded:
            return False

    def _may_be_negative(self, size: Expression) -> bool:
        low, _ = range_of(size, self._definitions.range)
        if low is not None and low >= 0:
            return False
        variables = self._definitions.slice_of(self._factors.elimination.all_variables([size]))
        known = [self._definitions.definition(variable) for variable in variables]
        expressions = [size, *(e for each in known for a in each.alternatives for e in a.expressions())]
        products = (atom for e in expressions for atom in e.atoms() if isinstance(atom, Monomial))
        return all(each.exact for each in known) and next(products, None) is None

    def _equalities(self, required: Sequence[Requirement]) -> Iterator[Factor]:
        for each in required:
            difference = each.left - each.right
            try:
                factor = self._factors.of(((difference, -difference),))
            except (NotAffine, RecursionError):  # what has no linear form demands nothing that can be said
                continue
            if factor.variables:
                yield factor


def _is_certain(conjunction: Conjunction, low: Callable[[Expression], int | None]) -> bool:
    """Whether each part of CONJUNCTION is at least 0 because its least number, LOW, is."""
    lows = map(low, conjunction)
    return all(least is not None and least >= 0 for least in lows)
