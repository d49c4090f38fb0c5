"""What called functions return: numbers that it lies between, whatever they are called with.

`@f(%a) { return max(%a, 3) }` returns at least 3. Each function that is called is looked at once, as if all
its arguments were unknown, unless it is being looked at already: of a recursion nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from xdsl.ir import Operation, SSAValue

from volcli.model.values.answers import ConstantBounds
from volcli.model.values.ranges import Interval, hull

_DEEPEST = 3
_MOST_RETURNS = 8


class Store(Protocol):
    """The bounds of one function."""

    def constant_bounds(self, value: SSAValue) -> ConstantBounds:
        """The least and the greatest number that VALUE can be."""
        ...


class Calls:
    """The calls of a function, which is the last of CALLERS; STORE makes the bounds of another one."""

    def __init__(self, callers: Sequence[Operation], store: Callable[[Operation], Store]) -> None:
        self._callers = callers
        self._store = store
        self._known: dict[Operation, Store] = {}

    def returned(self, function: Operation, values: Sequence[SSAValue]) -> Interval:
        """Numbers that VALUES, which FUNCTION returns, lie between."""
        if function in self._callers or len(self._callers) > _DEEPEST or len(values) > _MOST_RETURNS:
            return None, None
        if function not in self._known:
            self._known[function] = self._store(function)
        found = [self._known[function].constant_bounds(value) for value in values]
        return hull([(each.lower, each.upper) for each in found if not each.never])
