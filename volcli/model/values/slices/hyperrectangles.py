"""Hyperrectangular slices by their offsets, sizes and strides, and an element that two of them share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from volcli.language.expressions import Expression, dim_of
from volcli.language.questions import StridedSlice

Number = int | SSAValue | Expression


@dataclass(frozen=True)
class HyperrectangularSlice:
    """A slice by its offsets, sizes and strides along each dimension: numbers, SSA values or expressions.

    It lies within the `extents` of what it is a slice of, if these are given: else it is undefined. So do
    those `behind` it, of which it is a slice, each in the coordinates of what that one is a slice of.
    """

    offsets: Sequence[Number]
    sizes: Sequence[Number]
    strides: Sequence[Number]
    extents: Sequence[Number] = ()
    behind: Sequence[HyperrectangularSlice] = ()

    def __post_init__(self) -> None:
        if not len(self.offsets) == len(self.sizes) == len(self.strides):
            raise ValueError("a slice has as many offsets as sizes and strides")
        if len(self.extents) not in (0, len(self.offsets)):
            raise ValueError("a slice has an offset for each dimension of its source")

    @staticmethod
    def of(stated: StridedSlice) -> HyperrectangularSlice:
        """The slice that an operation states (`volcli.language.questions.slice_of`)."""
        extents = [dim_of(stated.source, d) for d in range(len(stated.offsets))]
        return HyperrectangularSlice(stated.offsets, stated.sizes, stated.strides, extents)


@dataclass(frozen=True)
class Shared:
    """An element that two slices share, in an execution where the leaves have these values."""

    element: tuple[int, ...]
    values: dict[str, int]
