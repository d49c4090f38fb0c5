"""What called functions return: an expression over what they are called with, or numbers it lies between.

`@f(%a) { return max(%a, 3) }` returns the greater one of 3 and what each call passes, and
`@g(%n) { return tensor.empty(%n + 1) }` one element more than that. Where a number is not an expression
over the arguments, as of what is loaded, it lies between the numbers that it does in all calls. Each function
that is called is looked at once, as if all its arguments were unknown, unless it is being looked at already:
of a recursion nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, has_product
from volcli.language.questions import Callee
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits
from volcli.model.symbols import passed
from volcli.model.values.terms.answers import ConstantBounds
from volcli.model.values.terms.ranges import Interval, hull
from volcli.model.values.terms.variables import is_wide


class Store(Protocol):
    """The bounds of one function."""

    def constant_bounds(self, value: SSAValue) -> ConstantBounds:
        """The least and the greatest number that VALUE can be."""
        ...

    def over_arguments(self, value: SSAValue, dimension: int | None) -> Expression | None:
        """VALUE, or a size of it, over the function's arguments; None if they do not determine it."""
        ...


class Calls:
    """The calls of a function, which is the last of CALLERS; STORE makes the bounds of another one."""

    def __init__(self, callers: Sequence[Operation], store: Callable[[Operation], Store]) -> None:
        self._callers = callers
        self._store = store
        self._known: dict[Operation, Store] = {}

    def returned(self, function: Operation, values: Sequence[SSAValue]) -> Interval:
        """Numbers that VALUES, which FUNCTION returns, lie between."""
        store = self._of(function, values)
        if store is None:
            return None, None
        found = [store.constant_bounds(value) for value in values]
        return hull([(each.lower, each.upper) for each in found if not each.never])

    def value(
        self, call: Operation, called: Callee, position: int, dimension: int | None
    ) -> Expression | None:
        """What CALL returns at POSITION (or its size), over what it passes; None if that is not known."""
        values = [each[position] for each in called.returned]
        store = self._of(called.function, values)
        if store is None:
            return None
        first, *others = dict.fromkeys(store.over_arguments(value, dimension) for value in values)
        return None if first is None or others else passed(first, call)

    def _of(self, function: Operation, values: Sequence[SSAValue]) -> Store | None:
        """The bounds of FUNCTION, if what is asked of VALUES costs little enough, and is not a recursion."""
        if (
            function in self._callers
            or len(self._callers) > limits.RESULT_CALLS
            or len(values) > limits.RETURNS
        ):
            return None
        if function not in self._known:
            self._known[function] = self._store(function)
        return self._known[function]


def multiplies_inside(call: Operation) -> bool:
    """Whether CALL, if it is one, gets to a function in which numbers of 64 bits are multiplied."""
    results = (result for op in operations_called(call) for result in op.results)
    return any(is_wide(result.type) and is_product(result) for result in results)


def operations_called(call: Operation) -> Iterator[Operation]:
    """The operations of the functions that CALL, if it is one, gets to."""
    pending, met = [call], set[Operation]()
    while pending:
        called = questions.callee(pending.pop())
        if called is None or called.function in met:
            continue
        met.add(called.function)
        for op in operations_in(called.function):
            if op is not called.function:
                pending.append(op)
                yield op


def is_product(value: SSAValue) -> bool:
    """Whether the operation that VALUE is a result of states a product of numbers."""
    stated = stated_number(value)
    return stated is not None and has_product(stated)


def stated_number(value: SSAValue) -> Expression | None:
    """What the operation that VALUE is a result of states, if it is affine or a product."""
    try:
        return questions.value_of_result(value) if isinstance(value, OpResult) else None
    except NotAffine:
        return None
