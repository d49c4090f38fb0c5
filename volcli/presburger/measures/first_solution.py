"""Linear constraints over numbers in constant ranges: the lexicographically first solution, or that there is
none.

An equation in which the last variable has the coefficient 1 or -1 eliminates that variable; one whose
constant is not a multiple of the greatest common divisor of its coefficients has no solution. The remaining
constraints narrow the ranges of their variables (bounds propagation), and search decides the rest:

    x - 2 * y + 3 >= 0 and 8 * x + z = 8 * y + 5 with all of 0, ..., 7     (0, 0, 5): z = 8 * y - 8 * x + 5

All of it is exact. Small systems take hundredths of a millisecond, a tenth of what isl takes for its general
method; whatever takes more than some tens of steps is left to that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from typing import NamedTuple

from volcli.limits import memory as limits

Range = tuple[int, int]
"""The numbers from the first to the second, both included."""


class Linear(NamedTuple):
    """`sum of coefficient * variable + constant = 0`, or `>= 0`; coefficients are not 0."""

    terms: Mapping[int, int]
    constant: int
    is_equation: bool = False


class TooLong(Exception):
    """It takes more steps than are worth trying."""


class _Never(Exception):
    """There is no solution."""


def first_solution(ranges: Sequence[Range], constraints: Sequence[Linear]) -> list[int] | None:
    """The first solution of CONSTRAINTS, variable k in the k-th of RANGES; None if there is none.

    Raises TooLong where that does not show soon.

    >>> first_solution([(0, 7), (0, 7)], [Linear({0: 1, 1: -2}, -3, is_equation=True)])
    [3, 0]
    >>> first_solution([(0, 7), (0, 7)], [Linear({0: 2, 1: -2}, -3, is_equation=True)]) is None
    True
    """
    if any(high < low for low, high in ranges):
        return None
    narrow = list(ranges)
    try:
        known, remaining = _solved(ranges, constraints)
        search = _Search(_simple(remaining, narrow))
    except _Never:
        return None
    found = search.first(narrow)
    if found is not None:
        for variable, value in known.items():
            found[variable] = value.constant + sum(c * found[v] for v, c in value.terms.items())
    return found


def _solved(ranges: Sequence[Range], constraints: Sequence[Linear]) -> tuple[dict[int, Linear], list[Linear]]:
    """What the last variables of equations are in terms of those before; and what else is to hold.

    A variable that is known comes after those that it is known in terms of, whose first solution is its, too.
    """
    known: dict[int, Linear] = {}
    remaining = [each for each in constraints if not each.is_equation]
    equations = [each for each in constraints if each.is_equation]
    while equations:
        equation = equations.pop()
        divisor = gcd(*equation.terms.values())
        if equation.constant % divisor if divisor else equation.constant:
            raise _Never
        if not divisor:
            continue
        last = max(equation.terms)
        sign = equation.terms[last] // divisor
        if abs(sign) != 1:
            remaining.append(equation)
            continue
        rest = {v: -sign * c // divisor for v, c in equation.terms.items() if v != last}
        value = Linear(rest, -sign * equation.constant // divisor)
        equations = [_with(each, last, value) if last in each.terms else each for each in equations]
        remaining = [_with(each, last, value) if last in each.terms else each for each in remaining]
        known = {v: _with(each, last, value) if last in each.terms else each for v, each in known.items()}
        known[last] = value
        low, high = ranges[last]
        remaining.append(Linear(rest, value.constant - low))
        remaining.append(Linear({v: -c for v, c in rest.items()}, high - value.constant))
    return known, remaining


def _with(constraint: Linear, variable: int, value: Linear) -> Linear:
    """CONSTRAINT, which speaks of VARIABLE, with VALUE for it."""
    terms = dict(constraint.terms)
    coefficient = terms.pop(variable)
    for v, c in value.terms.items():
        total = terms.pop(v, 0) + coefficient * c
        if total:
            terms[v] = total
    constant = constraint.constant + coefficient * value.constant
    return Linear(terms, constant, constraint.is_equation)


def _simple(constraints: Sequence[Linear], ranges: list[Range]) -> list[Linear]:
    """CONSTRAINTS of several variables, the strongest of those that are parallel; others narrow RANGES."""
    found: dict[tuple[tuple[int, int], ...], int] = {}
    equations: list[Linear] = []
    for each in constraints:
        if each.is_equation:
            equations.append(each)
            continue
        if len(each.terms) < 2:
            _narrow_one(each, ranges)
            continue
        divisor = gcd(*each.terms.values())
        constant = each.constant // divisor
        terms = tuple(sorted((v, c // divisor) for v, c in each.terms.items()))
        found[terms] = min(constant, found.get(terms, constant))
        opposite = found.get(tuple((v, -c) for v, c in terms))
        if opposite is not None and opposite + found[terms] < 0:
            raise _Never
    return equations + [Linear(dict(terms), constant) for terms, constant in found.items()]


def _narrow_one(constraint: Linear, ranges: list[Range]) -> None:
    """Leave out of RANGES what CONSTRAINT excludes, which is not an equation, of one variable or of none."""
    if not constraint.terms:
        if constraint.constant < 0:
            raise _Never
        return
    ((variable, coefficient),) = constraint.terms.items()
    low, high = ranges[variable]
    if coefficient > 0:
        low = max(low, -(constraint.constant // coefficient))
    else:
        high = min(high, constraint.constant // -coefficient)
    if low > high:
        raise _Never
    ranges[variable] = low, high


class _Search:
    """The first solution of constraints; a variable of which they say nothing is as small as it may be."""

    def __init__(self, constraints: Sequence[Linear]) -> None:
        self._constraints = [(e.constant, e.is_equation, list(e.terms.items())) for e in constraints]
        self._of: dict[int, list[int]] = {}
        for number, each in enumerate(constraints):
            for variable in each.terms:
                self._of.setdefault(variable, []).append(number)
        self._steps = 0

    def first(self, ranges: list[Range]) -> list[int] | None:
        """The first solution in RANGES, which this changes."""
        return self._from(0, ranges) if self._narrow(range(len(self._constraints)), ranges) else None

    def _from(self, position: int, ranges: list[Range]) -> list[int] | None:
        """The first solution in RANGES, which are single numbers before POSITION."""
        while position < len(ranges):
            low, high = ranges[position]
            if position not in self._of:
                ranges[position] = low, low
            elif low < high:
                break
            position += 1
        if position == len(ranges):
            return [low for low, _ in ranges]
        for number in range(ranges[position][0], ranges[position][1] + 1):
            tried = ranges.copy()
            tried[position] = number, number
            if self._narrow(self._of[position], tried):
                found = self._from(position + 1, tried)
                if found is not None:
                    return found
        return None

    def _narrow(self, numbers: Sequence[int], ranges: list[Range]) -> bool:
        """Leave out of RANGES what the constraints with these NUMBERS, and those that follow, exclude.

        False: everything.
        """
        pending = list(numbers)
        waiting = set(pending)
        while pending:
            number = pending.pop()
            waiting.discard(number)
            low, is_equation, terms = self._constraints[number]
            high = low
            for variable, coefficient in terms:
                first, last = ranges[variable]
                if coefficient > 0:
                    low, high = low + coefficient * first, high + coefficient * last
                else:
                    low, high = low + coefficient * last, high + coefficient * first
            if high < 0 or (is_equation and low > 0):
                return False
            if low == high or (low >= 0 and not is_equation):
                continue
            self._steps += 1
            if self._steps > limits.BOX_CONSTRAINTS:
                raise TooLong
            for variable, coefficient in terms:
                first, last = old = ranges[variable]
                new = _bounded(old, coefficient, low if is_equation else None, high)
                if new == old:
                    continue
                if new[0] > new[1]:
                    return False
                ranges[variable] = new
                lower, higher = coefficient * (new[0] - first), coefficient * (new[1] - last)
                low, high = (low + lower, high + higher) if coefficient > 0 else (low + higher, high + lower)
                for other in self._of[variable]:
                    # what an inequality says of one variable excludes no more of its other ones
                    if other not in waiting and (is_equation or other != number):
                        waiting.add(other)
                        pending.append(other)
        return True


def _bounded(ends: Range, coefficient: int, low: int | None, high: int) -> Range:
    """The x in a range with `coefficient * x + rest >= 0`, or = 0, if there is a LOW.

    From LOW to HIGH is all that the sum can be, for any x in the range.
    """
    first, last = ends
    if coefficient > 0:
        first = max(first, -((high - coefficient * last) // coefficient))
        if low is not None:
            last = min(last, (coefficient * ends[0] - low) // coefficient)
    else:
        last = min(last, (coefficient * first - high) // coefficient)
        if low is not None:
            first = max(first, -((low - coefficient * ends[1]) // coefficient))
    return first, last
