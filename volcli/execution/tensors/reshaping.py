"""Reshapes that collapse groups of dimensions, or expand dimensions to groups."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from volcli.execution.outcomes import Defect, Undefined


def collapsed_groups(reassociation: Attribute) -> list[list[int]]:
    """The groups of an attribute such as `[[0, 1], [2]]`."""
    groups = cast("ArrayAttr[ArrayAttr[IntegerAttr[Any]]]", reassociation).data
    return [[dimension.value.data for dimension in group.data] for group in groups]


def expanded_sizes(
    op: Operation, sizes: Sequence[int], groups: Sequence[Sequence[int]], stated: Sequence[int]
) -> list[int]:
    """The sizes STATED of what expands SIZES. Raises Undefined if a group has not as many elements."""
    for size, group in zip(sizes, groups, strict=True):
        found = [stated[d] for d in group]
        if math.prod(found) != size or any(each < 0 for each in found):
            raise Undefined(op, Defect.CONTRACT, f"a dimension of size {size} is expanded to {found}")
    return list(stated)
