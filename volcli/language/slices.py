"""Slices as affine maps of indices (IMPACT 2023, definition 4.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volcli.language.expressions import Expression, constant, loop


@dataclass(frozen=True)
class Slice:
    """`i |-> offset + i * stride`, element-wise (definition 4.9); `kept` are the dimensions that vary.

    A rank-reducing slice keeps fewer dimensions than the supervolume has; the others stay at their offset.

    >>> Slice((constant(1), constant(0)), (constant(2), constant(1)), (0, 1)).index()
    (2 * d0 + 1, d1)
    >>> Slice((constant(1), constant(0)), (constant(2), constant(1)), (1,)).index()
    (1, d0)
    """

    offset: Sequence[Expression]
    stride: Sequence[Expression]
    kept: Sequence[int]

    def index(self) -> tuple[Expression, ...]:
        """The supervolume's index of the subvolume's element d0, d1, ..."""
        position = {dimension: loop(i) for i, dimension in enumerate(self.kept)}
        return tuple(
            o + position.get(d, constant(0)) * s
            for d, (o, s) in enumerate(zip(self.offset, self.stride, strict=True))
        )
