"""The loop points of a statement: those whose element lies in the result and whose bounds hold.

{ [i, j] : 0 <= element(i, j) < sizes  and  0 <= index(i, j) < size for each bound }
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl

from volcli.language.expressions import Expression, LoopIndex, constant, loops
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.shared import shared

Points = tuple[isl.Set, bool]
"""The loop points, and whether they reach every element."""


class LoopPoints:
    """The loop points of the statements of one function, each kind of statement once."""

    @cached_method
    def of(
        self,
        count: int,
        element: tuple[Expression, ...],
        sizes: tuple[Expression, ...],
        bounds: tuple[tuple[Expression, Expression], ...],
        is_identity: bool,
    ) -> Points:
        """The loop points, and whether they reach every element; the layers of a network repeat them."""
        domain = self._domain(count, sizes, bounds, is_identity)
        return shared(domain), self._covers(element, sizes, bounds, domain, is_identity)

    def _domain(
        self,
        count: int,
        sizes: tuple[Expression, ...],
        bounds: Sequence[tuple[Expression, Expression]],
        is_identity: bool,
    ) -> isl.Set:
        """The loop points whose element lies in the result and whose bounds hold."""
        extents: dict[int, Expression] = {}
        conditions: list[Expression] = []
        for index, size in dict.fromkeys(bounds):
            if index.is_constant and size.is_constant and 0 <= index.constant < size.constant:
                continue
            position = loop_alone(index)
            if position is not None and extents.setdefault(position, size) == size:
                continue
            conditions += [index, size - index - 1]
        if is_identity and not conditions and tuple(extents.get(d) for d in range(count)) == sizes:
            return build.box(sizes)
        return build.domain(count, tuple(sorted(extents.items())), tuple(conditions))

    def _covers(
        self,
        element: tuple[Expression, ...],
        sizes: tuple[Expression, ...],
        bounds: Sequence[tuple[Expression, Expression]],
        domain: isl.Set,
        is_identity: bool,
    ) -> bool:
        """Whether every result element is reached by a loop point of DOMAIN."""
        if is_identity:
            if all(self._implied(index, size, sizes) for index, size in bounds):
                return True
            if (known := _all_inside(bounds, sizes)) is not None:
                return known
        return reaches(element, sizes, domain)

    @staticmethod
    def _implied(index: Expression, size: Expression, sizes: tuple[Expression, ...]) -> bool:
        position = loop_alone(index)
        return position is not None and position < len(sizes) and sizes[position] == size


def last_written(domain: isl.Set, element: tuple[Expression, ...], keeps: Disjunction) -> isl.Set:
    """The points of DOMAIN from the last one of their element on that does not keep what is there.

    `R[i] = x[i, k]` for all k is x[i, K - 1]: each point keeps nothing.
    """
    count = domain.dim(DIM.set)
    kept = [build.nonnegative(count, where) for where in keeps]
    overwriting = reduce(isl.Set.subtract, kept, domain)
    to_element = build.relation(count, element)
    after = to_element.apply_range(to_element.reverse())
    overwritten = domain.intersect(overwriting.apply(after))
    after = after.intersect(isl.Map.lex_lt(domain.get_space()).align_params(after.get_space()))
    return overwritten.subtract(after.intersect_range(overwriting).domain()).coalesce()


def _all_inside(bounds: Sequence[tuple[Expression, Expression]], sizes: Sequence[Expression]) -> bool | None:
    """Whether all BOUNDS (index, size) hold in the box of SIZES; None where these are not numbers."""
    extents = [size.constant for size in sizes if size.is_constant]
    if len(extents) < len(sizes):
        return None
    for index, size in bounds:
        found = _range(index, extents)
        if found is None or not size.is_constant:
            return None
        if found[0] < 0 or found[1] >= size.constant:
            return False
    return True


def _range(index: Expression, extents: Sequence[int]) -> tuple[int, int] | None:
    """The least and the greatest of a sum of loops, each `0 <= l < extent`; None for another expression."""
    low = high = index.constant
    for atom, factor in index.terms:
        if not isinstance(atom, LoopIndex) or atom.position >= len(extents) or extents[atom.position] < 1:
            return None
        last = factor * (extents[atom.position] - 1)
        low, high = low + min(0, last), high + max(0, last)
    return low, high


def loop_alone(index: Expression) -> int | None:
    """k if INDEX is the loop d_k itself."""
    atom = index.single_atom
    return atom.position if isinstance(atom, LoopIndex) else None


def reaches(element: tuple[Expression, ...], sizes: tuple[Expression, ...], domain: isl.Set) -> bool:
    """Whether every result element is that of a loop point of DOMAIN."""
    count = domain.dim(DIM.set)
    if element != loops(count):
        domain = domain.apply(build.relation(count, element))
    return bool(build.box(sizes).is_subset(domain))


def unit_loops(bounds: Sequence[tuple[Expression, Expression]]) -> frozenset[int]:
    """The loops that have one iteration by BOUNDS, each `0 <= index < size`."""
    positions = (loop_alone(index) for index, size in bounds if size == constant(1))
    return frozenset(p for p in positions if p is not None)


def spreads(element: Sequence[Expression]) -> bool:
    """Whether neighbouring loop points write elements that are not neighbours."""
    return any(abs(c) != 1 for e in element for _, c in e.terms)
