"""Linear forms of the numbers of enclosing loops, and how small or large they are over these loops.

Loops are counted from outside: in `for %i { for %j { ... } }`, %i is 0 and %j is 1. The form of `2 * %i - %j`
is `LoopForm(0, {0: 2, 1: -1})`. With `0 <= %j < %i`, it is at least `2 i - (i - 1) = i + 1`: the largest
bound takes the place of a number whose factor is negative, and the innermost loop goes first, since its
bounds contain the outer ones. All of it is over integers and exact or too wide, never too narrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from volcli.limits import execution as limits


@dataclass(frozen=True)
class LoopForm:
    """`constant + sum(factors[d] * the number of loop d)`.

    >>> LoopForm(1, {0: 2}) + LoopForm(2, {0: -2, 1: 1})
    LoopForm(constant=3, factors={1: 1})
    """

    constant: int
    factors: Mapping[int, int] = field(default_factory=dict[int, int])

    def __add__(self, other: LoopForm) -> LoopForm:
        factors = dict(self.factors)
        for d, factor in other.factors.items():
            factors[d] = factors.get(d, 0) + factor
        return LoopForm(self.constant + other.constant, {d: f for d, f in factors.items() if f})

    def times(self, factor: int) -> LoopForm:
        """It, FACTOR times."""
        if not factor:
            return LoopForm(0)
        return LoopForm(self.constant * factor, {d: f * factor for d, f in self.factors.items()})


Forms = Sequence[LoopForm]
Bounds = tuple[Forms, Forms]
"""Of a loop: what its number is at least, all of them, and what it is at most."""
Ends = tuple[int | None, int | None]
"""The least and the largest number; None: any."""


def least(form: LoopForm, loops: Sequence[Bounds], outside: int) -> list[LoopForm]:
    """What FORM is at least in all of LOOPS, as forms of the first OUTSIDE loops: each of them, or none.

    >>> ij = [((LoopForm(0),), (LoopForm(9),)), ((LoopForm(0),), (LoopForm(-1, {0: 1}),))]
    >>> least(LoopForm(0, {0: 2, 1: -1}), ij, 1), least(LoopForm(0, {0: 2, 1: -1}), ij, 0)
    ([LoopForm(constant=1, factors={0: 1})], [LoopForm(constant=1, factors={})])
    """
    found = [form]
    for d in range(len(loops) - 1, outside - 1, -1):
        below, above = loops[d]
        replaced: list[LoopForm] = []
        for each in found:
            factor = each.factors.get(d, 0)
            rest = LoopForm(each.constant, {k: f for k, f in each.factors.items() if k != d})
            bounds = below if factor > 0 else above
            replaced += [rest + bound.times(factor) for bound in bounds] if factor else [each]
        found = replaced[: limits.BOUNDS_OF_A_FORM]
    return found


def most(form: LoopForm, loops: Sequence[Bounds], outside: int) -> list[LoopForm]:
    """What FORM is at most."""
    return [each.times(-1) for each in least(form.times(-1), loops, outside)]


def numbers_with(pairs: Iterable[tuple[LoopForm, int]], outer: Sequence[int]) -> Ends:
    """Between which numbers of the loop after OUTER each form is at most its number; None: any.

    >>> numbers_with([(LoopForm(3, {0: 2}), 10), (LoopForm(0, {0: -1}), -2)], ())
    (2, 3)
    """
    low: int | None = None
    high: int | None = None
    d = len(outer)
    for form, number in pairs:
        factor, room = form.factors.get(d, 0), number - form.constant
        room -= sum(f * outer[k] for k, f in form.factors.items() if k < d)
        if factor > 0:
            high = room // factor if high is None else min(high, room // factor)
        elif factor < 0:
            low = -(room // -factor) if low is None else max(low, -(room // -factor))
        elif room < 0:
            return 1, 0
    return low, high
