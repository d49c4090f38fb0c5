"""The steps by which a system is eliminated and scanned: what becomes of each of its inequalities.

Inequalities have numbers, those of the system first. A step eliminates one variable, in one case of the signs
of its coefficients: of the inequalities of its system

    S0 do not have the variable     S+ bound it from below     S- from above     S? depend on the case

each of S0 stays, and each pair of S+ and S- becomes a new one. What each of these is worth is its `fate`: it
is kept, a condition on the symbols, or it goes, since it follows from the context or from others.

Source: P. Suriana (2016), section 2.2, figures 2-1 and 2-2, and chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from volcli.language.expressions import Atom, Expression, constant
from volcli.symbolic.context import Context, tightened
from volcli.symbolic.fourier_motzkin import (
    LinearSystem,
    VariableBounds,
    bounds_of,
    by_sign,
    coefficient,
    combined,
    is_over,
    system,
    without_variable,
)
from volcli.symbolic.scanning import ScanNest, scan


@dataclass(frozen=True)
class Numbered:
    """FORM >= 0 with its number, those that it is made of, and what becomes of it."""

    number: int
    form: Expression
    of: tuple[int, ...] = ()
    fate: str = ""


@dataclass(frozen=True)
class EliminationStep:
    """The projection along VARIABLE in one case: CASE are the facts that make it, each >= 0."""

    variable: Atom
    case: tuple[Expression, ...]
    zero: tuple[int, ...]
    lower: tuple[int, ...]
    upper: tuple[int, ...]
    undetermined: tuple[int, ...]
    result: tuple[Numbered, ...]
    is_empty: bool = False


@dataclass(frozen=True)
class SystemSteps:
    """A system as it is GIVEN, the steps that eliminate its variables, the innermost first, and the loops."""

    given: tuple[Numbered, ...]
    steps: tuple[EliminationStep, ...]
    nests: tuple[ScanNest, ...]


def system_steps(
    variables: Sequence[Atom], inequalities: Sequence[Expression], context: Context
) -> SystemSteps:
    """How INEQUALITIES over VARIABLES, from the outermost, are eliminated and scanned in CONTEXT.

    Raises NotAffine if an inequality is not linear in the variables, or if there are too many.
    """
    whole = system(variables, inequalities, context)
    given = tuple(_judged([(each, ()) for each in inequalities], whole, variables, context, 0))
    if whole is None:
        return SystemSteps(given, (), ())
    return SystemSteps(given, tuple(_steps(whole, given)), tuple(scan(variables, inequalities, context)))


def _steps(whole: LinearSystem, given: Sequence[Numbered]) -> Iterator[EliminationStep]:
    """The steps in the order in which they are made: a case after all that follows from the one before it."""
    count = len(given)
    pending: list[tuple[LinearSystem, Sequence[Numbered]]] = [(whole, given)]
    while pending:
        current, numbered = pending.pop()
        if not current.variables:
            continue
        variable = current.variables[-1]
        numbers = _numbers(current, numbered)
        unknown = tuple(
            numbers[e] for e in current.inequalities if _is_undetermined(e, variable, current.context)
        )
        following: list[tuple[LinearSystem, Sequence[Numbered]]] = []
        for signed in by_sign(current, variable):
            step, left = _step(signed, current, variable, numbers, unknown, count)
            count += len(step.result)
            following += [(left, step.result)] if left is not None else []
            yield step
        pending += reversed(following)


def _step(
    signed: LinearSystem,
    before: LinearSystem,
    variable: Atom,
    numbers: dict[Expression, int],
    unknown: tuple[int, ...],
    count: int,
) -> tuple[EliminationStep, LinearSystem | None]:
    """The projection of SIGNED, a case of the system BEFORE, and what it leaves; COUNT numbers are used."""
    bounds = bounds_of(signed, variable)
    lower, upper = ([f for _, f in side] for side in (bounds.lower, bounds.upper))
    zero = [each for each in signed.inequalities if each not in (*lower, *upper)]
    rest = signed.variables[:-1]
    left = system(rest, combined(signed, variable), signed.context)
    made = [(form, (numbers[source],)) for form, source in zip(bounds.others, zero, strict=True)]
    made += [(form, (numbers[f], numbers[g])) for form, f, g in _pairs(signed, variable, bounds)]
    result = tuple(_judged(made, left, rest, signed.context, count))
    case = tuple(fact for fact in signed.context.facts if fact not in before.context.facts)
    below, above, beside = (tuple(numbers[e] for e in side) for side in (lower, upper, zero))
    return EliminationStep(variable, case, beside, below, above, unknown, result, left is None), left


def _pairs(
    signed: LinearSystem, variable: Atom, bounds: VariableBounds
) -> Iterator[tuple[Expression, Expression, Expression]]:
    """What each pair of bounds becomes that is combined: all, or those of an equality with others."""
    chosen = set(combined(signed, variable))
    for p, f in bounds.lower:
        for q, g in bounds.upper:
            form = without_variable(p, f, q, g, signed.context)
            if form in chosen:
                yield form, f, g


def _judged(
    made: Sequence[tuple[Expression, tuple[int, ...]]],
    left: LinearSystem | None,
    variables: Sequence[Atom],
    context: Context,
    count: int,
) -> Iterator[Numbered]:
    """MADE with numbers after COUNT, each with its fate in what is LEFT; None of a system without points."""
    forms = [tightened(form) for form, _ in made]
    first = {form: count + k for k, form in reversed(list(enumerate(forms, 1)))}
    for number, (form, (_, of)) in enumerate(zip(forms, made, strict=True), count + 1):
        if first[form] != number:
            fate = f"as ({first[form]})"
        elif form.is_constant and form.constant < 0:
            fate = "never holds"
        elif not is_over(form, variables):
            fate = "holds in the context" if context.proves(form) else "a condition on the symbols"
        elif left is None or form in left.inequalities:
            fate = ""
        else:
            fate = f"follows from {_why(form, left, variables, first)}"
        yield Numbered(number, form, of, fate)


def _why(
    form: Expression, left: LinearSystem, variables: Sequence[Atom], numbers: dict[Expression, int]
) -> str:
    """From which inequalities of what is LEFT FORM follows, each by its number: as few as are found."""
    for other in left.inequalities:
        difference = form - other
        if not is_over(difference, variables) and left.context.proves(difference):
            return f"({numbers[other]})"
    needed = list(left.inequalities)
    for other in left.inequalities:
        fewer = [each for each in needed if each != other]
        if left.context.assuming(*fewer).implies(form):
            needed = fewer
    return " and ".join(f"({numbers[each]})" for each in needed) or "the context"


def _is_undetermined(form: Expression, variable: Atom, context: Context) -> bool:
    p = coefficient(form, variable)
    if p.is_constant:
        return False
    signs = context.signs(p)
    return signs.negative + signs.zero + signs.positive > 1 and p != constant(0)


def _numbers(current: LinearSystem, numbered: Sequence[Numbered]) -> dict[Expression, int]:
    """The numbers of the inequalities of CURRENT."""
    first: dict[Expression, int] = {}
    for each in numbered:
        first.setdefault(each.form, each.number)
    return {form: first[form] for form in current.inequalities}
