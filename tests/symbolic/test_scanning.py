"""Loops for systems with symbolic tile sizes: each point once, in order, for all small sizes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import pytest

from tests.shared.numbers import value
from tests.symbolic.figures import FIGURES, RECEIVER
from tests.symbolic.systems import atom
from volcli.language.expressions import Atom, constant, parameter
from volcli.symbolic.context import Context
from volcli.symbolic.fourier_motzkin import eliminate, system
from volcli.symbolic.scanning import ScanLoop, ScanNest, scan

i, j, x, b, V, N, pr, ps = (parameter(s) for s in ("i", "j", "x", "b", "V", "N", "pr", "ps"))


def points(nests: Sequence[ScanNest], symbols: Mapping[Atom, int]) -> Iterator[tuple[int, ...]]:
    """The points that NESTS reach for these values of SYMBOLS, in their order, as the loops would."""
    for nest in nests:
        if all(value(condition, symbols) >= 0 for condition in nest.guard):
            yield from _reached(nest.loops, dict(symbols), ())


def _reached(
    loops: Sequence[ScanLoop], known: dict[Atom, int], done: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    if not loops:
        yield done
        return
    loop, *inner = loops
    lower = max(-((-value(e.numerator, known)) // value(e.denominator, known)) for e in loop.lower)
    upper = min(value(e.numerator, known) // value(e.denominator, known) for e in loop.upper)
    for number in range(lower, upper + 1):
        yield from _reached(inner, {**known, loop.variable: number}, (*done, number))


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_reach_each_point_once_and_in_order(name: str) -> None:
    figure = FIGURES[name]
    variables = [atom(each) for each in figure.variables.split()]
    nests = scan(variables, figure.inequalities, Context(figure.context))
    for values in product(*figure.symbols.values()):
        symbols = dict(zip(map(atom, figure.symbols), values, strict=True))
        found = list(points(nests, symbols))
        assert found == sorted(figure.points(**dict(zip(figure.symbols, values, strict=True)))), symbols


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FIGURES)
def test_the_guard_is_that_of_the_figure(name: str) -> None:
    """Neither too strict nor too weak, with E003-2's corrections."""
    figure = FIGURES[name]
    (nest,) = scan(
        [atom(each) for each in figure.variables.split()], figure.inequalities, Context(figure.context)
    )
    for values in product(*figure.symbols.values()):
        symbols = dict(zip(map(atom, figure.symbols), values, strict=True))
        if all(value(each, symbols) >= 0 for each in figure.context):
            stated = all(value(each, symbols) >= 0 for each in figure.guard)
            assert all(value(each, symbols) >= 0 for each in nest.guard) == stated


def test_no_processor_receives_from_a_later_one() -> None:
    assert (
        scan(
            [atom(s) for s in ["pr", "tr", "ir", "ps", "ts", "is", "a"]], [*RECEIVER, ps - pr - 1], Context()
        )
        == []
    )


def test_a_sign_that_is_not_known_makes_cases() -> None:
    """`n * i <= 6` bounds i from above, from below, or not at all; at most one guard holds."""
    nests = scan([atom("i")], [i + 9, 9 - i, 6 - N * i], Context())
    assert len(nests) == 3
    for number in range(-4, 5):
        symbols = {atom("N"): number}
        expected = [(k,) for k in range(-9, 10) if number * k <= 6]
        assert list(points(nests, symbols)) == expected
        assert sum(all(value(each, symbols) >= 0 for each in nest.guard) for nest in nests) == 1


def test_a_projection_without_unknown_signs_reaches_the_same_points() -> None:
    """Diamonds of two sizes along their waves: which is larger decides on bounds that only projections have."""
    w, t2, step, row, first, second = (parameter(name) for name in ("w", "t2", "t", "i", "B", "C"))
    own = [step, 3 - step, row - 1, 4 - row]
    own += [step + row - first * (w - t2), first * (w - t2) + first - 1 - step - row]
    own += [step - row - second * t2, second * t2 + second - 1 - step + row]
    variables = [atom(name) for name in ("w", "t2", "t", "i")]
    context = Context([first - 1, second - 1])
    assert len(scan(variables, own, context)) > 1
    (nest,) = scan(variables, own, context, is_projected=False)
    for sizes in product(range(1, 5), repeat=2):
        known = dict(zip((atom("B"), atom("C")), sizes, strict=True))
        expected = sorted(
            ((s + r) // sizes[0] + (s - r) // sizes[1], (s - r) // sizes[1], s, r)
            for s in range(4)
            for r in range(1, 5)
        )
        assert list(points([nest], known)) == expected


def test_what_is_infeasible_is_dropped() -> None:
    """b*x <= j < b*x + b has points for b >= 1 only: one nest, not one for each sign of b."""
    assert len(scan([atom("x"), atom("j")], [j, V - j, j - b * x, b * x - j + b - 1], Context())) == 1
    assert scan([atom("i")], [i - 5, 4 - i], Context()) == []


@pytest.mark.slow
@pytest.mark.parametrize("draws", [5, pytest.param(100, marks=pytest.mark.fuzz)])
def test_random_systems(draws: int) -> None:
    """The projection holds that of the integer points, and nothing outside of the rational one's bounds."""
    chance = random.Random(3)
    variables = [parameter(name) for name in "xij"]
    atoms = [atom(name) for name in "xij"]
    for _ in range(draws):
        forms = [v + 3 for v in variables] + [3 - v for v in variables]
        for _ in range(chance.randint(1, 4)):
            form = constant(chance.randint(-3, 5))
            for variable in variables:
                form += variable * chance.choice((0, 0, 1, -1, 2, b, -b, b - 1))
            forms.append(form)
        context = Context((b + 1, 3 - b))
        whole = system(atoms, forms, context)
        nests = scan(atoms, forms, context)
        for size in range(-1, 4):
            symbols = {atom("b"): size}
            grid = [dict(zip(atoms, p, strict=True)) for p in product(range(-3, 4), repeat=3)]
            inside = [g for g in grid if all(value(f, symbols | g) >= 0 for f in forms[6:])]
            assert list(points(nests, symbols)) == [tuple(g.values()) for g in inside]
            for projected in eliminate(whole, atoms[1]) if whole is not None else ():
                if all(value(fact, symbols) >= 0 for fact in projected.context.facts):
                    for point in inside:
                        assert all(value(f, symbols | point) >= 0 for f in projected.inequalities)
