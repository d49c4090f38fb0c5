"""Budgets: isl answers within a number of operations, or the query is unknown, never a hang.

isl counts its elementary operations itself, so that a budget is deterministic: the same query on the same
input is answered, or is not, on every machine. What an operation costs is not bounded, though: with large
numbers a pivot may take a thousand times as long as with small ones. So queries are numbered, and a `Watch`
says which of them are known to take too long, and what one may cost before it is moved to a process that can
be ended (`volcli.presburger.limits.worker`).

What the queries of one answer cost is charged to its `Meter`, and what all answers about a function do to
that of the function: thousands of small queries have a limit, too.

    function    20,000,000   all answers of a pass about it
      answer     4,000,000   the outermost section of `budget`, and all that it asks on the way
        section  2,000,000   what isl is asked in one `budget`: charged to the answer and to the function

A step is an operation of isl, a coefficient of a linear system, or as much work of a loop of ours. What a
part does not use comes back. An answer has some steps even if its function has none left (`LAST_OPERATIONS`),
so that what costs little is still found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from volcli.diagnostics import internal
from volcli.limits import presburger as limits
from volcli.limits.presburger import DEFAULT_OPERATIONS
from volcli.presburger.limits.exceeded import (
    NOT_REPRODUCIBLE,
    OUT_OF_MEMORY,
    BudgetExceeded,
    DeadlineExceeded,
    InternalFailure,
    NeedsWorker,
    TimeIsOver,
    TooLarge,
)

if TYPE_CHECKING:  # the bound is known without isl
    import islpy as isl


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
def unqueried(steps: int | None = None) -> Generator[None, None, None]:
    """Run the block, in which isl is asked outside of queries, too, and refuses what is too large.

    All answers in it cost so many STEPS together at most; then each costs few.
    """
    meters = () if steps is None else (Meter(steps, steps),)
    _functions.extend(meters)
    try:
        yield
    except Exception as error:
        if _watches[-1].most is None or "islpy" not in sys.modules:
            raise
        import islpy as isl

        if isinstance(error, isl.Error | TypeError) and is_spent():
            raise _watches[-1].exceeded() from None
        raise
    finally:
        del _functions[len(_functions) - len(meters) :]


@dataclass
class Meter:
    """How many steps are LEFT of MOST.

    >>> meter = Meter(100, 100)
    >>> with meter.part(30) as part:
    ...     part.spend(20)
    >>> meter
    Meter(most=100, left=80)
    """

    most: int
    left: int

    @property
    def is_spent(self) -> bool:
        """Whether nothing may cost anything any more."""
        return self.left <= 0

    @contextmanager
    def part(self, most: int, least: int = 0) -> Generator[Meter]:
        """At most MOST of these steps, and at LEAST so many, for the block: what it spends is spent here."""
        allowed = max(min(most, self.left), least)
        part = Meter(allowed, allowed)
        try:
            yield part
        finally:
            self.left -= allowed - part.left

    def spend(self, steps: int) -> None:
        """Account for STEPS that are to be done; raises BudgetExceeded if they are too many."""
        if steps > self.left:
            self.left = 0
            raise BudgetExceeded(self.most)
        self.left -= steps


_functions: list[Meter] = []
_answers: list[Meter] = []
"""The meters of the work that is being done: of the functions that a pass is shown, and of one answer."""


@contextmanager
def _answer(operations: int, sections: int) -> Generator[Meter]:
    """The meter of the answer that a section of so many OPERATIONS is part of: the outermost begins one.

    It has as much as so many SECTIONS.
    """
    if _answers:
        yield _answers[-1]
        return
    most = sections * max(operations, limits.DEFAULT_OPERATIONS)
    least = min(most, limits.LAST_OPERATIONS)
    with (_functions[-1] if _functions else Meter(most, most)).part(most, least) as answer:
        _answers.append(answer)
        try:
            yield answer
        finally:
            _answers.pop()


@contextmanager
def at_most(steps: int) -> Generator[None, None, None]:
    """Run the block, in which all queries together cost so many STEPS, and then have no answer."""
    with _answer(steps, 1) as around, around.part(steps) as part:
        _answers.append(part)
        try:
            yield
        finally:
            _answers.pop()


def charge(steps: int) -> None:
    """Account for STEPS of a loop of ours in the answer that is being found."""
    if _answers:
        _answers[-1].left -= steps


@contextmanager
def budget(
    operations: int = DEFAULT_OPERATIONS, *, times: int = 1, answer: int = limits.ANSWER
) -> Generator[None, None, None]:
    """Run the block within OPERATIONS isl operations; raises BudgetExceeded if it needs more.

    Each counts so many TIMES: on large numbers it takes as much longer (`unwieldy.price`). An ANSWER
    that begins here has so many times as much as a section: a proof or a rewrite that of a function.

    Sections nest: the inner one counts alone, and the outer one starts anew after it; but what they cost is
    charged to the answer that the outermost one finds, and an inner one has no more than half of what is left
    of it: so an answer that runs out can still be over-approximated. What isl refuses for another reason, and
    each other exception that is no message of volcli's own, is remembered as an internal error, and raised as
    InternalFailure: the query is unknown, all others go on.
    """
    import islpy as isl

    watch, context, is_inner = _watches[-1], isl.DEFAULT_CONTEXT, bool(_answers)
    with _answer(operations, answer) as meter:
        if is_inner:
            meter.left -= _counted(context)  # by the section around this one, up to here
        around, outer = watch.begin(), context.get_max_operations()
        most = max(1, min(operations, meter.left // 2 if is_inner else meter.left) // times)
        context.reset_operations()
        context.set_max_operations(most if watch.most is None else min(most, watch.most))
        try:
            yield
        except Exception as error:
            # TypeError: the value of a number that isl could not compute: islpy's int(None).
            is_of_isl = isinstance(error, isl.Error | TypeError)
            if is_of_isl and is_spent(context):
                raise _exceeded(context.get_max_operations(), operations, meter, times) from None
            if isinstance(error, MemoryError):
                raise DeadlineExceeded(OUT_OF_MEMORY) from None
            if internal.is_message(error):
                raise
            where = "integer set operations" if is_of_isl else "a query"
            raise InternalFailure(internal.remember(error, where)) from error
        finally:
            meter.left -= limits.SECTION + times * _counted(context)
            context.reset_operations()
            context.set_max_operations(min(outer, max(meter.left, 1)) if is_inner and outer else outer)
            watch.end(around)


def _exceeded(most: int, operations: int, answer: Meter, times: int) -> BaseException:
    """What becomes of a section of so many OPERATIONS, of an ANSWER, that has needed more than MOST."""
    if most == max(1, operations // times):
        return BudgetExceeded(operations)
    return _watches[-1].exceeded() if most == _watches[-1].most else BudgetExceeded(answer.most)


def _counted(context: isl.Context) -> int:
    """How many operations isl has counted since it was told to begin anew, within a factor of 1.5.

    isl does not tell its count; but it refuses the next operation if that is beyond a limit, and so it is
    asked with limits that double.
    """
    outer, most = context.get_max_operations(), limits.LEAST_COUNT
    context.set_max_operations(most)
    while is_spent(context):
        most *= 2
        context.set_max_operations(most)
    context.set_max_operations(outer)
    return most * 3 // 4


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


__all__ = [
    "DEFAULT_OPERATIONS", "NOT_REPRODUCIBLE", "OUT_OF_MEMORY", "BudgetExceeded", "DeadlineExceeded",
    "InternalFailure", "Meter", "NeedsWorker", "TimeIsOver", "TooLarge", "Watch", "at_most", "budget",
    "charge", "is_spent", "limit_what_is_in_no_query", "unqueried", "watched",
]  # fmt: skip
