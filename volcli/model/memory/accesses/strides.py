"""How far apart two iterations of one loop are: a multiple of its step, also where this is a value.

`i = l + s * k` is not a linear constraint if s is a value, and a relation says of one iteration no more than
l <= i < u and s >= 1. Of two iterations of one run of the loop, which have l and s in common, there is one
that is linear: they are the same, s apart, or at least 2 s. So tiles are disjoint, whatever their size is:

    scf.for %i = 0 to %n step %s { %m[%i], ..., %m[%i + min(%s, %n - %i) - 1] }

The last element of the tile of i is before i', if i' >= i + s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import islpy as isl

from volcli.language.expressions import Expression, Value, parameter
from volcli.language.unchanged import cached_method
from volcli.limits import memory as limits
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.domains.determined import Determination
from volcli.model.memory.domains.domain import equated
from volcli.model.values.store.store import BoundsStore
from volcli.presburger.relations.relation import at_depth
from volcli.presburger.sets.build import DIM

_STEP = "step"


@dataclass(frozen=True)
class Stride:
    """That the loop at `position` has a step that is a value; it and the first iteration are one number each
    throughout an iteration of the `fixed` outermost loops.
    """

    position: int
    step: Expression
    fixed: int


class Strides:
    """The steps of one function's loops that are values."""

    def __init__(self, bounds: BoundsStore, determined: Determination) -> None:
        self._bounds = bounds
        self._determined = determined

    @cached_method
    def of(self, levels: tuple[Level, ...]) -> tuple[Stride, ...]:
        """Those of LEVELS."""
        return tuple(self._found(levels))

    def _found(self, levels: Sequence[Level]) -> Iterator[Stride]:
        definitions = self._bounds.definitions
        for position, level in enumerate(levels):
            if level.induction is None:
                continue
            step = definitions.resolve(level.induction.step)
            if step.is_constant:
                continue
            first = [definitions.resolve(e) for e in level.induction.lower]
            spoken = self._bounds.elimination.all_variables((step, *first))
            fixed = max((len(self._determined.levels(variable)) for variable in spoken), default=0)
            yield Stride(position, step, fixed)

    def distant(self, pairs: isl.Map, levels: tuple[Level, ...], depth: int) -> isl.Map:
        """PAIRS `{ [i] -> [j] }` that are a multiple of the steps of the common LEVELS apart.

        In the loop at DEPTH j is the later one, and they are the same in the loops around that; other
        pairs are left out before there are cases.
        """
        inner = 0
        strides = self.of(levels)
        if strides:
            pairs = at_depth(pairs, len(levels), depth)
        for stride in strides:
            if stride.fixed >= depth or stride.position < depth - 1:
                continue
            if stride.position == depth - 1:
                pairs = self._apart(pairs, levels, stride, (1,))
            elif inner < limits.INNER_LOOPS:
                inner += 1
                same = pairs.equate(DIM.in_, stride.position, DIM.out, stride.position)
                pairs = self._apart(pairs, levels, stride, (1, -1)).union(same)
        return pairs

    def _apart(
        self, pairs: isl.Map, levels: tuple[Level, ...], stride: Stride, directions: Sequence[int]
    ) -> isl.Map:
        """PAIRS whose iterations of one loop differ by a step, or two or more, in one of DIRECTIONS."""
        step = self._step(pairs, levels, stride)
        found = isl.Map.empty(step.get_space())
        column = step.find_dim_by_name(DIM.param, _STEP)
        local = isl.LocalSpace.from_space(step.get_space())
        next_one, later = isl.Constraint.alloc_equality(local), isl.Constraint.alloc_inequality(local)
        for direction, (constraint, steps) in product(directions, ((next_one, 1), (later, 2))):
            numbers = ((DIM.param, column, -steps), (DIM.out, stride.position, direction))
            for kind, at, sign in (*numbers, (DIM.in_, stride.position, -direction)):
                number = isl.Val.int_from_si(isl.DEFAULT_CONTEXT, sign)
                constraint = constraint.set_coefficient_val(kind, at, number)
            found = found.union(step.add_constraint(constraint))
        return found.project_out(DIM.param, column, 1)

    def _step(self, pairs: isl.Map, levels: tuple[Level, ...], stride: Stride) -> isl.Map:
        """PAIRS with the step as a parameter, as far as it is known."""
        elimination, kept = self._bounds.elimination, self._determined.kept(levels)
        mine = parameter(_STEP)
        known = elimination.conjunction((mine - stride.step,), (mine - 1,))
        known = elimination.onto(kept, known, elimination.all_variables((stride.step,)))
        found = pairs.intersect_params(known.points)
        for position, level in enumerate(levels[: stride.fixed]):
            if level.variable is not None:
                found = equated(found, DIM.in_, position, elimination.name(Value(level.variable)))
        return found
