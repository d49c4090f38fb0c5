"""Loops over tiles that count the points at which these begin, where nothing else is asked of their numbers.

    for t = 0 to (n - 1) floordiv b     { for i = b * t to min(b * t + b - 1, n - 1) }
    for o = 0 to n - 1 step b           { for i = o to min(o + b - 1, n - 1) }

The variable stands for o = b * t then. There are fewer products, and no division; and what is left of a
program whose tiles are o, o + b, ... is linear in o and b, so that whether such tiles are disjoint is decided
(`volcli.model.memory.accesses.strides`). b is the greatest common divisor of what the number is multiplied by
inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from volcli.language.expressions import Atom, Expression, Monomial, constant, expression_of_atom
from volcli.rewriting.nests.scanned_trees import JoinedBounds, Planned
from volcli.symbolic.context import Context
from volcli.symbolic.polynomials import exact_quotient, greatest_common_divisor
from volcli.symbolic.scanning import Quotient


def by_origins(plan: Planned, tiles: Sequence[Atom], context: Context) -> Planned:
    """PLAN with loops over TILES by where these begin, if they can be; CONTEXT is what is known of sizes."""
    plan = replace(plan, body=tuple(by_origins(each, tiles, context) for each in plan.body))
    bounds = plan.bounds
    if bounds is None or bounds.variable not in tiles or bounds.value is not None:
        return plan
    forms = (form for each in plan.body for form in each.forms)
    factors = dict.fromkeys(_factor(form, bounds.variable) for form in forms)
    step = reduce(greatest_common_divisor, factors, constant(0))
    if step in (constant(0), constant(1)) or not context.proves(step - 1):
        return plan
    scaled = _scaled(bounds, step)
    if scaled is None:
        return plan
    body = tuple(_divided(each, bounds.variable, step) for each in plan.body)
    return replace(plan, bounds=scaled, body=body)


def _scaled(bounds: JoinedBounds, step: Expression) -> JoinedBounds | None:
    """The bounds of STEP times the variable; None if the last one would have to be rounded."""
    lower = tuple(tuple(_multiple(q, step) for q in side) for side in bounds.lower)
    upper: list[tuple[Quotient, ...]] = []
    for side in bounds.upper:
        # v <= n / d for integers is d * v <= n, and so is m * d * v <= m * n.
        multiples = [(q.numerator, exact_quotient(step, q.denominator)) for q in side]
        if any(multiple is None for _, multiple in multiples):
            return None
        upper.append(tuple(Quotient(n * m, constant(1)) for n, m in multiples if m is not None))
    return replace(bounds, lower=lower, upper=tuple(upper), step=step)


def _multiple(first: Quotient, step: Expression) -> Quotient:
    """STEP times the FIRST number."""
    if first.is_whole:
        return replace(first, numerator=first.numerator * step)
    return replace(first, times=first.times * step)


def _factor(form: Expression, variable: Atom) -> Expression:
    """What VARIABLE is multiplied by in FORM; 0 if that does not speak of it, and 1 if it is not linear."""
    found = constant(0)
    for atom, factor in form.terms:
        if atom == variable:
            found = found + factor
        elif isinstance(atom, Monomial) and variable in atom.factors:
            others = list(atom.factors)
            others.remove(variable)
            if variable in others:
                return constant(1)
            found = found + reduce(lambda left, right: left * right, map(expression_of_atom, others)) * factor
        elif not isinstance(atom, Monomial) and variable in expression_of_atom(atom).atoms():
            return constant(1)
    return found


def _divided(plan: Planned, variable: Atom, by: Expression) -> Planned:
    """PLAN, in which VARIABLE is BY times what it was."""

    def new(form: Expression) -> Expression:
        factor = _factor(form, variable)
        quotient = exact_quotient(factor, by)
        assert quotient is not None
        here = expression_of_atom(variable)
        return form - factor * here + quotient * here

    def sides(bounds: tuple[tuple[Quotient, ...], ...]) -> tuple[tuple[Quotient, ...], ...]:
        return tuple(
            tuple(Quotient(new(q.numerator), new(q.denominator), new(q.times)) for q in side)
            for side in bounds
        )

    bounds = plan.bounds
    if bounds is not None:
        value = None if bounds.value is None else new(bounds.value)
        bounds = replace(bounds, lower=sides(bounds.lower), upper=sides(bounds.upper), value=value)
    return replace(
        plan,
        conditions=tuple(map(new, plan.conditions)),
        bounds=bounds,
        body=tuple(_divided(each, variable, by) for each in plan.body),
    )
