"""The slices that operations with offsets, sizes and strides speak of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.dialects.builtin import DenseArrayBase, IntegerType
from xdsl.ir import SSAValue

from volcli.language.questions import StridedSlice
from volcli_dialects.cases.sizes import mixed


class OffsetSizeAndStride(Protocol):
    """An operation with MLIR's OffsetSizeAndStrideOpInterface."""

    @property
    def offsets(self) -> Sequence[SSAValue]: ...
    @property
    def sizes(self) -> Sequence[SSAValue]: ...
    @property
    def strides(self) -> Sequence[SSAValue]: ...
    @property
    def static_offsets(self) -> DenseArrayBase[IntegerType]: ...
    @property
    def static_sizes(self) -> DenseArrayBase[IntegerType]: ...
    @property
    def static_strides(self) -> DenseArrayBase[IntegerType]: ...


def strided_slice(op: OffsetSizeAndStride, source: SSAValue, updated: SSAValue | None = None) -> StridedSlice:
    """The slice of SOURCE that the offsets, sizes and strides of OP give."""
    return StridedSlice(
        source,
        tuple(mixed(op.static_offsets, op.offsets)),
        tuple(mixed(op.static_sizes, op.sizes)),
        tuple(mixed(op.static_strides, op.strides)),
        updated,
    )
