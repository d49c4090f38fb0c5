"""Random systems of inequalities with symbolic coefficients, and their projections by enumeration.

The numeric oracle knows nothing of polynomials: symbols get numbers, the variables that stay get integers, and
what is left is eliminated by the textbook's Fourier-Motzkin over rationals, without any simplification.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.oracles.interpreter.judgement import Judgement
from tests.shared.numbers import value
from volcli.language.expressions import Atom, Expression, NotAffine, constant, parameter
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import LinearSystem, eliminate, project, system

WIDTH = 3
"""All variables are in [-WIDTH, WIDTH]."""
SIZES = range(-2, 4)
"""The values of symbols."""

_FAR = range(-9, 10)
"""Where a point of a branch is looked for."""

Point = Mapping[Atom, int]


def atom(name: str) -> Atom:
    """The symbol or variable NAME."""
    found = parameter(name).single_atom
    assert found is not None
    return found


@dataclass(frozen=True)
class System:
    """INEQUALITIES over VARIABLES and symbols of which FACTS are known; some variables are GONE."""

    variables: tuple[Atom, ...]
    symbols: tuple[Atom, ...]
    inequalities: tuple[Expression, ...]
    facts: tuple[Expression, ...]
    gone: tuple[Atom, ...]

    @property
    def stay(self) -> tuple[Atom, ...]:
        return tuple(each for each in self.variables if each not in self.gone)

    @property
    def text(self) -> str:
        lines = [f"  {each} >= 0" for each in (*self.inequalities, *self.facts)]
        return "\n".join([f"eliminate {', '.join(map(str, self.gone))} from", *lines])

    def numbers(self) -> Iterator[Point]:
        """The values of the symbols that the facts admit."""
        for values in product(SIZES, repeat=len(self.symbols)):
            point = dict(zip(self.symbols, values, strict=True))
            if all(value(fact, point) >= 0 for fact in self.facts):
                yield point


def drawn(seed: str) -> System:
    """The system of SEED: two or three variables, of which one or two are eliminated."""
    chance = random.Random(seed)
    names = ("x", "i", "j")[: chance.choice((2, 2, 3))]
    b, n = parameter("b"), parameter("n")
    forms = [sign * parameter(name) + WIDTH for name in names for sign in (1, -1)]
    for _ in range(chance.randint(1, 3)):
        form = constant(chance.randint(-3, 5)) + chance.choice((0, 0, 1, -1)) * n
        for name in chance.sample(names, 2):
            form += parameter(name) * chance.choice((0, 1, -1, 2, -3, b, -b, b - 1, 2 * b))
        forms.append(form)
        if chance.random() < 0.2:
            forms.append(-form)
    facts = [chance.choice((b, n)) - chance.randint(-1, 1) for _ in range(chance.randint(0, 2))]
    gone = chance.sample(names, chance.randint(1, 2))
    return System(
        tuple(map(atom, names)),
        (atom("b"), atom("n")),
        tuple(form for form in forms if not form.is_constant),
        tuple(facts),
        tuple(map(atom, gone)),
    )


def judged(drawn_system: System) -> Iterator[Judgement]:
    """What the projection of a system is worth, and that along the first variable alone."""
    context = Context(drawn_system.facts)
    try:
        given = system(drawn_system.variables, drawn_system.inequalities, context)
        if given is None:
            yield from _empty(drawn_system)
            return
        first = eliminate(given, drawn_system.gone[0])
        whole = project(given, drawn_system.gone)
    except NotAffine as error:
        yield Judgement("projection", "unknown", drawn_system.text, "", str(error))
        return
    yield _step(drawn_system, given, first)
    yield _projection(drawn_system, whole)
    yield from (_branch(drawn_system, each) for each in whole)


def _empty(given: System) -> Iterator[Judgement]:
    for symbols in given.numbers():
        for values in product(range(-WIDTH, WIDTH + 1), repeat=len(given.variables)):
            point = {**symbols, **dict(zip(given.variables, values, strict=True))}
            if all(value(form, point) >= 0 for form in given.inequalities):
                yield Judgement("projection", "wrong", given.text, "empty", f"it holds at {_text(point)}")
                return
    yield Judgement("projection", "exact", given.text, "empty")


def _step(asked: System, given: LinearSystem, found: Sequence[LinearSystem]) -> Judgement:
    """Along one variable: exactly the rational projection, at all integer points of the rest."""
    gone = asked.gone[0]
    stay = [each for each in asked.variables if each != gone]
    for symbols in asked.numbers():
        branches = [each for each in found if _holds(each.context.facts, symbols)]
        if len(branches) > 1:
            return Judgement("step", "wrong", asked.text, "", f"two branches at {_text(symbols)}")
        is_inside = _holds(given.context.facts, symbols)
        for values in product(range(-WIDTH, WIDTH + 1), repeat=len(stay)):
            point = {**symbols, **dict(zip(stay, values, strict=True))}
            has_rest = is_inside and has_rational_point(given.inequalities, point, (gone,))
            is_found = any(_holds(each.inequalities, point) for each in branches)
            if has_rest != is_found:
                why = f"{'not' * has_rest} in the projection at {_text(point)}"
                return Judgement("step", "wrong", asked.text, "", why)
    return Judgement("step", "exact", asked.text, "")


def _projection(asked: System, found: Sequence[LinearSystem]) -> Judgement:
    """Along several: no integer point is lost; `exact` if nothing is there that is not rationally."""
    worth, why = "exact", None
    for symbols in asked.numbers():
        branches = [each for each in found if _holds(each.context.facts, symbols)]
        for values in product(range(-WIDTH, WIDTH + 1), repeat=len(asked.stay)):
            point = {**symbols, **dict(zip(asked.stay, values, strict=True))}
            is_found = any(_holds(each.inequalities, point) for each in branches)
            if not is_found and _has_integer_point(asked.inequalities, point, asked.gone):
                return Judgement("projection", "wrong", asked.text, "", f"not found: {_text(point)}")
            if is_found and not has_rational_point(asked.inequalities, point, asked.gone):
                worth, why = "loose", "more than the rational projection"
    return Judgement("projection", worth, asked.text, "", why)


def _branch(asked: System, found: LinearSystem) -> Judgement:
    """Whether a branch that is there has a point."""
    for numbers in product(_FAR, repeat=len(asked.symbols)):
        symbols = dict(zip(asked.symbols, numbers, strict=True))
        if _holds(found.context.facts, symbols):
            for values in product(range(-WIDTH, WIDTH + 1), repeat=len(asked.stay)):
                if _holds(found.inequalities, {**symbols, **dict(zip(asked.stay, values, strict=True))}):
                    return Judgement("branch", "exact", asked.text, "")
    said = ", ".join(f"{each} >= 0" for each in found.context.facts)
    return Judgement("branch", "loose", asked.text, said, "no point of small symbols")


def _holds(forms: Sequence[Expression], point: Point) -> bool:
    return all(value(form, point) >= 0 for form in forms)


def _text(point: Point) -> str:
    return ", ".join(f"{name} = {number}" for name, number in point.items())


# -- the oracle ------------------------------------------------------------------------------------------


def _has_integer_point(forms: Sequence[Expression], point: Point, variables: Sequence[Atom]) -> bool:
    """Whether some integers for VARIABLES, in their range, fulfil FORMS."""
    return any(
        _holds(forms, {**point, **dict(zip(variables, values, strict=True))})
        for values in product(range(-WIDTH, WIDTH + 1), repeat=len(variables))
    )


def has_rational_point(forms: Sequence[Expression], point: Point, variables: Sequence[Atom]) -> bool:
    """Whether some rationals for VARIABLES fulfil FORMS, which are linear in them, at POINT."""
    at_zero = {**point, **dict.fromkeys(variables, 0)}
    rows: list[tuple[list[Fraction], Fraction]] = []
    for form in forms:
        offset = value(form, at_zero)
        slopes = [value(form, {**at_zero, each: 1}) - offset for each in variables]
        rows.append(([Fraction(each) for each in slopes], Fraction(offset)))
    for position in range(len(variables)):
        rows = _eliminated(rows, position)
    return all(offset >= 0 for _, offset in rows)


def _eliminated(
    rows: Sequence[tuple[list[Fraction], Fraction]], position: int
) -> list[tuple[list[Fraction], Fraction]]:
    kept = [row for row in rows if row[0][position] == 0]
    below = [row for row in rows if row[0][position] > 0]
    above = [row for row in rows if row[0][position] < 0]
    for (a, c), (b, d) in product(below, above):
        p, q = a[position], -b[position]
        kept.append(([q * x + p * y for x, y in zip(a, b, strict=True)], q * c + p * d))
    return kept
