"""Points of an operation on memory: those that differ in a parallel loop have no order, and may race."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir.affine import AffineDimExpr, AffineMap

from volcli.execution.memory.memory import MemoryView


def may_race(
    maps: Sequence[AffineMap],
    parallel: Sequence[int],
    sizes: Sequence[int],
    operands: Sequence[Any],
    outputs: int,
) -> bool:
    """Whether two points that differ in a PARALLEL loop may share an element that one of them writes.

    Operand k is indexed by MAPS[k], the last OUTPUTS are written, and SIZES are the iterations of the loops.
    They surely do not if each such loop is a subscript of each output, whose elements are different ones, and
    no other operand shares memory with it, or each point sees there the element that it writes.
    """
    loops = [d for d in parallel if sizes[d] > 1]
    first = len(operands) - outputs
    for k, output in enumerate(operands[first:], first):
        if not isinstance(output, MemoryView):
            continue
        subscripts = {r.position for r in maps[k].results if isinstance(r, AffineDimExpr)}
        if not output.is_injective or not subscripts.issuperset(loops):
            return True
        for other, operand in enumerate(operands):
            if other != k and isinstance(operand, MemoryView) and output.may_share(operand):
                same_place = (operand.offset, operand.strides) == (output.offset, output.strides)
                if not same_place or maps[other] != maps[k]:
                    return True
    return False
