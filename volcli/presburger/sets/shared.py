"""Equal sets are one object, and what is computed of sets is computed once.

The layers of a network repeat each other: the elements that touch the upper edge of a plane are the same set
in each of them, and so is their image under a convolution of 3 by 3. Sets are compared by their constraints
as isl has them, which costs little, and not as sets of points: two that are told apart may be equal.

>>> one, other = (shared(isl.Set("{ [i] : 0 <= i < 4 }")) for _ in range(2))
>>> one is other
True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

import islpy as isl

T = TypeVar("T")

_same: dict[int, list[isl.Set]] = {}
"""The shared sets by their hash. They stay alive, so that `id` names them."""

_shared: set[int] = set()
_results: dict[Hashable, object] = {}


def shared(points: isl.Set) -> isl.Set:
    """The one object for the set POINTS."""
    if id(points) in _shared:
        return points
    same = _same.setdefault(hash(points), [])
    for other in same:
        if other.plain_is_equal(points):
            return other
    same.append(points)
    _shared.add(id(points))
    return points


def once(operation: Hashable, compute: Callable[..., T], *operands: isl.Set) -> T:
    """COMPUTE of OPERANDS, which OPERATION names; a set is a shared one."""
    one = [shared(each) for each in operands]
    key = (operation, *map(id, one))
    known = _results.get(key, _results)  # no result of its own; to hash a key costs more than all else
    if known is not _results:
        return known  # pyright: ignore[reportReturnType]
    found = compute(*one)
    _results[key] = result = shared(found) if isinstance(found, isl.Set) else found
    return result


def forget() -> None:
    """Empty it: a budget must not depend on what was computed for another program."""
    for kept in (_same, _shared, _results):
        kept.clear()
