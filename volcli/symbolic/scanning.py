"""Loops that scan a system: each of its integer points once, in lexicographic order.

For variables v_1, ..., v_n from the outermost to the innermost let S_n be the system, and S_{k-1} its
projection along v_k. The inequalities of S_k that hold v_k are the bounds of its loop, over symbols and the
variables outside of it; those of S_0 are conditions on the symbols, a guard around all loops:

    p * v + r >= 0  with p > 0:  v >= ceil(-r / p)        -q * v + r >= 0  with q > 0:  v <= floor(r / q)

The innermost loop has all inequalities of its variable, so that exactly the integer points are reached. An
outer loop may have iterations in which an inner one has none: projections are rational.

A projection may be left larger: the inner loops keep what follows from their own inequalities, and have no
iterations where an outer one has too many. So an inequality that only a projection has may go where the sign
of a coefficient in it is not known, instead of making cases:

    B * (w - t) <= x, C * t <= y      x + y <= n leaves (B - C) * t - B * w + n >= 0, no bound of t then

A quotient is written without a division where the context knows it: ceil((1 - b) / b) = 0 for b >= 1. Where
the signs of coefficients depend on the symbols, there is a nest for each case, and at most one guard holds.

Sources: P. Suriana (2016), chapters 2 to 4; C. Ancourt and F. Irigoin, Scanning polyhedra with DO loops
(1991).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.language.expressions import Atom, Expression, constant, expression_of_atom
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import (
    LinearSystem,
    bounds_of,
    by_sign,
    coefficient,
    eliminate,
    system,
)
from volcli.symbolic.polynomials import quotient_and_rest

_ONE = constant(1)


@dataclass(frozen=True)
class Quotient:
    """NUMERATOR / DENOMINATOR, rounded up as a lower bound and down as an upper one; DENOMINATOR > 0.

    What it is rounded to is taken so many `times`.
    """

    numerator: Expression
    denominator: Expression
    times: Expression = _ONE

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to round."""
        return self.denominator == constant(1)


@dataclass(frozen=True)
class ScanLoop:
    """`for variable = max(lower) to min(upper)`, both ends included."""

    variable: Atom
    lower: tuple[Quotient, ...]
    upper: tuple[Quotient, ...]

    @property
    def facts(self) -> tuple[Expression, ...]:
        """What is at least 0 in each iteration."""
        here = expression_of_atom(self.variable)
        below = (each.denominator * here - each.numerator for each in self.lower)
        above = (each.numerator - each.denominator * here for each in self.upper)
        return (*below, *above)

    @property
    def value(self) -> Expression | None:
        """What the variable is, if the loop has one iteration for all outer ones."""
        if len(self.lower) == 1 and self.lower == self.upper and self.lower[0].is_whole:
            return self.lower[0].numerator
        return None


@dataclass(frozen=True)
class ScanNest:
    """Loops from the outermost to the innermost, to be run where GUARD, over the symbols, is >= 0."""

    guard: tuple[Expression, ...]
    loops: tuple[ScanLoop, ...]

    @property
    def forms(self) -> Iterator[Expression]:
        """All that is computed for them."""
        yield from self.guard
        for loop in self.loops:
            for quotient in (*loop.lower, *loop.upper):
                yield quotient.numerator
                yield quotient.denominator


def scan(
    variables: Sequence[Atom],
    inequalities: Sequence[Expression],
    context: Context,
    *,
    is_projected: bool = True,
) -> list[ScanNest]:
    """The nests over VARIABLES, from the outermost, of the points at which INEQUALITIES are >= 0.

    At most one of their guards holds for symbols of CONTEXT. Outer loops keep to the whole projections, or,
    if that IS not so, to what of them has known signs. Raises NotAffine if an inequality is not linear in the
    variables, or if there are too many.
    """
    whole = system(variables, inequalities, context)
    if whole is None:
        return []
    own = None if is_projected else frozenset(whole.inequalities)
    found = _nests(whole, variables, own)
    return [ScanNest(_guard(outer.context, context), tuple(loops)) for outer, loops in found]


def _nests(
    given: LinearSystem, variables: Sequence[Atom], own: frozenset[Expression] | None
) -> Iterator[tuple[LinearSystem, list[ScanLoop]]]:
    """For each case of the symbols: what is left without variables, and the loops.

    Without inequalities, but its OWN ones, that have no known sign, if these are given.
    """
    if not variables:
        yield given, []
        return
    *outer, innermost = variables
    if own is not None:
        kept = (
            each for each in given.inequalities if each in own or _has_sign(each, innermost, given.context)
        )
        given = LinearSystem(given.variables, tuple(kept), given.context)
    for signed in by_sign(given, innermost):
        for projected in eliminate(signed, innermost):
            for rest, loops in _nests(projected, outer, own):
                # The conditions that the projections found on the symbols hold inside.
                inside = LinearSystem(signed.variables, signed.inequalities, rest.context)
                around = [*projected.inequalities, *(fact for each in loops for fact in each.facts)]
                yield rest, [*loops, _loop(inside, innermost, around)]


def _has_sign(form: Expression, variable: Atom, context: Context) -> bool:
    """Whether the sign of the coefficient of VARIABLE in FORM is known, or there is none."""
    p = coefficient(form, variable)
    return p.is_constant or context.proves(p - 1) or context.proves(-p - 1)


def _loop(given: LinearSystem, variable: Atom, around: Sequence[Expression]) -> ScanLoop:
    """The loop over VARIABLE in GIVEN; AROUND are what the loops outside of it keep."""
    known = given.context.assuming(*around)
    bounds = bounds_of(given, variable)
    forms = [f for _, f in (*bounds.lower, *bounds.upper)]
    kept = needed(forms, known)
    lower = [_lower(p, f, variable, known) for p, f in bounds.lower if f in kept]
    upper = [_upper(q, g, variable, known) for q, g in bounds.upper if g in kept]
    return ScanLoop(variable, tuple(dict.fromkeys(lower)), tuple(dict.fromkeys(upper)))


def needed(forms: Sequence[Expression], known: Context) -> list[Expression]:
    """FORMS >= 0 without those that follow from the others and from what is KNOWN."""
    kept = list(forms)
    for form in sorted(forms, key=lambda each: (-len(each.terms), str(each))):
        others = [other for other in kept if other != form]
        if known.assuming(*others).proves(form):
            kept = others
    return kept


def _lower(p: Expression, f: Expression, variable: Atom, known: Context) -> Quotient:
    numerator = p * expression_of_atom(variable) - f
    return rounded(Quotient(numerator, p), known, up=True)


def _upper(q: Expression, g: Expression, variable: Atom, known: Context) -> Quotient:
    numerator = g + q * expression_of_atom(variable)
    return rounded(Quotient(numerator, q), known, up=False)


def rounded(quotient: Quotient, known: Context, *, up: bool) -> Quotient:
    """QUOTIENT without a division, if what is KNOWN says what it is rounded to.

    With numerator = w * denominator + r it is w, if r is in [0, denominator) and it is rounded down.
    """
    denominator = quotient.denominator
    if denominator == constant(1):
        return quotient
    whole, rest = quotient_and_rest(quotient.numerator, denominator)
    for steps in (0, 1, -1):
        value, left = whole + steps, rest - steps * denominator
        most = constant(0) if up else denominator - 1
        if known.proves(most - left) and known.proves(left - most + denominator - 1):
            return Quotient(value, constant(1))
    return quotient


def _guard(found: Context, given: Context) -> tuple[Expression, ...]:
    """What FOUND says and GIVEN does not imply, without what follows from the rest of it."""
    return tuple(needed([fact for fact in found.facts if not given.proves(fact)], given))
