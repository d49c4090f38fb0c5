"""Budgets: isl answers within a number of operations, or the query is unknown, never a hang.

isl counts its elementary operations itself, so that a budget is deterministic: the same query on the same
input is answered, or is not, on every machine.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from volcli import internal

if TYPE_CHECKING:  # the bound is known without isl
    import islpy as isl

DEFAULT_OPERATIONS = 2_000_000
"""About a second of isl's time on one query."""


class BudgetExceeded(Exception):
    """A query needed more isl operations than it was given."""

    def __init__(self, operations: int) -> None:
        super().__init__(f"more than {operations} integer set operations")
        self.operations = operations

    @property
    def reason(self) -> str:
        """Why there is no answer, for the answer that says so."""
        return f"budget: {self}"


class InternalFailure(BudgetExceeded):
    """A query stopped at an internal error, of isl's or of whoever asked it: unknown, as beyond a budget."""

    def __init__(self, what: str) -> None:
        Exception.__init__(self, what)
        self.operations = 0

    @property
    def reason(self) -> str:
        return str(self)


@contextmanager
def budget(operations: int = DEFAULT_OPERATIONS) -> Generator[None, None, None]:
    """Run the block within OPERATIONS isl operations; raises BudgetExceeded if it needs more.

    Budgets nest: the inner one counts alone, and the outer one starts anew after it. What isl refuses for
    another reason, and each other exception that is no message of volcli's own, is remembered as an internal
    error, and raised as InternalFailure: the query is unknown, all others go on.
    """
    import islpy as isl

    context = isl.DEFAULT_CONTEXT
    outer = context.get_max_operations()
    context.reset_operations()
    context.set_max_operations(operations)
    try:
        yield
    except Exception as error:
        # TypeError: the value of a number that isl could not compute: islpy's int(None).
        if isinstance(error, isl.Error | TypeError) and is_spent(context):
            raise BudgetExceeded(operations) from None
        if internal.is_message(error):
            raise
        raise InternalFailure(internal.remember(error, "integer set operations")) from error
    finally:
        context.reset_operations()
        context.set_max_operations(outer)


def is_spent(context: isl.Context | None = None) -> bool:
    """Whether the budget is spent: isl refuses the next operation too.

    The error's own text does not always say so: isl's reader, for one, reports a syntax error.
    """
    import islpy as isl

    try:
        isl.Space.params_alloc(context or isl.DEFAULT_CONTEXT, 0)
    except isl.Error as error:
        return "maximal number of operations exceeded" in str(error)
    return False
