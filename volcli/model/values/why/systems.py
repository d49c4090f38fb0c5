"""Systems of constraints as tableaus say them: without minima and maxima, each equality as one row.

min(a, b) - i - 1 >= 0      a - i - 1 >= 0 and b - i - 1 >= 0
m = min(a, b)               m = a and b - a >= 0,  or  m = b and a - b - 1 >= 0
a - b >= 0 and b - a >= 0   a - b = 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from volcli.language.expressions import Atom, Expression, Maximum, Minimum, substitute
from volcli.model.values.terms.variables import Disjunct

_EXTREMA = (Minimum, Maximum)


def all_of(systems: Iterable[Disjunct]) -> Disjunct:
    """The points at which all SYSTEMS hold; constraints stay in order."""
    every = tuple(systems)
    return Disjunct(
        tuple(e for each in every for e in each.zero), tuple(e for each in every for e in each.nonnegative)
    )


def with_equalities(system: Disjunct) -> Disjunct:
    """SYSTEM, where `e >= 0` and `-e >= 0` are `e = 0`."""
    stated = system.nonnegative
    equal = tuple(e for k, e in enumerate(stated) if -e in stated[k + 1 :])
    return Disjunct((*system.zero, *equal), tuple(e for e in stated if e not in equal and -e not in equal))


def without_extrema(system: Disjunct) -> Iterator[Disjunct]:
    """Systems without minima and maxima of which exactly one holds where SYSTEM holds."""
    pending = [system]
    while pending:
        system = pending.pop()
        plain = Disjunct(system.zero, tuple(part for e in system.nonnegative for part in _conjuncts(e)))
        extremum = next((atom for e in plain.expressions() if (atom := _innermost(e)) is not None), None)
        if extremum is None:
            yield plain
        else:
            pending += reversed(list(_choices(plain, extremum)))


def _choices(system: Disjunct, extremum: Minimum | Maximum) -> Iterator[Disjunct]:
    """SYSTEM for each operand that EXTREMUM is, and not one before it."""
    sign = 1 if isinstance(extremum, Minimum) else -1
    for position, chosen in enumerate(extremum.operands):
        choice: dict[Atom, Expression] = {extremum: chosen}
        zero, nonnegative = (
            tuple(substitute(e, choice.get) for e in side) for side in (system.zero, system.nonnegative)
        )
        beyond = (
            (other - chosen) * sign - (1 if k < position else 0)
            for k, other in enumerate(extremum.operands)
            if k != position
        )
        yield Disjunct(zero, (*nonnegative, *beyond))


def _conjuncts(expression: Expression) -> Iterator[Expression]:
    """`min(a, b) + c >= 0` as `a + c >= 0` and `b + c >= 0`; `c - max(a, b) >= 0` likewise."""
    for atom, factor in expression.terms:
        if isinstance(atom, Minimum if factor > 0 else Maximum):
            rest = expression - factor * Expression(((atom, 1),), 0)
            for operand in atom.operands:
                yield from _conjuncts(rest + factor * operand)
            return
    yield expression


def _innermost(expression: Expression) -> Minimum | Maximum | None:
    """A minimum or maximum in EXPRESSION in which there is no other one."""
    for atom in expression.atoms():
        if isinstance(atom, _EXTREMA) and not any(
            isinstance(inner, _EXTREMA) for operand in atom.operands for inner in operand.atoms()
        ):
            return atom
    return None
