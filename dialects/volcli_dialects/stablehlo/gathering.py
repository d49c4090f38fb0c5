"""Gather and scatter of stablehlo: slices that integers select, exact where these are known.

    R[b, o] = x[clamp(start[b], 0, n - size) + o]        R[start[b] + o] = f(x[start[b] + o], update[b, o])

Where the starts are a function of the loops that is one statement, where they are a list of numbers it is one
for each slice; otherwise data selects, along the dimensions that have a start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Expression,
    Index,
    Misfit,
    NotAffine,
    constant,
    dim_of,
    loop,
    loops,
)
from volcli.language.programs.definitions import defined_reads
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import (
    Access,
    Alternative,
    ElementReads,
    Read,
    Use,
    copy,
    pessimistic,
    rank_of,
    whole,
)
from volcli_dialects.cases.elements.known import known_elements
from volcli_dialects.cases.elements.selected_slices import (
    BY_DATA,
    SelectedSlices,
    SliceDimensions,
    gathered_reads,
)
from volcli_dialects.cases.parts import attribute, numbers, result, static_sizes, tensor
from volcli_dialects.cases.sizes import like
from volcli_dialects.stablehlo.contractions import combined
from volcli_dialects.stablehlo.ops import INDEXED, REGIONS
from volcli_dialects.stablehlo.reductions import applied_by
from volcli_dialects.stablehlo.syntax import text_of

GATHER, DYNAMIC, SCATTER = INDEXED["gather"], INDEXED["dynamic_gather"], REGIONS["scatter"]


def slice_dimensions(op: Operation) -> SliceDimensions:
    """`#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], ..>`."""
    text = text_of(attribute(op, "dimension_numbers") or attribute(op, "scatter_dimension_numbers"))
    lists = {
        name: tuple(int(n) for n in listed.split(",") if n.strip())
        for name, listed in re.findall(r"(\w+)\s*=\s*\[([-\d,\s]*)\]", text)
    }
    vector = re.search(r"index_vector_dim\s*=\s*(\d+)", text)

    def one_of(*names: str) -> tuple[int, ...]:
        return next((lists[name] for name in names if name in lists), ())

    pairs = (
        one_of("operand_batching_dims", "input_batching_dims"),
        one_of("start_indices_batching_dims", "scatter_indices_batching_dims"),
    )
    if not text or len(pairs[0]) != len(pairs[1]):
        raise NotAffine("dimensions of slices that are not known")
    return SliceDimensions(
        one_of("offset_dims", "update_window_dims"),
        one_of("collapsed_slice_dims", "inserted_window_dims"),
        one_of("start_index_map", "scatter_dims_to_operand_dims"),
        tuple(zip(*pairs, strict=True)),
        int(vector.group(1)) if vector else 0,
    )


# -- gather --------------------------------------------------------------------------------------------


def gathered_slices(op: Operation) -> SelectedSlices:
    """The slices that OP, a gather, reads."""
    operand, indices, dims = tensor(op.operands[0]), tensor(op.operands[1]), slice_dimensions(op)
    dims.check(operand, result(op), indices)
    sizes: Sequence[int]
    if isinstance(op, GATHER):
        sizes = numbers(op, "slice_sizes", rank_of(operand))
    else:
        known = known_elements(tensor(op.operands[2], 1))
        if known is None:
            raise NotAffine("the sizes of its slices are data")
        sizes = tuple(known.values())
    return SelectedSlices(operand, indices, result(op), sizes, dims)


@result_sizes.case(GATHER, DYNAMIC)
def gather_sizes(op: Operation) -> list[Sizes]:
    """Those of the indices, and of a slice."""
    slices = gathered_slices(op)
    own = [constant(slices.sizes[d]) for d in slices.dims.inner(rank_of(slices.operand))]
    every = [dim_of(slices.indices, d) for d in range(rank_of(slices.indices)) if d != slices.dims.vector]
    return [list(slices.coordinates(every, own))]


# `R[b, o] = x[clamp(start[b]) + o]`.
element_reads.case(GATHER, DYNAMIC)(lambda op: gathered_reads(gathered_slices(op)))


# -- scatter -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Scatter:
    """What is updated, by what, and where."""

    op: Operation
    inputs: Sequence[SSAValue]
    updates: Sequence[SSAValue]
    slices: SelectedSlices

    def reads(self) -> list[ElementReads]:
        listed = self.slices.listed()
        if listed is None or not self._is_static():
            return [self._anywhere(k) for k in range(len(self.inputs))]
        starts = [(batch, self.slices.start(batch, at)) for batch, at in listed]
        if any(self._overlap(one, other) for (_, one), (_, other) in combinations(starts, 2)):
            return [self._together(k, starts) for k in range(len(self.inputs))]
        return self._apart(starts)

    def _is_static(self) -> bool:
        return all(DYNAMIC_INDEX not in static_sizes(each) for each in (self.inputs[0], self.updates[0]))

    def _overlap(self, one: Sequence[Index], other: Sequence[Index]) -> bool:
        """Whether two slices share an element that there is."""
        shape = static_sizes(self.inputs[0])
        starts = zip(map(_constant, one), map(_constant, other), strict=True)
        every = zip(starts, self.slices.sizes, shape, strict=True)
        return all(max(*pair, 0) < min(min(pair) + n, size) for pair, n, size in every)

    def _apart(self, starts: Iterable[tuple[tuple[Expression, ...], list[Index]]]) -> list[ElementReads]:
        """No two slices share an element: each is what the body makes of it and of what was there."""
        found: list[list[ElementReads]] = []
        own = loops(len(self.slices.dims.windows))
        for batch, start in starts:
            element = tuple(e for e in self.slices.element(start, own) if isinstance(e, Expression))
            read = [Access(each, self.slices.coordinates(batch, own)) for each in self.updates]
            before = list(map(whole, self.inputs))
            found.append(defined_reads(combined(self.op, len(own), element, read, before), self.op.name))
        rank = rank_of(self.inputs[0])
        kept = [Alternative(rank, loops(rank), (Read(whole(each)),)) for each in self.inputs]
        return [
            ElementReads(
                (*(a for each in found for a in each[k].alternatives[:-1]), kept[k]),
                next((each[k].inexact for each in found if each[k].inexact), None),
                any(each[k].parametric for each in found),
                any(each[k].opaque for each in found),
            )
            for k in range(len(self.inputs))
        ]

    def _together(self, k: int, starts: Iterable[tuple[tuple[Expression, ...], list[Index]]]) -> ElementReads:
        """Each element is made of what was there, and of all updates of it, in any order."""
        rank = rank_of(self.inputs[0])
        reads = list(copy(self.inputs[k], loops(rank)))
        inner = self.slices.dims.inner(rank)
        for batch, start in starts:
            at = [loop(d) - _constant(e) for d, e in enumerate(start)]
            inside = tuple(e for d, n in enumerate(self.slices.sizes) for e in (at[d], n - 1 - at[d]))
            index = self.slices.coordinates(batch, [at[d] for d in inner])
            others = self.updates if len(self.inputs) > 1 else [self.updates[k]]
            reads += (Read(Access(each, index), inside, (Use(sees_sign=True),)) for each in others)
        reads[0] = replace(reads[0], uses=(Use(sees_sign=True),))
        is_sum = len(self.inputs) == 1 and applied_by(self.op) is not None
        inexact = None if is_sum else "updates of one element come in any order"
        return ElementReads((Alternative(rank, loops(rank), tuple(reads)),), inexact)

    def _anywhere(self, k: int) -> ElementReads:
        return pessimistic(self.op, self.op.results[k], BY_DATA)


def _constant(index: Index) -> int:
    if not (isinstance(index, Expression) and index.is_constant):
        raise NotAffine("a start that is not a number")
    return index.constant


def scattered(op: Operation) -> tuple[list[SSAValue], list[SSAValue], SelectedSlices]:
    """What OP, a scatter, updates, by what, and where."""
    count = len(op.results)
    if len(op.operands) != 2 * count + 1:
        raise Misfit("a scatter with other operands")
    inputs, updates = (
        [tensor(each) for each in op.operands[:count]],
        [tensor(each) for each in op.operands[-count:]],
    )
    dims, rank = slice_dimensions(op), rank_of(inputs[0])
    shape = static_sizes(updates[0])
    dims.check(inputs[0], updates[0], tensor(op.operands[count]))
    sizes = dict(zip(dims.inner(rank), (shape[d] for d in dims.windows), strict=True))
    slices = SelectedSlices(
        inputs[0], tensor(op.operands[count]), updates[0], [sizes.get(d, 1) for d in range(rank)], dims
    )
    return inputs, updates, slices


# `R[start[b] + o] = f(x[start[b] + o], update[b, o])`; what lies outside of x changes nothing.
element_reads.case(SCATTER)(lambda op: _Scatter(op, *scattered(op)).reads())
# Those of what is updated.
result_sizes.case(SCATTER)(
    lambda op: [like(x, each) for x, each in zip(op.operands, op.results, strict=False)]
)
