"""Conversions between types while a program is lowered in parts: builtin.unrealized_conversion_cast.

A value is the same one after a conversion, and so is its memory. What is converted and converted back is
what it was, whatever was in between:

    %s = builtin.unrealized_conversion_cast %m : memref<8xf32> to !llvm.struct<...>
    %n = builtin.unrealized_conversion_cast %s : !llvm.struct<...> to memref<8xf32>         %n is %m
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, UnrealizedConversionCastOp
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import loops
from volcli.language.memory import View
from volcli.language.questions import Sizes, in_place, memory_of, result_sizes, view
from volcli.language.reads import rank_of
from volcli_dialects.cases.sizes import like


@view.case(UnrealizedConversionCastOp)
def converted_view(op: UnrealizedConversionCastOp) -> View | None:
    """`V[d] = B[d]` if a buffer B with the same elements was converted."""
    source = _converted(op)
    if source is None or not _is_memref(source) or not _has_its_elements(source, op.results[0]):
        return None
    return View(source, loops(rank_of(source)))


@memory_of.case(UnrealizedConversionCastOp)
def converted_memory(op: UnrealizedConversionCastOp) -> SSAValue | None:
    """What was converted, if that is not a memref."""
    source = _converted(op)
    return None if source is None or _is_memref(source) else source


@result_sizes.case(UnrealizedConversionCastOp)
def converted_sizes(op: UnrealizedConversionCastOp) -> list[Sizes]:
    """Those of the buffer that was converted; nothing is known of others."""
    source = _converted(op)
    if source is None or not _is_memref(source) or not _has_its_elements(source, op.results[0]):
        return [(None,) * rank_of(result) for result in op.results]
    return [like(source, op.results[0])]


def _converted(op: UnrealizedConversionCastOp) -> SSAValue | None:
    """What became the only result of OP, in any number of conversions; None if that are several values."""
    if len(op.results) != 1:
        return None
    while True:
        parts: Sequence[SSAValue] = op.inputs
        first = parts[0].owner if parts else None
        if len(parts) == 1:
            source = parts[0]
        elif isinstance(first, UnrealizedConversionCastOp) and (*first.results,) == (*parts,):
            if len(first.inputs) != 1:
                return None
            source = first.inputs[0]
        else:
            return None
        made = source.op if isinstance(source, OpResult) else None
        if not isinstance(made, UnrealizedConversionCastOp) or len(made.results) != 1:
            return source
        op = made


def _is_memref(value: SSAValue) -> bool:
    return isa(value.type, MemRefType[Attribute])


def _has_its_elements(source: SSAValue, result: SSAValue) -> bool:
    """Whether both have the same elements at the same indices, by their types."""
    before, after = source.type, result.type
    if not isa(before, MemRefType[Attribute]) or not isa(after, MemRefType[Attribute]):
        return False
    if before.element_type != after.element_type or before.get_num_dims() != after.get_num_dims():
        return False
    sizes = zip(before.get_shape(), after.get_shape(), strict=True)
    return all(a == b or DYNAMIC_INDEX in (a, b) for a, b in sizes)


in_place.case(UnrealizedConversionCastOp)(lambda op: ())  # It is what it was: nothing is overwritten.
