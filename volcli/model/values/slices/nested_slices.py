"""Slices of slices, in the coordinates of the tensor or buffer that all of them are of.

A slice, a cast or another view v of a base t says which element of t each element of v is. Where that is

    v[d] = t[a_0 + c_0 * d_{p(0)}, a_1 + c_1 * d_{p(1)}, ...]        each d_k in at most one place

the slice of v with offsets o, sizes n and strides s is the slice of t with offsets a_b + c_b * o_{p(b)},
sizes n_{p(b)} and strides c_b * s_{p(b)}. Where a coordinate of t is the number a_b alone, as after an
extraction that drops a dimension, it has one index along that. So [5, 10 elements, step 2] of
[10, 50 elements] of t is [15, 10 elements, step 2] of t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    LoopIndex,
    NotAffine,
    constant,
    dim_of,
    loop,
    loops,
    substitute,
)
from volcli.language.memory import is_memref
from volcli.language.questions import StridedSlice
from volcli.language.reads import rank_of
from volcli.model.values.slices.hyperrectangles import HyperrectangularSlice


@dataclass(frozen=True)
class Placed:
    """The elements `base[index(d)]` of a value, a slice of slices: of each of `within`, inside out."""

    base: SSAValue
    index: tuple[Expression, ...]
    within: tuple[tuple[Operation, HyperrectangularSlice], ...] = ()


class NestedSlices:
    """Where the values of a function lie in what they are slices of; UPDATED is what each is a new state of.

    `%u = tensor.insert_slice %x into %t[...]` has the coordinates of %t, whatever its elements are.
    """

    def __init__(self, updated: Mapping[SSAValue, SSAValue]) -> None:
        self._updated = updated
        self._known: dict[SSAValue, Placed] = {}

    def placed(self, value: SSAValue) -> Placed:
        """VALUE in what it is a slice of; itself, if it is none."""
        steps: list[tuple[SSAValue, Placed]] = []
        at = value
        while at not in self._known:
            step = self._step(at)
            if step is None:
                self._known[at] = Placed(at, loops(rank_of(at)))
                break
            steps.append((at, step))
            at = step.base
        for each, step in reversed(steps):
            self._known[each] = self._behind(each, step)
        return self._known[value]

    def slice(self, stated: StridedSlice) -> tuple[SSAValue, HyperrectangularSlice]:
        """What a STATED slice is one of in the end, and the slice of that; raises NotAffine if it is none."""
        own = HyperrectangularSlice.of(stated)
        source = self.placed(stated.source)
        rows = [self._along(each, stated) for each in source.index]
        offsets, sizes, strides = zip(*rows, strict=True) if rows else ((), (), ())
        extents = [dim_of(source.base, dim) for dim in range(len(rows))]
        inner = [part for _, part in source.within]
        behind = (own, *inner) if source.within or source.index != loops(len(own.offsets)) else ()
        return source.base, HyperrectangularSlice(offsets, sizes, strides, extents, behind)

    def is_inside(self, outer: Operation, stated: StridedSlice) -> bool:
        """Whether a slice is one of what OUTER makes, by its place in the program."""
        return any(op is outer for op, _ in self.placed(stated.source).within)

    @staticmethod
    def _along(index: Expression, stated: StridedSlice) -> tuple[Expression, Expression, Expression]:
        """The offset, size and stride of a slice along the coordinate INDEX of the base."""
        found = _position(index)
        if found is None:
            return index, constant(1), constant(1)
        position, start, step = found
        offset = start + step * stated.offsets[position]
        return offset, stated.sizes[position], step * stated.strides[position]

    def _behind(self, value: SSAValue, step: Placed) -> Placed:
        """VALUE, of which STEP says what it is directly a part of; where that lies is known."""
        outer = self._known[step.base]

        def inner(atom: Atom) -> Expression | None:
            return step.index[atom.position] if isinstance(atom, LoopIndex) else None

        try:
            index = tuple(substitute(each, inner) for each in outer.index)
        except NotAffine:
            return Placed(value, loops(rank_of(value)))
        return replace(outer, index=index, within=(*step.within, *outer.within))

    def _step(self, value: SSAValue) -> Placed | None:
        """VALUE by the value that it is directly a part of; None if it is none, or of an unknown part."""
        updated = self._updated.get(value)
        if updated is not None:
            return Placed(updated, loops(rank_of(updated)))
        if not isinstance(value, OpResult):
            return None
        try:
            found = _view(value) if is_memref(value) else _copy(value)
            stated = questions.slice_of(value.op) if questions.slice_of.answers(type(value.op)) else None
        except NotAffine:
            return None
        if found is None or not _is_separable(found.index, rank_of(value)):
            return None
        own = () if stated is None else ((value.op, HyperrectangularSlice.of(stated)),)
        return replace(found, within=own)


def _view(value: OpResult) -> Placed | None:
    """The memref VALUE as a view."""
    view = questions.view(value.op)
    if view is None or view.is_address or view.extents or len(view.index) != rank_of(view.base):
        return None
    index = [each for each in view.index if isinstance(each, Expression)]
    return Placed(view.base, tuple(index)) if len(index) == len(view.index) else None


def _copy(value: OpResult) -> Placed | None:
    """The tensor VALUE, if its elements are some of another one's."""
    if not questions.element_reads.answers(type(value.op)):
        return None
    reads = questions.element_reads(value.op)
    if reads is None:
        return None
    (alternative, *others), found = reads[value.index].alternatives or (None,), reads[value.index]
    if alternative is None or others or found.inexact is not None or found.opaque:
        return None
    is_copy = alternative.yields is None and alternative.element == loops(alternative.loops)
    if not is_copy or len(alternative.reads) != 1 or alternative.reads[0].where:
        return None
    access = alternative.reads[0].access
    index = [each for each in access.index if isinstance(each, Expression)]
    return Placed(access.operand, tuple(index)) if len(index) == len(access.index) else None


def _is_separable(index: Sequence[Expression], rank: int) -> bool:
    """Whether each d_k with k < RANK occurs in one coordinate of INDEX, alone."""
    try:
        used = [found[0] for each in index if (found := _position(each)) is not None]
    except NotAffine:
        return False
    return len(used) == len(set(used)) == rank


def _position(index: Expression) -> tuple[int, Expression, Expression] | None:
    """`(k, a, c)` of INDEX = a + c * d_k; None if it has no d. Raises NotAffine for anything else."""
    found = {atom.position for atom in index.atoms() if isinstance(atom, LoopIndex)}
    if not found:
        return None
    if len(found) > 1:
        raise NotAffine("a coordinate depends on several indices")
    (position,) = found

    def at(number: int) -> Expression:
        return substitute(index, lambda a: constant(number) if isinstance(a, LoopIndex) else None)

    start = at(0)
    step = at(1) - start
    if start + step * loop(position) != index:
        raise NotAffine("a coordinate is not a linear function of an index")
    return position, start, step
