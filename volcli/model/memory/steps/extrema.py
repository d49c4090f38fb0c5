"""Systems of constraints without minima and maxima: as one system, or as several of which one holds.

min(a, b) - i - 1 >= 0      a - i - 1 >= 0 and b - i - 1 >= 0
m = min(a, b)               m = a and b - a >= 0,  or  m = b and a - b - 1 >= 0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from volcli.language.expressions import Atom, Expression, Maximum, Minimum, substitute
from volcli.language.reads import Conjunction

_EXTREMA = (Minimum, Maximum)


@dataclass(frozen=True)
class System:
    """An `index`, where all `zero` expressions are 0 and all `nonnegative` ones at least 0."""

    index: tuple[Expression, ...]
    zero: tuple[Expression, ...] = ()
    nonnegative: Conjunction = ()

    def expressions(self) -> tuple[Expression, ...]:
        return (*self.index, *self.zero, *self.nonnegative)

    def and_also(self, zero: tuple[Expression, ...] = (), nonnegative: Conjunction = ()) -> System:
        """This system with more constraints, behind those that it has."""
        return System(self.index, (*self.zero, *zero), (*self.nonnegative, *nonnegative))


def without_extrema(system: System) -> Iterator[System]:
    """Systems without minima and maxima of which exactly one holds where SYSTEM holds."""
    plain = System(
        system.index, system.zero, tuple(part for e in system.nonnegative for part in _conjuncts(e))
    )
    extremum = next((atom for e in plain.expressions() if (atom := _innermost(e)) is not None), None)
    if extremum is None:
        yield plain
        return
    sign = 1 if isinstance(extremum, Minimum) else -1
    for position, chosen in enumerate(extremum.operands):
        found = _replaced(plain, extremum, chosen)
        beyond = (
            (other - chosen) * sign - (1 if k < position else 0)
            for k, other in enumerate(extremum.operands)
            if k != position
        )
        yield from without_extrema(found.and_also(nonnegative=tuple(beyond)))


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


def _replaced(system: System, extremum: Atom, chosen: Expression) -> System:
    def replace(expression: Expression) -> Expression:
        return substitute(expression, lambda atom: chosen if atom == extremum else None)

    return System(
        tuple(map(replace, system.index)),
        tuple(map(replace, system.zero)),
        tuple(map(replace, system.nonnegative)),
    )
