"""The iterations of loops by their numbers 0, 1, 2, ..., so that steps leave no divisions in isl's relations.

An iteration of a loop `i = l, l + s, l + 2 * s, ...` with s > 1 has the number n with i = l + s * n; l is a
constant or an affine function of the loops around it. In equal iterations of these, numbers are ordered as
iterations are.

    affine.for %i = 0 to 64 step 8 { affine.for %j = %i to %i + 8 { load %m[%j] } }
        { [i, j] -> [j] : i mod 8 = 0 and i <= j < i + 8 }  is  { [n, j] -> [j] : 8n <= j < 8n + 8 }
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    LoopIndex,
    NotAffine,
    Value,
    constant,
    loop,
    substitute,
)
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.presburger.sets import build


class IterationNumbers:
    """The numbers of iterations of one function's loops; RESOLVE says what a bound or a step is."""

    def __init__(self, resolve: Callable[[Expression], Expression]) -> None:
        self._resolve = resolve
        self.of: Callable[[tuple[Level, ...]], tuple[Expression, ...] | None] = cache(self._of)

    def numbered(self, points: isl.Map, site: Site) -> isl.Map:
        """POINTS `{ [i, l] -> x }` of SITE as `{ [n, l] -> x }`, where l are the operation's own loops."""
        own = points.dim(isl.dim_type.in_) - len(site.levels)
        relation = self._relation(site, own)
        return points if relation is None else relation.apply_range(points)

    def iterations(self, points: isl.Set, site: Site) -> isl.Set:
        """POINTS [n] as the iterations [i] of SITE."""
        relation = self._relation(site, 0)
        return points if relation is None else points.apply(relation)

    def domain_iterations(self, points: isl.Map, site: Site) -> isl.Map:
        """POINTS `{ [n] -> x }` as `{ [i] -> x }`, over the iterations of SITE."""
        relation = self._relation(site, 0)
        return points if relation is None else points.apply_domain(relation)

    def range_iterations(self, points: isl.Map, site: Site) -> isl.Map:
        """POINTS `{ x -> [n] }` as `{ x -> [i] }`, over the iterations of SITE."""
        relation = self._relation(site, 0)
        return points if relation is None else points.apply_range(relation)

    def _relation(self, site: Site, own: int) -> isl.Map | None:
        """`{ [n, l] -> [i, l] }` with so many loops l of its OWN; None if they are all equal."""
        found, count = self.of(site.levels), len(site.levels)
        if found is None:
            return None
        return build.relation(count + own, (*found, *(loop(count + k) for k in range(own))))

    def _of(self, levels: tuple[Level, ...]) -> tuple[Expression, ...] | None:
        """The iterations of LEVELS over their numbers; None if they are equal to these."""
        found: list[Expression] = []
        for position, level in enumerate(levels):
            start, step = self._start_and_step(levels[:position], found, level) or (constant(0), 1)
            found.append(start + step * loop(position))
        return None if all(each == loop(k) for k, each in enumerate(found)) else tuple(found)

    def _start_and_step(
        self, around: Sequence[Level], iterations: Sequence[Expression], level: Level
    ) -> tuple[Expression, int] | None:
        """How LEVEL begins and goes on, over the numbers of the ITERATIONS of the loops AROUND it."""
        if level.induction is None:
            return None
        step = self._resolve(level.induction.step)
        if not step.is_constant or step.constant <= 1 or len(level.induction.lower) != 1:
            return None
        variables = {outer.variable: iterations[k] for k, outer in enumerate(around)}

        def leaf(atom: Atom) -> Expression | None:
            return variables.get(atom.value) if isinstance(atom, Value) else None

        try:
            start = substitute(self._resolve(level.induction.lower[0]), leaf)
        except NotAffine:
            return None
        return (start, step.constant) if all(isinstance(a, LoopIndex) for a in start.atoms()) else None
