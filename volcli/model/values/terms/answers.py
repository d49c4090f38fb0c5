"""What is answered: bounds with both sides, and comparisons with three values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from volcli.language.expressions import Expression, maximum, minimum
from volcli.limits.widths import GREATEST, HALF

NEVER = "never executed"
CONTRADICTION = "the assumptions contradict each other"
"""Why nothing is said of a place."""


@dataclass(frozen=True)
class Bound:
    """One side of what an expression lies between; closed.

    `expression` is over the variables that may be spoken of, `constant` a number, each None where there is
    none. Each is exact if it is attained: for the expression, whatever the values of its variables are, as
    far as the program gets there at all. `because` says why there is no bound, or why it is not exact.
    """

    expression: Expression | None = None
    constant: int | None = None
    exact: bool = True
    constant_exact: bool = True
    because: str | None = None


@dataclass(frozen=True)
class Bounds:
    """Both sides; `equal` is what the value is, where both are that. `never`: the place is never reached."""

    lower: Bound
    upper: Bound
    equal: Expression | None = None
    never: bool = False
    assumptions: tuple[str, ...] = ()


def union_of_bounds(each: Sequence[Bounds]) -> Bounds:
    """What a value lies between that is in EACH of these at some time.

    A side over expressions is the least or the greatest of them, which is attained where all of these are
    reached: it is exact if they are one expression.
    """
    reached = [bounds for bounds in each if not bounds.never]
    if len(reached) < 2:
        nowhere = Bound(None, None, exact=True, because=NEVER)
        return reached[0] if reached else Bounds(nowhere, nowhere, never=True)
    equal = reached[0].equal
    return Bounds(
        _union_of_sides([bounds.lower for bounds in reached], -1),
        _union_of_sides([bounds.upper for bounds in reached], 1),
        equal if all(bounds.equal == equal for bounds in reached) else None,
        assumptions=tuple(dict.fromkeys(text for bounds in reached for text in bounds.assumptions)),
    )


def _union_of_sides(sides: Sequence[Bound], sign: int) -> Bound:
    """The least of these bounds if SIGN is -1, the greatest if it is 1."""
    expressions = [side.expression for side in sides if side.expression is not None]
    constants = [side.constant for side in sides if side.constant is not None]
    is_one = len(expressions) == len(sides) and len(set(expressions)) == 1
    last = max(sides, key=lambda s: (s.constant is None, (s.constant or 0) * sign, s.constant_exact))
    is_open = any(side.expression is None and side.constant is None and side.exact for side in sides)
    return Bound(
        (minimum if sign < 0 else maximum)(*expressions) if len(expressions) == len(sides) else None,
        last.constant if len(constants) == len(sides) else None,
        is_open or (is_one and all(side.exact for side in sides)),
        last.constant_exact,
        next((side.because for side in sides if side.because is not None), None),
    )


@dataclass(frozen=True)
class ConstantBounds:
    """The least and the greatest number that a value can be, each exact if it is attained (or missing)."""

    lower: int | None
    upper: int | None
    lower_exact: bool = True
    upper_exact: bool = True
    because: str | None = None
    never: bool = False

    @property
    def exact(self) -> bool:
        """Whether both are attained."""
        return self.lower_exact and self.upper_exact

    @staticmethod
    def of(lower: int | None, upper: int | None, exact: bool, because: str | None) -> ConstantBounds:
        """Bounds that are both attained, or neither is known to be; no number lies between crossed ones."""
        if lower is not None and upper is not None and lower > upper:
            return ConstantBounds(None, None, because=NEVER, never=True)
        return ConstantBounds(lower, upper, exact, exact, because)

    def attained(self, others: ConstantBounds) -> ConstantBounds:
        """The same, if what OTHERS are attained: bounds in some of the executions."""
        if others.never:
            return self
        return replace(
            self,
            lower_exact=self.lower_exact or (others.lower_exact and others.lower == self.lower),
            upper_exact=self.upper_exact or (others.upper_exact and others.upper == self.upper),
        )

    def of_width(self) -> ConstantBounds:
        """The same; what says no more than that a number has 64 bits is not known to be attained.

        What no 64 bits hold bounds nothing: arithmetic on what is not bounded is taken not to overflow.
        """
        if self.never:
            return self
        if self.lower is not None and self.upper is not None and self.lower < -HALF and self.upper >= HALF:
            return replace(self, lower=None, upper=None)
        if (self.lower, self.upper) != (-HALF, GREATEST):
            return self
        because = self.because or "nothing but its width bounds it"
        return replace(self, lower_exact=False, upper_exact=False, because=because)

    def of_size(self) -> ConstantBounds:
        """The same of a size, in [0, 2^63); that may be more than what is attained says."""
        found = self
        if not self.never and self.upper is not None and self.upper >= HALF:
            found = replace(found, upper=HALF - 1, upper_exact=False)
        if self.never or (self.lower is not None and self.lower >= 0):
            return found
        because = self.because or "sizes are not negative"
        return replace(found, lower=0, lower_exact=False, because=because)


class Verdict(Enum):
    """Three values."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Comparison:
    """Whether a relation holds in all executions.

    `never` says that it holds in none. A refutation has a `witness`: values of the variables for which the
    relation fails, of an execution that gets there. `precondition` is a condition on the parameters under
    which it holds, in isl notation: the weakest, or a sufficient one. `because` says why nothing is known.
    """

    verdict: Verdict
    never: bool = False
    witness: Mapping[str, int] | None = None
    precondition: str | None = None
    weakest: bool = False
    because: str | None = None
    assumptions: tuple[str, ...] = ()
