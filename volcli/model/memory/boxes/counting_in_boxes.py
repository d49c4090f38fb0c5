"""The number of integer points of a box under linear conditions, by enumerating all but the longest range.

Variables that share no condition are counted apart, and the numbers multiplied. Of those that do, all but the
one with the longest range are tried out, which then lies between two numbers:

    x in 0, ..., 3 and y in 0, ..., 99 with x + y <= 99        100 + 99 + 98 + 97
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import prod
from typing import TypeVar

from volcli.limits import memory as limits

V = TypeVar("V", bound=Hashable)

Form = tuple[Mapping[V, int], int]
"""Coefficients of variables, and a constant: `sum of coefficient * variable + constant >= 0`."""


def count_in_box(trips: Mapping[V, int], conditions: Sequence[Form[V]]) -> int | None:
    """The points with each variable in 0, ..., trips - 1 at which CONDITIONS hold; None if that takes long.

    >>> count_in_box({"x": 4, "y": 100, "z": 5}, [({"x": -1, "y": -1}, 99)])
    1970
    """
    if not all(trips.values()):
        return 0
    if not conditions:
        return prod(trips.values())
    total = 1
    for variables, own in _components(trips, conditions):
        order = sorted(variables, key=trips.__getitem__)
        if prod(trips[variable] for variable in order[:-1]) > limits.BOX_COMBINATIONS:
            return None
        total *= _count(order, trips, own)
    return total


def _components(
    trips: Mapping[V, int], conditions: Sequence[Form[V]]
) -> list[tuple[Sequence[V], Sequence[Form[V]]]]:
    """Variables that share conditions, with these; each of the others alone."""
    groups: list[tuple[list[V], list[Form[V]]]] = [([variable], []) for variable in trips]
    for condition in conditions:
        joined = [group for group in groups if any(v in condition[0] for v in group[0])]
        if not joined:  # of no variable
            joined = groups[:1]
        groups = [group for group in groups if group not in joined]
        variables = [v for group in joined for v in group[0]]
        groups.append((variables, [*(c for group in joined for c in group[1]), condition]))
    return [*groups]


def _count(order: Sequence[V], trips: Mapping[V, int], conditions: Sequence[Form[V]]) -> int:
    """The points over the variables in this ORDER."""
    if not order:
        return int(all(constant >= 0 for _, constant in conditions))
    first, *others = order
    if not others:
        return _between(first, trips[first], conditions)
    total = 0
    for number in range(trips[first]):
        fixed = [(terms, constant + terms.get(first, 0) * number) for terms, constant in conditions]
        total += _count(others, trips, fixed)
    return total


def _between(last: V, trips: int, conditions: Sequence[Form[V]]) -> int:
    """The numbers of the LAST variable at which CONDITIONS hold, the other variables of which are 0."""
    low, high = 0, trips - 1
    for terms, constant in conditions:
        coefficient = terms.get(last, 0)
        if coefficient > 0:
            low = max(low, -(constant // coefficient))
        elif coefficient < 0:
            high = min(high, constant // -coefficient)
        elif constant < 0:
            return 0
    return max(0, high - low + 1)
