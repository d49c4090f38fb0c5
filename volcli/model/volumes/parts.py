"""Parts of a domain: everything, nothing, or an integer set; the first two cost no isl call.

Most volumes of a real program are wholly data or wholly constant. A part is therefore `True` (every
element), `False` (no element), or a set of elements, and the operations on parts touch isl only where a
proper subset is involved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

import islpy as isl

Part = bool | isl.Set


def union(left: Part, right: Part) -> Part:
    """The elements of LEFT or RIGHT."""
    if left is True or right is True:
        return True
    if left is right:
        return left
    if left is False:
        return right
    return left if right is False else left.union(right).coalesce()


def union_of(parts: Iterable[Part]) -> Part:
    """The elements of some of PARTS; a union of many sets is simplified once."""
    sets: list[isl.Set] = []
    for part in parts:
        if part is True:
            return True
        if not isinstance(part, bool) and all(part is not other for other in sets):
            sets.append(part)
    if not sets:
        return False
    return sets[0] if len(sets) == 1 else reduce(isl.Set.union, sets).coalesce()


def intersection(left: Part, right: Part) -> Part:
    """The elements of both LEFT and RIGHT."""
    if left is False or right is False:
        return False
    if left is True or left is right:
        return right
    return left if right is True else left.intersect(right)


def as_set(part: Part, everything: isl.Set) -> isl.Set:
    """PART as a set within EVERYTHING."""
    if part is True:
        return everything
    return everything.subtract(everything) if part is False else part


def whatever(part: Part, parameters: Iterable[str]) -> Part:
    """The elements that are in PART for some values of PARAMETERS."""
    if isinstance(part, bool):
        return part
    for name in parameters:
        position = part.find_dim_by_name(isl.dim_type.param, name)
        part = part if position < 0 else part.project_out(isl.dim_type.param, position, 1)
    return part


def normalised(part: Part, everything: Callable[[], isl.Set]) -> Part:
    """`True` and `False` where PART is the whole domain or empty, so that later steps are cheap."""
    if isinstance(part, bool):
        return part
    if part.is_empty():
        return False
    return True if everything().is_subset(part) else part
