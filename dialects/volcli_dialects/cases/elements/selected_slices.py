"""The slices of a tensor that integers select: what a gather reads, and a scatter updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from volcli.language.expressions import (
    ANY,
    Expression,
    Index,
    Misfit,
    constant,
    dim_of,
    loop,
    loops,
    maximum,
    minimum,
)
from volcli.language.programs.element_numbers import number_at
from volcli.language.reads import (
    Access,
    Alternative,
    ElementReads,
    Read,
    Use,
    copy,
    one_alternative,
    rank_of,
    whole,
)
from volcli.limits import dialects as limits
from volcli_dialects.cases.elements.known import known_elements
from volcli_dialects.cases.parts import static_sizes


@dataclass(frozen=True)
class SliceDimensions:
    """How slices lie: in `of` (the result, or the updates) and in the operand, by the names of gather.

    `windows` are the dimensions of `of` that run within a slice, `flat` those of the operand along which a
    slice has one element, `starts` those that the numbers of an index say, `batching` pairs of dimensions of
    the operand and of the indices; `vector` is the dimension of the indices along which those numbers lie.
    """

    windows: tuple[int, ...]
    flat: tuple[int, ...]
    starts: tuple[int, ...]
    batching: tuple[tuple[int, int], ...]
    vector: int

    def batches(self, rank: int) -> list[int]:
        """The dimensions of `of`, of RANK, that run from slice to slice."""
        return [d for d in range(rank) if d not in self.windows]

    def inner(self, rank: int) -> list[int]:
        """The dimensions of the operand, of RANK, along which a slice runs."""
        gone = {*self.flat, *(d for d, _ in self.batching)}
        return [d for d in range(rank) if d not in gone]

    def check(self, operand: SSAValue, of: SSAValue, indices: SSAValue) -> None:
        """Raise Misfit if OPERAND, the slices OF it, or the INDICES have no such dimensions."""
        rank, own, indexed = map(rank_of, (operand, of, indices))
        within = (
            (self.windows, own),
            ((*self.flat, *self.starts, *(d for d, _ in self.batching)), rank),
            ([along for _, along in self.batching], indexed),
        )
        fits = len(self.inner(rank)) == len(self.windows) and self.vector <= indexed
        fits &= all(0 <= d < count for some, count in within for d in some)
        count = static_sizes(indices)[self.vector] if self.vector < indexed else 1
        fits &= count in (len(self.starts), DYNAMIC_INDEX)
        if not fits or len(self.batches(own)) != indexed - (self.vector < indexed):
            raise Misfit("slices whose dimensions do not fit")

    def index(self, k: int, batch: Sequence[Expression]) -> tuple[Expression, ...]:
        """Where the k-th number of the index of the slice BATCH is."""
        return (*batch[: self.vector], constant(k), *batch[self.vector :])


@dataclass(frozen=True)
class SelectedSlices:
    """The slices of OPERAND that `indices` select, of which `of` has the elements: SIZES of them each."""

    operand: SSAValue
    indices: SSAValue
    of: SSAValue
    sizes: Sequence[int]
    dims: SliceDimensions

    def __post_init__(self) -> None:
        self.dims.check(self.operand, self.of, self.indices)
        shape, flat = static_sizes(self.operand), {*self.dims.flat, *(d for d, _ in self.dims.batching)}
        if len(self.sizes) != len(shape):
            raise Misfit("slices whose dimensions do not fit")
        for d, (size, whole_size) in enumerate(zip(self.sizes, shape, strict=True)):
            most = 1 if d in flat else whole_size
            if DYNAMIC_INDEX not in (size, most) and not 0 <= size <= most:
                raise Misfit(f"slices of size {size} along dimension {d}")

    def start(self, batch: Sequence[Expression], numbers: Mapping[int, Index]) -> list[Index]:
        """Where the slice BATCH begins, whose index has the NUMBERS, by dimension of the operand."""
        found: list[Index] = [constant(0)] * rank_of(self.operand)
        for d, along in self.dims.batching:
            found[d] = batch[along - (along > self.dims.vector)]
        for d, number in numbers.items():
            found[d] = number
        return found

    def room(self, d: int) -> Expression:
        """The last start along a dimension at which the slice lies inside."""
        return dim_of(self.operand, d) - self.sizes[d]

    def clamped(self, number: Index, d: int) -> Index:
        """The NUMBER, moved so that the slice lies inside; 0 where it has no room to move."""
        if self.room(d) == constant(0):
            return constant(0)
        return minimum(maximum(number, constant(0)), self.room(d)) if isinstance(number, Expression) else ANY

    def element(self, start: Sequence[Index], own: Sequence[Expression]) -> tuple[Index, ...]:
        """The element of the operand that the slice from START on has at OWN, along its windows."""
        at = dict(zip(self.dims.inner(rank_of(self.operand)), own, strict=True))
        return tuple(e + at[d] if d in at and isinstance(e, Expression) else e for d, e in enumerate(start))

    def written(self, batch: Sequence[Expression], numbers: Mapping[int, Index]) -> tuple[Expression, ...]:
        """The elements of the operand that the slice BATCH with these NUMBERS is, over its windows."""
        element = self.element(self.start(batch, numbers), loops(len(self.dims.windows)))
        return tuple(e for e in element if isinstance(e, Expression))

    def coordinates(self, batch: Sequence[Expression], own: Sequence[Expression]) -> tuple[Expression, ...]:
        """The element of `of` at OWN in the slice BATCH."""
        rank = rank_of(self.of)
        at = dict(zip((*self.dims.batches(rank), *self.dims.windows), (*batch, *own), strict=True))
        return tuple(at[d] for d in range(rank))

    def affine(self) -> dict[int, Index]:
        """By dimension, the start of the slice over the dimensions of `of`; ANY where it is not affine."""
        rank = rank_of(self.of)
        batch = [loop(d) for d in self.dims.batches(rank)]
        found: dict[int, Index] = {}
        for k, d in enumerate(self.dims.starts):
            number = number_at(self._number(k, batch))
            found[d] = ANY if number is None else number
        return found

    def _number(self, k: int, batch: Sequence[Expression]) -> Access:
        index = self.dims.index(k, batch)
        return Access(self.indices, index[: rank_of(self.indices)])

    def reading(self) -> list[Read]:
        """The numbers of an index, over the dimensions of `of`."""
        batch = [loop(d) for d in self.dims.batches(rank_of(self.of))]
        uses = (Use(sees_sign=True),)
        return [Read(self._number(k, batch), uses=uses) for k in range(len(self.dims.starts))]

    def listed(self) -> list[tuple[tuple[Expression, ...], dict[int, Index]]] | None:
        """Each slice with its numbers, if all are known and not very many."""
        rank = rank_of(self.of)
        shape = [static_sizes(self.of)[d] for d in self.dims.batches(rank)]
        if DYNAMIC_INDEX in shape or prod(shape) > limits.SELECTED_SLICES:
            return None
        elements = known_elements(self.indices)
        if elements is None:
            return None
        found: list[tuple[tuple[Expression, ...], dict[int, Index]]] = []
        for place in product(*map(range, shape)):
            batch = tuple(map(constant, place))
            at: dict[int, Index] = {}
            for k, d in enumerate(self.dims.starts):
                index = self._number(k, batch).index
                key = tuple(e.constant for e in index if isinstance(e, Expression))
                at[d] = constant(elements[key])
            found.append((batch, at))
        return found


BY_DATA = "its indices are data"


def gathered_reads(slices: SelectedSlices) -> list[ElementReads]:
    """`R[b, o] = x[clamp(start[b]) + o]`."""
    rank = rank_of(slices.of)
    windows = [loop(d) for d in slices.dims.windows]
    batch = [loop(d) for d in slices.dims.batches(rank)]
    stated = {d: slices.clamped(number, d) for d, number in slices.affine().items()}
    if ANY in stated.values() and (listed := slices.listed()) is not None:
        return [ElementReads(tuple(_one_slice(slices, *each) for each in listed))]
    found = one_alternative(rank, copy(slices.operand, slices.element(slices.start(batch, stated), windows)))
    if ANY not in stated.values():
        return [found]
    (only,) = found.alternatives
    data = tuple(r for r, d in zip(slices.reading(), slices.dims.starts, strict=True) if stated[d] is ANY)
    return [ElementReads((replace(only, reads=(*only.reads, *data)),), BY_DATA)]


def written_reads(slices: SelectedSlices) -> ElementReads | None:
    """`R[start[b] + o] = y[b, o]`, each element once, else x; None where data says where slices begin."""
    listed = slices.listed()
    if listed is None:
        return None
    own, rank = loops(len(slices.dims.windows)), rank_of(slices.operand)
    written = [
        Alternative(len(own), slices.written(*each), copy(slices.of, slices.coordinates(each[0], own)))
        for each in listed
    ]
    return ElementReads((*written, Alternative(rank, loops(rank), (Read(whole(slices.operand)),))))


def _one_slice(slices: SelectedSlices, batch: tuple[Expression, ...], at: Mapping[int, Index]) -> Alternative:
    own = loops(len(slices.dims.windows))
    start = slices.start(batch, {d: slices.clamped(number, d) for d, number in at.items()})
    return Alternative(
        len(own), slices.coordinates(batch, own), copy(slices.operand, slices.element(start, own))
    )
