"""Fourier-Motzkin elimination of variables whose coefficients are polynomials in symbolic constants.

A system is a conjunction of inequalities f = p_0 + p_1 v_1 + ... + p_n v_n >= 0, linear in variables v, with
polynomials p in symbols, of which a context is known. To eliminate v_k, inequalities are told apart by the
sign of p_k in the context:

    S0: p_k = 0     S+: p_k > 0, a lower bound of v_k     S-: p_k < 0, an upper one     S?: undetermined

Where there is some of S?, the context is split into p_k >= 1, p_k = 0 and p_k <= -1, as far as these are not
known to be empty. Then each f of S+ and g of S- give, with d = gcd(p_f, -p_g), the inequality

    (-p_g / d) f + (p_f / d) g >= 0

without v_k; with those of S0 they are the projection: of the rational points exactly, so that it contains
that of the integer points. An equality, f >= 0 and -f >= 0, has all there is to know of v_k: it is put into
each other inequality, and these are not combined with each other. What is left without any variable is a
condition on the symbols, which the context of the result has; where the system has no point for any symbols,
the branch is dropped.

Several variables are eliminated in the order of what that costs: a lower bounds and b upper ones become a * b
inequalities.

Example: b*x <= j < b*x + b, 0 <= j <= 2*i. Without b >= 1 known, the sign of b is undetermined when x is
eliminated; but eliminating j has left b - 1 >= 0, which decides it.

Sources: P. Suriana, Fourier-Motzkin with Non-Linear Symbolic Constant Coefficients (2016), chapters 2 and 3,
with errata E003-1 and E003-6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from volcli.language.expressions import (
    Atom,
    Expression,
    Monomial,
    NotAffine,
    constant,
    expression_of_atom,
)
from volcli.limits import symbolic as limits
from volcli.symbolic.context import Context, tightened
from volcli.symbolic.polynomials import exact_quotient, greatest_common_divisor


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """The points at which INEQUALITIES, linear in VARIABLES, are >= 0, for the symbols of a CONTEXT."""

    variables: tuple[Atom, ...]
    inequalities: tuple[Expression, ...]
    context: Context


def coefficient(form: Expression, variable: Atom) -> Expression:
    """The polynomial p with FORM = p * VARIABLE + ..., linear in it. Raises NotAffine if FORM is not."""
    found = constant(0)
    for atom, number in form.terms:
        if atom == variable:
            found += number
        elif isinstance(atom, Monomial) and variable in atom.factors:
            others = list(atom.factors)
            others.remove(variable)
            if variable in others:
                raise NotAffine(f"a square of {variable}")
            term = constant(number)
            for other in others:
                term = term * expression_of_atom(other)
            found += term
        elif any(inner == variable for inner in expression_of_atom(atom).atoms()):
            raise NotAffine(f"{variable} in {atom}")
    return found


def is_over(form: Expression, variables: Iterable[Atom]) -> bool:
    """Whether one of VARIABLES occurs in FORM."""
    wanted = set(variables)
    return any(atom in wanted for atom in form.atoms())


def system(
    variables: Sequence[Atom], inequalities: Iterable[Expression], context: Context
) -> LinearSystem | None:
    """The system of INEQUALITIES over VARIABLES, none of them twice; None if it is known to be empty.

    Raises NotAffine for x * y with both of them variables: the sign of x is a condition on a variable, which
    the context, where it would be a guard around the loop over x, cannot have.
    """
    pending = [tightened(each) for each in inequalities]
    for form in pending:
        _check_products(form, variables)
    conditions = [each for each in pending if not is_over(each, variables)]
    unproved = [each for each in conditions if not context.proves(each)]
    context = context.assuming(*unproved) if unproved else context
    if context.is_empty:
        return None
    over = dict.fromkeys(each for each in pending if is_over(each, variables))
    kept = _without_implied(list(over), variables, context)
    if context.assuming(*kept).is_empty:
        return None
    return LinearSystem(tuple(variables), kept, context)


def check_linear(form: Expression, variables: Sequence[Atom]) -> None:
    """Raise NotAffine if FORM is not linear in VARIABLES."""
    for each in variables:
        coefficient(form, each)
    _check_products(form, variables)


def _check_products(form: Expression, variables: Sequence[Atom]) -> None:
    for atom, _ in form.terms:
        if isinstance(atom, Monomial) and len({*variables}.intersection(atom.factors)) > 1:
            raise NotAffine(f"the product {atom} of variables")


def eliminate(given: LinearSystem, variable: Atom) -> list[LinearSystem]:
    """The projections of GIVEN along VARIABLE, for each sign of its coefficients that the context allows."""
    rest = tuple(each for each in given.variables if each != variable)
    return [
        found
        for signed in by_sign(given, variable)
        if (found := system(rest, combined(signed, variable), signed.context)) is not None
    ]


def project(given: LinearSystem, variables: Iterable[Atom]) -> list[LinearSystem]:
    """The projections of GIVEN along all VARIABLES, at each step along the one that leaves least."""
    wanted = set(variables)
    left = [each for each in given.variables if each in wanted]
    if not left:
        return [given]
    chosen = cheapest(given, left)
    rest = [each for each in left if each != chosen]
    return [found for projected in eliminate(given, chosen) for found in project(projected, rest)]


def cheapest(given: LinearSystem, variables: Sequence[Atom]) -> Atom:
    """The one of VARIABLES whose elimination leaves the fewest cases and inequalities; of two, the first."""
    return min(variables, key=lambda each: _growth(given, each))


def _growth(given: LinearSystem, variable: Atom) -> tuple[int, int]:
    """How many signs are not known where VARIABLE is eliminated, and how many more inequalities it leaves.

    Two lower bounds and three upper ones, which go, become six inequalities: one more. Where one of each is
    an equality, there are two fewer.
    """
    unknown, lower, upper = 0, list[Expression](), list[Expression]()
    for each in given.inequalities:
        p = coefficient(each, variable)
        if p == constant(0):
            continue
        if given.context.proves(p - 1):
            lower.append(each)
        elif given.context.proves(-p - 1):
            upper.append(each)
        else:
            unknown += 1
    if any(-each in lower for each in upper):
        return unknown, -2
    return unknown, len(lower) * len(upper) - len(lower) - len(upper)


def by_sign(given: LinearSystem, variable: Atom) -> Iterator[LinearSystem]:
    """GIVEN in parts of its context in each of which the signs of the coefficients of VARIABLE are known."""
    for each in given.inequalities:
        p = coefficient(each, variable)
        if p.is_constant:
            continue
        signs = given.context.signs(p)
        if signs.negative + signs.zero + signs.positive <= 1:
            continue
        for is_possible, facts in (
            (signs.positive, (p - 1,)),
            (signs.zero, (p, -p)),
            (signs.negative, (-p - 1,)),
        ):
            context = given.context.assuming(*facts)
            if is_possible and not context.is_empty:
                yield from by_sign(LinearSystem(given.variables, given.inequalities, context), variable)
        return
    yield given


@dataclass(frozen=True)
class VariableBounds:
    """Of one variable: inequalities that bound it from below, from above, and all others."""

    lower: tuple[tuple[Expression, Expression], ...]
    """(p, f) with f = p * v + ... >= 0 and p > 0."""
    upper: tuple[tuple[Expression, Expression], ...]
    """(q, g) with g = -q * v + ... >= 0 and q > 0."""
    others: tuple[Expression, ...]


def bounds_of(given: LinearSystem, variable: Atom) -> VariableBounds:
    """The inequalities of GIVEN, in whose context the signs of all coefficients of VARIABLE are known."""
    lower: list[tuple[Expression, Expression]] = []
    upper: list[tuple[Expression, Expression]] = []
    others: list[Expression] = []
    for each in given.inequalities:
        p = coefficient(each, variable)
        if p == constant(0):
            others.append(each)
        elif given.context.proves(p - 1):
            lower.append((p, each))
        elif given.context.proves(-p - 1):
            upper.append((-p, each))
        else:  # 0 in this context
            others.append(each - p * expression_of_atom(variable))
    return VariableBounds(tuple(lower), tuple(upper), tuple(others))


def combined(given: LinearSystem, variable: Atom) -> list[Expression]:
    """The inequalities of the projection of GIVEN, in whose context the signs are known: none is left out."""
    bounds = bounds_of(given, variable)
    pairs = [(lower, upper) for lower in bounds.lower for upper in bounds.upper]
    equalities = [(lower, upper) for lower, upper in pairs if lower[1] + upper[1] == constant(0)]
    if equalities:
        below, above = min(equalities, key=lambda pair: (_weight(pair[0][0]), str(pair[0][1])))
        pairs = [(below, each) for each in bounds.upper] + [(each, above) for each in bounds.lower]
    found = [*bounds.others, *(without_variable(*f, *g, given.context) for f, g in pairs)]
    if len(found) > limits.INEQUALITIES:
        raise NotAffine(f"more than {limits.INEQUALITIES} inequalities")
    return found


def without_variable(
    p: Expression, f: Expression, q: Expression, g: Expression, context: Context
) -> Expression:
    """What f = p * v + ... >= 0 and g = -q * v + ... >= 0 say of all else, for p and q that are positive."""
    divisor = greatest_common_divisor(p, q)
    if not context.proves(divisor - 1):
        divisor = constant(1)
    left, right = exact_quotient(q, divisor), exact_quotient(p, divisor)
    assert left is not None
    assert right is not None
    return left * f + right * g


def _without_implied(
    inequalities: list[Expression], variables: Sequence[Atom], context: Context
) -> tuple[Expression, ...]:
    """INEQUALITIES without those that follow from the others; of two that differ by a constant, one stays.

    First by pairs, which is cheap: f follows from g if f - g >= 0 has no variables and holds in the context.
    Then each by all others (its negation contradicts them), the longest first: what is left is short.
    """
    kept: list[Expression] = []
    for each in inequalities:
        if any(_follows(each, other, variables, context) for other in kept):
            continue
        kept = [other for other in kept if not _follows(other, each, variables, context)]
        kept.append(each)
    for each in sorted(kept, key=lambda form: (-_weight(form), str(form))):
        others = [other for other in kept if other != each]
        if context.assuming(*others).implies(each):
            kept = others
    return tuple(kept)


def _follows(form: Expression, other: Expression, variables: Sequence[Atom], context: Context) -> bool:
    difference = form - other
    return not is_over(difference, variables) and context.proves(difference)


def _weight(form: Expression) -> int:
    return sum(len(atom.factors) if isinstance(atom, Monomial) else 1 for atom, _ in form.terms)
