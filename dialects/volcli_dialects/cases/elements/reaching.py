"""Where an alternative reaches an element: conditions on the index, and on the loops of reductions.

An alternative `R[e(l)]` reaches R[x] if there is a loop point l inside of its bounds with e(l) = x. Where e
determines a loop, that is a function of x:

    e = d0                l0 = x0
    e = 2 * d0 + 1        l0 = (x0 - 1) floordiv 2, if (x0 - 1) mod 2 = 0
    e = 3                 x0 = 3

The others are loops of a reduction. A loop k of n iterations along which operands are indexed by `k` and by
`a + k`, within a size s, has an iteration inside of all bounds if

    n >= 1,   a <= s - 1   and   a + n - 1 >= 0

so that conditions on x alone say whether it is reached. So the elements of `tensor.pad`, of an inserted
slice, and of a contraction that may have nothing to add up, can be told apart where they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import OpResult, SSAValue

from volcli.language.expressions import Expression, Index, LoopIndex, NotAffine, constant, loop, maximum
from volcli.language.reads import Alternative
from volcli.limits.widths import UNBOUNDED

Local = Callable[[Expression, Sequence[Expression]], Expression]
"""An expression over the loops of an alternative, given what these are."""


@dataclass
class ReachedPoints:
    """The loop points of an alternative at one element.

    Its loops are `own`; it reaches the element where all of `when` are >= 0, and reads at the points where
    all of `within` are, too. `extents` bound the new loops among its own: each has an iteration in any case.
    """

    own: list[Expression]
    when: list[Expression] = field(default_factory=list[Expression])
    within: list[Expression] = field(default_factory=list[Expression])
    extents: list[tuple[Expression, Expression]] = field(default_factory=list[tuple[Expression, Expression]])


@dataclass
class Reaching:
    """Finds where alternatives reach elements, by LOCAL expressions, SIZES of values, and NEW loops."""

    local: Local
    sizes: Callable[[SSAValue], Sequence[Expression]]
    new: Callable[[int], Sequence[Expression]]

    def of(self, stated: Alternative, index: Sequence[Expression], *, covers: bool) -> ReachedPoints:
        """The loop points of STATED at the element INDEX, which it reaches in any case if it COVERS all.

        Raises NotAffine where that is not known.
        """
        bound, when = self._inverse(stated.element, index)
        free = [position for position in range(stated.loops) if position not in bound]
        bound.update(zip(free, self.new(len(free)), strict=True))
        found = ReachedPoints([bound[position] for position in range(stated.loops)], when)
        bounds = [pair for a in stated.bounds for pair in zip(a.index, self.sizes(a.operand), strict=True)]
        bounds += [(e, self.local(size, found.own)) for e, size in stated.extents]
        counts = {p: [size for e, size in bounds if e == loop(p)] for p in free}
        for position in free:
            if not counts[position]:
                raise NotAffine("a loop of a reduction whose size is not known")
            least = counts[position][0]
            found.extents.append((bound[position], maximum(least, constant(1))))
            found.when += [] if covers else [size - 1 for size in counts[position]]
            found.within += [size - 1 - bound[position] for size in counts[position]]
        for each, size in bounds:
            if each in [loop(position) for position in free]:
                continue
            if covers and isinstance(each, Expression):
                value = self.local(each, found.own)
                found.within += [value, size - 1 - value]
            else:
                self._inside(found, each, size, {p: counts[p][0] for p in free})
        return found

    def _inverse(
        self, element: Sequence[Expression], index: Sequence[Expression]
    ) -> tuple[dict[int, Expression], list[Expression]]:
        """The loops that ELEMENT determines, where it is INDEX, and the conditions under which it can be."""
        bound: dict[int, Expression] = {}
        when: list[Expression] = []
        for expression, wanted in zip(element, index, strict=True):
            terms = [(a.position, c) for a, c in expression.terms if isinstance(a, LoopIndex)]
            start = expression - sum((loop(p) * c for p, c in terms), constant(0))
            if any(isinstance(atom, LoopIndex) for atom in start.atoms()):
                raise NotAffine("elements that are indexed by a quotient of a loop")
            distance = wanted - self.local(start, ())
            if not terms:
                when += [distance, -distance]
                continue
            ((position, factor), *others) = terms
            if others or factor < 1 or position in bound:
                raise NotAffine("elements that are not indexed by loops of their own")
            bound[position] = distance // factor
            if factor > 1:
                when.append(-(distance % factor))
        return bound, when

    def _inside(
        self, found: ReachedPoints, index: Index, size: Expression, counts: dict[int, Expression]
    ) -> None:
        """The bound `0 <= INDEX < SIZE`, for loops of a reduction of these COUNTS."""
        if not isinstance(index, Expression):
            raise NotAffine("an index that is not affine")
        moving = [
            (a.position, c) for a, c in index.terms if isinstance(a, LoopIndex) and a.position in counts
        ]
        value = self.local(index, found.own)
        if not moving:
            found.when += [value, size - 1 - value]
            return
        ((position, factor), *others) = moving
        if others or factor != 1:
            raise NotAffine("a bound on two loops of a reduction, or on a multiple of one")
        first = value - found.own[position]
        found.when += [size - 1 - first, first + counts[position] - 1]
        found.within += [value, size - 1 - value]


def covers(stated: Alternative, value: OpResult) -> bool:
    """Whether STATED reaches every element of VALUE: over a box of loop points, all of whose bounds hold.

    What structured operations share a loop for has one size; along the others it must be a number.
    """
    extents: dict[int, int] = {}
    pairs = [pair for a in stated.bounds for pair in zip(a.index, shape_of(a.operand), strict=True)]
    pairs += [(index, size.constant if size.is_constant else 0) for index, size in stated.extents]
    from xdsl.dialects.linalg.abstract_ops import (
        LinalgStructuredOperation,
    )  # which affine loops need not know

    shares = isinstance(value.op, LinalgStructuredOperation)
    for index, size in pairs:
        atom = index.single_atom if isinstance(index, Expression) else None
        if isinstance(atom, LoopIndex) and not (shares and size == DYNAMIC_INDEX):
            extents[atom.position] = min(size, extents.get(atom.position, size))
    along = [e.single_atom for e in stated.element]
    positions = [a.position for a in along if isinstance(a, LoopIndex)]
    if len(set(positions)) != len(along):
        return False
    for position, size in zip(positions, shape_of(value), strict=True):
        if extents.get(position, size) != size or (size == DYNAMIC_INDEX and not shares):
            return False
    if any(extents.get(k, 0) < 1 for k in range(stated.loops) if k not in positions):
        return False
    return all(_is_loop(index) or _last(index, extents) < size for index, size in pairs)


def _is_loop(index: Index) -> bool:
    return isinstance(index, Expression) and isinstance(index.single_atom, LoopIndex)


def shape_of(value: SSAValue) -> Sequence[int]:
    """The sizes that the type of a tensor says, with a marker for the others."""
    return value.type.get_shape() if isinstance(value.type, ShapedType) else ()


def _last(index: Index, extents: dict[int, int]) -> int:
    """The greatest value of an index of nonnegative terms over a box; of others more than any size."""
    if not isinstance(index, Expression) or index.constant < 0:
        return UNBOUNDED
    terms = [(extents.get(a.position), c) for a, c in index.terms if isinstance(a, LoopIndex)]
    if len(terms) != len(index.terms) or any(size is None or c < 0 for size, c in terms):
        return UNBOUNDED
    return index.constant + sum(c * (size - 1) for size, c in terms if size is not None)
