"""Budgets: isl answers within a number of operations, or the query is unknown, never a hang.

isl counts its elementary operations itself, so that a budget is deterministic: the same query on the same
input is answered, or is not, on every machine. What an operation costs is not bounded, though: with large
numbers a pivot may take a thousand times as long as with small ones. So queries are numbered, and a `Watch`
says which of them are known to take too long, and what one may cost before it is moved to a process that can
be ended (`volcli.presburger.limits.worker`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from volcli.diagnostics import internal
from volcli.limits.presburger import DEFAULT_OPERATIONS

if TYPE_CHECKING:  # the bound is known without isl
    import islpy as isl


NOT_REPRODUCIBLE = "not reproducible"
OUT_OF_MEMORY = f"memory: more than there is ({NOT_REPRODUCIBLE})"


class BudgetExceeded(Exception):
    """A query needed more isl operations than it was given."""

    def __init__(self, operations: int) -> None:
        super().__init__(f"more than {operations} integer set operations")
        self.operations = operations

    @property
    def reason(self) -> str:
        """Why there is no answer, for the answer that says so."""
        return f"budget: {self}"


class TooLarge(BudgetExceeded):
    """An answer that is not begun, or not gone on with, because of what it would consist of."""

    def __init__(self, what: str) -> None:
        Exception.__init__(self, what)
        self.operations = 0


class InternalFailure(BudgetExceeded):
    """A query stopped at an internal error, of isl's or of whoever asked it: unknown, as beyond a budget."""

    def __init__(self, what: str) -> None:
        Exception.__init__(self, what)
        self.operations = 0

    @property
    def reason(self) -> str:
        return str(self)


class DeadlineExceeded(BudgetExceeded):
    """A query whose process was ended, because of its time or its memory: another run may answer it."""

    def __init__(self, reason: str) -> None:
        Exception.__init__(self, reason)
        self.operations = 0

    @property
    def reason(self) -> str:
        return str(self)


class NeedsWorker(BaseException):
    """A query is too large for this process; only whoever set the `Watch` is to catch this."""


@dataclass
class Watch:
    """What is known of the queries of one piece of work, which are numbered from 1 in their order.

    Those that are LOST have no answer, for the reason that is given there. One that needs more operations
    than MOST is none for this process (NeedsWorker), or has no answer, for the reason `refused`. NOTE is told
    the number of the innermost query that runs, 0 for none.
    """

    most: int | None = None
    lost: Mapping[int, str] = field(default_factory=dict[int, str])
    refused: str | None = None
    note: Callable[[int], None] = lambda _: None
    _asked: int = 0
    _running: int = 0

    def begin(self) -> int:
        """A query begins; the number of the one around it."""
        self._asked += 1
        if (reason := self.lost.get(self._asked)) is not None:
            raise DeadlineExceeded(reason)
        outer, self._running = self._running, self._asked
        self.note(self._running)
        return outer

    def end(self, outer: int) -> None:
        """The query that runs ends, inside of OUTER."""
        self._running = outer
        self.note(outer)

    def exceeded(self) -> BaseException:
        """What becomes of a query that needed more than MOST."""
        return NeedsWorker() if self.refused is None else DeadlineExceeded(self.refused)


_watches: list[Watch] = [Watch()]


@contextmanager
def watched(watch: Watch) -> Generator[None, None, None]:
    """Run the block, whose queries are numbered and limited as WATCH says."""
    _watches.append(watch)
    limit_what_is_in_no_query()
    try:
        with unqueried():
            yield
    finally:
        _watches.pop()
        limit_what_is_in_no_query()


def limit_what_is_in_no_query() -> None:
    """Limit what isl is asked between queries as the watch says: it is much, but each is little.

    Where nobody has imported isl yet, whoever does is to call this then.
    """
    if "islpy" not in sys.modules:
        return
    import islpy as isl

    watch = _watches[-1]
    isl.DEFAULT_CONTEXT.reset_operations()
    isl.DEFAULT_CONTEXT.set_max_operations(0 if watch.most is None or watch.refused else 5 * watch.most)


@contextmanager
def unqueried() -> Generator[None, None, None]:
    """Run the block, in which isl is asked outside of queries, too, and refuses what is too large."""
    try:
        yield
    except Exception as error:
        if _watches[-1].most is None or "islpy" not in sys.modules:
            raise
        import islpy as isl

        if isinstance(error, isl.Error | TypeError) and is_spent():
            raise _watches[-1].exceeded() from None
        raise


@contextmanager
def budget(operations: int = DEFAULT_OPERATIONS) -> Generator[None, None, None]:
    """Run the block within OPERATIONS isl operations; raises BudgetExceeded if it needs more.

    Budgets nest: the inner one counts alone, and the outer one starts anew after it. What isl refuses for
    another reason, and each other exception that is no message of volcli's own, is remembered as an internal
    error, and raised as InternalFailure: the query is unknown, all others go on.
    """
    import islpy as isl

    watch, context = _watches[-1], isl.DEFAULT_CONTEXT
    around = watch.begin()
    limit = operations if watch.most is None else min(operations, watch.most)
    outer = context.get_max_operations()
    context.reset_operations()
    context.set_max_operations(limit)
    try:
        yield
    except Exception as error:
        # TypeError: the value of a number that isl could not compute: islpy's int(None).
        if isinstance(error, isl.Error | TypeError) and is_spent(context):
            raise (BudgetExceeded(operations) if limit == operations else watch.exceeded()) from None
        if isinstance(error, MemoryError):
            raise DeadlineExceeded(OUT_OF_MEMORY) from None
        if internal.is_message(error):
            raise
        where = "integer set operations" if isinstance(error, isl.Error | TypeError) else "a query"
        raise InternalFailure(internal.remember(error, where)) from error
    finally:
        context.reset_operations()
        context.set_max_operations(outer)
        watch.end(around)


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
