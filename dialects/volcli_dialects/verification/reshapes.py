"""What can be wrong with reshapes of several dialects, in mlir-opt's words.

A reassociation `[[0, 1], [2]]` has a group of expanded dimensions for each collapsed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
)
from xdsl.ir import Attribute


def groups_of(reassociation: Attribute | None) -> list[list[int]] | None:
    """`[[0, 1], [2]]`; None if the attribute is something else."""
    if not isinstance(reassociation, ArrayAttr):
        return None
    groups: list[list[int]] = []
    for group in cast("ArrayAttr[Attribute]", reassociation):
        if not isinstance(group, ArrayAttr):
            return None
        numbers = cast("ArrayAttr[Attribute]", group)
        groups.append([number.value.data for number in numbers if isinstance(number, IntegerAttr)])
    return groups


def reassociation_problem(
    groups: Sequence[Sequence[int]], collapsed: Sequence[int], expanded: Sequence[int]
) -> str | None:
    """A group for each collapsed dimension, and together all expanded dimensions in order."""
    if len(groups) != len(collapsed):
        return (
            f"expected collapsed rank ({len(collapsed)}) to equal the number of reassociation maps "
            f"({len(groups)})."
        )
    dims = 1 + max((dim for group in groups for dim in group), default=-1)
    if groups and dims != len(expanded):
        return (
            f"expected reassociation map #0 to have size equal to the expanded rank ({len(expanded)}), but "
            f"it is  {dims}."
        )
    following = 0
    for index, group in enumerate(groups):
        if list(group) != list(range(following, following + len(group))):
            return f"expected reassociation map #{index} to be valid and contiguous."
        following += len(group)
    return None


def linearized(groups: Sequence[Sequence[int]], expanded: Sequence[int]) -> list[int | None]:
    """The number of elements of each group; None where a size is dynamic."""
    parts = [[expanded[dim] for dim in group] for group in groups]
    return [None if DYNAMIC_INDEX in part else prod(part) for part in parts]
