"""The executions that a store of bounds speaks of: all of them, unless something is asked of some only.

| name               | the executions                                                                    |
|--------------------|-----------------------------------------------------------------------------------|
| `NORMAL`           | all, in which products are taken not to overflow                                  |
| `UNTRUSTED`        | all: a product that may exceed 64 bits wraps around                               |
| `FIRST_ITERATIONS` | every loop with a symbolic step is in its first iteration                         |
| `UNIT_STEPS`       | a loop with a symbolic step runs through all numbers between its bounds           |
| `machine(...)`     | chosen values are any numbers, and chosen results wrap around at 64 bits          |
| `stopped_at(...)`  | chosen variables are leaves: nothing but constants is known of them               |
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from enum import Enum

from xdsl.ir import SSAValue

from volcli.model.values.terms.variables import Variable


class SymbolicSteps(Enum):
    """The iterations of a loop with a symbolic step, as far as they are asked for."""

    ANY = "any"
    FIRST = "first"
    UNIT = "unit"


_NOWHERE: Callable[[Variable], bool] = frozenset[Variable]().__contains__


@dataclass(frozen=True)
class Executions:
    """Some executions of a function; see the table above.

    A variable for which `stops` holds is a leaf. Results in `wrapping` wrap around at 64 bits.
    """

    steps: SymbolicSteps = SymbolicSteps.ANY
    trusts_products: bool = True
    stops: Callable[[Variable], bool] = _NOWHERE
    wrapping: Container[SSAValue] = ()

    @property
    def are_whole(self) -> bool:
        """Whether sums are taken not to overflow in these, and nothing stops."""
        return self.stops is _NOWHERE and not self.wrapping

    @property
    def shares_names(self) -> bool:
        """Whether a store of these executions names its variables as the store that it is like."""
        return self.steps is not SymbolicSteps.ANY

    @property
    def of_callees(self) -> Executions:
        """The executions of functions that are called in these."""
        return NORMAL if self.trusts_products else UNTRUSTED


NORMAL = Executions()
UNTRUSTED = Executions(trusts_products=False)
FIRST_ITERATIONS = Executions(SymbolicSteps.FIRST)
UNIT_STEPS = Executions(SymbolicSteps.UNIT)


def machine(unknown: Container[SSAValue], wrapping: Container[SSAValue]) -> Executions:
    """The executions in which UNKNOWN values are any numbers, and WRAPPING results have 64 bits."""
    return Executions(stops=lambda variable: variable.value in unknown, wrapping=wrapping)


def stopped_at(stops: Callable[[Variable], bool]) -> Executions:
    """The executions of which nothing is known beyond the variables for which STOPS holds."""
    return Executions(stops=stops)
