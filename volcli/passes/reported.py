"""Which diagnostics there are: whether one is new is known without going through all of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volcli.diagnostics import Diagnostic


class Reported:
    """The diagnostics of a list that grows, and loses what is at its end."""

    def __init__(self) -> None:
        self._said: list[Diagnostic] = []
        self._times: Counter[Diagnostic] = Counter()

    def holds(self, diagnostics: list[Diagnostic], one: Diagnostic) -> bool:
        """Whether ONE is among DIAGNOSTICS."""
        said = self._said
        while said and (len(said) > len(diagnostics) or diagnostics[len(said) - 1] is not said[-1]):
            self._times[said.pop()] -= 1
        new = diagnostics[len(said) :]
        said += new
        self._times.update(new)
        return self._times[one] > 0
