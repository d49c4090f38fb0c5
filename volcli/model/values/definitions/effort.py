"""What the sets of one function's values have cost: a long chain is known exactly at its beginning.

In a chain in which each operation uses several of those before, each set is made of larger ones. Once the sets
that were made have more than limits.EFFORT constraints together, no more are made. What is computed from
something that has none is then *given up*: an interval of its own is all that is known of it (`intervals`),
and each further operation costs the same.

    %v999 = arith.remsi %v998, %c16                           -15 <= v999 <= 15, given up
    %v1000 = affine.min (d0, d1 + 4, 1000)(%v999, %n)         v1000 <= 15, and nothing of %n

Functions of fewer than limits.CHAIN_FUNCTION values and operations lose their sets alone.
"""

from __future__ import annotations

from volcli.limits import values as limits
from volcli.model.values.terms.variables import Variable

TOO_MUCH_EFFORT = f"budget: the sets of this function's values have more than {limits.EFFORT} constraints"


class Effort:
    """The constraints of all sets that were made, and of what there are sets and intervals alone."""

    def __init__(self) -> None:
        self._constraints = 0
        self._known: set[Variable] = set()
        self._given_up: set[Variable] = set()

    def add(self, constraints: int, *, of: Variable | None) -> None:
        """A set of so many CONSTRAINTS was made, of one variable alone (`of`) or of several."""
        self._constraints += max(0, constraints - limits.FREE_CONSTRAINTS)
        if of is not None:
            self._known.add(of)

    @property
    def is_spent(self) -> bool:
        """Whether no more sets are made."""
        return self._constraints > limits.EFFORT

    def has_set(self, variable: Variable) -> bool:
        """Whether a set of VARIABLE was made."""
        return variable in self._known

    def give_up(self, variable: Variable) -> None:
        """Of VARIABLE an interval is all that will be known."""
        self._given_up.add(variable)

    def is_given_up(self, variable: Variable) -> bool:
        """Whether an interval is all that is known of VARIABLE."""
        return variable in self._given_up
