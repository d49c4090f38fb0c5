"""Reductions of tosa along an axis.

The specification (TOSA 1.0, "Reduction operators") lets each begin with a number, which floats can tell apart
from beginning with the first element: the sum of -0.0 alone is 0.0.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from volcli.language.expressions import constant, dim_of, loop, loops
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import Access, ElementReads, element_type, rank_of
from volcli_dialects.cases.elements.contractions import reduced
from volcli_dialects.cases.parts import dimension, result, tensors
from volcli_dialects.tosa.ops import OPS, named

REDUCTIONS = named("reduce_all", "reduce_any", "reduce_max", "reduce_min", "reduce_product", "reduce_sum")

_STARTS = {"reduce_all": 1.0, "reduce_any": 0.0, "reduce_product": 1.0, "reduce_sum": 0.0}


def _start(op: Operation) -> float | None:
    """The number that OP begins with; None of extrema of floats, to which the lowest finite one may be it."""
    name, kind = op.name.partition(".")[2], element_type(op.results[0].type)
    if name not in ("reduce_max", "reduce_min") or not isinstance(kind, IntegerType):
        return _STARTS.get(name)
    half = 1 << (kind.bitwidth - 1)
    return -half if name == "reduce_max" else half - 1


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
    found = reduced(op, rank, kept, [Access(x, loops(rank))])
    return [ElementReads((replace(found, start=_start(op)),))]


@result_sizes.case(*REDUCTIONS, OPS["argmax"])
def reduce_sizes(op: Operation) -> list[Sizes]:
    """1 along the axis; argmax has no dimension there."""
    (x,) = tensors(op, None)
    axis = dimension(op, "axis", rank_of(x))
    found = [constant(1) if d == axis else dim_of(x, d) for d in range(rank_of(x))]
    return [[*found[:axis], *found[axis + 1 :]] if isinstance(op, OPS["argmax"]) else found]
