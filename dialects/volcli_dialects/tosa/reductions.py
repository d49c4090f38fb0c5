"""Reductions of tosa along an axis, and Fourier transforms.

The specification (TOSA 1.0, "Reduction operators") lets each begin with a number, which floats can tell apart
from beginning with the first element: the sum of -0.0 alone is 0.0.
"""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Operation

from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import constant, dim_of, loop
from volcli.language.questions import Sizes, element_reads, result_sizes
from volcli.language.reads import Access, ElementReads, element_type, made_of, rank_of, whole
from volcli_dialects.arith.contractions import gathered, reduction
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.parts import dimension, result, tensor, tensors
from volcli_dialects.tosa.ops import OPS, named

REDUCTIONS = named("reduce_all", "reduce_any", "reduce_max", "reduce_min", "reduce_product", "reduce_sum")

_FROM = {"all": ("mul", 1.0), "any": ("add", 0.0), "product": ("mul", 1.0), "sum": ("add", 0.0)}
"""What combines elements, and the number that it begins with. (The product of truths is `and`.)"""


@define(*REDUCTIONS, OPS["argmax"])
def reduce(op: Operation) -> TensorDefinition:
    """`R[.., 0, ..]` is computed from all `x[.., k, ..]`; argmax has no dimension there."""
    (x,) = tensors(op, None)
    rank = rank_of(x)
    axis = dimension(op, "axis", rank)
    kept = [constant(0) if d == axis else loop(d) for d in range(rank)]
    if isinstance(op, OPS["argmax"]):
        del kept[axis]
    result(op, len(kept))
    combined, kind = _FROM.get(op.name.rpartition("_")[2]), element_type(x.type)
    if combined is not None and isinstance(kind, AnyFloat | IntegerType):
        return reduction(op, rank, kept, whole(x), *combined)
    if isinstance(kind, IntegerType) and not isinstance(op, OPS["argmax"]):
        half, is_greatest = 1 << (kind.bitwidth - 1), op.name.endswith("max")
        start = -half if is_greatest else half - 1
        return reduction(op, rank, kept, whole(x), "max" if is_greatest else "min", start)
    return gathered(op, rank, kept, [whole(x)])  # the lowest finite float may be what it begins with


@element_reads.case(*named("fft2d", "rfft2d"))
def transformed(op: Operation) -> list[ElementReads]:
    """Each element of a plane, and each part of the number, is a sum over all of the plane."""
    plane = (loop(0), loop(3), loop(4))
    accesses = [Access(tensor(each, 3), plane) for each in op.operands]
    return [made_of(3, accesses, 2) for _ in op.results]


@result_sizes.case(*named("fft2d", "rfft2d"))
def transformed_sizes(op: Operation) -> list[Sizes]:
    """Those of the operand; of real numbers, half of the columns."""
    n, h, w = (dim_of(tensor(op.operands[0], 3), d) for d in range(3))
    return [[n, h, w if len(op.operands) == 2 else w // 2 + 1] for _ in op.results]
