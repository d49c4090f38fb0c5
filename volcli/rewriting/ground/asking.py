"""What is asked of a store while its bounds are written: signs and orders, where an operation stands."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation

from volcli.language.expressions import Expression
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Verdict


def never_negative(store: BoundsStore, op: Operation) -> Callable[[Expression], bool]:
    """Whether an expression is known to be at least 0 where OP stands."""

    def holds(expression: Expression) -> bool:
        low = store.numeric.of(store.definitions.resolve(expression), op).lower
        return low is not None and low >= 0

    return holds


def at_most(store: BoundsStore, op: Operation) -> Callable[[Expression, Expression], bool]:
    """Whether one expression is known never to be above another where OP stands."""
    return lambda left, right: store.compare(left, "<=", right, at=op).verdict is Verdict.PROVED
