"""Which diagnostics there are: whether one is new is known without going through all of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volcli.diagnostics import Diagnostic


class Reported:
    """The diagnostics of a list that grows, and loses what is at its end.

    The first `n` of the list are known as long as the last one of them is where it was.
    """

    def __init__(self) -> None:
        self._known: set[Diagnostic] = set()
        self._count = 0
        self._last: Diagnostic | None = None

    def holds(self, diagnostics: list[Diagnostic], one: Diagnostic) -> bool:
        """Whether ONE is among DIAGNOSTICS."""
        if self._count > len(diagnostics) or (self._count and diagnostics[self._count - 1] is not self._last):
            self._known.clear()
            self._count = 0
        if self._count < len(diagnostics):
            self._known.update(islice(diagnostics, self._count, None))
            self._count, self._last = len(diagnostics), diagnostics[-1]
        return one in self._known
