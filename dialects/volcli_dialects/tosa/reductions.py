"""Reductions of tosa along an axis."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.language.expressions import constant, dim_of, loop, loops
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import Access, ElementReads, rank_of
from volcli_dialects.cases.elements.contractions import reduced
from volcli_dialects.cases.parts import dimension, result, tensors
from volcli_dialects.tosa.ops import OPS, named

REDUCTIONS = named("reduce_all", "reduce_any", "reduce_max", "reduce_min", "reduce_product", "reduce_sum")


@element_reads.case(*REDUCTIONS, OPS["argmax"])
def reduce_reads(op: Operation) -> list[ElementReads]:
    """`R[.., 0, ..]` is computed from all `x[.., k, ..]`; argmax has no dimension there."""
    (x,) = tensors(op, None)
    rank = rank_of(x)
    axis = dimension(op, "axis", rank)
    kept = [constant(0) if d == axis else loop(d) for d in range(rank)]
    if isinstance(op, OPS["argmax"]):
        del kept[axis]
    result(op, len(kept))
    return [ElementReads((reduced(op, rank, kept, [Access(x, loops(rank))]),))]


@result_sizes.case(*REDUCTIONS, OPS["argmax"])
def reduce_sizes(op: Operation) -> list[Sizes]:
    """1 along the axis; argmax has no dimension there."""
    (x,) = tensors(op, None)
    axis = dimension(op, "axis", rank_of(x))
    found = [constant(1) if d == axis else dim_of(x, d) for d in range(rank_of(x))]
    return [[*found[:axis], *found[axis + 1 :]] if isinstance(op, OPS["argmax"]) else found]
