"""What a query raises that has no answer: it needed too much, or failed."""

from __future__ import annotations

NOT_REPRODUCIBLE = "not reproducible"
OUT_OF_MEMORY = f"memory: more than there is ({NOT_REPRODUCIBLE})"


class BudgetExceeded(Exception):
    """A query needed more steps than it was given."""

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


class TimeIsOver(NeedsWorker):
    """The time of all of the work of a copy is over: what it has found until then is sent."""
